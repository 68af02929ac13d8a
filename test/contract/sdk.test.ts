import { Firecrawl } from 'firecrawl';

import { type LocalService, startService } from '../../mock-service';

/**
 * The official JavaScript client of services of this shape, as a second opinion on the stand-in: what it can do with a
 * real service must work here. The last test holds that each of its methods is tried, or is on the list of others.
 */
let service: LocalService;
let client: Firecrawl;
const tried = new Set<string>();

beforeAll(async () => {
	service = await startService({ crawlMs: 1, jobMs: 1, chunkBytes: 3000 });
	client = new Proxy(new Firecrawl({ apiKey: service.apiKey, apiUrl: service.url }), {
		get(target, name) {
			tried.add(String(name));
			const value: unknown = Reflect.get(target, name);
			return typeof value === 'function' ? (value.bind(target) as unknown) : value;
		},
	});
});
afterAll(async () => await service.close());
beforeEach(() => {
	service.requests.length = 0;
	service.set({ crawlMs: 1, jobMs: 1 });
});

const waiting = { pollInterval: 1, timeout: 20 };
const sent = () => service.requests.map(({ method, path }) => `${method} ${path}`);

it('the official client searches, and scrapes the results', async () => {
	const found = await client.search('green tea', {
		limit: 3,
		sources: ['web', 'news'],
		categories: ['github'],
		scrapeOptions: { formats: ['markdown', 'links'] },
	});
	expect(found.web).toHaveLength(3);
	expect(found.news).toHaveLength(3);
	expect(found.web?.[0]).toMatchObject({ markdown: expect.any(String), category: 'github' });
	expect(service.requests[0].body).toHaveProperty('origin');
});

it('the official client scrapes a page in several formats', async () => {
	const schema = { type: 'object', properties: { title: { type: 'string' } } };
	const page = await client.scrape('https://shop.example/bikes', {
		formats: ['html', 'screenshot', { type: 'json', schema }],
		parsers: ['pdf'],
		waitFor: 100,
	});
	expect(page).toMatchObject({
		html: expect.any(String),
		screenshot: expect.stringMatching(/^http/),
		json: { title: expect.any(String) },
		metadata: { statusCode: 200, sourceURL: 'https://shop.example/bikes' },
	});
});

it('the official client learns why a page or a request failed', async () => {
	await expect(client.scrape('https://engines-failed.example')).rejects.toMatchObject({
		status: 500,
		code: 'SCRAPE_ALL_ENGINES_FAILED',
	});
	await expect(client.scrape('https://dns-error.example')).rejects.toThrow(/resolved/);
	const wrong = client.scrape('https://a.example', { mood: 'good' } as never);
	await expect(wrong).rejects.toMatchObject({ status: 400, code: 'BAD_REQUEST' });
	await expect(client.getCrawlStatus('00000000-0000-4000-8000-000000000000')).rejects.toMatchObject(
		{ status: 404 },
	);
});

it('the official client maps a site', async () => {
	const { id, links } = await client.map('https://shop.example', { limit: 4, search: 'bikes' });
	expect(id).toEqual(expect.any(String));
	expect(links).toHaveLength(4);
	expect(links[0]).toMatchObject({ url: expect.stringMatching(/^https:\/\/shop\.example/) });
});

it('the official client crawls a site, following `next`', async () => {
	const job = await client.crawl('https://docs.example', {
		limit: 9,
		scrapeOptions: { formats: ['markdown'] },
		...waiting,
	});
	expect(job).toMatchObject({ status: 'completed', total: 9, completed: 9 });
	expect(job.data).toHaveLength(9);
	expect(sent().filter((request) => request.startsWith('GET')).length).toBeGreaterThan(1);
});

it('the official client lists, watches and cancels crawls, and gets their errors', async () => {
	service.set({ crawlMs: 0 });
	const { id } = await client.startCrawl('https://robots.example', { limit: 5 });
	service.crawls.progress(id, 2);
	const { crawls } = await client.getActiveCrawls();
	expect(crawls).toContainEqual(expect.objectContaining({ id, url: 'https://robots.example' }));
	expect(await client.cancelCrawl(id)).toBe(true);
	const status = await client.getCrawlStatus(id, { autoPaginate: false });
	expect(status).toMatchObject({ status: 'cancelled', completed: 2 });
	expect((await client.getCrawlErrors(id)).robotsBlocked).toHaveLength(1);
});

