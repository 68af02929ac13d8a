import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../shared/base/json';
import { withoutEnd } from '../../shared/base/text';
import { keyOfUrl } from '../../shared/base/url';

/** A page or a failure whose URL isn't one of the batch's, at least not in this spelling. */
interface Stray {
	/** Keys of the URLs that it may belong to. */
	keys: string[];
}

/** A page with such a URL; unset if it is in a file. */
interface StrayPage extends Stray {
	page?: IDataObject;
}

/** The reason why such a URL has no page. */
interface StrayReason extends Stray {
	reason: string;
}

/** Matches a batch's pages with its URLs, and knows why some URLs have none. */
export class BatchPages {
	/** Pages by URL key. */
	private readonly pages = new Map<string, IDataObject[]>();

	private readonly inFiles = new Set<string>();

	/** Reasons why there is no page, by URL key. */
	private readonly reasons = new Map<string, string>();

	private strays: StrayPage[] = [];

	private strayReasons: StrayReason[] = [];

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
		if (!this.urls.has(key)) this.strayReasons.push({ keys: [key], reason });
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
	 * Assigns leftover pages and reasons to the missing URLs that they probably belong to, because services rewrite
	 * some URLs.
	 */
	pairLikely(): void {
		for (const formOf of LOOSE_FORMS) {
			const pages = likelyPairs(this.strays, this.missing, formOf);
			for (const [key, { page }] of pages) this.give(key, page);
			this.strays = without(this.strays, pages);
			const reasons = likelyPairs(this.strayReasons, this.missing, formOf);
			for (const [key, { reason }] of reasons) this.reasons.set(key, reason);
			this.strayReasons = without(this.strayReasons, reasons);
		}
	}

	/** Pages whose URLs weren't requested, unless they are in files. */
	get others(): IDataObject[] {
		return this.strays.flatMap(({ page }) => (page ? [page] : []));
	}

	/**
	 * Returns the pages of these URLs, in their order, and an error for each URL without one. Skips URLs whose pages are
	 * in files.
	 */
	of(urls: Map<string, string>): IDataObject[] {
		return [...urls].flatMap(([key, url]) => {
			if (this.inFiles.has(key)) return [];
			const error = this.reasons.get(key) ?? 'The service returned no page for this URL';
			return this.pages.get(key) ?? [{ metadata: { sourceURL: url, error } }];
		});
	}

	private give(key: string, page?: IDataObject): void {
		const known = this.pages.get(key);
		if (page === undefined) this.inFiles.add(key);
		else if (known) known.push(page);
		else this.pages.set(key, [page]);
	}
}

/** Returns the keys under which a page may have been requested, the likeliest first. */
function keysOfPage({ metadata, sourceURL, url }: IDataObject): string[] {
	const inMetadata = isObject(metadata) ? metadata : {};
	return [inMetadata.sourceURL, inMetadata.url, sourceURL, url]
		.filter((one) => typeof one === 'string')
		.map(keyOfUrl);
}

/** Splits a URL into its host with its path, and its parameters, as they stay however a service rewrites the URL. */
function partsOf(key: string): [path: string, parameters: string[]] {
	const bare = key.replace(/#.*/s, '').replace(/^https?:\/\/(www\.)?/i, '');
	const [path, ...query] = decoded(bare).split('?');
	return [withoutEnd(path, '/'), query.join('?').split('&')];
}

function decoded(url: string): string {
	try {
		return decodeURI(url);
	} catch {
		return url;
	}
}

/**
 * What two spellings of a URL have in common, the strictest form first: everything; the parameters in another order;
 * the path alone; and nothing, since a page that is left over belongs to the URL that is left over.
 */
const LOOSE_FORMS: Array<(key: string) => string> = [
	(key) => JSON.stringify(partsOf(key)),
	(key) => JSON.stringify([partsOf(key)[0], partsOf(key)[1].sort()]),
	(key) => partsOf(key)[0],
	() => '',
];

/** Returns the leftovers that were not paired. */
function without<One extends Stray>(strays: One[], pairs: Map<string, One>): One[] {
	const paired = new Set(pairs.values());
	return strays.filter((stray) => !paired.has(stray));
}

/**
 * Pairs URLs with the leftovers that probably belong to them: in this form, the two must be the same, and neither may be
 * the same as any other.
 */
function likelyPairs<One extends Stray>(
	strays: One[],
	urlKeys: string[],
	formOf: (key: string) => string,
): Map<string, One> {
	const alike = new Map<string, string[]>();
	for (const key of urlKeys) {
		const form = formOf(key);
		// Two candidates are as ambiguous as many, and keeping all of them would create far too many pairs.
		alike.set(form, [...(alike.get(form) ?? []), key].slice(0, 2));
	}
	const pairs = strays.flatMap((stray) => {
		// A page may come without any URL.
		const forms = new Set([...stray.keys, ''].map(formOf));
		return [...forms].flatMap((one) => alike.get(one) ?? []).map((key) => ({ key, stray }));
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
