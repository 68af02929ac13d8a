import { checkCount, invalid, quoted } from '../../shared/form/checks';
import { linesField } from '../../shared/form/controls';
import type { Field, Place } from '../../shared/form/field';
import { lines } from '../../shared/form/values';
import { type Reject, checkPath, pathIn } from '../../shared/form/paths';
import { pathsIn, wordsIn } from '../../shared/form/written';
import { textOf, withoutEnd } from '../../shared/base/text';
import { upperCodes } from '../../shared/base/url';
import { MOST_PATTERNS } from '../../shared/base/limits';

const PATH_HINT =
	'A path such as /docs; * stands for any text; one per line. A regular expression works, too.';

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

/** Matches a pattern that covers every page of a site. */
const EVERYTHING = /^\^?\/?(?:\.\*)?$/;

const ONLY_PATHS = 'Write the path alone, e.g. /blog, or turn on Match Paths on Full URL.';

/** Encodes spaces and non-ASCII letters the way they appear in URLs. */
function encoded(pattern: string, reject: Reject): string {
	if (/\p{Cs}/u.test(pattern)) throw reject('a part of a character', 'Copy it again, or type it.');
	if (/\[[^[\]]*[^[\]\x21-\x7e]/.test(pattern)) {
		throw reject('letters beyond ASCII in brackets', 'Write (ä|ö) instead of [äö].');
	}
	const composed = upperCodes(pattern.normalize('NFC'));
	return composed.replace(/([^\x21-\x7e])([?*+{])?/gu, (_, letter: string, times?: string) => {
		const written = encodeURIComponent(letter);
		return times === undefined ? written : `(?:${written})${times}`;
	});
}

/** Turns an entry into the regular expression to send. Throws NodeOperationError if it could never match anything. */
function patternOf(entry: string, isFullUrl: boolean, site: string, place: Place): string {
	const reject: Reject = (problem, remedy) =>
		invalid(place, `has ${quoted(entry)}, which has ${problem}`, remedy);
	checkPath(entry, reject);
	// No path has a space after a comma, and none begins in the middle of another, so this entry contains several
	// paths.
	if (/,(\s|\^\/)/.test(entry)) {
		throw reject('more than one regular expression in it', 'Enter one per line.');
	}
	const written = encoded(isFullUrl ? entry : pathIn(entry, site, reject, ONLY_PATHS), reject);
	const [, path] = (!isFullUrl && PLAIN_PATH.exec(written)) || [];
	if (path !== undefined) return `^${path.replace(/[.+]/g, '\\$&')}(/|$)`;
	const isLiteral = isFullUrl
		? GLOB_OF_URL.test(written) && PLAIN_QUERY.test(written)
		: GLOB.test(written);
	const isGlob = isLiteral && /[*(?]/.test(written);
	if (isGlob && !written.includes('.*')) {
		const any = written.replace(/[.()?]/g, '\\$&').replace(/\*+/g, '.*');
		const begun = (isFullUrl ? /^h/i : /^\//).test(any) ? `^${any}` : any;
		return any.endsWith('*') ? begun : `${withoutEnd(begun, '/')}(/|$)`;
	}
	// A repeated slash is never intended.
	const pattern = written.replace(/(?<=^|\/)\*+/g, '.*');
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
				const filled = lines(entered, place)?.filter((line) => wordsIn(line).length > 0);
				return filled?.length ? filled : undefined;
			},
			last: true,
			put: (target, value, place) => {
				const isFullUrl = target.regexOnFullURL === true;
				const isPath = (text: string) =>
					!isFullUrl && PLAIN_PATH.test(text.replace(/[^\x20-\x7e]/g, '_'));
				const entries = (value as string[]).flatMap((line) => pathsIn(line, isPath));
				checkCount(entries.length, MOST_PATTERNS, 'entries', place, 'Remove the others.');
				target[name] = entries.map((one) => {
					const pattern = patternOf(one, isFullUrl, textOf(target.url), place);
					if (name !== 'excludePaths' || !EVERYTHING.test(pattern)) return pattern;
					throw invalid(
						place,
						`has ${quoted(one)}, which leaves out every page`,
						'Leave it empty, or write a path like /blog.',
					);
				});
			},
		},
	});