it('the official client scrapes a batch, with what is invalid in it', async () => {
	const urls = ['https://a.example/1', 'https://a.example/2', 'https://not a url'];
	const options = { formats: ['markdown' as const] };
	const job = await client.batchScrape(urls.slice(0, 2), { options, ...waiting });
	expect(job).toMatchObject({ status: 'completed', total: 2 });
	expect(job.data.map(({ metadata }) => metadata?.sourceURL).sort()).toEqual(urls.slice(0, 2));
	const started = await client.startBatchScrape(urls, { options, ignoreInvalidURLs: true });
	expect(started.invalidURLs).toEqual([urls[2]]);
	expect(await client.getBatchScrapeErrors(started.id)).toMatchObject({ errors: [] });
});

it('the official client cancels a batch', async () => {
	service.set({ crawlMs: 0 });
	const { id } = await client.startBatchScrape(['https://a.example/1']);
	expect(await client.cancelBatchScrape(id)).toBe(true);
	expect((await client.getBatchScrapeStatus(id, { autoPaginate: false })).status).toBe('cancelled');
});

it('the official client reads credits, their history and the queue', async () => {
	const before = await client.getCreditUsage();
	await client.map('https://shop.example');
	const after = await client.getCreditUsage();
	expect(before.remainingCredits - after.remainingCredits).toBe(1);
	const { periods } = await client.getCreditUsageHistorical(true);
	expect(periods[0]).toMatchObject({ apiKey: expect.any(String) });
	expect(await client.getQueueStatus()).toMatchObject({ maxConcurrency: expect.any(Number) });
});

it('the official client previews the settings of a crawl', async () => {
	expect(await client.crawlParamsPreview('https://a.example', 'Only /docs')).toMatchObject({
		includePaths: ['/docs/.*'],
	});
});

/**
 * Methods that aren't tried here: those that the official command line uses, which stands on this client
 * (test/e2e/foreign.e2e.ts), earlier names of others, and those whose endpoints the stand-in doesn't have, which are parts of
 * the cloud, and indexes of the internet.
 */
const NOT_TRIED = {
	'the command line': [
		...['interact', 'stopInteraction', 'parse', 'getConcurrency'],
		...['agent', 'startAgent', 'getAgentStatus', 'cancelAgent'],
		...['createMonitor', 'updateMonitor', 'getMonitor', 'listMonitors', 'deleteMonitor'],
		...['runMonitor', 'listMonitorChecks', 'getMonitorCheck'],
	],
	'a watcher, which asks in the same way': ['watcher'],
	'earlier names': [
		...['scrapeExecute', 'stopInteractiveBrowser', 'deleteScrapeBrowser'],
		...['scrapeUrl', 'mapUrl', 'crawlUrl', 'asyncCrawlUrl', 'checkCrawlStatus', 'checkCrawlErrors'],
		...['batchScrapeUrls', 'asyncBatchScrapeUrls'],
		...['checkBatchScrapeStatus', 'checkBatchScrapeErrors'],
	],
	'browser sessions without a page': ['browser', 'browserExecute', 'deleteBrowser', 'listBrowsers'],
	'extractions of v2, which the service ends': ['extract', 'startExtract', 'getExtractStatus'],
	'indexes of the internet': [
		'research',
		'developerSearch',
		'findTools',
		'searchGithub',
		'searchPapers',
		'similarPapers',
		'inspectPaper',
		'readPaper',
		'relatedPapers',
	],
	'feedback to the cloud': ['feedback', 'searchFeedback'],
	'units and lists of the cloud': [
		'getTokenUsage',
		'getTokenUsageHistorical',
		'getAgentSnapshot',
		'getAgentThread',
		'getAgentTrace',
		'listAgents',
	],
};

it('each method of the official client is tried, or on the list of others', () => {
	const client2 = Object.getPrototypeOf(Firecrawl.prototype) as object;
	const methods = Object.getOwnPropertyNames(client2).filter(
		(name) => name !== 'constructor' && name !== 'isCloudService',
	);
	const known = new Set([...tried, ...Object.values(NOT_TRIED).flat()]);
	expect(methods.filter((name) => !known.has(name))).toEqual([]);
});
