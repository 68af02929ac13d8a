import type { IDataObject } from 'n8n-workflow';

import { beside, checkLength, invalid, quoted } from '../../form/checks';
import { collectionField, linesField } from '../../form/controls';
import type { Field, Place } from '../../form/field';
import { lines } from '../../form/values';

/** Maximum length of a query including its operators, in characters (SearchRequest in api/openapi.yaml). */
export const MAX_QUERY_LENGTH = 500;

type Row = [name: string, displayName: string, operator: string, example: string, what: string];

/** All operators. The last two apply to every word that follows. */
const ROWS: Row[] = [
	['exactPhrase', 'Exact Phrase', '', 'renewable energy', 'Words in this order'],
	['exclude', 'Exclude Words', '-', 'jobs', 'Words that results must not have'],
	['site', 'Only Sites', 'site:', 'example.com', 'Only these sites'],
	['excludeSite', 'Exclude Sites', '-site:', 'example.com', 'Not these sites'],
	['fileType', 'File Type', 'filetype:', 'pdf', 'Only files with these extensions'],
	['excludeFileType', 'Exclude File Type', '-filetype:', 'pdf', 'No files with these extensions'],
	['inTitle', 'In Title', 'intitle:', 'review', 'Words in the page title'],
	['inUrl', 'In URL', 'inurl:', 'blog', 'Words in the URL'],
	['related', 'Related To', 'related:', 'example.com', 'Sites like this one'],
	['imageSize', 'Image Size', 'imagesize:', '1920x1080', 'Only images of exactly this size'],
	['largerThan', 'Image Larger Than', 'larger:', '1920x1080', 'Only images larger than this'],
	[
		'allInTitle',
		'All Words in Title',
		'allintitle:',
		'electric car test',
		'All words in the title',
	],
	['allInUrl', 'All Words in URL', 'allinurl:', 'product lamp', 'All words in the URL'],
];

/** Operators whose entries are alternatives. */
const EITHER = ['site:', 'filetype:'];

/** Returns an entry in quotes; one that has some stays as it is. */
const inQuotes = (entry: string) => (entry.includes('"') ? entry : `"${entry}"`);

/** Returns an entry after its operator, unless it was entered with it; several words in quotes. */
function written(operator: string, entry: string): string {
	if (operator === '') return inQuotes(entry);
	if (entry.startsWith(operator)) return entry;
	const isPhrase = /\s/.test(entry) && !operator.startsWith('all');
	return operator + (isPhrase ? inQuotes(entry) : entry);
}

function operatorField([name, displayName, operator, example, what]: Row): Field {
	const isEither = EITHER.includes(operator);
	const joined = isEither ? ' (several with OR)' : '';
	return linesField(name, displayName, {
		example,
		description: `${what}. Becomes ${written(operator, example)}${joined}.`,
		wire: {
			value: (entered, place) => {
				const entries = lines(entered, place).map((entry) => written(operator, entry));
				const texts = [...new Set(entries)];
				if (isEither && texts.length > 1) return `(${texts.join(' OR ')})`;
				return texts.join(' ') || undefined;
			},
		},
	});
}

/** Query operators; they follow the query, wherever they are in the form. */
export const queryOperatorsField = collectionField('queryOperators', 'Query Operators', {
	placeholder: 'Add Operator',
	description: 'Added to the query; they count toward its 500 characters',
	options: ROWS.map(operatorField),
	wire: {
		last: true,
		put: (target, value, place) => {
			const operators = ROWS.map(([name]) => (value as IDataObject)[name]);
			const query = [target.query, ...operators]
				.filter((text) => text !== undefined && text !== '')
				.join(' ');
			checkLength(query, MAX_QUERY_LENGTH, beside(place, 'Query with its Query Operators'));
			target.query = query;
		},
	},
});

const NAMES = ROWS.map(([, , operator]) => operator.replace('-', '')).filter(Boolean);

/** Matches an operator without anything to search for: at the end, or before a closing bracket. */
const UNFILLED = new RegExp(`(?<![\\w:])-?(?:${NAMES.join('|')})\\s*(?=$|\\))`, 'i');

/** Returns a query. Throws for an operator that has nothing after it: it would find far more than was meant. */
export function checkQuery(query: string, place: Place): string {
	const [operator] = UNFILLED.exec(query) ?? [];
	if (operator === undefined) return query;
	const problem = `has ${quoted(operator.trim())} with nothing after it`;
	throw invalid(place, problem, 'Fill it in, or remove the operator.');
}
