import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../shared/json';
import { keyOfUrl } from '../../shared/url';

/** A page whose URL nobody asked for in this form: the keys of its URLs, and the page itself unless it is in a file. */
interface Stray {
	keys: string[];
	page?: IDataObject;
}

/** What a batch gave for each of its URLs: their pages, and why some have none. */
export class BatchPages {
	/** The pages of each URL, by its key. */
	private readonly pages = new Map<string, IDataObject[]>();

	/** Keys of the URLs whose pages are in files. */
	private readonly inFiles = new Set<string>();

	/** Why URLs have no page, by their keys. */
	private readonly reasons = new Map<string, string>();

	private strays: Stray[] = [];

	/** `urls`: the URLs of the batch by their keys. */
	constructor(private readonly urls: Map<string, string>) {}

	/** Adds a page. `isKept`: as an item; else it is in a file. */
	add(page: IDataObject, isKept: boolean): void {
		const keys = keysOfPage(page);
		const key = keys.find((one) => this.urls.has(one));
		const kept = isKept ? page : undefined;
		if (key === undefined) this.strays.push({ keys, page: kept });
		else this.give(key, kept);
	}

	/** Says why a URL has no page. */
	explain(url: unknown, reason: string): void {
		this.reasons.set(keyOfUrl(url), reason);
	}

	/** How many URLs have a reason. */
	get explained(): number {
		return this.reasons.size;
	}

	/** The keys of the URLs without a page and without a reason. */
	get missing(): string[] {
		const { urls, pages, inFiles, reasons } = this;
		return [...urls.keys()].filter(
			(key) => !pages.has(key) && !inFiles.has(key) && !reasons.has(key),
		);
	}

	/** Gives missing URLs the pages that are likely theirs: services send some URLs back in a form of their own. */
	pairLikely(): void {
		const likely = likelyPages(this.strays, this.missing);
		for (const [key, { page }] of likely) this.give(key, page);
		const paired = new Set(likely.values());
		this.strays = this.strays.filter((stray) => !paired.has(stray));
	}

	/** The pages of URLs that nobody asked for, unless they are in files. */
	get others(): IDataObject[] {
		return this.strays.flatMap(({ page }) => (page ? [page] : []));
	}

	/** The pages of these URLs of the batch, in their order, and an error for each URL that has none; nothing for those in files. */
	of(urls: Map<string, string>): IDataObject[] {
		return [...urls].flatMap(([key, url]) => {
			if (this.inFiles.has(key)) return [];
			const error = this.reasons.get(key) ?? 'The service gave no page for this URL';
			return this.pages.get(key) ?? [{ metadata: { sourceURL: url, error } }];
		});
	}

	private give(key: string, page?: IDataObject): void {
		if (page) this.pages.set(key, [...(this.pages.get(key) ?? []), page]);
		else this.inFiles.add(key);
	}
}

/** The keys of the URLs that a page may have been asked for by, the likeliest first. */
function keysOfPage({ metadata, sourceURL, url }: IDataObject): string[] {
	const inMetadata = isObject(metadata) ? metadata : {};
	return [inMetadata.sourceURL, inMetadata.url, sourceURL, url]
		.filter((one) => typeof one === 'string')
		.map(keyOfUrl);
}

/** What of a URL stays however a service rewrites it. */
function looseKey(key: string): string {
	const bare = key
		.replace(/#.*/s, '')
		.replace(/^https?:\/\/(www\.)?/i, '')
		.replace(/\/+(?=\?|$)/, '');
	try {
		return decodeURI(bare);
	} catch {
		return bare;
	}
}

/**
 * The pages that are likely those of these URLs, by the URL's key: each where a page and a URL are alike, and no other of
 * them is like either.
 */
function likelyPages(pages: Stray[], urlKeys: string[]): Map<string, Stray> {
	const alike = new Map<string, string[]>();
	for (const key of urlKeys) {
		const loose = looseKey(key);
		alike.set(loose, [...(alike.get(loose) ?? []), key]);
	}
	const pairs = pages.flatMap((page) => {
		const loose = new Set(page.keys.map(looseKey));
		return [...loose].flatMap((one) => alike.get(one) ?? []).map((key) => ({ key, page }));
	});
	const times = new Map<unknown, number>();
	for (const one of pairs.flatMap(({ key, page }) => [key, page])) {
		times.set(one, (times.get(one) ?? 0) + 1);
	}
	const isSure = (one: unknown) => times.get(one) === 1;
	return new Map(
		pairs
			.filter(({ key, page }) => isSure(key) && isSure(page))
			.map(({ key, page }) => [key, page]),
	);
}
