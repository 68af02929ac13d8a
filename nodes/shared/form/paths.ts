import { LONGEST_PATTERN } from '../base/limits';
import { SAYS_NOTHING, invalid, quoted } from './checks';
import type { Place } from './field';
import { FILE_NAME, hostOf } from './hosts';

/** Matches a host, with what precedes and follows it. Its dots may be escaped. */
export const HOST =
	/^\^?(?:https?\??:)?(?:\\?\/){0,2}(?<host>(?:[\p{L}\p{N}_-]+|\*)(?:\\?\.[\p{L}\p{N}_-]+)+)(?::\d+)?(?<path>\\?\/.*)?$/iu;

/**
 * Matches a question mark that begins a query, unlike one in a regular expression, or a parameter without a path before
 * it. Lookahead and lookbehind groups, which contain an equals sign, are removed first.
 */
const QUERY = /\\\?|\[\?\]|^\?|[\w*/]\?(?:\*|[\w[\]-]+=)|^[^/]*=/;

/** Returns a URL's host without `www.`; empty if it has none. */
export const siteOf = (url: string) => hostOf(url).replace(/^www\./, '');

/** Returns the error for an entry, given what is wrong with it and what to do. */
export type Reject = (problem: string, remedy: string) => Error;

export const LIKE_BLOG = 'Write a path like /blog.';

/** Returns the error for excluded paths that leave no page. */
export const noPageLeft = (entered: string, place: Place): Error =>
	invalid(
		place,
		`has ${quoted(entered)}, which leaves out every page`,
		'Leave it empty, or write a path like /blog.',
	);

/**
 * Matches a regular expression as code has it, between slashes: one that begins with `^`, ends with `$`, is a file's ending,
 * has `\/` for its first slash, or flags behind it. A path such as `/docs/v\d+/` is none.
 */
const LITERAL =
	/^\/(?:\^.*\/[gimsuy]*|(?:[^/\\]|\\.)*\$\/[gimsuy]*|(?:\.[*+])?\\\.[a-z\d]+\/[gimsuy]*|[^/]*\\\/(?:[^/\\]|\\.)*\/[gimsuy]*|(?=[^/]*[()|\\+[\]])(?:[^/\\]|\\.)+\/[gimsuy]+)$/;

/** What the path of a page never contains, whether patterns are matched against paths or whole URLs. */
const NEVER: Array<[pattern: RegExp, what: string, remedy: string]> = [
	[/^\.{1,2}\//, 'a dot in front', LIKE_BLOG],
	[/^!/, 'an exclamation mark in front', 'Write paths to leave out in Exclude Paths, without it.'],
	[/^[-–]\//, 'a minus in front', 'Write paths to leave out in Exclude Paths, without it.'],
	[
		/\]\(https?:|^<https?:/i,
		'a link with its text',
		'Write the path of its URL alone, e.g. /blog.',
	],
	[/^[a-z]:[\\/]|\\\\/i, 'the path of a file on a computer', LIKE_BLOG],
	[SAYS_NOTHING, 'no path in it', LIKE_BLOG],
	[/^(?:no|nothing|false|true|any|all|everything|\(\)|[\p{Pd}.?]+)$/iu, 'no path in it', LIKE_BLOG],
	[/\s\/|\\n(?:\/|$)/, 'more than one path in it', 'Enter one per line.'],
	[
		/(?<!\\p)\{[^{}\d]*[a-z*/]/i,
		'braces around words',
		'Write * for any text, and (a|b) for one of several.',
	],
	[
		/\/(?::[a-z]|<[a-z]|\[[a-z]{3,}\](?:\/|$))/i,
		'a placeholder',
		'Write * for any text, e.g. /products/*.',
	],
	[
		/^(?:re|regexp?|glob|path(?:name)?|url|inurl)\s*[:=]\s*[/^*.(\\]|^[bru]["'].*["']$/i,
		'more than the path',
		LIKE_BLOG,
	],
	[
		/^[^^]*(?:\.{3}|…)$|^[^^]*\/\.{1,2}(?:\/|$)/,
		'dots in place of a part',
		'Write * for any text, e.g. /blog/*.',
	],
	// Outside of a group's name.
	[
		/^(?:[^<>(]|\((?!\?<)|\(\?<(?:\w+>|[=!]))*[<>]/,
		'a tag or an arrow',
		`${LIKE_BLOG} Enter one per line.`,
	],
	[LITERAL, 'slashes around a regular expression', 'Leave out those at both ends.'],
	[
		/^[\p{L}\p{N}_-]+(?:\s+[\p{L}\p{N}_-]+)+$/u,
		'words in it, but no path',
		`${LIKE_BLOG} Enter one per line.`,
	],
];

/** Throws for an entry that can't match any page, whether it is matched against paths or whole URLs. */
export function checkPath(entry: string, reject: Reject): void {
	if (entry.length > LONGEST_PATTERN) {
		throw reject(
			`more than ${LONGEST_PATTERN} characters`,
			'No path is as long. Enter one per line.',
		);
	}
	const [, what, remedy] = NEVER.find(([pattern]) => pattern.test(entry)) ?? [];
	if (what !== undefined) throw reject(what, remedy!);
}

/**
 * Returns the path of a URL on the site, and any other entry unchanged. Throws for anything that no path contains;
 * `remedy` says what to do about an entry that is more than a path.
 */
export function pathIn(entry: string, site: string, reject: Reject, remedy: string): string {
	const onlyPaths = (part: string) => reject(`${part}, while only paths are matched`, remedy);
	const { host, path = '/' } = HOST.exec(entry)?.groups ?? {};
	const isWhole = /^\^?(?:https?\??:|[a-z]+:\/\/)/i.test(entry);
	const name = host?.replace(/\\/g, '').toLowerCase();
	// A file or a version, such as index.html, *.zip or v1.2, isn't a host.
	const isFile = (text: string) => FILE_NAME.test(text) || /^\*\.[^.]+$/.test(text);
	const isHost = name !== undefined && (isWhole || (/\.[a-z]{2,}$/.test(name) && !isFile(name)));
	const isOwn = isHost && siteOf(`https://${name}`) === siteOf(site);
	if ((isWhole || isHost) && !isOwn) throw onlyPaths(isWhole ? 'a whole URL' : 'a host');
	const rest = isOwn ? path : entry;
	if (QUERY.test(rest.replace(/\(\?<?=/g, ''))) throw onlyPaths('a query');
	if (/^\^(?:\w|\((?:\w|\|)+\)(?![?*]))/.test(rest)) {
		throw reject(
			'no slash at its beginning',
			'Every path has one: write ^/blog, or blog for any part.',
		);
	}
	if (/\/#|^[^[]*#/.test(rest)) throw onlyPaths('a part behind #');
	if (/^\^?(?:\\?\/){2}/.test(rest)) throw reject('two slashes in front', LIKE_BLOG);
	return rest;
}
