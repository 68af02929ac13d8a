import { Firecrawl } from 'firecrawl';

import { type LocalService, startService } from '../../mock-service';

/** The official JavaScript client's older half, against a service that has v1 alone. */
let service: LocalService;
let client: Firecrawl['v1'];

const site = 'https://a.example';
const pages = ['https://a.example/1', 'https://b.example/2'];

beforeAll(async () => {
	service = await startService({ only: 'v1', crawlMs: 1, jobMs: 1, chunkBytes: 3000 });
	client = new Firecrawl({ apiKey: service.apiKey, apiUrl: service.url }).v1;
});
afterAll(async () => {
	const paths = service.requests.map(({ path }) => path);
	expect(paths.filter((path) => !path.startsWith('/v1/'))).toEqual([]);
	await service.close();
});
/** Returns a response that the client has no method for, or asks for in a way that no service knows. */
async function got(path: string): Promise<unknown> {
	const headers = { authorization: `Bearer ${service.apiKey}` };
	return await (await fetch(service.url + path, { headers })).json();
}

beforeEach(() => service.set({ crawlMs: 1 }));

it('scrapes a page in the formats of v1', async () => {
	const page = await client.scrapeUrl(site, {
		formats: ['markdown', 'json', 'screenshot@fullPage', 'changeTracking'],
		jsonOptions: { prompt: 'All', systemPrompt: 'Be brief' },
		changeTrackingOptions: { modes: ['git-diff'] },
		parsePDF: false,
	});
	expect(page).toMatchObject({
		success: true,
		markdown: expect.any(String),
		json: expect.any(Object),
		screenshot: expect.stringMatching(/^http/),
	});
});

it('is told what the formats of v1 lack', async () => {
	await expect(client.scrapeUrl(site, { formats: ['json'] })).rejects.toThrow(
		"When 'extract' or 'json' format is specified",
	);
	await expect(client.scrapeUrl(site, { formats: ['changeTracking'] })).rejects.toThrow(
		'The changeTracking format requires the markdown format',
	);
});

it('crawls a site, reads all chunks of its pages, and cancels a crawl', async () => {
	const options = { limit: 5, maxDepth: 2, ignoreSitemap: true, allowBackwardLinks: true };
	const crawl = await client.crawlUrl(
		site,
		{ ...options, scrapeOptions: { formats: ['html'] } },
		1,
	);
	expect(crawl).toMatchObject({ success: true, status: 'completed', completed: 5 });
	expect((crawl as unknown as { data: object[] }).data).toHaveLength(5);
	service.set({ crawlMs: 60_000 });
	const { id, url } = (await client.asyncCrawlUrl(site, {})) as { id: string; url: string };
	expect(url).toBe(`${service.url}/v1/crawl/${id}`);
	expect(await got(`/v1/crawl/${id}/errors`)).toMatchObject({ errors: [], robotsBlocked: [] });
	expect(await client.cancelCrawl(id)).toMatchObject({ status: 'cancelled' });
});

it('scrapes a batch, and reads all chunks of its pages', async () => {
	const batch = await client.batchScrapeUrls(pages, { formats: ['markdown', 'links'] }, 1);
	expect(batch).toMatchObject({ success: true, status: 'completed', total: 2 });
	const { id } = (await client.asyncBatchScrapeUrls(pages, {})) as { id: string };
	expect(await client.checkBatchScrapeStatus(id)).toMatchObject({ success: true, total: 2 });
	expect(await got(`/v1/batch/scrape/${id}/errors`)).toMatchObject({ errors: [] });
});

it('lists the pages of a site as text, and finds pages', async () => {
	const { links } = (await client.mapUrl(site, { sitemapOnly: true })) as { links: string[] };
	expect(links.every((link) => link.startsWith('https://'))).toBe(true);
	const found = await client.search('tea', { limit: 2, scrapeOptions: { formats: ['markdown'] } });
	expect(found).toMatchObject({ success: true });
	expect(found.data).toHaveLength(2);
	expect(found.data[0]).toMatchObject({ url: expect.any(String), markdown: expect.any(String) });
});

it('extracts, and asks for what is left', async () => {
	const extracted = await client.extract([site], { prompt: 'All' });
	expect(extracted).toMatchObject({ success: true, data: expect.any(Object) });
	const { data } = (await client.getCreditUsage()) as {
		data: { remaining_credits: number; plan_credits: number };
	};
	expect(data.remaining_credits).toBeLessThan(data.plan_credits);
	expect(await client.getQueueStatus()).toMatchObject({ success: true, maxConcurrency: 50 });
	expect(await client.getCreditUsageHistorical()).toMatchObject({ success: true });
	const check = await got('/v1/concurrency-check');
	expect(check).toMatchObject({ success: true, maxConcurrency: 50 });
});
