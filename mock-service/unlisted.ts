/* eslint-disable @typescript-eslint/no-unused-vars */
import { usageQueueStatus, usageRemaining } from './operations/usage';
import type { Context } from './operations/context';
import { isEntry, type Entry } from './entry';
import { pageRulesV1 } from './rules/page';
import type { Broken } from './rules/rule';
import { ok, type ServiceResponse } from './response';

/** A request to an endpoint that the contract doesn't have. */
export interface Unlisted {
	/** What it breaks of the rules that only this endpoint has. */
	broken?: Broken[];
	/** The request of v2 that does the same. */
	path: string;
	body: unknown;
	/** What responds instead of that request's operation. */
	handler?: (context: Context) => ServiceResponse;
	/** Returns the response of v2 as this endpoint gives it. */
	shaped?: (response: ServiceResponse) => ServiceResponse;
}

const V1 = [
	'POST /v1/(scrape|crawl|map|search|batch/scrape)',
	'GET /v1/(batch/)?scrape/[^/]+',
	'GET /v1/team/(queue-status|credit-usage/historical)',
	'GET /v1/(crawl|batch/scrape)/[^/]+/errors',
	'DELETE /v1/(crawl|batch/scrape)/[^/]+',
].map((pattern) => new RegExp(`^${pattern}$`));

/** Returns what a request to such an endpoint is; undefined for any other request. */
export function unlistedOf(method: string, path: string, body: unknown): Unlisted | undefined {
	if (method === 'GET' && /^\/v[12]\/concurrency-check$/.test(path)) {
		return { path: '/v2/team/queue-status', body, handler: concurrency };
	}
	if (method === 'GET' && path === '/v1/team/credit-usage') {
		return { path: '/v2/team/credit-usage', body, handler: creditsV1 };
	}
	if (!V1.some((pattern) => pattern.test(`${method} ${path}`))) return undefined;
	const { scrapeOptions, ...rest } = isEntry(body) ? body : {};
	const isOfPage = /scrape$/.test(path);
	return {
		broken: [
			...(isOfPage ? pageRulesV1(rest, []) : []),
			...(isEntry(scrapeOptions) ? pageRulesV1(scrapeOptions, ['scrapeOptions']) : []),
		],
		path: path.replace('/v1/', '/v2/'),
		body: isEntry(body)
			? {
					...(isOfPage ? pageOptions(rest) : siteOptions(rest)),
					...(isEntry(scrapeOptions) && { scrapeOptions: pageOptions(scrapeOptions) }),
				}
			: body,
		shaped: (response) => shapedV1(path, response),
	};
}

function concurrency(context: Context): ServiceResponse {
	const { activeJobsInQueue, maxConcurrency } = usageQueueStatus(context).body as Entry;
	return ok({ success: true, concurrency: activeJobsInQueue, maxConcurrency });
}

function creditsV1(context: Context): ServiceResponse {
	const { data } = usageRemaining(context).body as { data: Entry };
	return ok({
		success: true,
		data: {
			remaining_credits: data.remainingCredits,
			plan_credits: data.planCredits,
			billing_period_start: data.billingPeriodStart,
			billing_period_end: data.billingPeriodEnd,
		},
	});
}

/** Returns the scrape options of v1 as v2 has them. */
function pageOptions({
	jsonOptions,
	extract,
	changeTrackingOptions,
	parsePDF,
	geolocation,
	agent: _,
	__experimental_cache: __,
	...rest
}: Entry): Entry {
	const { systemPrompt: ___, ...json } = (jsonOptions ?? extract ?? {}) as Entry;
	const formats = (rest.formats as string[] | undefined)?.map((type) => {
		if (type === 'screenshot@fullPage') return { type: 'screenshot', fullPage: true };
		if (type === 'json' || type === 'extract') return { type: 'json', ...json };
		return type === 'changeTracking' ? { type, ...(changeTrackingOptions as Entry) } : { type };
	});
	return {
		...rest,
		...(formats && { formats }),
		...(parsePDF !== undefined && { parsers: parsePDF === true ? [{ type: 'pdf' }] : [] }),
		...(geolocation !== undefined && { location: geolocation }),
	};
}

/** Returns the options of a crawl, map or search of v1 as v2 has them. */
function siteOptions({
	maxDepth: _,
	allowBackwardLinks,
	ignoreSitemap,
	sitemapOnly,
	...rest
}: Entry): Entry {
	return {
		...(allowBackwardLinks !== undefined && { crawlEntireDomain: allowBackwardLinks }),
		...(ignoreSitemap === true && { sitemap: 'skip' }),
		...(sitemapOnly === true && { sitemap: 'only' }),
		...rest,
	};
}

function shapedV1(path: string, { body, ...response }: ServiceResponse): ServiceResponse {
	if (response.status !== 200 || Buffer.isBuffer(body)) return { ...response, body };
	// The URLs of jobs; pages can't name the service.
	const text = (typeof body === 'string' ? body : JSON.stringify(body)).replace(
		/\/v2\/(crawl|batch\/scrape)\//g,
		'/v1/$1/',
	);
	if (!/\/(map|search)$/.test(path)) return { ...response, body: text };
	const { links, data, ...rest } = JSON.parse(text) as Entry;
	return {
		...response,
		body: {
			...rest,
			...(Array.isArray(links) && { links: links.map(({ url }: Entry) => url) }),
			...(isEntry(data) && { data: data.web ?? [] }),
		},
	};
}
