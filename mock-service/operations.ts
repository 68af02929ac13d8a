import { exampleResponse } from '../api/example';
import { example, imageHit, newsHit, page, topicOf, webHit } from './data';
import { pageFailure } from './pageFailures';
import type { Job, State } from './state';

type Entry = Record<string, unknown>;
type Typed = Entry & { type: string };

/** An answer: an object to be serialised, or JSON text. */
export interface Answer {
	status: number;
	body: Entry | string;
	headers?: Record<string, string>;
}

/** What an operation gets; the request has been found to keep the contract. */
export interface Context {
	state: State;
	body: Entry;
	query: Entry;
	id: string; // of the path, where it has one
	settings: {
		seed: number;
		chunkBytes: number;
		latencyMs: number;
		extractAtOnce: boolean;
		knowsCredits: boolean;
	};
	fileUrl: (name: string) => string; // address of one of the service's own files
	nextUrl: (path: string) => string; // absolute `next` for a path from the service root
}

export type Handler = (context: Context) => Answer;

export const ok = (body: Entry | string): Answer => ({ status: 200, body });
export const failure = (status: number, error: string, more: Entry = {}): Answer => ({
	status,
	body: { success: false, error, ...more },
});
/** A 400 whose details name the fields that hold no URL. */
const invalidUrls = (paths: Array<Array<string | number>>) =>
	failure(400, 'Bad Request', {
		code: 'BAD_REQUEST',
		details: paths.map((path) => ({ code: 'invalid_string', path, message: 'Invalid URL' })),
	});
export const notFound = (what: string) => failure(404, `${what} not found`);

export const iso = (at: number) => new Date(at).toISOString();
export const DAY_MS = 24 * 60 * 60 * 1000;
/** Age up to which a cached page is returned where the request says nothing. */
const DEFAULT_MAX_AGE_MS = 2 * DAY_MS;

/**
 * Takes the price of a paid POST, or answers 402 when the team hasn't enough. `work` runs only
 * when it is paid for.
 */
export function paid(
	context: Context,
	operation: string,
	credits: number,
	work: () => Answer,
): Answer {
	const { state, body } = context;
	if (state.remaining < credits) {
		return failure(
			402,
			`Insufficient credits: ${operation} needs ${credits}, ${state.remaining} left`,
		);
	}
	state.pay(operation, credits, body);
	return work();
}

// Prices. From the document: zdr 10 and anon 2 credits per 10 results, enhanced proxy up to 5 per
// request, PDFs 1 per page (ours have one). Our assumptions: a search costs 2 per 10 results,
// a scraped page 1, an agent task 10 (mini) or 25 (pro) but never more than maxCredits, an
// extraction 5 per URL, a crawl 1 per page when it starts, a map 1.
const perTen = (results: number, price: number) => Math.ceil(results / 10) * price;

export function pagePrice(options: Entry): number {
	return options.proxy === 'enhanced' ? 5 : 1;
}

interface Scraped {
	missing?: string; // URL without cached data
	pages: Entry[];
}

/** Scrapes pages, through the cache where `minAge` asks for it. */
function scrape(context: Context, urls: string[], topic: string, options: Entry): Scraped {
	const { state } = context;
	const now = Date.now();
	const minAge = options.minAge as number | undefined;
	const missing = urls.find((url) => {
		const at = state.cached.get(url);
		// 1 accepts any cached data, also what was scraped this very millisecond
		return minAge !== undefined && (at === undefined || (minAge > 1 && now - at < minAge));
	});
	if (missing !== undefined) return { missing, pages: [] };
	const sensitive = options.actions !== undefined || options.headers !== undefined;
	const request = {
		topic,
		formats: options.formats as Typed[],
		actions: options.actions as Typed[] | undefined,
		parsers: options.parsers as unknown[] | undefined,
	};
	return {
		pages: urls.map((url) => {
			const maxAge = (options.maxAge as number | undefined) ?? DEFAULT_MAX_AGE_MS;
			const at = state.cached.get(url);
			const isHit = at !== undefined && (minAge !== undefined || now - at < maxAge);
			const store = options.storeInCache !== false && !sensitive && !isHit;
			if (store) state.cached.set(url, now);
			const result = page({ ...request, url }, context.fileUrl);
			state.web.applyTo(url, result);
			Object.assign(result.metadata as Entry, {
				cacheState: isHit ? 'hit' : 'miss',
				...(isHit && { cachedAt: iso(at) }),
				creditsUsed: pagePrice(options),
			});
			return result;
		}),
	};
}

