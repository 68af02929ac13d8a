import { crawlPage, pageUrl } from '../data/crawlPage';
import { pagePrice } from '../data/price';
import { typesOf, type Entry, type Typed } from '../entry';
import { failure, invalidUrls, notFound, ok, type ServiceResponse } from '../response';
import type { Crawl } from '../state';
import { isUrl } from '../urls';
import { batchStatus } from './batch';
import { iso, paid, type Context } from './context';
import { pageFailure } from './pageFailures';
import { scraped } from './pages';
import { pagesFound } from './paths';
import { cancelled, denied, errorsOf, statusOf } from './scraping';

/** Returns the active crawls. Contrary to its document, v2 shows formats and parsers as objects. */
export const crawlListActive = ({ state, version }: Context): ServiceResponse =>
	ok({
		success: true,
		crawls: state.activeCrawls().map((crawl) => {
			const { formats, parsers, ...rest } = crawl.scrapeOptions as Record<string, Typed[]>;
			const ofV1 = { formats: typesOf(formats), parsePDF: typesOf(parsers).includes('pdf') };
			return {
				id: crawl.id,
				teamId: 'team-northwind',
				url: crawl.url,
				created_at: iso(crawl.createdAt),
				options: {
					limit: crawl.total,
					allowSubdomains: false,
					scrapeOptions: { ...rest, ...(version === 'v2' ? { formats, parsers } : ofV1) },
				},
			};
		}),
	});

export function crawlStatus(context: Context): ServiceResponse {
	const { state, id, version } = context;
	const crawl = state.findCrawl(id);
	// The service keeps both kinds of jobs in one place.
	if (!crawl) return batchStatus(context);
	const now = state.now(crawl);
	return statusOf(context, crawl, now, {
		path: `/${version}/crawl/${id}`,
		price: now.done * pagePrice(crawl.scrapeOptions, crawl.url),
		pageAt: (index) => pageOf(context, crawl, index),
		total: crawl.total,
		warning: warningOf(crawl, now.done),
	});
}

/** Returns a page of a crawl, by its position from 0, as JSON. */
const pageOf = (context: Context, crawl: Crawl, index: number) =>
	crawlPage(crawl, index, (url, topic) =>
		scraped(context, crawl.id, { url, topic, options: crawl.scrapeOptions }),
	);

function warningOf(crawl: Crawl, done: number): string | undefined {
	if (blockedBy(crawl).length > 0) {
		return 'One or more pages could not be crawled because of robots.txt';
	}
	if (done > 1) return undefined;
	return `Only ${done} result(s) found. Try crawling with crawlEntireDomain=true`;
}

/** Starts a crawl of at most 12 pages: those of its site that Include and Exclude Paths let through. */
export function crawlStart(context: Context): ServiceResponse {
	const { state, body, nextUrl, report, version } = context;
	const url = body.url as string;
	if (!isUrl(url)) return invalidUrls([['url']]);
	let found: ReturnType<typeof pagesFound>;
	try {
		found = pagesFound({ ...body, url });
	} catch (error) {
		return failure(400, (error as Error).message);
	}
	const { zeroDataRetention } = body;
	const scrapeOptions: Entry = {
		...(body.scrapeOptions as Entry),
		...(zeroDataRetention === true && { zeroDataRetention }),
	};
	return paid(context, 'crawlStart', found.total * pagePrice(scrapeOptions, url), () => {
		const formats = (scrapeOptions.formats as Typed[]) ?? [{ type: 'markdown' }];
		const crawl = state.addCrawl({
			url,
			...found,
			scrapeOptions: { parsers: [{ type: 'pdf' }], ...scrapeOptions, formats },
		});
		state.note(crawl.id, 'crawl', version, url);
		report(crawl.id, 'crawl', () => {
			const pageAt = (index: number) => ({
				success: true,
				data: [JSON.parse(pageOf(context, crawl, index)) as Entry],
			});
			return { ...state.trueNow(crawl), pageAt, error: 'The crawl did not end well' };
		});
		return ok({
			success: true,
			id: crawl.id,
			url: nextUrl(`/v2/crawl/${crawl.id}`),
		});
	});
}

export const crawlCancel = (context: Context) =>
	cancelled(context, context.state.findCrawl(context.id));

/**
 * The page that robots.txt forbids, if any: the first one of a crawl without pages, or /private on a host with `robots`
 * in its name.
 */
function blockedBy({ url, total, denied: why }: Crawl): string[] {
	if (pageFailure(url) ?? why) return [];
	if (total === 0) return [url];
	return new URL(url).hostname.includes('robots') ? [`${url.replace(/\/+$/, '')}/private`] : [];
}

/**
 * Returns the errors of a crawl. Unless the crawl itself failed, these pages count neither in `total` nor in
 * `completed`.
 */
export function crawlErrors(context: Context): ServiceResponse {
	const { state, id } = context;
	const crawl = state.findCrawl(id);
	if (!crawl) return notFound('Job');
	const { status, done } = state.now(crawl);
	const left = Array.from({ length: crawl.total - done }, (_, index) =>
		pageUrl(crawl, done + index),
	);
	const late = { code: 'SCRAPE_TIMEOUT', error: 'The page did not answer in time' };
	const first = pageFailure(crawl.url)?.response.body as Entry | undefined;
	return errorsOf(context, crawl, {
		failed: [
			...(status === 'failed' ? left.slice(0, 5) : []).map((url) => ({ url, ...late })),
			...(first ? [{ url: crawl.url, code: first.code, error: first.error }] : []),
			...(crawl.denied === undefined ? [] : [denied(crawl.url, crawl.denied)]),
		],
		blocked: blockedBy(crawl),
		left,
	});
}

/** Returns the settings derived from a prompt. Assumption: its first word with a leading slash is the path to crawl. */
export function crawlParamsPreview({ body }: Context): ServiceResponse {
	const url = String(body.url);
	if (!isUrl(url)) return invalidUrls([['url']]);
	const path = /\/\w+/.exec(String(body.prompt))?.[0];
	const includePaths = path === undefined ? [] : [`${path}/.*`];
	return ok({ success: true, data: { url, includePaths, maxDiscoveryDepth: 2, limit: 100 } });
}
