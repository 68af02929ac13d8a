import { pagePrice } from '../data/price';
import { typesOf, type Entry, type Typed } from '../entry';
import { invalidUrls, notFound, ok, type ServiceResponse } from '../response';
import type { Crawl } from '../state';
import { iso, isUrl, paid, type Context, type Handler } from './context';
import { pageFailure } from './pageFailures';

export const crawlListActive =
	(version: 'v1' | 'v2'): Handler =>
	({ state }) =>
		ok({
			success: true,
			crawls: state.activeCrawls().map((crawl) => {
				const { formats, parsers, ...rest } = crawl.scrapeOptions as Record<string, Typed[]>;
				const scrapeOptions: Entry = { ...rest, formats: typesOf(formats) };
				if (version === 'v2') scrapeOptions.parsers = typesOf(parsers);
				else scrapeOptions.parsePDF = typesOf(parsers).includes('pdf');
				return {
					id: crawl.id,
					teamId: 'team-northwind',
					url: crawl.url,
					created_at: iso(crawl.createdAt),
					options: { limit: crawl.total, allowSubdomains: false, scrapeOptions },
				};
			}),
		});

/**
 * Status and a chunk of the pages. `skip` says from which page on; it is what `next` carries. Only the last chunk of a
 * completed crawl has no `next`: any other crawl's leads to an empty chunk, whose `next` names itself. Only v2 warns.
 */
export const crawlStatus =
	(version: 'v1' | 'v2'): Handler =>
	({ state, id, query, settings, fileUrl, nextUrl }) => {
		const crawl = state.findCrawl(id);
		if (!crawl) return notFound('Job');
		const now = state.crawlNow(crawl);
		const skip = Math.max(0, Number(query.skip ?? 0) || 0);
		const pages = state.crawlPages(crawl, skip, now.done, settings.chunkBytes, fileUrl);
		const reached = skip + pages.length;
		const more = now.status !== 'completed' || reached < now.done;
		const head = {
			success: true,
			status: now.status,
			total: crawl.total,
			completed: now.done,
			creditsUsed: settings.knowsCredits ? now.done * pagePrice(crawl.scrapeOptions) : -1,
			expiresAt: iso(crawl.expiresAt),
			...(version === 'v2' && {
				createdAt: iso(crawl.createdAt),
				...(now.endedAt !== undefined && {
					completedAt: iso(now.endedAt),
					duration: (now.endedAt - crawl.createdAt) / 1000,
					warning:
						blockedBy(crawl).length > 0
							? 'One or more pages could not be crawled because of robots.txt'
							: `Only ${now.done} result(s) found. Try crawling with crawlEntireDomain=true`,
				}),
			}),
			...(more && { next: nextUrl(`/${version}/crawl/${id}?skip=${reached}`) }),
		};
		// The pages are JSON text already: parsing 10 MB to serialize them again would cost much.
		return ok(`${JSON.stringify(head).slice(0, -1)},"data":[${pages.join(',')}]}`);
	};

export function crawlStart(context: Context): ServiceResponse {
	const { state, body, nextUrl } = context;
	const url = body.url as string;
	if (!isUrl(url)) return invalidUrls([['url']]);
	const total = pageFailure(url) ? 0 : Math.max(1, Math.min((body.limit as number) ?? 10_000, 12));
	const scrapeOptions = (body.scrapeOptions as Entry) ?? {};
	return paid(context, 'crawlStart', total * pagePrice(scrapeOptions), () => {
		const formats = (scrapeOptions.formats as Typed[]) ?? [{ type: 'markdown' }];
		const crawl = state.addCrawl({
			url,
			total,
			formats,
			scrapeOptions: { parsers: [{ type: 'pdf' }], ...scrapeOptions, formats },
		});
		state.note(crawl.id, 'crawl', 'v2', url);
		return ok({ success: true, id: crawl.id, url: nextUrl(`/v2/crawl/${crawl.id}`) });
	});
}

/** Assumption: cancelling again does no harm. Its failures have no `success`. */
export function crawlCancel({ state, id }: Context): ServiceResponse {
	const found = state.findCrawl(id);
	if (!found) return { status: 404, body: { error: 'Job not found' } };
	const { status } = state.crawlNow(found);
	if (status === 'completed' || status === 'failed') {
		return { status: 409, body: { error: 'The crawl has already ended' } };
	}
	const crawl = state.drive(id);
	crawl.end ??= { status: 'cancelled', at: Date.now() };
	return ok({ status: 'cancelled' });
}

/** What robots.txt forbids: a crawl has no page where that is the first one, or where that one fails. */
function blockedBy({ url, total }: Crawl): string[] {
	if (pageFailure(url)) return [];
	return [total === 0 ? url : `${url.replace(/\/+$/, '')}/private`];
}

/** Unless the crawl itself failed, what it tells of is neither in its `total` nor in `completed`. */
export function crawlErrors({ state, id }: Context): ServiceResponse {
	const crawl = state.findCrawl(id);
	if (!crawl) return notFound('Job');
	const { status, done } = state.crawlNow(crawl);
	const lost = status === 'failed' ? Math.min(5, crawl.total - done) : 0;
	const timestamp = iso(crawl.createdAt);
	const errors: Entry[] = Array.from({ length: lost }, (_, index) => ({
		id: `${id}-${done + index + 1}`,
		timestamp,
		url: `${crawl.url.replace(/\/+$/, '')}/page-${done + index + 1}`,
		code: 'SCRAPE_TIMEOUT',
		error: 'The page did not answer in time',
	}));
	const first = pageFailure(crawl.url)?.response.body as Entry | undefined;
	if (first) {
		const { code, error } = first;
		errors.push({ id: `${id}-first`, timestamp, url: crawl.url, code, error });
	}
	return ok({ errors, robotsBlocked: blockedBy(crawl) });
}
