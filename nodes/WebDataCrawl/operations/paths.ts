import { checkCount, invalid, quoted } from '../../shared/form/checks';
import { linesField } from '../../shared/form/controls';
import type { Field, Place } from '../../shared/form/field';
import { lines } from '../../shared/form/values';
import { FILE_NAME, hostOf } from '../../shared/form/hosts';
import { HOST, type Reject, checkPath, noPageLeft, pathIn, siteOf } from '../../shared/form/paths';
import { pathsIn } from '../../shared/form/written';
import { textOf, withoutEnd } from '../../shared/base/text';
import { upperCodes } from '../../shared/base/url';
import { MOST_PATTERNS } from '../../shared/base/limits';

const PATH_HINT =
	'A path such as /docs, where * stands for any text, or a regular expression; one per line';

/**
 * Matches a plain path, meant to include everything below it: `/docs`, `/docs/` or `/docs/*`. `/docs/.*` is already a
 * pattern.
 */
const PLAIN_PATH = /^(?!.*\.[+*])(\/[\w.~%+-]+(?:\/[\w.~%+-]+)*)(?:\/\*?)?$/;

/** Matches text in which asterisks stand for any characters and nothing else has a special meaning. */
const GLOB = /^[\w.~%*/@!,:;()-]+$/;
const GLOB_OF_URL = /^(?:https?\*?:|[/*])[\w.~%*/@!,:;()?=&-]+$/i;

/** Matches text whose question mark, if any, begins a query, as opposed to being part of a regular expression. */
const PLAIN_QUERY = /^[^?]*(?:\?(?:[\w-]+=|\*)[^?]*)?$/;

/** Matches a question mark that begins a query although regular expressions read it otherwise. */
const QUERY_MARK = /(?<![\\(*+?)\]])\?(?=[\w-]+=)/;

/** Paths that differ in all that patterns tell apart. They are short, so that no pattern takes long. */
const PATHS = ['/', '/a', '/a/', '/.a', '/9_', '/-'];

/** Maximum length, in characters, of a pattern that is tried on these paths, and on URLs. */
const LONGEST_TRIED = 200;
const LONGEST_TRIED_ON_URLS = 12;

/**
 * Matches several patterns in a row: no path has a space after a comma, none begins in the middle of another, and words
 * with commas are names of paths.
 */
