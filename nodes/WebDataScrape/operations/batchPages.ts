import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../shared/base/json';
import { plural, withoutEnd } from '../../shared/base/text';
import { breathing } from '../../shared/base/time';
import { keyOfUrl } from '../../shared/base/url';

/**
 * What came back under URLs that nobody requested: a page (unless that is in a file), or the reason why there is none.
 */
interface Stray {
	keys: string[];
	page?: IDataObject;
	reason?: string;
}

/** Matches a batch's pages with its URLs, and knows why some URLs have none. */
export class BatchPages {
	/** Pages by URL key; none of those that are in files. */
	private readonly pages = new Map<string, IDataObject[]>();

	/** Reasons why there is no page, by URL key. */
	private readonly reasons = new Map<string, string>();

	private strays: Stray[] = [];

	/** Number of pages under URLs that nobody requested, also of those in files. */
	unpaired = 0;

	/** `urls` are the batch's URLs, by key. */
	constructor(private readonly urls: Map<string, string>) {}

	/** Adds a page, as an item if `isKept`; otherwise it is in a file. */
	add(page: IDataObject, isKept: boolean): void {
		const keys = keysOfPage(page);
		const key = keys.find((one) => this.urls.has(one));
		const kept = isKept ? page : undefined;
		if (key === undefined) this.strays.push({ keys, page: kept });
		else this.give(key, kept);
	}

	explain(url: unknown, reason: string): void {
		const key = keyOfUrl(url);
		this.reasons.set(key, reason);
		if (!this.urls.has(key)) this.strays.push({ keys: [key], reason });
	}

	get explained(): number {
		return this.reasons.size;
	}

	/** Keys of URLs with neither a page nor a reason. */
	get missing(): string[] {
		return [...this.urls.keys()].filter((key) => !this.pages.has(key) && !this.reasons.has(key));
	}

	/** Gives missing URLs the pages and reasons that came under other spellings of them. */
	async pairSpellings(): Promise<void> {
		const missing = new Map<string, string[]>();
		for await (const key of breathing(this.missing)) {
			const spelling = spellingOf(key);
			const alike = missing.get(spelling) ?? [];
			missing.set(spelling, alike);
			alike.push(key);
		}
		const left: Stray[] = [];
		for await (const stray of breathing(this.strays)) {
			const alike = stray.keys.map((key) => missing.get(spellingOf(key)));
			const key = alike.find((some) => some !== undefined)?.shift();
			if (key === undefined) left.push(stray);
			else if (stray.reason === undefined) this.give(key, stray.page);
			else this.reasons.set(key, stray.reason);
		}
		this.strays = left;
		this.unpaired = left.filter(({ reason }) => reason === undefined).length;
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

	private give(key: string, page?: IDataObject): void {
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
function keysOfPage({ metadata, sourceURL, url }: IDataObject): string[] {
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
