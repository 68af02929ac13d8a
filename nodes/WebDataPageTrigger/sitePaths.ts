import { keyOfText, withoutEnd } from '../shared/base/text';
import { parsedUrl, upperCodes } from '../shared/base/url';
import { invalid, quoted } from '../shared/form/checks';
import type { Place } from '../shared/form/field';
import { type Reject, LIKE_BLOG, checkPath, noPageLeft, pathIn } from '../shared/form/paths';
import { pathsIn } from '../shared/form/written';

const isPath = (text: string) => /^(?:[/*]|https?:)/i.test(text);

/**
 * Returns patterns that match the paths, with and without a final slash, and everything below them. Throws for an entry
 * that can't match a path of the site, and for a regular expression, which could keep n8n busy for hours.
 */
export function pathPatterns(lines: string[], site: string, place: Place): string[] {
	return lines.flatMap((line) => pathsIn(line, isPath)).map((one) => patternOf(one, site, place));
}

/** Returns patterns of paths to leave out, like `pathPatterns`. Throws if no path is left. */
export function excludedPatterns(lines: string[], site: string, place: Place): string[] {
	const patterns = pathPatterns(lines, site, place);
	if (!patterns.includes('/*')) return patterns;
	throw noPageLeft(lines.join(', '), place);
}

function patternOf(entry: string, site: string, place: Place): string {
	const reject: Reject = (problem, remedy) =>
		invalid(place, `has ${quoted(entry)}, which has ${problem}`, remedy);
	checkPath(entry, reject);
	if (/,\s/.test(entry)) throw reject('more than one path in it', 'Enter one per line.');
	const own = pathIn(entry, site, reject, LIKE_BLOG);
	const path = parsedUrl(own, 'https://a.example')?.pathname;
	if (path === undefined || /[\^$\\|]|\.[*+?]/.test(own)) {
		throw invalid(place, `has ${quoted(entry)}, which is not a path`, LIKE_BLOG);
	}
	if (own.includes('?')) throw reject('a query, while only paths are matched', LIKE_BLOG);
	const begin = withoutEnd(path, '/*');
	return path[begin.length] === '*' ? `${begin}*` : `${begin}/*`;
}

/**
 * Returns a key shared by all spellings of a page's URL, such as those with http: and https:, or with and without
 * `www.`. A fragment doesn't count, unless it is a route of an app.
 */
export function pageKey({ hostname, port, pathname, search, hash }: URL): string {
	const host = hostname.replace(/^www\.|\.$/g, '');
	const route = /^#[/!]/.test(hash) ? hash : '';
	return keyOfText(upperCodes(`${host}:${port}${pathname}${search}${route}`));
}
