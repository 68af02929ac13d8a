import type { IDataObject } from 'n8n-workflow';

import { numberOf, objectsOf } from '../base/json';
import { plural } from '../base/text';
import { keyOfUrl, parsedUrl } from '../base/url';
import { typedIn, typesIn } from './typed';

/**
 * Prices in credits, as stated in the service's documentation. Form texts, docs/costs.md, the local service and the
 * Credit Budget all take them from here; the service's responses have the last word.
 */
export const PRICES = {
	page: 1,
	/** Also the price with Auto if a page needs the enhanced proxy. */
	enhancedPage: 5,
	/** With JSON, a page under Lockdown costs no more than one without it. */
	lockdownPage: 5,
	/** The whole price of a page, not counting formats. */
	xPage: 30,
	/** Added to the price of the page for each of these formats. JSON and changes tracked by AI count as one. */
	aiFormat: 4,
	/** Added to the price of each page, and of each page of a PDF. */
	redaction: 4,
	/** Added to the price of the page, except under Lockdown, which keeps nothing anyway. */
	zeroDataRetention: 1,
	threatCheck: 2,
	map: 1,
	/** For every ten results, rounded up, across all sources. */
	tenResults: 2,
	tenResultsZdr: 10,
	/** Added to the price of each scraped page of a search in an Enterprise mode. */
	enterprisePage: 1,
	promptMinute: 7,
	codeMinute: 2,
	/** Added for each change, or result of a search, that a monitor judges. */
	judgment: 1,
} as const;

/** Returns a number of credits the way form texts write it, e.g. `4 more credits`. */
export function credits(count: number, more: '' | 'more ' = ''): string {
	return `${count} ${more}${plural(count, 'credit')}`;
}

/** What a costly format adds to the price of each page, the way form texts write it. */
export const AI_FORMAT_PRICE = `${credits(PRICES.aiFormat, 'more ')} per page`;

/** What a call may cost, in credits, judging by its form and address. */
export interface Price {
	usual: number;
	/** Infinity if nothing limits it. */
	most: number;
	/** Name of the number in the body that is the highest price. */
	cap?: string;
}

/** The price of a call whose price is unknown and unlimited. */
export const UNKNOWN_PRICE: Price = { usual: 1, most: Infinity };

export const fixedPrice = (credits: number): Price => ({ usual: credits, most: credits });

/** Returns the price of this many pages that cost the same, and of what is billed besides. */
function times(count: number, { usual, most }: Price, besides = 0): Price {
	return { usual: usual * count + besides, most: most * count + besides };
}

/** The formats that cost `PRICES.aiFormat` on top of the page, besides JSON. */
const COSTLY_FORMATS = ['question', 'highlights', 'query', 'audio', 'video'];

/** The modes of Threat Protection that cost nothing. */
const FREE_CHECKS = ['manual-only', 'zscaler', 'off'];

const X_HOSTS = ['x.com', 'twitter.com'];

/** Returns the price of a page with these scrape options; its address shows whether it is on X, or a PDF. */
export function pagePrice(options: IDataObject, url?: unknown): Price {
	const parsed = parsedUrl(keyOfUrl(url ?? ''));
	const isX = X_HOSTS.some((host) => `.${parsed?.hostname}`.endsWith(`.${host}`));
	const isPdf = parsed?.pathname.toLowerCase().endsWith('.pdf') === true;
	return priceOf(options, { isX, isPdf });
}

function priceOf(options: IDataObject, { isX = false, isPdf = false }): Price {
	const redaction = options.redactPII ? PRICES.redaction : 0;
	const others = priceOfFormats(options) + threatCheckOf(options);
	const more = others + redaction + (isX ? PRICES.xPage - PRICES.page : 0);
	const [usual, most] = basePriceOf(options).map((base) => base + more);
	const maxPages = parsedPagesOf(options);
	const pdf = maxPages * (PRICES.page + redaction) + others;
	if (isPdf && maxPages === Infinity) return { usual, most: Infinity };
	if (isPdf && maxPages > 0) return { usual: pdf, most: Math.max(most, pdf) };
	return { usual, most: maxPages === Infinity ? most : Math.max(most, pdf) };
}

/** Returns the price of a file; without Max Pages, a PDF may have any number of pages. */
export function filePrice(options: IDataObject, isPdf: boolean): Price {
	return priceOf({ ...options, proxy: 'basic' }, { isPdf });
}

