import { page } from '../data/page';
import { pagePrice, PRICES } from '../data/price';
import { typesOf, type Entry, type Typed } from '../entry';
import { failure, type ServiceResponse } from '../response';
import { DAY_MS } from '../state';
import { iso, type Context } from './context';

/** Age up to which a cached page is returned by default. */
const DEFAULT_MAX_AGE_MS = 2 * DAY_MS;

/** Options whose pages are private, or of no use to anybody else, so that they aren't cached. */
const UNCACHED = ['actions', 'headers', 'profile'];

/** Whether a page with these options may come from the cache. */
function isCacheable(options: Entry): boolean {
	const isOwn = UNCACHED.some((name) => Object.keys(options[name] ?? {}).length > 0);
	return !isOwn && !typesOf(options.formats as Typed[]).includes('changeTracking');
}

/** Returns the key under which a page is cached: each place and device has its own copy. */
const keyOf = (url: string, { mobile, location }: Entry) =>
	JSON.stringify([url, mobile === true, location]);

/** Returns when a page was cached, if it may be used. */
function cachedAt({ state }: Context, url: string, options: Entry): number | undefined {
	const at = isCacheable(options) ? state.cached.get(keyOf(url, options)) : undefined;
	const isOld = Date.now() - (at ?? 0) >= ((options.maxAge as number) ?? DEFAULT_MAX_AGE_MS);
	return isOld && options.lockdown !== true ? undefined : at;
}

/**
 * Returns the 404 if `minAge` or Lockdown asks for cached pages and one isn't cached. A page that Lockdown doesn't find
 * in the cache is billed all the same.
 */
export function noCachedData(
	context: Context,
	urls: string[],
	options: Entry,
): ServiceResponse | undefined {
	const isLocked = options.lockdown === true;
	if (options.minAge === undefined && !isLocked) return undefined;
	if (urls.every((url) => cachedAt(context, url, options) !== undefined)) return undefined;
	if (isLocked) context.state.pay('scrape', PRICES.page, context.body);
	return failure(404, 'No cached data is available for this page', {
		code: isLocked ? 'SCRAPE_LOCKDOWN_CACHE_MISS' : 'SCRAPE_NO_CACHED_DATA',
	});
}

/** Returns scraped pages, using the cache. */
export function scrapePages(
	context: Context,
	urls: string[],
	topic: string,
	options: Entry,
): Entry[] {
	const { state } = context;
	const isKept =
		options.storeInCache !== false && options.zeroDataRetention !== true && isCacheable(options);
	return urls.map((url) => {
		const at = cachedAt(context, url, options);
		if (isKept && at === undefined) state.cached.set(keyOf(url, options), Date.now());
		const result = scraped(context, state.newId(), { url, topic, options });
		Object.assign(result.metadata as Entry, {
			...(isCacheable(options) && { cacheState: at === undefined ? 'miss' : 'hit' }),
			...(at !== undefined && { cachedAt: iso(at) }),
		});
		return result;
	});
}

/** Returns a scraped page; the same job scrapes it once, however often it is asked for. */
export function scraped(
	{ state, fileUrl }: Context,
	jobId: string,
	{ url, topic, options }: { url: string; topic: string; options: Entry },
): Entry {
	const formats = options.formats as Typed[];
	const { actions, parsers } = options as { actions?: Typed[]; parsers?: unknown[] };
	const result = page({ url, topic, formats, actions, parsers }, fileUrl);
	state.web.applyTo(url, result);
	Object.assign(result.metadata as Entry, {
		...(options.proxy === 'enhanced' && { proxyUsed: 'stealth' }),
		creditsUsed: pagePrice(options, url),
	});
	const tracking = formats.find(({ type }) => type === 'changeTracking');
	if (tracking) result.changeTracking = state.tracked.changeOf(jobId, url, result, tracking);
	return result;
}