const SEVERAL = /,(?:\s|\^\/)|^[^[]*(?:[,;]\*|\*[,;]\w)|^\p{L}[\p{L}-]*(?:,\p{L}[\p{L}-]*)+$/u;

/** Matches a glob without anything that regular expressions have: it begins with an asterisk or a slash. */
const PLAIN_GLOB = /^(?!.*\.\*)[/*][\w.~%*/-]+$/;

/** Characters that nobody sees, which no path has. */
const UNSEEN = /[\u00ad\u200b-\u200f\u2060\ufeff]/g;

/** Matches what a crawl's regular expressions don't have: services reject such a pattern, or ignore it. */
const LOOKS_AROUND = /\(\?<?[=!]|\\[1-9]/;

const ONLY_PATHS = 'Write the path alone, e.g. /blog, or turn on Match Paths on Full URL.';

/**
 * Encodes spaces and non-ASCII letters the way they appear in URLs. In a regular expression, what repeats such a letter
 * still applies to all of it.
 */
function encoded(pattern: string, isGlob: boolean, reject: Reject): string {
	if (/\p{Cs}/u.test(pattern)) throw reject('a part of a character', 'Copy it again, or type it.');
	if (/\[[^[\]]*[^[\]\x21-\x7e]/.test(pattern)) {
		throw reject('letters beyond ASCII in brackets', 'Write (ä|ö) instead of [äö].');
	}
	const composed = upperCodes(pattern.normalize('NFC'));
	return composed.replace(/([^\x21-\x7e])([?*+{])?/gu, (_, letter: string, times?: string) => {
		const written = encodeURIComponent(letter);
		return times === undefined || isGlob ? written + (times ?? '') : `(?:${written})${times}`;
	});
}

/** Returns an entry with its international host written the way it appears in URLs. */
function withAsciiHost(entry: string): string {
	const { host } = HOST.exec(entry)?.groups ?? {};
	if (host === undefined || FILE_NAME.test(host) || /^\^?\/(?!\/)/.test(entry)) return entry;
	const ascii = (label: string) =>
		/^\p{ASCII}*$/u.test(label) ? label : hostOf(`http://${label}.a`).slice(0, -2);
	const labels = host.split(/(\\?\.)/).map((label) => ascii(label) || label);
	return entry.replace(host, () => labels.join(''));
}

/** Whether a pattern matches every page of a site. */
function matchesAll(pattern: string, isFullUrl: boolean, site: string): boolean {
	const { host, path = '' } = (isFullUrl && HOST.exec(pattern)?.groups) || {};
	const isOwn = host !== undefined && siteOf(`https://${host.replace(/\\/g, '')}`) === siteOf(site);
	const [rest, begin] = isOwn ? [`^${path}`, ''] : [pattern, isFullUrl ? 'https://a' : ''];
	const longest = begin === '' ? LONGEST_TRIED : LONGEST_TRIED_ON_URLS;
	if (rest.length > longest) return false;
	return PATHS.every((one) => new RegExp(rest).test(begin + one));
}

/** Turns an entry into the regular expression to send. Throws NodeOperationError if it could never match anything. */
function patternOf(entry: string, isFullUrl: boolean, site: string, place: Place): string {
	const reject: Reject = (problem, remedy) =>
		invalid(place, `has ${quoted(entry)}, which has ${problem}`, remedy);
	checkPath(entry, reject);
	if (SEVERAL.test(entry)) {
		throw reject('more than one regular expression in it', 'Enter one per line.');
	}
	if (LOOKS_AROUND.test(entry)) {
		throw reject(
			'a look-ahead, look-behind or backreference in it',
			'Services ignore these. Write the paths themselves, e.g. in Exclude Paths.',
		);
	}
	const own = isFullUrl ? withAsciiHost(entry) : pathIn(entry, site, reject, ONLY_PATHS);
	// Letters beyond ASCII have no special meaning.
	const plain = own.replace(/[^\x21-\x7e]/gu, '_');
	const isLiteral = isFullUrl
		? GLOB_OF_URL.test(plain) && PLAIN_QUERY.test(plain)
		: GLOB.test(plain);
	const isGlob = isLiteral && /[*(?]/.test(plain) && !plain.includes('.*');
	const written = encoded(own, isGlob, reject);
	const [, path] = (!isFullUrl && PLAIN_PATH.exec(written)) || [];
	if (path !== undefined) return `^${path.replace(/[.+]/g, '\\$&')}(/|$)`;
	if (isGlob) {
		const any = written.replace(/[.()?]/g, '\\$&').replace(/\*+/g, '.*');
		const begun = (isFullUrl ? /^h/i : /^\//).test(any) ? `^${any}` : any;
		return any.endsWith('*') ? begun : `${withoutEnd(begun, '/')}(/|$)`;
	}
	// A repeated slash is never intended.
	const pattern = written.replace(/(?<=^|\/)\*+/g, '.*').replace(QUERY_MARK, '\\?');
	try {
		new RegExp(pattern);
		return pattern;
	} catch {
		throw reject(
			'a mistake in its regular expression',
			'Write .* for any text, e.g. \\.pdf$ for all paths that end in .pdf, or a path such as /docs.',
		);
	}
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
			value: (entered, place) => {
				const seen = lines(entered, place)?.map((line) =>
					line.replace(UNSEEN, '').replaceAll('&amp;', '&'),
				);
				const filled = seen?.filter((line) => pathsIn(line, () => true).length > 0);
				return filled?.length ? filled : undefined;
			},
			last: true,
			put: (target, value, place) => {
				const isFullUrl = target.regexOnFullURL === true;
				const site = textOf(target.url);
				const isPath = (text: string) => {
					const plain = text.replace(/[^\x20-\x7e]/g, '_');
					return !isFullUrl && (PLAIN_PATH.test(plain) || PLAIN_GLOB.test(plain));
				};
				const entries = (value as string[]).flatMap((line) => pathsIn(line, isPath));
				checkCount(entries.length, MOST_PATTERNS, 'entries', place, 'Remove the others.');
				target[name] = entries.map((one) => {
					const pattern = patternOf(one, isFullUrl, site, place);
					if (name !== 'excludePaths' || !matchesAll(pattern, isFullUrl, site)) return pattern;
					throw noPageLeft(one, place);
				});
			},
		},
	});
