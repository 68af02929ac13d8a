import { checkCount, invalid, quoted } from '../form/checks';
import { linesField } from '../form/controls';
import type { Field, Place } from '../form/field';
import { QUERY, noPageLeft, pathOf, readPattern } from '../form/paths';
import { textOf } from '../base/text';
import { parsedUrl } from '../base/url';
import { LONGEST_PATTERN, MOST_PATTERNS } from '../base/limits';

const PATH_HINT =
	'A path such as /docs, with * for any text, or a regular expression; one per line';

/** Paths that differ in all that patterns tell apart. They are short, so that no pattern takes long. */
const PATHS = ['/', '/a', '/a/', '/.a', '/9_', '/-'];

/** Matches patterns that may take long on whole URLs: several repetitions, or a repeated group. */
const SLOW = /\)[*+{]|(?:[*+{][^]*){4}/;

/** Longest pattern, in characters, that is tried on these paths. */
const LONGEST_TRIED = 60;

/** Matches the beginning of a URL in a pattern. */
const WHOLE_URL = /^\^?https?\??:/i;

/** Matches a pattern with nothing beside a bar, and so any text. */
const EMPTY_CHOICE = /^\||(?<!\\)\|(?:\||$)/;

const ONLY_PATHS = 'Write the path alone, e.g. /blog, or turn on Match Paths on Full URL.';

const WHOLE_URLS = 'Remove the ^, or turn Match Paths on Full URL off.';

/** Whether a pattern matches every page of a site. */
function matchesAll(pattern: RegExp, begin: string): boolean {
	const { source } = pattern;
	if (source.length > LONGEST_TRIED || (begin !== '' && SLOW.test(source))) return false;
	return PATHS.every((path) => pattern.test(begin + path));
}

/** Returns the pattern that matches a path and all below it, searched for in paths or in whole URLs. */
function anchored(path: string, isFullUrl: boolean): string {
	const any = path.replace(/[.+?()[\]{}^$|]/g, '\\$&').replace(/\*+/g, '.*');
	const begin = isFullUrl ? '^https?://[^/]+' : '^';
	const hasQuery = path.includes('?');
	if (any.endsWith('*') || (hasQuery && any.endsWith('='))) return begin + any;
	const next = hasQuery ? '[&#]' : isFullUrl ? '[/?#]' : '/';
	return `${begin}${any.replace(/\/$/, '')}(${next}|$)`;
}

/** Returns the regular expression to send for an entry. Throws NodeOperationError for one that a crawl doesn't read. */
function patternOf(entry: string, isFullUrl: boolean, site: string, place: Place): string {
	const refused = (problem: string, remedy: string) =>
		invalid(place, `has ${quoted(entry)}, ${problem}`, remedy);
	if (entry.length > LONGEST_PATTERN) {
		throw refused(`which has more than ${LONGEST_PATTERN} characters`, 'Enter one path per line.');
	}
	const path = pathOf(entry, site, isFullUrl);
	if (path !== undefined) return anchored(path, isFullUrl);
	if (!isFullUrl && WHOLE_URL.test(entry))
		throw refused('a whole URL, while only paths are matched', ONLY_PATHS);
	if (!isFullUrl && (entry.includes('\\?') || QUERY.test(entry)))
		throw refused('which has a query, while only paths are matched', ONLY_PATHS);
	const read = readPattern(entry);
	if (typeof read === 'string') throw refused('which a crawl would ignore', read);
	if (isFullUrl && entry.startsWith('^/'))
		throw refused('the beginning of a path, while whole URLs are matched', WHOLE_URLS);
	if (EMPTY_CHOICE.test(entry))
		throw refused('which matches every page', 'Remove the | with nothing beside it.');
	return entry;
}

/**
 * Creates a field for patterns, which stay text until it is known whether they apply to paths or whole URLs, and on
 * which site.
 */
export const patternsField = (name: string, displayName: string, description: string): Field =>
	linesField(name, displayName, {
		description,
		example: '/blog',
		hint: PATH_HINT,
		wire: {
			last: true,
			put: (target, value, place) => {
				const isFullUrl = target.regexOnFullURL === true;
				const site = textOf(target.url);
				const entries = value as string[];
				checkCount(entries.length, MOST_PATTERNS, 'entries', place, 'Remove the others.');
				target[name] = entries.map((entry) => {
					const pattern = patternOf(entry, isFullUrl, site, place);
					const read = name === 'excludePaths' ? readPattern(pattern) : '';
					const begin = isFullUrl ? (parsedUrl(site)?.origin ?? '') : '';
					if (typeof read === 'string' || !matchesAll(read, begin)) return pattern;
					throw noPageLeft(entry, place);
				});
			},
		},
	});
