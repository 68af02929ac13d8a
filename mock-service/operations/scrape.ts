import { pagePrice } from '../data/price';
import type { Entry } from '../entry';
import { invalidUrls, notFound, ok, type ServiceResponse } from '../response';
import type { Profile } from '../sessions';
import { isUrl } from '../urls';
import { paid, type Context } from './context';
import { pageFailure } from './pageFailures';
import { noCachedData, scrapePages } from './pages';

/** Scrapes a page. A members' page leads to the login unless a saved profile is used. */
export function scrape(context: Context): ServiceResponse {
	const { state, body, version } = context;
	const { url, ...given } = body as Entry & { url: string };
	if (!isUrl(url)) return invalidUrls([['url']]);
	const options: Entry = { ...given, formats: given.formats ?? [{ type: 'markdown' }] };
	const uncached = noCachedData(context, [url], options);
	if (uncached) return uncached;
	const failed = pageFailure(url);
	if (failed) {
		if (failed.credits > 0) state.pay('scrape', failed.credits, body);
		return failed.response;
	}
	return paid(context, 'scrape', pagePrice(options, url), () => {
		const profile = options.profile as Profile | undefined;
		const shown = state.sessions.pageFor(url, profile);
		const [data] = scrapePages(context, [shown], new URL(url).hostname, options);
		const scrapeId = state.newId();
		Object.assign(data.metadata as Entry, { sourceURL: url, scrapeId });
		state.sessions.add({ id: scrapeId, url: shown, page: data, profile });
		state.note(scrapeId, 'scrape', version, url);
		return ok({ success: true, data });
	});
}

export function scrapeGet({ state, id }: Context): ServiceResponse {
	const scrape = state.sessions.find(id);
	return scrape ? ok({ success: true, data: scrape.page }) : notFound('Job');
}
