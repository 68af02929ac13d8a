import { keyOfText, withoutEnd } from '../shared/base/text';
import { upperCodes } from '../shared/base/url';
import { invalid, quoted } from '../shared/form/checks';
import type { Place } from '../shared/form/field';
import { LIKE_BLOG, noPageLeft, pathOf } from '../shared/form/paths';

/**
 * Returns patterns that match the paths, with and without a final slash, and everything below them. Throws for an entry
 * that is no path of the site, such as a regular expression, which could keep n8n busy for hours.
 */
export const pathPatterns = (lines: string[], site: string, place: Place): string[] =>
	lines.map((line) => {
		const path = pathOf(line, site);
		if (path === undefined)
			throw invalid(place, `has ${quoted(line)}, which is not a path of the site`, LIKE_BLOG);
		const begin = withoutEnd(path, '/*');
		return path[begin.length] === '*' ? `${begin}*` : `${begin}/*`;
	});

/** Returns patterns of paths to leave out, like `pathPatterns`. Throws if no path is left. */
export function excludedPatterns(lines: string[], site: string, place: Place): string[] {
	const patterns = pathPatterns(lines, site, place);
	if (!patterns.includes('/*')) return patterns;
	throw noPageLeft(lines.join(', '), place);
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
