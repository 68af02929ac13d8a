import { imageHit, newsHit, webHit } from '../data/hits';
import { pricesOf } from '../data/price';
import { PRICES } from '../../nodes/shared/fields/prices';
import { topicOf } from '../data/texts';
import { typesOf, type Entry, type Typed } from '../entry';
import { failure, ok, type ServiceResponse } from '../response';
import { paid, type Context } from './context';
import { noCachedData, scrapePages } from './pages';

export function search(context: Context): ServiceResponse {
	const { state, body, settings, version } = context;
	const query = body.query as string;
	const options = (body.scrapeOptions as Entry) ?? {};
	const isScraping = ((options.formats as unknown[]) ?? []).length > 0;
	if (settings.latencyMs > ((body.timeout as number) ?? 60_000)) {
		return failure(408, 'Request timed out');
	}
	const data = hitsOf(context, query);
	const scraped = isScraping ? [...(data.web ?? []), ...(data.news ?? [])] : [];
	const results = Object.values(data).flat().length;
	const urls = scraped.map((hit) => hit.url as string);
	const isPrivate = ((body.enterprise as string[]) ?? []).some((mode) => mode !== 'default');
	const credits =
		searchPrice(body, results) + pricesOf({ ...options, zeroDataRetention: isPrivate }, urls);
	const uncached = noCachedData(context, urls, options);
	if (uncached) return uncached;
	return paid(context, 'search', credits, () => {
		const pages = scrapePages(context, urls, topicOf(query), options);
		pages.forEach((fields, index) => Object.assign(scraped[index], fields));
		const id = state.newId();
		state.note(id, 'search', version, query);
		return ok({ success: true, data, warning: null, id, creditsUsed: credits });
	});
}

/** Returns the results by source. */
export function hitsOf({ state, body, settings, fileUrl }: Context, query: string) {
	const sources = typesOf((body.sources as Typed[]) ?? ['web']);
	const categories = typesOf(body.categories as Array<string | Typed> | undefined);
	const limit = (body.limit as number) ?? 5;
	const count = query.includes('no-such-thing') ? 0 : limit; // for trying a search without results
	const indexes = Array.from({ length: count }, (_, index) => index);
	const data: Record<string, Entry[]> = {};
	if (sources.includes('web')) {
		const found = indexes.map((index) => {
			const category = categories[index % (categories.length || 1)];
			const hit = webHit(settings.seed, query, index, category);
			return category ? { ...hit, category } : { ...hit };
		});
		data.web = within(body, state.web.found(found, topicOf(query)) as Entry[]);
	}
	if (sources.includes('images')) {
		data.images = indexes.map((index) =>
			imageHit(settings.seed, query, index, fileUrl(`picture-${index + 1}.png`)),
		);
	}
	if (sources.includes('news')) {
		const fresh = state.web.newHits(topicOf(query)).map(({ title, description, url }, index) => ({
			...{ title, snippet: description, url, date: `${index + 1} minutes ago` },
			...{ imageUrl: fileUrl(`news-new-${index + 1}.png`), position: index + 1 },
		}));
		const others = indexes.map((index) =>
			newsHit(settings.seed, query, index, fileUrl(`news-${index + 1}.png`)),
		);
		data.news = within(body, [...fresh, ...others].slice(0, count));
	}
	return data;
}

/** Returns the results from the domains to include, and not from those to exclude. */
function within<Hit extends { url?: unknown }>(body: Entry, hits: Hit[]): Hit[] {
	const [included, excluded] = ['includeDomains', 'excludeDomains'].map((name) =>
		((body[name] ?? []) as string[]).map((domain) => domain.trim().toLowerCase()),
	);
	const isOf = (url: URL, domains: string[]) =>
		domains.some((domain) => `.${url.hostname}`.endsWith(`.${domain}`));
	return hits.flatMap((hit, index) => {
		const url = new URL(String(hit.url));
		if (isOf(url, excluded)) return [];
		if (included.length > 0 && !isOf(url, included))
			url.hostname = included[index % included.length];
		return [{ ...hit, url: included.length > 0 ? url.href : hit.url }];
	});
}

/** Returns the price of the results, not counting scraped pages. */
function searchPrice(body: Entry, results: number): number {
	const enterprise = (body.enterprise as string[]) ?? [];
	const isZdr = enterprise.includes('zdr');
	return Math.ceil(results / 10) * (isZdr ? PRICES.tenResultsZdr : PRICES.tenResults);
}
