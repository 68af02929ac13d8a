import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../shared/base/json';
import { plural, withoutEnd } from '../../shared/base/text';
import { breathe } from '../../shared/base/time';
import { keyOfUrl } from '../../shared/base/url';

/**
 * What came back for a URL that nobody requested in this form: its page (unless that is in a file), or the reason why
 * there is none.
 */
interface Stray {
	/** Keys of the URLs that it may belong to. */
	keys: string[];
	page?: IDataObject;
	reason?: string;
}

/** Matches a batch's pages with its URLs, and knows why some URLs have none. */
export class BatchPages {
	/** Pages by URL key. */
	private readonly pages = new Map<string, IDataObject[]>();

	private readonly inFiles = new Set<string>();

	/** Reasons why there is no page, by URL key. */
	private readonly reasons = new Map<string, string>();

	private strays: Stray[] = [];

	/** The error of URLs with neither a page nor a reason, once everything has been assigned. */
	private noPage?: string;

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
		const { urls, pages, inFiles, reasons } = this;
		return [...urls.keys()].filter(
			(key) => !pages.has(key) && !inFiles.has(key) && !reasons.has(key),
		);
	}

	/**
	 * Assigns pages and reasons to missing URLs that are likely theirs, since services return some URLs in their own form.
	 * With `isLast`, all have arrived: if as many are left as URLs, they belong together, so the site is enough to tell
	 * which, or that there is only one of each.
	 */
	async pairLikely({ isLast = false } = {}): Promise<void> {
		for (const likeness of SPELLINGS) {
			await breathe();
			this.pairBy(likeness, this.unpaired);
			await breathe();
			this.pairBy(
				likeness,
				this.strays.filter(({ reason }) => reason !== undefined),
			);
		}
		await breathe();
		const missing = new Set(this.missing);
		const settled = new Set(
			[...this.urls.keys()].filter((key) => !missing.has(key)).map(sortedKey),
		);
		// The second page of a URL is no other URL's.
		const isFirst = ({ keys }: Stray) => !keys.some((key) => settled.has(sortedKey(key)));
		const left = () => this.strays.filter(isFirst);
		if (!isLast || left().length !== missing.size) return;
		for (const likeness of PLACES) {
			await breathe();
			this.pairBy(likeness, left());
		}
	}

	/** Pages whose URLs weren't requested, unless they are in files. */
	get others(): IDataObject[] {
		return this.strays.flatMap(({ page }) => (page ? [page] : []));
	}

	/** What came of URLs that nobody asked for: an entry per page, without the page if it is in a file. */
	get unpaired(): Stray[] {
		return this.strays.filter(({ reason }) => reason === undefined);
	}

	/**
	 * Returns the pages of these URLs, in their order, and an error for each URL without one. Skips URLs whose pages are
	 * in files.
	 */
	of(urls: Map<string, string>): IDataObject[] {
		// Thousands of items may ask.
		const noPage = (this.noPage ??= noPageText(this.unpaired.length));
		return [...urls].flatMap(([key, url]) => {
			if (this.inFiles.has(key)) return [];
			const error = this.reasons.get(key) ?? noPage;
			return this.pages.get(key) ?? [{ metadata: { sourceURL: url, error } }];
		});
	}

	private pairBy(likeness: Likeness, strays: Stray[]): void {
		const likely = likelyPairs(strays, this.missing, likeness);
		for (const [key, { page, reason }] of likely) {
			if (reason === undefined) this.give(key, page);
			else this.reasons.set(key, reason);
		}
		const paired = new Set(likely.values());
		this.strays = this.strays.filter((stray) => !paired.has(stray));
	}

	private give(key: string, page?: IDataObject): void {
		const known = this.pages.get(key);
		if (page === undefined) this.inFiles.add(key);
		else if (known) known.push(page);
		else this.pages.set(key, [page]);
	}
}

/** Returns the error of a URL without a page, where so many pages came under URLs that nobody asked for. */
function noPageText(others: number): string {
	const came = `; ${others} ${plural(others, 'page')} came under URLs that nobody asked for`;
	return `The service returned no page for this URL${others > 0 ? came : ''}`;
}

/** Returns the keys under which a page may have been requested, the likeliest first; an empty one if it has no URL. */
function keysOfPage({ metadata, sourceURL, url }: IDataObject): string[] {
	const inMetadata = isObject(metadata) ? metadata : {};
	const keys = [inMetadata.sourceURL, inMetadata.url, sourceURL, url]
		.filter((one) => typeof one === 'string')
		.map(keyOfUrl);
	return keys.length > 0 ? keys : [''];
}

/** Returns what a URL's key has in common with those of the same page. */
type Likeness = (key: string) => string;

/** Returns the part of a URL that stays the same however a service rewrites it. */
function looseKey(key: string): string {
	const [path, ...query] = key
		.replace(/#.*/s, '')
		.replace(/^https?:\/\/(www\.)?/i, '')
		.split('?');
	const bare = [withoutEnd(path, '/'), ...query].join('?');
	try {
		return decodeURI(bare);
	} catch {
		return bare;
	}
}

/** Returns the same as `looseKey`, but with the query's parameters sorted. */
function sortedKey(key: string): string {
	const [path, ...query] = looseKey(key).split('?');
	return [path, ...query.join('?').split('&').filter(Boolean).sort()].join('&');
}

/** What the spellings of one URL have in common, the closest first. */
const SPELLINGS: Likeness[] = [looseKey, sortedKey, (key) => looseKey(key).split('?', 1)[0]];

/** What a URL has in common with where it leads: the site, or nothing. */
const PLACES: Likeness[] = [(key) => looseKey(key).split(/[/?]/, 1)[0], () => ''];

/**
 * Pairs URLs with the leftovers that probably belong to them: the two must be alike, and neither may be like any other.
 */
function likelyPairs(strays: Stray[], urlKeys: string[], likeness: Likeness): Map<string, Stray> {
	const alike = new Map<string, string[]>();
	for (const key of urlKeys) {
		const shared = likeness(key);
		// Two candidates are as ambiguous as many, and keeping all of them would create far too many pairs.
		alike.set(shared, [...(alike.get(shared) ?? []), key].slice(0, 2));
	}
	const pairs = strays.flatMap((stray) => {
		const shared = new Set(stray.keys.map(likeness));
		return [...shared].flatMap((one) => alike.get(one) ?? []).map((key) => ({ key, stray }));
	});
	const times = new Map<unknown, number>();
	for (const one of pairs.flatMap(({ key, stray }) => [key, stray])) {
		times.set(one, (times.get(one) ?? 0) + 1);
	}
	const isSure = (one: unknown) => times.get(one) === 1;
	return new Map(
		pairs
			.filter(({ key, stray }) => isSure(key) && isSure(stray))
			.map(({ key, stray }) => [key, stray]),
	);
}
