import { checkCount, invalid, quoted } from '../../shared/form/checks';
import { linesField } from '../../shared/form/controls';
import type { Field, Place } from '../../shared/form/field';
import { lines } from '../../shared/form/values';
import { FILE_NAME } from '../../shared/form/urls';
import { pathsIn, wordsIn } from '../../shared/form/written';
import { textOf } from '../../shared/base/text';
import { parsedUrl } from '../../shared/base/url';
import { LONGEST_PATTERN, MOST_PATTERNS } from '../../shared/base/limits';

const PATH_HINT = 'A path such as /docs, or a regular expression; one per line';

/** A path and everything below it, as people write it: `/docs`, `/docs/` or `/docs/*`. `/docs/.*` is a pattern. */
const PLAIN_PATH = /^(\/[\w.~%-]+(?:\/[\w.~%-]+)*)(?:\/\*?)?$/;

/** A text in which asterisks stand for any text, and nothing else is a pattern. */
const GLOB = /^[\w.~%*/@!,:;()-]+$/;
const GLOB_OF_URL = /^https?:[\w.~%*/@!,:;()?=&-]+$/i;

/** A host, with what is in front of it and behind it. Its dots may be escaped. */
const HOST =
	/^\^?(?:https?\??:)?(?:\\?\/){0,2}(?<host>(?:[\w-]+|\*)(?:\\?\.[\w-]+)+)(?::\d+)?(?<path>\\?\/.*)?$/i;

/** Returns what is wrong with an entry, and what to do. */
type Reject = (problem: string, remedy: string) => Error;

const onlyPaths = (reject: Reject, part: string) =>
	reject(
		`${part}, while only paths are matched`,
		'Write the path alone, e.g. /blog, or turn on Match Paths on Full URL.',
	);

/** Returns the path of a URL on the crawled site, and any other entry as it is. Throws for what no path has. */
function pathIn(entry: string, site: string, reject: Reject): string {
	const { host, path = '/' } = HOST.exec(entry)?.groups ?? {};
	const isWhole = /^\^?https?\??:/i.test(entry);
	const name = host?.replace(/\\/g, '').toLowerCase();
	// A file or a version, such as index.html or v1.2, is no host.
	const isHost =
		name !== undefined && (isWhole || (/\.[a-z]{2,}$/.test(name) && !FILE_NAME.test(name)));
	const own = (parsedUrl(site)?.hostname ?? '').replace(/^www\./, '');
	const isOwn = isHost && name.replace(/^www\./, '') === own;
	if ((isWhole || isHost) && !isOwn) throw onlyPaths(reject, isWhole ? 'a whole URL' : 'a host');
	const rest = isOwn ? path : entry;
	// The groups that look ahead or behind have an equals sign.
	if (/=|\\\?/.test(rest.replace(/\(\?<?=/g, ''))) throw onlyPaths(reject, 'a query');
	if (/^#|\/#/.test(rest)) throw onlyPaths(reject, 'a part behind #');
	return rest;
}

/** Writes blanks and letters beyond ASCII as they stand in a URL. */
function encoded(pattern: string, reject: Reject): string {
	if (/\p{Cs}/u.test(pattern)) throw reject('a part of a character', 'Copy it again, or type it.');
	if (/\[[^[\]]*[^[\]\x21-\x7e]/.test(pattern)) {
		throw reject('letters beyond ASCII in brackets', 'Write (ä|ö) instead of [äö].');
	}
	return pattern.replace(/([^\x21-\x7e])([?*+{])?/gu, (_, letter: string, times?: string) => {
		const written = encodeURIComponent(letter);
		return times === undefined ? written : `(?:${written})${times}`;
	});
}

/** Turns an entry into the regular expression to send. Throws NodeOperationError if it can match nothing. */
function patternOf(entry: string, isFullUrl: boolean, site: string, place: Place): string {
	const reject: Reject = (problem, remedy) =>
		invalid(place, `has ${quoted(entry)}, which has ${problem}`, remedy);
	if (entry.length > LONGEST_PATTERN) {
		throw reject(
			`more than ${LONGEST_PATTERN} characters`,
			'No path is as long. Enter one per line.',
		);
	}
	// No path has a blank behind a comma, and none begins in the middle of another, so this entry holds several.
	if (/,(\s|\^\/)/.test(entry)) {
		throw reject('more than one regular expression in it', 'Enter one per line.');
	}
	const written = encoded(isFullUrl ? entry : pathIn(entry, site, reject), reject);
	const [, path] = (!isFullUrl && PLAIN_PATH.exec(written)) || [];
	if (path !== undefined) return `^${path.replace(/\./g, '\\.')}(/|$)`;
	const isGlob = (isFullUrl ? GLOB_OF_URL : GLOB).test(written) && /[*(?]/.test(written);
	if (isGlob && !written.includes('.*')) {
		const any = written.replace(/[.()?]/g, '\\$&').replace(/\*+/g, '.*');
		const begun = /^[/h]/.test(any) ? `^${any}` : any;
		return any.endsWith('*') ? begun : `${begun}(/|$)`;
	}
	// A slash is never meant to be repeated.
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

/** Patterns as text, until it is known whether they are for paths or for whole URLs, and of which site. */
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
				target[name] = entries.map((one) => patternOf(one, isFullUrl, textOf(target.url), place));
			},
		},
	});
