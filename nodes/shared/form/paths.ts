import { parsedUrl } from '../base/url';
import { invalid, quoted } from './checks';
import type { Place } from './field';

/** What to do about an entry that should be a path. */
export const LIKE_BLOG = 'Write a path like /blog; * stands for any text.';

/** Returns a URL's host without `www.`; empty if it has none. */
const siteOf = (url: string) => (parsedUrl(url)?.hostname ?? '').replace(/^www\./, '');

/** Matches a URL, or what follows from a host; its groups are the host and the rest. */
const ADDRESS = /^(?:https?:\/\/)?([^/?#\s]+)([/?#][^]*)?$/i;

/** Matches a path without anything that only regular expressions have. */
const PLAIN = /^\/[\p{L}\p{M}\p{N}_.~%!&'()@,;:=+/*-]*$/u;

/** Matches the beginning of a query, unlike a question mark of regular expressions. */
export const QUERY = /\?[\w%[\]-]+=/;

/** Returns the path of a URL of the site, as it is written; any other entry unchanged. */
function onSite(entry: string, site: string): string {
	const [, host = '', rest = ''] = ADDRESS.exec(entry) ?? [];
	const isOwn = host !== '' && siteOf(`https://${host}`) === siteOf(site);
	return isOwn ? rest || '/' : entry;
}

/**
 * Returns the path for an entry that is one, or a URL of the site, with its query if that counts: written as in URLs,
 * `*` stands for any text. Undefined for anything else, such as a regular expression.
 */
export function pathOf(entry: string, site: string, hasQuery = false): string | undefined {
	const path = onSite(entry, site);
	const isUrl = hasQuery && (path !== entry || QUERY.test(path));
	const [own] = isUrl ? path.split('?') : [path];
	if (!PLAIN.test(own) || /[.)][*+]/.test(path)) return undefined;
	const url = parsedUrl(`https://a${path}`);
	return url && url.pathname + url.search;
}

/** Returns the error for excluded paths that leave no page. */
export const noPageLeft = (entered: string, place: Place): Error =>
	invalid(place, `has ${quoted(entered)}, which leaves out every page`, LIKE_BLOG);

const NO_LOOK =
	'A crawl reads no look-ahead, look-behind or back-reference. Write the paths themselves, e.g. in Exclude Paths.';

/** What to do about a piece of a pattern that a crawl's engine doesn't read, by its first character. */
const REMEDIES: Record<string, string> = {
	'[': 'In brackets, put the dash last, as in [\\w.-], and a backslash before [ and ].',
	'(': NO_LOOK,
	'\\': 'Remove the backslash; $ is the end of a path.',
	' ': 'No path has a blank: enter one per line.',
	'{': 'Write \\{ for a brace; a count is {2} or {2,5}, at most some hundred.',
};

const remedyFor = (rest: string): string =>
	(/^\\[\dk]/.test(rest) ? NO_LOOK : REMEDIES[rest.replace(/^\s/, ' ').charAt(0)]) ??
	'Write .* for any text, as in \\.pdf$ for all that ends in .pdf, or a path like /blog.';

const ESCAPE = String.raw`\\(?:[dDsSwWnrtfv_]|x[\da-fA-F]{2}|u(?![dD][89a-fA-F])[\da-fA-F]{4}|[^\w\s<>\u0080-\uffff])`;

const FLAGS = '(?:ims|i[ms]|m[is]|s[im]|[ims])';

/** What JavaScript and Rust's `regex` read alike: escapes, brackets, groups, counts and characters. */
const TOKEN = new RegExp(
	[
		ESCAPE,
		String.raw`\\(?:[AbBz]|[pP](?:[LN]|\{(?:L[lu]?|Nd?)\}))`,
		String.raw`\[(?!\^\])\^?(?:${ESCAPE}|[^\\[\]])+\]`,
		String.raw`\((?:\?(?:P?<[A-Za-z_]\w*>|${FLAGS}?:))?(?!\?)`,
		String.raw`(?<![^])\(\?${FLAGS}\)`,
		String.raw`\{\d+(?:,\d*)?\}`,
		String.raw`[^\\[({\s]`,
	].join('|'),
	'y',
);

/** Matches what only one engine reads in brackets: a dash beside a class such as \w, and operators of sets. */
const ODD = /\\[dDsSwW]-(?!\])|(?<!\[\^?|\\)-\\[dDsSwW]|&&|--|~~/;

/** Largest pattern, in repetitions of \w, in groups as well: for more, Rust's engine has no room. */
const MOST_REPEATED = 300;

/** Returns the size of a piece in that unit: of those without a class of many characters, thousands have room. */
const weightOf = (token: string): number =>
	/\\[wWpP]/.test(token) ? 1 : /\\[dDsS]/.test(token) ? 0.2 : 0.05;

/** Returns a pattern as JavaScript reads it; for one that Rust's engine doesn't read, what to do about it. */
export function readPattern(pattern: string): RegExp | string {
	let written = '';
	/** The sizes of the open groups, the innermost last, and that of the last piece. */
	const sizes = [0];
	let size = 0;
	for (TOKEN.lastIndex = 0; TOKEN.lastIndex < pattern.length;) {
		const rest = pattern.slice(TOKEN.lastIndex);
		const [token = ''] = TOKEN.exec(pattern) ?? [];
		if (token === '' || ODD.test(token)) return remedyFor(rest);
		const [, least, most] = /^\{(\d+)(?:,(\d*))?/.exec(token) ?? [];
		if (token.startsWith('(') && !token.endsWith(')')) sizes.push(0);
		else {
			const times = least === undefined ? 1 : Number(most || least) - 1;
			if (least === undefined) size = token === ')' ? (sizes.pop() ?? 0) : weightOf(token);
			sizes.push((sizes.pop() ?? 0) + size * times);
		}
		if (sizes.at(-1)! > MOST_REPEATED) return remedyFor(rest);
		// Names of groups, and flags, as JavaScript has them.
		written += token.replace(/^\(\?(?:P(?=<)|[ims]+\)|[ims]+(?=:))/, (start) =>
			start.endsWith(')') ? '' : '(?',
		);
	}
	try {
		return new RegExp(written);
	} catch {
		return remedyFor('');
	}
}