const noCachedData = (url: string) =>
	failure(404, `No cached data is available for ${url}`, { code: 'SCRAPE_NO_CACHED_DATA' });

function search(context: Context): Answer {
	const { state, body, settings, fileUrl } = context;
	const query = body.query as string;
	const limit = (body.limit as number) ?? 5;
	const sources = ((body.sources as Typed[]) ?? [{ type: 'web' }]).map((source) => source.type);
	const categories = ((body.categories as Array<string | Typed>) ?? []).map((category) =>
		typeof category === 'string' ? category : category.type,
	);
	const options = (body.scrapeOptions as Entry) ?? {};
	const scraping = ((options.formats as unknown[]) ?? []).length > 0;
	const count = query.includes('no-such-thing') ? 0 : limit; // the way to a search that finds nothing
	if (settings.latencyMs > ((body.timeout as number) ?? 60_000)) {
		return failure(408, 'Request timed out');
	}
	const indexes = Array.from({ length: count }, (_, index) => index);
	const data: Record<string, Entry[]> = {};
	if (sources.includes('web')) {
		data.web = indexes.map((index) => {
			const category = categories[index % (categories.length || 1)];
			const hit = webHit(settings.seed, query, index, category);
			return category ? { ...hit, category } : { ...hit };
		});
		data.web = state.web.found(data.web) as Entry[];
	}
	if (sources.includes('images')) {
		data.images = indexes.map((index) =>
			imageHit(settings.seed, query, index, fileUrl(`picture-${index + 1}.png`)),
		);
	}
	if (sources.includes('news')) {
		data.news = indexes.map((index) =>
			newsHit(settings.seed, query, index, fileUrl(`news-${index + 1}.png`)),
		);
	}
	const results = Object.values(data).flat().length;
	const scraped = scraping ? [...(data.web ?? []), ...(data.news ?? [])] : [];
	const enterprise = (body.enterprise as string[]) ?? [];
	const credits =
		perTen(results, 2) +
		(enterprise.includes('zdr') ? perTen(results, 10) : 0) +
		(enterprise.includes('anon') ? perTen(results, 2) : 0) +
		scraped.length * pagePrice(options);
	const urls = scraped.map((hit) => hit.url as string);
	if (options.minAge !== undefined) {
		const { missing } = scrape(context, urls, '', options);
		if (missing !== undefined) return noCachedData(missing);
	}
	return paid(context, 'search', credits, () => {
		const { pages } = scraping ? scrape(context, urls, topicOf(query), options) : { pages: [] };
		pages.forEach((fields, index) => Object.assign(scraped[index], fields));
		const id = state.newId();
		state.note(id, 'search', 'v2', query);
		return ok({ success: true, data, warning: null, id, creditsUsed: credits });
	});
}

function agentStart(context: Context): Answer {
	const { state, body } = context;
	const price = body.model === 'spark-1-pro' ? 25 : 10;
	const credits = Math.min(price, (body.maxCredits as number) ?? 2500);
	return paid(context, 'agentStart', credits, () => {
		const job = state.addJob('agent', body, credits);
		state.note(job.id, 'agent', 'v2', body.prompt);
		return ok({ success: true, id: job.id });
	});
}

