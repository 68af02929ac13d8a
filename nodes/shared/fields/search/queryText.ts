import { isObject } from '../../base/json';
import { beginningOf, trimmed } from '../../base/text';
import { ONLY_MARKS, asText, hasExpression, invalid, quoted, saysNothing } from '../../form/checks';
import type { Place } from '../../form/field';
import { jsonIn } from '../../form/written';

/** Maximum length of a query including its operators, in characters (SearchRequest in api/openapi.yaml). */
export const MAX_QUERY_LENGTH = 500;

/** Search engines' operators; each applies to what follows its colon. */
export const OPERATORS = [
	...['site', 'related', 'filetype', 'ext', 'inurl', 'allinurl', 'intitle', 'allintitle', 'intext'],
	...['allintext', 'inanchor', 'allinanchor', 'imagesize', 'larger', 'before', 'after'],
];

/** What an expression without a value leaves behind in a string. */
const TRACE = String.raw`undefined\b|null\b|NaN\b|Invalid Date|\[object Object\]`;

/** Matches an operator at the beginning of a word. */
const OPERATOR = String.raw`(?<![^\s(-])-?(?:${OPERATORS.join('|')}):`;

/** Whether a text searches for nothing. A person, unlike an expression, may mean a word such as null. */
export const hasNoWords = (text: string, { raw }: Place): boolean =>
	hasExpression(raw) ? saysNothing(text) : ONLY_MARKS.test(text);

