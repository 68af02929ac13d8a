import { LONGEST_PATTERN } from '../base/limits';
import { parsedUrl } from '../base/url';
import { FILE_NAME } from './urls';

/** A host, with what precedes and follows it. Its dots may be escaped. */
const HOST =
	/^\^?(?:https?\??:)?(?:\\?\/){0,2}(?<host>(?:[\w-]+|\*)(?:\\?\.[\w-]+)+)(?::\d+)?(?<path>\\?\/.*)?$/i;

/** Returns the error for an entry, given what is wrong with it and what to do. */
export type Reject = (problem: string, remedy: string) => Error;

export const LIKE_BLOG = 'Write a path like /blog.';

/** What a page's path never contains, whether paths or whole URLs are matched. */
const NEVER: Array<[pattern: RegExp, what: string, remedy: string]> = [
	[/^!/, 'an exclamation mark in front', 'Write paths to leave out in Exclude Paths, without it.'],
	[/^[a-z]:[\\/]|\\\\/i, 'the path of a file on a computer', LIKE_BLOG],
	[/^(?:null|undefined|NaN)$/, 'no path in it', LIKE_BLOG],
];

/** Throws for an entry that can't match any page, whether paths or whole URLs are matched. */
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
 * `remedy` says what to do about more than a path.
 */
export function pathIn(entry: string, site: string, reject: Reject, remedy: string): string {
	const onlyPaths = (part: string) => reject(`${part}, while only paths are matched`, remedy);
	const { host, path = '/' } = HOST.exec(entry)?.groups ?? {};
	const isWhole = /^\^?(?:https?\??:|[a-z]+:\/\/)/i.test(entry);
	const name = host?.replace(/\\/g, '').toLowerCase();
	// A file or a version, such as index.html, *.zip or v1.2, isn't a host.
	const isFile = (text: string) => FILE_NAME.test(text) || /^\*\.[^.]+$/.test(text);
	const isHost = name !== undefined && (isWhole || (/\.[a-z]{2,}$/.test(name) && !isFile(name)));
	const own = (parsedUrl(site)?.hostname ?? '').replace(/^www\./, '');
	const isOwn = isHost && name.replace(/^www\./, '') === own;
	if ((isWhole || isHost) && !isOwn) throw onlyPaths(isWhole ? 'a whole URL' : 'a host');
	const rest = isOwn ? path : entry;
	// Lookahead and lookbehind groups contain an equals sign.
	if (/=|\\\?/.test(rest.replace(/\(\?<?=/g, ''))) throw onlyPaths('a query');
	if (/\/#|^[^[]*#/.test(rest)) throw onlyPaths('a part behind #');
	if (/^\^?(?:\\?\/){2}/.test(rest)) throw reject('two slashes in front', LIKE_BLOG);
	return rest;
}