/** Returns the price of a map, which checks every page it lists if Threat Protection is on. */
export function mapPrice({ limit = 5000, ...options }: IDataObject): Price {
	const checks = threatCheckOf(options) * numberOf(limit);
	return { usual: PRICES.map, most: PRICES.map + checks };
}

/**
 * Returns the price of a search that finds as many results as its limit allows, including their pages if they are
 * scraped.
 */
export function searchPrice(body: IDataObject): Price {
	const kinds = typesIn(body.sources);
	const limit = numberOf(body.limit ?? 5);
	const results = limit * Math.max(1, kinds.length);
	const modes = typesIn(body.enterprise);
	const perTen = modes.includes('zdr') ? PRICES.tenResultsZdr : PRICES.tenResults;
	const found = perTen * Math.ceil(results / 10) + 2 * threatCheckOf(body) * results;
	const options = (body.scrapeOptions ?? {}) as IDataObject;
	// Images have no page to scrape.
	const pages = results - limit * kinds.filter((kind) => kind === 'images').length;
	if (typesIn(options.formats).length === 0) return fixedPrice(found);
	const enterprise = modes.length > 0 ? PRICES.enterprisePage * pages : 0;
	return times(pages, pagePrice(options), found + enterprise);
}

export function interactionPrice({ prompt, timeout }: IDataObject): Price {
	const perMinute = prompt ? PRICES.promptMinute : PRICES.codeMinute;
	return fixedPrice(Math.ceil(perMinute * Math.max(1, numberOf(timeout) / 60)));
}

/** Returns the price of an agent task, which may spend as much as its body allows. */
export function taskPrice({ maxCredits }: IDataObject): Price {
	const most = numberOf(maxCredits);
	return most > 0 ? { ...fixedPrice(most), cap: 'maxCredits' } : UNKNOWN_PRICE;
}

/** Returns the price of a crawl that finds as many pages as its limit allows. */
export function crawlPrice({ url, limit, scrapeOptions, zeroDataRetention }: IDataObject): Price {
	const pages = numberOf(limit);
	const page = pagePrice({ ...(scrapeOptions as IDataObject), zeroDataRetention }, url);
	return pages > 0 ? times(pages, page) : UNKNOWN_PRICE;
}

/** Returns the price of a batch of all these pages. */
export function batchPrice({ urls, ...options }: IDataObject): Price {
	const prices = (urls as unknown[]).map((url) => pagePrice(options, url));
	const sumOf = (which: 'usual' | 'most') => prices.reduce((sum, price) => sum + price[which], 0);
	return { usual: sumOf('usual'), most: sumOf('most') };
}

/** Returns the usual and the highest price of a page without formats, depending on its proxy and cache. */
function basePriceOf(options: IDataObject): [usual: number, most: number] {
	const { proxy = 'auto', lockdown } = options;
	if (lockdown === true) {
		// JSON already makes up the difference.
		const base = makesJson(options) ? PRICES.page : PRICES.lockdownPage;
		return [base, base];
	}
	if (proxy === 'basic') return [PRICES.page, PRICES.page];
	return [proxy === 'auto' ? PRICES.page : PRICES.enhancedPage, PRICES.enhancedPage];
}

/** Returns what formats, and keeping nothing, add to the price of a page. */
function priceOfFormats(options: IDataObject): number {
	const types = typesIn(options.formats);
	const costly = COSTLY_FORMATS.filter((format) => types.includes(format)).length;
	const isKept = options.zeroDataRetention !== true || options.lockdown === true;
	const made = costly + (makesJson(options) ? 1 : 0);
	return PRICES.aiFormat * made + (isKept ? 0 : PRICES.zeroDataRetention);
}

/** Whether the request turns pages, or their changes, into JSON: both together cost as much as one. */
function makesJson({ formats }: IDataObject): boolean {
	const isTracked = typedIn(formats).some(
		({ type, modes }) => type === 'changeTracking' && typesIn(modes).includes('json'),
	);
	return isTracked || typesIn(formats).includes('json');
}

function threatCheckOf({ threatProtection: given }: IDataObject): number {
	const rules = given as IDataObject | undefined;
	return rules && !FREE_CHECKS.includes(String(rules.mode)) ? PRICES.threatCheck : 0;
}

/** Returns the maximum number of pages of a PDF that are parsed: 0 if none are, Infinity if there is no limit. */
function parsedPagesOf({ parsers }: IDataObject): number {
	if (Array.isArray(parsers) && parsers.length === 0) return 0;
	return numberOf(objectsOf(parsers)[0]?.maxPages) || Infinity;
}
