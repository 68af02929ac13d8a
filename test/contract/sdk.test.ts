import { Firecrawl } from 'firecrawl';

import { type LocalService, startService } from '../../mock-service';
import { until } from '../support/until';

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

it('the official client parses a file, also one that only its type tells', async () => {
	for (const [filename, contentType] of [
		['tea.html', 'text/html'],
		['tea', 'application/pdf'],
	]) {
		const file = { data: Buffer.from('<h1>Tea</h1>'), filename, contentType };
		const { markdown } = await client.parse(file, { formats: ['markdown'] });
		expect(markdown).toEqual(expect.any(String));
	}
});

it('the official client previews the settings of a crawl', async () => {
	expect(await client.crawlParamsPreview('https://a.example', 'Only /docs')).toMatchObject({
		includePaths: ['/docs/.*'],
	});
});

it('the official client tracks changes, in any country, with a webhook as a text', async () => {
	const formats = ['markdown' as const, 'changeTracking' as const];
	const location = { country: 'de' };
	const scraped = async () =>
		(await client.scrape('a.example/new', { formats, location })).changeTracking;
	expect(await scraped()).toMatchObject({ changeStatus: 'new' });
	expect(await scraped()).toMatchObject({ changeStatus: 'same' });
	const { id } = await client.startCrawl('a.example', {
		limit: 1,
		webhook: 'http://127.0.0.1:9/hook',
	});
	expect(id).toEqual(expect.any(String));
});

it('the official client watches a crawl, by asking where there is no WebSocket', async () => {
	const { id } = await client.startCrawl('https://a.example', { limit: 2 });
	const watcher = client.watcher(id, { kind: 'crawl', pollInterval: 0.01, timeout: 20 });
	const done = new Promise((resolve, reject) => {
		watcher.on('done', resolve);
		watcher.on('error', reject);
	});
	await watcher.start();
	expect(await done).toMatchObject({ status: 'completed' });
});

it('the official client asks how many jobs run at once', async () => {
	service.set({ crawlMs: 60_000 });
	await client.startCrawl('https://a.example');
	const { concurrency, maxConcurrency } = await client.getConcurrency();
	expect([concurrency > 0, maxConcurrency]).toEqual([true, 50]);
});

it('the official client creates, changes, lists and deletes monitors', async () => {
	const made = await client.createMonitor({
		name: 'Prices',
		schedule: { text: 'daily at 9am', timezone: 'Europe/Berlin' },
		targets: [{ type: 'scrape', urls: ['https://shop.example/bikes'] }],
		goal: 'New prices',
		notification: { email: { enabled: true, recipients: ['me@a.example'] } },
	});
	const { id } = made;
	expect(made).toMatchObject({ status: 'active', judgeEnabled: true, retentionDays: 30 });
	expect(made.schedule).toEqual({ cron: '0 9 * * *', timezone: 'Europe/Berlin' });
	expect(made.estimatedCreditsPerMonth).toBe(60);
	const schedule = { cron: '0 * * * *' };
	const changed = await client.updateMonitor(id, { status: 'paused', goal: null, schedule });
	expect(changed).toMatchObject({ status: 'paused', goal: null, name: 'Prices' });
	expect(await client.getMonitor(id)).toEqual(changed);
	expect(await client.listMonitors({ limit: 1 })).toEqual([changed]);
	expect(await client.listMonitors({ offset: 1 })).toEqual([]);
	expect(await client.deleteMonitor(id)).toBe(true);
	await expect(client.getMonitor(id)).rejects.toMatchObject({ status: 404 });
});

it('the official client runs a monitor, and reads its checks and their pages, following `next`', async () => {
	const url = 'https://docs.example';
	const { id } = await client.createMonitor({
		name: 'Docs',
		schedule: { cron: '*/5 * * * *' },
		targets: [{ type: 'crawl', url, crawlOptions: { limit: 9 } }],
	});
	const { id: checkId } = await client.runMonitor(id);
	await until('the end of the check', async () => {
		const [check] = await client.listMonitorChecks(id, { limit: 1 });
		return check.status === 'completed';
	});
	const check = await client.getMonitorCheck(id, checkId, { limit: 4, status: 'new' });
	expect(check).toMatchObject({ trigger: 'manual', actualCredits: 9, summary: { new: 9 } });
	expect(new Set(check.pages.map((page) => page.url)).size).toBe(9);
	expect(sent().filter((request) => request.endsWith(checkId))).toHaveLength(3);
	expect((await client.getMonitor(id)).lastCheckSummary).toEqual(check.summary);
	expect(await client.listMonitorChecks(id, { offset: 1 })).toEqual([]);
});

/**
 * Methods that aren't tried: earlier names of others, and those whose endpoints the stand-in doesn't have, which are parts
 * of the cloud, and indexes of the internet.
 */
const NOT_TRIED = {
	'the browser of a page by earlier names': [
		...['scrapeExecute', 'stopInteractiveBrowser', 'deleteScrapeBrowser'],
	],
	'pages and crawls by earlier names': [
		...['scrapeUrl', 'mapUrl', 'crawlUrl', 'asyncCrawlUrl', 'checkCrawlStatus', 'checkCrawlErrors'],
	],
	'batches by earlier names': [
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
