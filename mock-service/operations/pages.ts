import { page } from '../data/page';
import { pagePrice } from '../data/price';
import type { Entry, Typed } from '../entry';
import { failure, type ServiceResponse } from '../response';
import { DAY_MS } from '../state';
import { iso, type Context } from './context';

/** Age up to which a cached page is returned by default. */
const DEFAULT_MAX_AGE_MS = 2 * DAY_MS;

/** Returns the 404 if `minAge` asks for cached pages and one isn't cached. */
export function noCachedData(
	{ state }: Context,
	urls: string[],
	options: Entry,
): ServiceResponse | undefined {
	const minAge = options.minAge as number | undefined;
	if (minAge === undefined) return undefined;
	const now = Date.now();
	const missing = urls.find((url) => {
		const at = state.cached.get(url);
		// 1 accepts any cached data, even if it was scraped this very millisecond
		return at === undefined || (minAge > 1 && now - at < minAge);
	});
	if (missing === undefined) return undefined;
	return failure(404, `No cached data is available for ${missing}`, {
		code: 'SCRAPE_NO_CACHED_DATA',
	});
}

/** Returns scraped pages, using the cache; with `minAge`, all of them must be in it. */
export function scrapePages(
	{ state, fileUrl }: Context,
	urls: string[],
	topic: string,
	options: Entry,
): Entry[] {
	const now = Date.now();
	const { minAge, maxAge = DEFAULT_MAX_AGE_MS } = options as { minAge?: number; maxAge?: number };
	const isSensitive = options.actions !== undefined || options.headers !== undefined;
	const request = {
		topic,
		formats: options.formats as Typed[],
		actions: options.actions as Typed[] | undefined,
		parsers: options.parsers as unknown[] | undefined,
	};
	return urls.map((url) => {
		const at = state.cached.get(url);
		const isHit = at !== undefined && (minAge !== undefined || now - at < maxAge);
		const isKept = options.storeInCache !== false && !isSensitive && !isHit;
		if (isKept) state.cached.set(url, now);
		const result = page({ ...request, url }, fileUrl);
		state.web.applyTo(url, result);
		Object.assign(result.metadata as Entry, {
			cacheState: isHit ? 'hit' : 'miss',
			...(isHit && { cachedAt: iso(at) }),
			creditsUsed: pagePrice(options, url),
		});
		return result;
	});
}