/** Parts of a query that don't search for anything. */
const HOLLOW = [
	// An operator followed by nothing, a bare scheme, or the trace of an empty expression.
	new RegExp(String.raw`${OPERATOR}(?:$|[\s)]|" ?"|https?:\/*(?:$|[\s)])|${TRACE})`, 'i'),
	// An operator followed by a word for nothing, or by marks alone.
	new RegExp(String.raw`${OPERATOR}"?(?:none|nil|#?n/a|empty|\{\}|\[\])"?(?=$|[\s)])`, 'i'),
	new RegExp(
		String.raw`${OPERATOR}(?:[^\p{L}\p{N}\p{S}\s"()]|\||\)|["(](?! ?[\p{L}\p{N}\p{S}]))+(?=$|[\s)])`,
		'iu',
	),
	// A word or the beginning of a host in place of a site or a file type.
	/(?<![^\s(-])-?(?:site|related|filetype|ext):(?:any|all|or|and|www\.?)(?=$|[\s)])/i,
	// A date as JavaScript writes it, or a word for one, in place of a day.
	/(?<![^\s(-])-?(?:before|after):\p{L}+/iu,
	// A range without one of its ends.
	/(?<!\S)\$?[\d.,]*\d?\.\.\$(?!\S)|(?<!\S)\$\.\./,
	// An expression that was not filled in, unless it is the subject itself.
	/^(?!.*\b(?:n8n|expressions?|syntax)\b).*\{\{\s*\$(?:json|node|input|\()[^{}]*\}\}/i,
	// What a sheet writes for a missing value, unless it is the subject itself.
	/^(?:#?n\/a|#(?:ref|value|name|div\/0|num|null)[!?]) (?!(?:mean|stand|in|error|excel|sheets?|symbol|abbreviation|definition|full|vs|or|value|formula))/i,
	// A path by itself isn't a site, nor is a domain without its beginning, except one such as .gov.uk.
	/(?<![^\s(-])-?(?:site|related):\/+/i,
	/(?<![^\s(-])-?(?:site|related):(?:\.(?!\w{2,3}\.\w{2}(?![\w.]))[\w-]+\.\w|[\w.-]*\.\.)/i,
	new RegExp(String.raw`(?<!\S)-(?:${TRACE})`),
	// An alternative with nothing on one side, unless it is the subject itself.
	/(?:^|\() ?(?:OR|AND|\|)(?!\S| (?:gate|operator|condition|statement|logic)s?\b)/,
	/(?<!\S)(?:OR|AND|\|) ?(?:$|\)|(?:OR|AND|\|)(?!\S))/,
	/(?<!\S)-?\( ?\)/,
	// An exclusion without a word.
	/(?<!\S)-+ ?(?:$|\))/,
];

/** Matches what is in quotes around nothing: also a dash, a stop or a word for nothing. */
const EMPTY_QUOTES = new RegExp(
	String.raw`^ ?(?:${TRACE}|[\p{Pd}\p{Cf}.…*]+|#?[nN]/[aA])? ?$`,
	'u',
);

/** Matches a blank between an operator and what can only be its value: a domain, an extension, a year or a size. */
const APART =
	/(?<![^\s(-])(-?(?:(?:site|related):(?= *[\w-]+\.\p{L})|(?:filetype|ext):(?= *(?:pdf|docx?|xlsx?|pptx?|csv|txt|rtf|html?)\b)|(?:before|after):(?= *\d{4}\b)|(?:imagesize|larger):(?= *\d+x\d))) +/giu;

/** Matches the time behind the day of a limit; search engines take days alone. */
const TIME =
	/(?<=(?<![^\s(-])-?(?:before|after):\d{4}-\d\d-\d\d)T[\d:.]+(?:Z|[+-][\d:]+)?(?=$|[\s)])/gi;

/** Matches a string as it is in a CSV file: in quotes, with those inside doubled around words. */
const CSV = /^"(?:[^"]*\s)?""[^"]+""(?:\s(?:[^"]|"")*)?"$/;

/** Returns the query in the JSON that models write for all fields at once; any other string stays unchanged. */
function bareQuery(text: string, place: Place): string {
	const json = jsonIn(text);
	const record = [json].flat().length === 1 ? [json].flat()[0] : undefined;
	const names = isObject(record) ? Object.keys(record) : [];
	const given: unknown =
		isObject(record) && names.length > 0
			? (record.query ?? record.q ?? (names.length === 1 ? record[names[0]] : record))
			: json;
	const [first, ...others] = [given].flat();
	if ((isObject(first) && first !== json) || (names.length > 0 && typeof first !== 'string')) {
		throw invalid(
			place,
			`is ${quoted(text)}, which has no query`,
			'Enter the query alone, as text.',
		);
	}
	if (typeof first !== 'string') return text;
	if (names.length > 1) {
		throw invalid(
			place,
			`is ${quoted(text)}, which has more than a query`,
			'Enter the query alone, as text; the other settings have fields of their own.',
		);
	}
	if (others.length === 0) return first;
	throw invalid(
		place,
		`is ${quoted(text)}, which is several queries`,
		'Enter one at a time, as text.',
	);
}

/** Returns a query in a list or an object as its JSON, which is then read; anything else stays unchanged. */
export function queryIn(entered: unknown): unknown {
	const texts = isObject(entered) ? [entered.query] : entered;
	const areTexts = Array.isArray(texts) && texts.every((text) => typeof text === 'string');
	return areTexts && texts.length > 0 ? asText(entered) : entered;
}

/** Returns a query without blanks behind its operators and without the quotes of a CSV file. */
function asMeant(query: string): string {
	const text = beginningOf(query, MAX_QUERY_LENGTH);
	const bare = CSV.test(text) ? text.slice(1, -1).replaceAll('""', '"') : text;
	return bare.replace(APART, '$1').replace(TIME, '') + query.slice(text.length);
}

/** Matches a word that sheets and expressions write for a value they don't have. */
const MISSING =
	/(?<![^\s("])(?:#?n\/a|#(?:ref|value|name|div\/0|num|null|error)[!?]|undefined|null|nan)(?![^\s)"])/i;

/** Returns such a word in a query if it is a whole field of the item, unless the query is one, too. */
function missingIn(query: string, { item }: Place): string | undefined {
	const [word] = MISSING.exec(query) ?? [];
	if (word === undefined || item === undefined) return undefined;
	const data = JSON.stringify(item());
	const isMissing = data.includes(JSON.stringify(word)) && !data.includes(JSON.stringify(query));
	return isMissing ? word : undefined;
}

/**
 * Returns the query to send. Throws NodeOperationError for one from an expression if part of it searches for nothing,
 * because it would find, and scrape, what nobody intended. A query typed by hand is taken as it is.
 */
export function writtenQuery(entered: string, place: Place): string {
	if (typeof place.raw === 'string' && !hasExpression(place.raw)) return entered;
	const query = asMeant(bareQuery(entered, place));
	const text = trimmed(beginningOf(query, MAX_QUERY_LENGTH))
		.replace(/[“”„‟＂]/g, '"')
		.replace(/\s+/g, ' ');
	const quotes = [...text.matchAll(/"([^"]*)"/g)].find(([, inside]) => EMPTY_QUOTES.test(inside));
	const found =
		HOLLOW.map((pattern) => pattern.exec(text)?.[0]).find(Boolean) ??
		quotes?.[0] ??
		missingIn(entered, place);
	if (found === undefined) return query;
	throw invalid(
		place,
		`has ${quoted(found.trim())} with nothing to search for in it: ${quoted(query)}`,
		'Check the expression, or remove the operator.',
	);
}