function agentGet({ state, id }: Context): Answer {
	const job = state.findJob('agent', id);
	if (!job) return notFound('Agent job');
	const now = state.jobNow(job);
	const urls = (job.request.urls as string[]) ?? [];
	const topic = topicOf(String(job.request.prompt ?? '')).slice(0, 80);
	const made = () =>
		example(job.request.schema as Entry, topic, urls[0] ?? 'https://docs.northwind.example/about');
	return ok({
		success: true,
		status: now.status,
		...(now.status === 'completed' && { data: now.data ?? made() }),
		...(now.status === 'failed' && { error: now.error }),
		model: job.request.model ?? 'spark-1-mini',
		expiresAt: iso(job.createdAt + DAY_MS),
		creditsUsed: now.status === 'processing' ? 0 : job.credits,
	});
}

/** Assumption: cancelling again does no harm. */
function agentCancel({ state, id }: Context): Answer {
	const job = state.findJob('agent', id);
	if (!job) return notFound('Agent job');
	const { status } = state.jobNow(job);
	if (status === 'completed' || status === 'failed') return failure(409, 'Agent already finished');
	job.end ??= { status: 'cancelled', at: Date.now() };
	return ok({ success: true });
}

/** Whether an entry of an extraction's `urls` is a URL, with or without glob characters. */
export function isUrl(text: string): boolean {
	try {
		return /^https?:$/.test(new URL(text).protocol) && !/\s/.test(text);
	} catch {
		return false;
	}
}

const extractStart =
	(version: 'v1' | 'v2'): Handler =>
	(context) => {
		const { state, body } = context;
		const urls = body.urls as string[];
		const invalid = urls.filter((url) => !isUrl(url));
		const ignores = (body.ignoreInvalidURLs as boolean | undefined) ?? version === 'v2';
		if (invalid.length > 0 && !ignores) {
			return invalidUrls(invalid.map((url) => ['urls', urls.indexOf(url)]));
		}
		const credits = 5 * Math.max(1, urls.length - invalid.length);
		return paid(context, version === 'v1' ? 'extractStart' : 'extractStartV2', credits, () => {
			const job = state.addJob('extract', body, credits);
			state.note(job.id, 'extract', version, urls[0]);
			const tells = body.ignoreInvalidURLs === true || invalid.length > 0;
			const invalidURLs = tells ? { invalidURLs: invalid } : {};
			if (version === 'v1' && context.settings.extractAtOnce) {
				return ok({ success: true, extractId: job.id, ...extracted(job), ...invalidURLs });
			}
			return ok({ success: true, id: job.id, ...DEPRECATED, ...invalidURLs });
		});
	};

/** What the responses about extractions say beside. */
const DEPRECATED = {
	warnings: ['Extractions are in maintenance: scraping with the format json replaces them.'],
	replacement: '/v2/scrape',
};

/** The result of an extraction, with its sources where they were asked for. */
function extracted({ request }: Job): Entry {
	const [first = 'https://docs.northwind.example/'] = (request.urls as string[] | undefined) ?? [];
	const url = first.replace(/[*{}[\]]+.*$/, '');
	const topic = topicOf(String(request.prompt ?? '')).slice(0, 80);
	return {
		data: example(request.schema as Entry, topic, url),
		...(request.showSources === true && { sources: { data: [url] } }),
	};
}

/** A failed extraction comes with status 200 and `success: false`. */
function extractGet({ state, id }: Context): Answer {
	const job = state.findJob('extract', id);
	if (!job) return notFound('Extract job');
	const now = state.jobNow(job);
	const isDone = now.status === 'completed';
	return ok({
		success: now.status !== 'failed',
		data: [],
		...(isDone && extracted(job)),
		...(isDone && now.data !== undefined && { data: now.data }),
		status: now.status,
		...(now.error !== undefined && { error: now.error }),
		...(isDone && { tokensUsed: job.credits * 15, creditsUsed: job.credits }),
		expiresAt: iso(job.createdAt + DAY_MS),
		...DEPRECATED,
	});
}

