import type { IDataObject } from 'n8n-workflow';

import { checkLength, invalid, quoted } from '../../form/checks';
import { collectionField, linesField } from '../../form/controls';
import type { Field, Place } from '../../form/field';
import { lines } from '../../form/values';

/** Maximum length of a query including its operators, in characters (SearchRequest in api/openapi.yaml). */
export const MAX_QUERY_LENGTH = 500;

/** Returns an entry in quotes; one that has some stays as it is. */
const inQuotes = (entry: string) => (entry.includes('"') ? entry : `"${entry}"`);

/** Returns an entry after its operator, unless it was entered with it; several words in quotes. */
const written = (operator: string, entry: string): string =>
	entry.startsWith(operator) ? entry : operator + (/\s/.test(entry) ? inQuotes(entry) : entry);

/** Joins several entries of a field as alternatives. */
const anyOf = (texts: string[]) => (texts.length > 1 ? `(${texts.join(' OR ')})` : texts[0]);

interface OperatorForm {
	example: string;
	description: string;
	/** Returns what is added to the query for an entry. */
	write?: (operator: string, entry: string) => string;
	/** Joins several entries; with spaces by default. */
	join?: (texts: string[]) => string;
}

function operatorField(
	name: string,
	displayName: string,
	operator: string,
	{ write = written, join = (texts) => texts.join(' '), ...rest }: OperatorForm,
): Field {
	return linesField(name, displayName, {
		...rest,
		wire: {
			value: (entered, place) => {
				const entries = lines(entered, place)?.map((entry) => write(operator, entry));
				return entries && join([...new Set(entries)]);
			},
		},
	});
}

/** Operators that apply to all words that follow. */
const rest = (operator: string, entry: string) => operator + entry;

const operatorFields = [
	operatorField('exactPhrase', 'Exact Phrase', '', {
		example: 'renewable energy',
		description: 'Results must have these words in this order. Becomes "renewable energy".',
		write: (_, entry) => inQuotes(entry),
	}),
	operatorField('exclude', 'Exclude Words', '-', {
		example: 'jobs',
		description: 'Results must not have these words. Becomes -jobs.',
	}),
	operatorField('site', 'Only Sites', 'site:', {
		example: 'example.com',
		description:
			'Only results from these sites, any of them. Becomes site:example.com; several are joined with OR.',
		join: anyOf,
	}),
	operatorField('excludeSite', 'Exclude Sites', '-site:', {
		example: 'example.com',
		description: 'No results from these sites. Becomes -site:example.com.',
	}),
	operatorField('fileType', 'File Type', 'filetype:', {
		example: 'pdf',
		description:
			'Only files with this extension. Becomes filetype:pdf; several are joined with OR.',
		join: anyOf,
	}),
	operatorField('excludeFileType', 'Exclude File Type', '-filetype:', {
		example: 'pdf',
		description: 'No files with this extension. Becomes -filetype:pdf.',
	}),
	operatorField('inTitle', 'In Title', 'intitle:', {
		example: 'review',
		description: 'The page title has this word. Becomes intitle:review.',
	}),
	operatorField('inUrl', 'In URL', 'inurl:', {
		example: 'blog',
		description: 'The URL has this word. Becomes inurl:blog.',
	}),
	operatorField('related', 'Related To', 'related:', {
		example: 'example.com',
		description: 'Sites like this one. Becomes related:example.com.',
	}),
	operatorField('imageSize', 'Image Size', 'imagesize:', {
		example: '1920x1080',
		description: 'Only images of exactly this size. Becomes imagesize:1920x1080.',
	}),
	operatorField('largerThan', 'Image Larger Than', 'larger:', {
		example: '1920x1080',
		description: 'Only images larger than this. Becomes larger:1920x1080.',
	}),
	// These two apply to every word that follows, so they come last.
	operatorField('allInTitle', 'All Words in Title', 'allintitle:', {
		example: 'electric car test',
		description: 'The page title has all these words. Becomes allintitle:electric car test.',
		write: rest,
	}),
	operatorField('allInUrl', 'All Words in URL', 'allinurl:', {
		example: 'product lamp',
		description: 'The URL has all these words. Becomes allinurl:product lamp.',
		write: rest,
	}),
];

/** Query operators; they follow the query, wherever they are in the form. */
export const queryOperatorsField = collectionField('queryOperators', 'Query Operators', {
	placeholder: 'Add Operator',
	description:
		'Narrow the search without knowing its syntax. Operators are added to the query and count toward its 500 characters.',
	options: operatorFields,
	wire: {
		last: true,
		put: (target, value, place) => {
			const operators = operatorFields.map((field) => (value as IDataObject)[field.name]);
			const query = [target.query, ...operators]
				.filter((text) => text !== undefined && text !== '')
				.join(' ');
			checkLength(query, MAX_QUERY_LENGTH, {
				...place,
				labels: [...place.labels.slice(0, -1), 'Query with its Query Operators'],
			});
			target.query = query;
		},
	},
});

const OPERATORS = 'site|filetype|inurl|intitle|allinurl|allintitle|related|imagesize|larger';

/** Matches an operator without anything to search for: at the end, or before a closing bracket. */
const UNFILLED = new RegExp(`(?<![\\w:])-?(?:${OPERATORS}):\\s*(?=$|\\))`, 'i');

/** Throws for a query with an operator that has nothing after it: it would find far more than was meant. */
export function checkQuery(query: string, place: Place): void {
	const [operator] = UNFILLED.exec(query) ?? [];
	if (operator === undefined) return;
	throw invalid(
		place,
		`has ${quoted(operator.trim())} with nothing after it`,
		'Fill it in, or remove the operator.',
	);
}
