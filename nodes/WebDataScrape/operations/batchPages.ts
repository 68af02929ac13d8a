import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../shared/base/json';
import { plural, withoutEnd } from '../../shared/base/text';
import { breathing } from '../../shared/base/time';
import { keyOfUrl } from '../../shared/base/url';

/** What came for a URL: a page, unless that is in a file, or the reason why there is none. */
export interface Came {
	/** The keys under which the URL may have been requested, the likeliest first. */
	keys: string[];
	page?: IDataObject;
	reason?: string;
}

/** Returns the key of the URL among these for which something came; undefined if it is none of them. */
export const keyIn = (urls: Map<string, string>, { keys }: Came): string | undefined =>
	keys.find((key) => urls.has(key));

/** What came for the URLs of a batch, by key. */
export class BatchPages {
	/** Pages by URL key; none of those that are in files. */
	private readonly pages = new Map<string, IDataObject[]>();

	/** Reasons why there is no page, by URL key. */
	private readonly reasons = new Map<string, string>();

	/** Pages under URLs that nobody requested. */
	private readonly strays: Came[] = [];

	/** `urls` are the batch's URLs, by key; `others` why other entries were not sent, by entry. */
	constructor(
		private readonly urls: Map<string, string>,
		others: Map<string, string>,
	) {
		for (const [entry, reason] of others) this.explain(keyOfUrl(entry), reason);
	}

	/**
	 * Gives URLs what came for them, also under other spellings of those for which nothing else came: pages first, since a
	 * reason may be that of an earlier try.
	 */
	async take(all: Came[]): Promise<void> {
		await this.pair(all.filter(({ reason }) => reason === undefined));
		await this.pair(all.filter(({ reason }) => reason !== undefined));
	}

	private async pair(all: Came[]): Promise<void> {
		const others: Came[] = [];
		for await (const one of breathing(all)) {
			const key = keyIn(this.urls, one);
			if (key === undefined) others.push(one);
			else this.give(key, one);
		}
		const open = new Map<string, string[]>();
		for await (const key of breathing(this.missing)) {
			const alike = open.get(spellingOf(key)) ?? [];
			alike.push(key);
			open.set(spellingOf(key), alike);
		}
		for await (const one of breathing(others)) {
			const alike = one.keys.map((name) => open.get(spellingOf(name)));
			const key = alike.find((some) => some !== undefined)?.shift();
			if (key !== undefined) this.give(key, one);
			else if (one.reason === undefined) this.strays.push(one);
		}
	}

	explain(key: string, reason: string): void {
		this.reasons.set(key, reason);
	}

	/** Keys of URLs with neither a page nor a reason. */
	get missing(): string[] {
		return [...this.urls.keys()].filter((key) => !this.pages.has(key) && !this.reasons.has(key));
	}

	/** Number of pages under URLs that nobody requested, also of those in files. */
	get unpaired(): number {
		return this.strays.length;
	}

	/** Pages whose URLs weren't requested, unless they are in files. */
	get others(): IDataObject[] {
		return this.strays.flatMap(({ page }) => (page ? [page] : []));
	}

	/**
	 * Returns the pages of these URLs, in their order, and an error for each URL without one. Skips URLs whose pages
	 * are in files.
	 */
	of(urls: Map<string, string>): IDataObject[] {
		const noPage = noPageText(this.unpaired);
		return [...urls].flatMap(([key, sourceURL]) => {
			const error = this.reasons.get(key) ?? noPage;
			return this.pages.get(key) ?? [{ metadata: { sourceURL, error } }];
		});
	}

	private give(key: string, { page, reason }: Came): void {
		if (reason !== undefined) return this.explain(key, reason);
		const known = this.pages.get(key) ?? [];
		this.pages.set(key, known);
		if (page !== undefined) known.push(page);
	}
}

/** Returns the error of a URL without a page, where so many pages came under URLs that nobody asked for. */
function noPageText(others: number): string {
	const came = `; ${others} ${plural(others, 'page')} came under URLs that nobody asked for`;
	return `The service returned no page for this URL${others > 0 ? came : ''}`;
}

/** Returns the keys under which a page may have been requested, the likeliest first. */
export function keysOfPage({ metadata, sourceURL, url }: IDataObject): string[] {
	const inMetadata = isObject(metadata) ? metadata : {};
	return [inMetadata.sourceURL, inMetadata.url, sourceURL, url]
		.filter((one) => typeof one === 'string')
		.map(keyOfUrl);
}

/**
 * Returns what the usual spellings of a URL have in common: no scheme, `www.`, slash at the end or order of the query.
 */
function spellingOf(key: string): string {
	const [path, ...query] = key.replace(/^https?:\/\/(www\.)?/i, '').split('?');
	return [withoutEnd(path, '/'), ...query.join('?').split('&').sort()].join('&');
}
