import { RRegex } from 'rregex';

import { pageUrl } from '../data/crawlPage';
import type { Entry } from '../entry';
import { pageFailure } from './pageFailures';

const numbered = (path: string, count: number) =>
	Array.from({ length: count }, (_, n) => `${path}-${n + 1}`);

/** Paths of a site's pages, below its URL. The first one, empty, is the URL itself; the order is that of a crawl. */
export const sitePaths = [
	'',
	...numbered('page', 11),
	...numbered('blog/post', 4),
	...numbered('docs/guide', 3),
	'docs/gone',
	...numbered('shop/item', 4),
];

/**
 * Returns a function that returns why a crawl's Include and Exclude Paths leave out a URL, or undefined if they don't.
 * Each is a regular expression of Rust's engine, searched for anywhere in the path, or in the whole URL with regexOnFullURL. Returns
 * undefined in place of the function if there are no such paths. Throws for an invalid expression.
 */
export function pathRule({
	includePaths,
	excludePaths,
	regexOnFullURL,
}: Entry): ((url: string) => string | undefined) | undefined {
	const [includes, excludes] = [includePaths, excludePaths].map((given) =>
		((given ?? []) as string[]).map((pattern) => new RRegex(pattern)),
	);
	if (includes.length + excludes.length === 0) return undefined;
	return (url) => {
		const text = regexOnFullURL === true ? url : new URL(url).pathname;
		const isIn = (list: RRegex[]) => list.some((pattern) => pattern.isMatch(text));
		if (isIn(excludes)) return 'URL matches an exclude pattern';
		return includes.length === 0 || isIn(includes) ? undefined : 'URL matches no include pattern';
	};
}

/**
 * Returns what a crawl finds: at most 12 pages, those of its site that Include and Exclude Paths let through, and why
 * they leave out its URL. Throws for an invalid expression.
 */
export function pagesFound(crawl: Entry & { url: string }) {
	const { url, limit = 10_000 } = crawl as { url: string; limit?: number };
	const rule = pathRule(crawl);
	const paths =
		rule && sitePaths.filter((_, index) => !rule(pageUrl({ url, paths: sitePaths }, index)));
	const found = pageFailure(url) ? 0 : Math.min(paths?.length ?? 12, 12);
	return { paths, total: Math.min(Math.max(1, limit), found), denied: rule?.(url) };
}
