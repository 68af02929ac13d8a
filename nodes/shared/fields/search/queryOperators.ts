import type { IDataObject } from 'n8n-workflow';

import { checkLength, invalid, quoted, saysNothing } from '../../form/checks';
import { collectionField, linesField } from '../../form/controls';
import type { Field, Place } from '../../form/field';
import { checkWord, lines } from '../../form/values';
import { trimmed, withoutEnd } from '../../base/text';
import { MAX_QUERY_LENGTH, OPERATORS, hasNoWords } from './queryText';

/** Returns an entry, already cleaned by `bareOf`, after its operator. */
type Write = (operator: string, entry: string, place: Place) => string;

/** Matches a site: a domain, a part of one such as `gov`, or a path below one. */
const SITE =
	/^\.?(?:[\p{L}\d*_-]+\.)*(?:\p{L}[\p{L}\d-]+|\d{1,3}(?:\.\d{1,3}){3})\.?(?::\d+)?(?:\/\S*)?$/u;

/** Matches an operator that is followed by a word. */
const OPERATOR = new RegExp(String.raw`^-?(?:${OPERATORS.join('|')}):(?=\S)`, 'i');

/** Quotes several words, because the operator only applies to one. */
const word: Write = (operator, entry) => `${operator}${/\s/.test(entry) ? `"${entry}"` : entry}`;
const phrase: Write = (_, entry) => `"${entry}"`;
const rest: Write = (operator, entry) => `${operator}${entry}`;
const host: Write = (operator, entry, place) => {
	const name = withoutEnd(entry.replace(/^\w+:\/*(?!\d)/, ''), '/');
	if (saysNothing(name)) throw nothing(entry, place);
	checkWord(name, place);
	if (name.startsWith('-')) {
		throw invalid(
			place,
			`has ${quoted(entry)}, which has a minus in front`,
			'Write sites to leave out in Exclude Sites, without it.',
		);
	}
	if (!SITE.test(name) || /^(?:[a-z]{5,}|all|any|both|www\.?)$/i.test(name)) {
		throw invalid(
			place,
			`has ${quoted(entry)}, which is not a site`,
			'Write it like example.com or example.com/blog.',
		);
	}
	return `${operator}${name}`;
};
const extension: Write = (operator, entry, place) => {
	const name = entry.replace(/^[*.]+/, '').toLowerCase();
	if (saysNothing(name)) throw nothing(entry, place);
	checkWord(name, place);
	if (
		/^(?!(?:all|any|both|images?|videos?|audio|photos?)$)[a-z\d]{1,8}(?:\.[a-z\d]{1,8})?$/.test(
			name,
		)
	)
		return `${operator}${name}`;
	throw invalid(place, `has ${quoted(entry)}, which is not a file type`, 'Write it like pdf.');
};
const size: Write = (operator, entry, place) => {
	const match = /^(\d+)\s*[x×*]\s*(\d+)$/i.exec(entry);
	if (match === null) {
		throw invalid(
			place,
			`is ${quoted(entry)}, but must be WIDTHxHEIGHT`,
			'Write it like this: 1920x1080.',
		);
	}
	return `${operator}${match[1]}x${match[2]}`;
};

function nothing(entry: string, place: Place): Error {
	return invalid(
		place,
		`has ${quoted(entry)}, which leaves nothing to search for`,
		'Enter the words alone; this field adds the operator.',
	);
}

/**
 * Returns a function that removes from an entry what this field adds itself: the operator, if the user typed it too,
 * and quotes. Quotes stay if the operator applies to all words that follow, because none are added there. The function
 * throws if the entry begins with another operator.
 */
function bareOf(operator: string, write: Write): (entry: string, place: Place) => string {
	const [, sign, name] = /^(-?)(.*)$/.exec(operator) as string[];
	const names = name === 'filetype:' ? '(?:filetype|ext):' : name;
	const own = name === '' ? '' : new RegExp(`^(?:${names}\\s*)+`, 'i');
	return (entry, place) => {
		const words = entry
			.replace(write === rest ? '' : /["“”„]/g, '')
			.replace(sign === '' ? '' : /^-+/, '')
			.replace(own, '');
		const text = trimmed(words);
		if (hasNoWords(text, place)) throw nothing(entry, place);
		const other = name === '' ? undefined : OPERATOR.exec(text)?.[0];
		if (other === undefined) return text;
		throw invalid(
			place,
			`has ${quoted(entry)}, which has another operator: ${other}`,
			'Enter the words alone; this field adds its own operator.',
		);
	};
}

/** Returns the entries of a line. */
type Split = (line: string) => string[];

const partsAt = (line: string, between: RegExp): string[] =>
	line
		.split(between)
		.map(trimmed)
		.filter((part) => part !== '');

const phrasesIn: Split = (line) =>
	line.replace(/"[^"]*"/g, '').trim() === '' ? (line.match(/"[^"]+"/g) ?? [line]) : [line];
const excludedIn: Split = (line) => partsAt(line, /[,;|]|\s(?:OR|NOT)\s|^NOT\s|\s(?=-\S)/);
const sitesIn: Split = (line) => {
	const parts = partsAt(line, /[\s,;|()]+(?:(?:OR|AND|and|or)[\s,;|()]+)?/);
	return parts.every((part) => part.includes('.')) ? parts : [line];
};

/** What people call types of files, and words around a type that name none. */
const TYPES: Record<string, string> = {
	...{ plain: 'txt', word: 'docx', excel: 'xlsx', powerpoint: 'pptx', acrobat: 'pdf' },
	...Object.fromEntries(
		['or', 'and', 'file', 'files', 'document', 'documents', 'application', 'text'].map((one) => [
			one,
			'',
		]),
	),
};
const typesIn: Split = (line) => {
	if (saysNothing(line)) return [line];
	const parts = partsAt(line, /[\s,;|()/]+/)
		.map(
			(part) => TYPES[part.toLowerCase()] ?? part.replace(/^(pdf|docx?|xlsx|pptx?|csv)s$/i, '$1'),
		)
		.filter((part) => part !== '');
	return parts.every((part) => /^(?:-?\w+:)?[*.]*[a-z\d]{1,5}$/i.test(part)) ? parts : [line];
};

/** Joins several entries of a field as alternatives. */
const anyOf = (texts: string[]) => {
	const different = [...new Set(texts)];
	return different.length > 1 ? `(${different.join(' OR ')})` : different[0];
};
const allOf = (texts: string[]) => texts.join(' ');

function operatorField(
	name: string,
	displayName: string,
	operator: string,
	field: {
		example: string;
		description: string;
		write: Write;
		join?: (texts: string[]) => string;
		split?: Split;
	},
): Field {
	const { write, join = allOf, split = (line) => [line], ...rest } = field;
	const bare = bareOf(operator, write);
	return linesField(name, displayName, {
		...rest,
		wire: {
			value: (entered, place) => {
				const entries = [...new Set(lines(entered, place)?.flatMap(split))];
				const written = entries.map((entry) => write(operator, bare(entry, place), place));
				return written.length > 0 ? join(written) : undefined;
			},
		},
	});
}

const operatorFields = [
	operatorField('exactPhrase', 'Exact Phrase', '', {
		example: 'renewable energy',
		description: 'Results must have these words in this order. Becomes "renewable energy".',
		write: phrase,
		split: phrasesIn,
	}),
	operatorField('exclude', 'Exclude Words', '-', {
		example: 'jobs',
		description: 'Results must not have these words. Becomes -jobs.',
		write: word,
		split: excludedIn,
	}),
	operatorField('site', 'Only Sites', 'site:', {
		example: 'example.com',
		description:
			'Only results from these sites, any of them. Becomes site:example.com; several are joined with OR.',
		write: host,
		split: sitesIn,
		join: anyOf,
	}),
	operatorField('excludeSite', 'Exclude Sites', '-site:', {
		example: 'example.com',
		description: 'No results from these sites. Becomes -site:example.com.',
		write: host,
		split: sitesIn,
	}),
	operatorField('fileType', 'File Type', 'filetype:', {
		example: 'pdf',
		description:
			'Only files with this extension. Becomes filetype:pdf; several are joined with OR.',
		write: extension,
		split: typesIn,
		join: anyOf,
	}),
	operatorField('excludeFileType', 'Exclude File Type', '-filetype:', {
		example: 'pdf',
		description: 'No files with this extension. Becomes -filetype:pdf.',
		write: extension,
		split: typesIn,
	}),
	operatorField('inTitle', 'In Title', 'intitle:', {
		example: 'review',
		description: 'The page title has this word. Becomes intitle:review.',
		write: word,
	}),
	operatorField('inUrl', 'In URL', 'inurl:', {
		example: 'blog',
		description: 'The URL has this word. Becomes inurl:blog.',
		write: word,
	}),
	operatorField('related', 'Related To', 'related:', {
		example: 'example.com',
		description: 'Sites like this one. Becomes related:example.com.',
		write: host,
		split: sitesIn,
	}),
	operatorField('imageSize', 'Image Size', 'imagesize:', {
		example: '1920x1080',
		description: 'Only images of exactly this size. Becomes imagesize:1920x1080.',
		write: size,
	}),
	operatorField('largerThan', 'Image Larger Than', 'larger:', {
		example: '1920x1080',
		description: 'Only images larger than this. Becomes larger:1920x1080.',
		write: size,
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
			const written = operatorFields.map((field) => (value as IDataObject)[field.name]);
			const query = [target.query, ...written]
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
