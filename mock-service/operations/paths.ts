import type { Entry } from '../entry';

/** The paths of a site's pages below its URL, in the order that a crawl finds them. */
export const sitePaths = ['page', 'blog/post', 'docs/guide', 'shop/item'].flatMap(
	(section, index) => Array.from({ length: index === 0 ? 12 : 4 }, (_, n) => `${section}-${n + 1}`),
);

/**
 * Of a crawl's Include and Exclude Paths: tells why a URL may not be in it, or undefined where it may. Each is a regular
 * expression that is looked for anywhere in the path, or in the whole URL with regexOnFullURL. Undefined without any.
 * Throws for what is none.
 */
export function pathRule({
	includePaths,
	excludePaths,
	regexOnFullURL,
}: Entry): ((url: string) => string | undefined) | undefined {
	const [includes, excludes] = [includePaths, excludePaths].map((given) =>
		((given ?? []) as string[]).map((text) => new RegExp(text)),
	);
	if (includes.length + excludes.length === 0) return undefined;
	return (url) => {
		const text = regexOnFullURL === true ? url : new URL(url).pathname;
		const isIn = (list: RegExp[]) => list.some((pattern) => pattern.test(text));
		if (isIn(excludes)) return 'URL matches an exclude pattern';
		return includes.length === 0 || isIn(includes) ? undefined : 'URL matches no include pattern';
	};
}