const plainTypes = (list: unknown) =>
	((list as Array<string | Typed>) ?? []).map((entry) =>
		typeof entry === 'string' ? entry : entry.type,
	);

const listActive =
	(version: 'v1' | 'v2'): Handler =>
	({ state }) =>
		ok({
			success: true,
			crawls: state.activeCrawls().map((crawl) => {
				const { formats, parsers, ...rest } = crawl.scrapeOptions;
				const scrapeOptions: Entry = { ...rest, formats: plainTypes(formats) };
				if (version === 'v2') scrapeOptions.parsers = plainTypes(parsers);
				else scrapeOptions.parsePDF = plainTypes(parsers).includes('pdf');
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
 * completed crawl has no `next`: any other crawl's leads to an empty chunk, whose `next` names itself.
 */
const crawlStatus =
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
			creditsUsed: settings.knowsCredits ? now.done : -1,
			expiresAt: iso(crawl.expiresAt),
			...(version === 'v2' && {
				createdAt: iso(crawl.createdAt),
				...(now.endedAt !== undefined && {
					completedAt: iso(now.endedAt),
					duration: (now.endedAt - crawl.createdAt) / 1000,
				}),
			}),
			...(more && { next: nextUrl(`/${version}/crawl/${id}?skip=${reached}`) }),
		};
		// The pages are JSON text already: parsing 10 MB to serialise them again would cost much.
		return ok(`${JSON.stringify(head).slice(0, -1)},"data":[${pages.join(',')}]}`);
	};

function crawlStart(context: Context): Answer {
	const { state, body, nextUrl } = context;
	const url = body.url as string;
	if (!isUrl(url)) return invalidUrls([['url']]);
	const total = Math.max(1, Math.min((body.limit as number) ?? 10_000, 12));
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
function crawlCancel({ state, id }: Context): Answer {
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

function crawlErrors({ state, id }: Context): Answer {
	const crawl = state.findCrawl(id);
	if (!crawl) return notFound('Job');
	const { status, done } = state.crawlNow(crawl);
	const lost = status === 'failed' ? Math.min(5, crawl.total - done) : 0;
	const errors = Array.from({ length: lost }, (_, index) => ({
		id: `${id}-${done + index + 1}`,
		timestamp: iso(crawl.createdAt),
		url: `${crawl.url.replace(/\/+$/, '')}/page-${done + index + 1}`,
		code: 'SCRAPE_TIMEOUT',
		error: 'The page did not answer in time',
	}));
	return ok({ errors, robotsBlocked: [`${crawl.url.replace(/\/+$/, '')}/private`] });
}

function scrapeOne(context: Context): Answer {
	const { state, body } = context;
	const { url, ...given } = body as Entry & { url: string };
	if (!isUrl(url)) return invalidUrls([['url']]);
	const options: Entry = { ...given, formats: given.formats ?? [{ type: 'markdown' }] };
	const topic = new URL(url).hostname;
	const { missing } = scrape(context, options.minAge === undefined ? [] : [url], topic, options);
	if (missing !== undefined) return noCachedData(missing);
	const failed = pageFailure(url);
	if (failed) {
		if (failed.credits > 0) state.pay('scrape', failed.credits, body);
		return failed.answer;
	}
	return paid(context, 'scrape', pagePrice(options), () => {
		const [data] = scrape(context, [url], topic, options).pages;
		state.note(state.newId(), 'scrape', 'v2', url);
		return ok({ success: true, data });
	});
}

/** The service's sites have 24 pages each; `search` moves those whose title has the words to the top. */
function map(context: Context): Answer {
	const { state, body, settings } = context;
	const url = String(body.url);
	if (!isUrl(url)) return invalidUrls([['url']]);
	return paid(context, 'map', 1, () => {
		const origin = new URL(url).origin;
		const topic = topicOf(String(body.search ?? new URL(url).hostname));
		const count = Math.max(0, Math.min((body.limit as number) ?? 5000, 24));
		const links = Array.from({ length: count }, (_, index) => {
			const hit = webHit(settings.seed, topic, index);
			return { ...hit, url: `${origin}${new URL(hit.url).pathname}` };
		});
		const id = state.newId();
		state.note(id, 'map', 'v2', url);
		return ok({ success: true, id, links });
	});
}

/** Twelve months, the current one last. Assumption: the team has two keys, known by their names. */
function usageHistorical({ state, query }: Context): Answer {
	const now = new Date();
	const byApiKey = String(query.byApiKey) === 'true';
	const periods = Array.from({ length: 12 }, (_, i) => 11 - i).flatMap((monthsAgo): Entry[] => {
		const month = (ago: number) => iso(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1));
		const [first, second] = state.creditsOf(monthsAgo);
		const period = { startDate: month(monthsAgo), endDate: month(monthsAgo - 1) };
		return byApiKey
			? [
					{ ...period, apiKey: 'Workflows', totalCredits: first },
					{ ...period, apiKey: 'Data pipeline', totalCredits: second },
				]
			: [{ ...period, totalCredits: first + second }];
	});
	return ok({ success: true, periods });
}

function usageRemaining({ state }: Context): Answer {
	const now = new Date();
	const month = (add: number) => iso(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + add, 1));
	const spent = state.ledger.reduce((sum, entry) => sum + entry.credits, 0);
	return ok({
		success: true,
		data: {
			remainingCredits: state.remaining,
			planCredits: state.remaining + spent,
			billingPeriodStart: month(0),
			billingPeriodEnd: month(1),
		},
	});
}

function usageQueueStatus({ state }: Context): Answer {
	const running = [...state.jobs.values()].filter(
		(job) => !state.jobNow(job).status.match(/^(c|f)/),
	);
	const active = running.length + state.activeCrawls().length;
	return ok({
		success: true,
		jobsInQueue: active,
		activeJobsInQueue: active,
		waitingJobsInQueue: 0,
		maxConcurrency: 50,
		mostRecentSuccess: state.activity.at(-1)?.created_at ?? null,
	});
}

/** Assumption: 50 entries where no limit is given. `cursor` is the last id given. */
function usageActivity({ state, query }: Context): Answer {
	const since = iso(Date.now() - DAY_MS);
	const all = state.activity
		.filter((entry) => entry.created_at >= since)
		.filter((entry) => query.endpoint === undefined || entry.endpoint === query.endpoint)
		.reverse();
	const limit = Number(query.limit ?? 50);
	const before = query.cursor === undefined ? undefined : String(query.cursor);
	const from = before === undefined ? 0 : all.findIndex((entry) => entry.id === before) + 1;
	const data = all.slice(from, from + limit);
	const more = from + data.length < all.length;
	return ok({ success: true, data, cursor: more ? data.at(-1)?.id : null, has_more: more });
}

/** The operations by their id in the contract. */
export const handlers: Record<string, Handler> = {
	search,
	agentStart,
	agentGet,
	agentCancel,
	extractStart: extractStart('v1'),
	extractStartV2: extractStart('v2'),
	extractGet,
	extractGetV1: extractGet,
	crawlListActive: listActive('v2'),
	crawlListActiveV1: listActive('v1'),
	crawlStatusV1: crawlStatus('v1'),
	crawlStatus: crawlStatus('v2'),
	crawlStart,
	crawlCancel,
	crawlErrors,
	scrape: scrapeOne,
	map,
	usageHistorical,
	usageRemaining,
	usageQueueStatus,
	usageActivity,
};

/** What answers where nobody wrote a handler: the contract's example. It bills nothing. */
export const exampleHandler =
	(operationId: string): Handler =>
	() =>
		ok(exampleResponse(operationId) as Entry);
