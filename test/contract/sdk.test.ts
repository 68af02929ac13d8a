import { Firecrawl } from 'firecrawl';

import { type LocalService, startService } from '../../mock-service';

/**
 * The official JavaScript client of services of this shape, as a second opinion on the stand-in: what it can do with a
 * real service must work here. Not tried: `watcher` (the stand-in has no WebSocket; the client then polls, which is
 * tried), what the API has besides these resources (browser sessions without a scrape, monitors, deep research,
 * llms.txt), and the client's own retries of a 502.
 */
let service: LocalService;
let client: Firecrawl;

beforeAll(async () => {
	service = await startService({ crawlMs: 1, jobMs: 1, chunkBytes: 3000 });
	client = new Firecrawl({ apiKey: service.apiKey, apiUrl: service.url });
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

it('the official client acts in the browser of a scraped page, and closes it', async () => {
	const page = await client.scrape('https://shop.example/login', { profile: { name: 'sdk' } });
	const id = page.metadata!.scrapeId as string;
	const acted = await client.interact(id, { prompt: 'Sign in', timeout: 60 });
	expect(acted).toMatchObject({ success: true, output: expect.stringContaining('Sign in') });
	expect((await client.interact(id, { code: 'await page.title()' })).exitCode).toBe(0);
	expect(await client.stopInteraction(id)).toMatchObject({ success: true, creditsBilled: 7 });
	await expect(client.stopInteraction(id)).rejects.toMatchObject({ status: 404 });
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
		{
			status: 404,
		},
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

it('the official client extracts, and learns of a failure that comes as 200', async () => {
	const schema = { type: 'object', properties: { price: { type: 'number' } } };
	const done = await client.extract({ urls: ['https://a.example'], schema, ...waiting });
	expect(done).toMatchObject({ status: 'completed', data: { price: expect.any(Number) } });
	const failed = await client.extract({
		urls: ['https://a.example'],
		prompt: 'fail this',
		...waiting,
	});
	expect(failed).toMatchObject({ success: false, status: 'failed', error: expect.any(String) });
});

it('the official client runs and cancels agent tasks', async () => {
	const done = await client.agent({ prompt: 'Find the founders', maxCredits: 50, ...waiting });
	expect(done).toMatchObject({ success: true, status: 'completed', data: expect.anything() });
	service.set({ jobMs: 0 });
	const { id } = await client.startAgent({ prompt: 'Find the founders', model: 'spark-1-pro' });
	expect(await client.cancelAgent(id!)).toBe(true);
	expect((await client.getAgentStatus(id!)).status).toBe('cancelled');
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
