import type { Entry } from '../entry';
import { SENTENCES } from './texts';

const fillers = new Map<number, string>();

/** Returns `bytes` of plausible text, the same for every call; cached by size. */
function filler(bytes: number): string {
	let text = fillers.get(bytes);
	if (text === undefined) {
		const block = SENTENCES.join(' ');
		text = block.repeat(Math.ceil(bytes / block.length)).slice(0, bytes);
		fillers.set(bytes, text);
	}
	return text;
}

/**
 * A crawled site and the paths of its pages in the crawl, '' for its first one; by default '', page-1, page-2 and so
 * on.
 */
interface Site {
	url: string;
	paths?: string[];
}

/** Returns the URL of a page in a crawl, by its position from 0. */
export function pageUrl({ url, paths }: Site, index: number): string {
	const path = paths?.[index] ?? (index === 0 ? '' : `page-${index}`);
	return path === '' ? url : `${url.replace(/\/+$/, '')}/${path}`;
}

/**
 * Returns a page of a crawl as JSON text of about `pageBytes` bytes (at least its fields). It is created on request, so
 * that a crawl of any size takes no memory. Every page has its own URL.
 */
export function crawlPage(
	crawl: Site & { pageBytes: number },
	index: number,
	scraped: (url: string, topic: string) => Entry,
): string {
	const url = pageUrl(crawl, index);
	const topic = new URL(crawl.url).hostname;
	const result = scraped(url, topic);
	result.metadata = {
		...(result.metadata as Entry),
		keywords: 'guide, handbook, reference',
		ogLocaleAlternate: ['de_DE'],
	};
	const text = JSON.stringify(result);
	const missing = crawl.pageBytes - text.length;
	if (missing <= 0 || typeof result.markdown !== 'string') return text;
	// The filler needs no escaping, so it is inserted unchanged, at the start of the markdown.
	return text.replace('"markdown":"', () => `"markdown":"${filler(missing)}\\n\\n`);
}
