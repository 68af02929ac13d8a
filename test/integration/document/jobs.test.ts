/** What the API's document says of tasks, crawls, extractions, keys and errors, through the nodes. */
import { SAMPLE_ID } from '../../contract/controls';
import { documented, expectRefused } from './run';

const { at, agent, extract, nodes, scrape, search, task, through } = documented();
const cancel = through(nodes.agent, 'cancel', {});
const active = through(nodes.crawl, 'listActive', {});
const status = through(nodes.crawl, 'getStatus', {});
const history = through(nodes.usage, 'getHistorical', {});
const byId = (value: string) => ({ __rl: true, mode: 'id', value });

describe('an agent task', () => {
	it('has a prompt of up to 10,000 characters', async () => {
		const prompt = 'x'.repeat(10_000);
		expect((await agent({ prompt })).bodies).toMatchObject([{ prompt }]);
		expectRefused(await agent({ prompt: `${prompt}x` }), 'Prompt');
	});

	it('that is left alone has a prompt and a limit of its costs', async () => {
		expect((await agent({})).bodies).toEqual([{ prompt: 'Find the price', maxCredits: 500 }]);
	});

	it('visits only the given URLs where it must', async () => {
		const options = { strictConstrainToURLs: true, model: 'spark-1-pro' };
		const { bodies } = await agent({ options: { urls: 'https://a.example', ...options } });
		expect(bodies).toMatchObject([{ urls: ['https://a.example/'], ...options }]);
	});

	it('spends at most Max Credits, and its result fits the schema', async () => {
		const schemaJson = '{ "type": "object", "properties": { "price": { "type": "number" } } }';
		const { items, bodies } = await task({
			maxCredits: 7,
			schemaFrom: 'json',
			schemaJson,
			options: { includeRunDetails: true },
		});
		expect(bodies[0]).toMatchObject({ maxCredits: 7, schema: { type: 'object' } });
		expect(items).toMatchObject([{ price: expect.any(Number) }]);
		expect(items[0].run).toMatchObject({ creditsUsed: expect.any(Number) });
	});

	it('that is cancelled is no longer there to cancel', async () => {
		at.service.set({ jobMs: 60_000 });
		const [{ id }] = (await agent({})).items;
		const jobId = byId(String(id));
		expect((await cancel({ jobId })).items).toMatchObject([{ success: true }]);
		expect((await cancel({ jobId: byId(SAMPLE_ID) })).message).toMatch(/not found|no .*job/i);
	});
});

describe('crawls and credits', () => {
	it('that are active are listed in the shape of each version', async () => {
		at.service.crawls.add({ status: 'scraping' });
		for (const apiVersion of ['v2', 'v1']) {
			const { items } = await active({ simplify: false, options: { apiVersion } });
			expect(items[0]).toMatchObject({ id: expect.any(String), url: expect.any(String) });
			expect(at.service.requests[0].path).toContain(`/${apiVersion}/crawl/active`);
		}
		const { items } = await active({});
		expect(items[0].formats).toBeDefined();
	});

	it('that ended say when they expire', async () => {
		const { id } = at.service.crawls.add({ status: 'completed', pages: 1 });
		const { items } = await status({ crawlId: byId(id) });
		expect(items).toMatchObject([
			{ status: 'completed', expiresAt: expect.stringMatching(/^\d{4}-/) },
		]);
	});

	it('are told by month, and by key where that is asked for', async () => {
		for (const [groupBy, query] of [
			['month', {}],
			['key', { byApiKey: 'true' }],
		] as const) {
			const { items } = await history({ groupBy });
			expect(items[0]).toHaveProperty('startDate');
			expect(at.service.requests[0].query).toEqual(query);
		}
	});
});

describe('an extraction', () => {
	it('has URLs with asterisks, and nothing that was left alone', async () => {
		expect((await extract({})).bodies).toEqual([
			{ urls: ['https://a.example/*'], prompt: 'Prices' },
		]);
	});

	it('has the scrape options of v1', async () => {
		const scrapeOptions = {
			parsePDF: false,
			waitFor: 0.01,
			formats: ['markdown'],
			changeTrackingOptions: { modes: ['git-diff'], tag: 'a' },
		};
		const options = {
			enableWebSearch: true,
			showSources: true,
			includeSubdomains: false,
			ignoreSitemap: true,
		};
		const { bodies } = await extract({ options: { ...options, scrapeOptions } });
		expect(bodies).toMatchObject([{ ...options, scrapeOptions: { parsePDF: false, waitFor: 10 } }]);
		expect(bodies[0].scrapeOptions).not.toHaveProperty('parsers');
	});
});

describe('every request', () => {
	it('carries the key, is JSON, and goes to the address with its prefix', async () => {
		await scrape({});
		const [{ headers: sent, path }] = at.service.requests;
		expect(path).toBe('/v2/scrape');
		expect(sent).toMatchObject({
			// The stand-in doesn't keep the key.
			authorization: 'right',
			'content-type': expect.stringContaining('application/json'),
		});
	});

	it('with a wrong key fails, and says so', async () => {
		const credentials = { baseUrl: at.service.url, apiKey: 'another-key-of-nobody' };
		expect((await search({}, { credentials })).message).toContain(
			'The service rejected the API key',
		);
	});

	it.each([
		[400, 'Bad input', /Bad input/],
		[402, 'Payment required', /^Not enough credits[^]*Payment required/],
		[404, 'Not there', /Not there|not found/i],
		[408, 'Request timed out', /timed out|too long/i],
		[429, 'Rate limit exceeded', /rate limit/i],
		[500, 'Broken', /Broken/],
	])('that is answered with %d fails in the words of the service', async (code, error, said) => {
		at.service.fail({ status: code, body: { success: false, error } });
		const { message, items } = await search({ options: { maxWait: 0 } });
		expect(items).toEqual([]);
		expect(message).toMatch(said);
	});
});
