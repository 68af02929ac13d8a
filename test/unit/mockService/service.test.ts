/* eslint-disable @n8n/community-nodes/no-restricted-imports */
/**
 * What the stand-in does that neither the contract nor a client of others holds: what it remembers, bills and refuses
 * beyond the contract.
 */
import { setTimeout as wait } from 'node:timers/promises';

import { findOperation, validateResponse } from '../../../api/contract';
import { type LocalService, type ServiceOptions, startService } from '../../../mock-service';

/* eslint-disable @typescript-eslint/no-explicit-any -- responses are read as they come */

let service: LocalService;

async function start(options: ServiceOptions = {}): Promise<void> {
	await service?.close();
	service = await startService({ crawlMs: 0, jobMs: 0, ...options });
}
beforeEach(async () => await start());
afterEach(() => jest.restoreAllMocks());
afterAll(async () => await service.close());

/** Sends a request; each JSON response of a known operation has to keep the contract. */
async function call(method: string, path: string, body?: unknown, key = service.apiKey) {
	const response = await fetch(path.startsWith('http') ? path : service.url + path, {
		method,
		headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	const { status } = response;
	const text = await response.text();
	const isJson = text.startsWith('{');
	const parsed: any = isJson ? JSON.parse(text) : undefined;
	const bare = path.replace(service.url, '').split('?')[0];
	if (isJson && findOperation(method, bare))
		expect(validateResponse(method, bare, status, parsed)).toEqual([]);
	return { status, text, body: parsed };
}

const url = 'https://a.example/page';
const get = async (path: string) => await call('GET', path);
const post = async (path: string, body: object) => await call('POST', path, body);
const scrape = async (more: object = {}) => (await post('/v2/scrape', { url, ...more })).body;
const credits = () => service.ledger.map((entry) => entry.credits);

/** Advances the clock of the service. */
const later = (ms: number) => jest.spyOn(Date, 'now').mockReturnValue(Date.now() + ms);

describe('a request', () => {
	it('needs the right key, which is nowhere to be seen', async () => {
		for (const key of ['wrong', '']) {
			expect((await call('GET', '/v2/crawl/active', undefined, key)).status).toBe(401);
		}
		await get('/v2/crawl/active');
		expect(JSON.stringify(service.requests)).not.toContain(service.apiKey);
	});

	it('that breaks the contract is remembered, and refused where the service has no use for it', async () => {
		const { status, body } = await post('/v2/search', { query: 'tea', limit: 0, colour: 'red' });
		expect(status).toBe(400);
		expect(body.details).toMatchObject([
			{ code: 'too_small', path: ['limit'] },
			{ code: 'unrecognized_keys', path: [], keys: ['colour'] },
		]);
		expect((await post('/v2/search', { query: 'tea', origin: 'a-client' })).status).toBe(200);
		expect(service.violations.join()).toMatch(/colour.*limit.*origin/);
	});

	it.each(['null', '5', '"tea"', '{"query":'])('with the body %s is malformed', async (text) => {
		const response = await fetch(`${service.url}/v2/search`, {
			method: 'POST',
			headers: { authorization: 'Bearer wrong', 'content-type': 'application/json' },
			body: text,
		});
		expect(await response.json()).toMatchObject({ code: 'BAD_REQUEST_INVALID_JSON' });
	});

	it.each(['/v2/nothing', '/v2/team/activity'])(
		'to an endpoint that is not there gets a web page: %s',
		async (path) => {
			await start({ activity: false });
			const { status, text } = await call('GET', path, undefined, 'wrong');
			expect([status, text]).toEqual([404, expect.stringContaining(`Cannot GET ${path}`)]);
		},
	);
});

describe('details of a 400', () => {
	const two = [{ type: 'screenshot' }, { type: 'screenshot', fullPage: true }];
	const waits = Array<object>(2).fill({ type: 'wait', milliseconds: 31_000 });
	const long = Array<string>(60).fill('a'.repeat(1_900));
	it.each<[string, object, string, string, RegExp]>([
		['/v2/scrape', { url, formats: two }, 'formats', 'custom', /only specify one screenshot/],
		['/v2/scrape', { url, waitFor: 600, timeout: 1000 }, 'waitFor', 'custom', /half of timeout/],
		['/v2/scrape', { url, location: { country: 'ZZ' } }, 'location.country', 'custom', /alpha-2/],
		['/v2/scrape', { url, actions: waits }, 'actions', 'custom', /cannot exceed 60 seconds/],
		['/v2/scrape', { url, actions: [{ type: 'wait' }] }, 'actions.0', 'custom', /not both/],
		['/v2/scrape', { url, formats: ['rawBase64', 'links'] }, 'formats', 'custom', /combined/],
		['/v2/crawl', { url, delay: -1 }, 'delay', 'too_small', />0/],
		['/v2/crawl', { url, includePaths: long }, '', 'custom', /got 114000/],
		['/v2/crawl', { url, excludePaths: ['(?<=a)b'] }, 'excludePaths', 'custom', /look-around/],
		['/v2/crawl', { url, includePaths: ['*.pdf'] }, 'includePaths', 'custom', /repetition/],
		['/v2/crawl', { url, webhook: 'no url' }, 'webhook.url', 'invalid_format', /Invalid URL/],
		['/v2/search', { query: 'a', excludeDomains: ['/'] }, 'excludeDomains.0', 'custom', /hostname/],
		['/v2/agent', { prompt: 'a', schema: 'x' }, 'schema', 'custom', /must be object or boolean/],
		['/v1/extract', {}, '', 'custom', /Either 'urls' or 'prompt'/],
	])('%s %j', async (path, sent, place, code, message) => {
		const { status, body } = await post(path, sent);
		const [first] = body.details;
		expect([status, first.path.join('.'), first.code]).toEqual([400, place, code]);
		expect(first.message).toMatch(message);
		if (code === 'custom' && path !== '/v2/search') expect(body.error).toBe(first.message);
	});
});

describe('what it bills', () => {
	const json = { formats: [{ type: 'json', prompt: 'Prices' }] };
	it.each<[string, object, number]>([
		['/v2/scrape', { url, formats: ['json', { type: 'question', question: 'Why?' }] }, 9],
		['/v2/scrape', { url: 'https://dns-error.example' }, 1],
		['/v2/batch/scrape', { urls: [url, 'https://b.example'], ...json }, 10],
		['/v2/crawl', { url, limit: 3, scrapeOptions: json }, 15],
		['/v2/search', { query: 'tea', limit: 2, scrapeOptions: json }, 2 + 10],
		['/v2/search', { query: 'tea', limit: 2, enterprise: ['zdr'] }, 10],
		['/v2/agent', { prompt: 'x', maxCredits: 4, model: 'spark-1-pro' }, 4],
		['/v2/agent', { prompt: 'x', model: 'spark-1-pro' }, 25],
	])('%s %j costs %# %i credits', async (path, body, cost) => {
		await post(path, body);
		expect(credits()).toEqual([cost]);
		const { data } = (await get('/v2/team/credit-usage')).body;
		expect(data.remainingCredits).toBe(100_000 - cost);
	});

	it('is nothing for a 402 or a 408', async () => {
		await start({ credits: 1, latencyMs: 20 });
		expect((await post('/v2/search', { query: 'tea', timeout: 10 })).status).toBe(408);
		expect((await post('/v2/search', { query: 'tea' })).status).toBe(402);
		expect(credits()).toEqual([]);
	});
});

describe('what it remembers of a page', () => {
	const formats = ['markdown', { type: 'changeTracking', modes: ['git-diff'] }];
	const seen = async () => (await scrape({ formats })).data.changeTracking;

	it.each<[string, object]>([
		['/v2/batch/scrape', { urls: [url], formats }],
		['/v2/crawl', { url, limit: 1, scrapeOptions: { formats } }],
	])('is compared with what it says now, once for each page of %s', async (path, body) => {
		await start({ crawlMs: 1 });
		expect((await seen()).changeStatus).toBe('new');
		service.web.setPage(url, { markdown: '# Sold out' });
		const { id } = (await post(path, body)).body;
		await wait(10);
		for (let times = 0; times < 2; times++) {
			const [page] = (await get(`${path}/${id}`)).body.data;
			expect(page.changeTracking).toMatchObject({ changeStatus: 'changed' });
			expect(page.changeTracking.diff.text).toContain('+# Sold out');
		}
		expect((await seen()).changeStatus).toBe('same');
	});

	it.each<[object, string | undefined]>([
		[{ formats: ['html'] }, 'hit'],
		[{ maxAge: 0 }, 'miss'],
		[{ mobile: true }, 'miss'],
		[{ actions: [{ type: 'scrape' }] }, undefined],
	])('serves %j or not: %s', async (more, expected) => {
		await scrape();
		expect((await scrape(more)).data.metadata.cacheState).toBe(expected);
	});
});

describe.each<[string, string, object]>([
	['crawl', '/v2/crawl', { url, limit: 3 }],
	['batch', '/v2/batch/scrape', { urls: [1, 2, 3].map((n) => `https://a.example/${n}`) }],
])('a %s', (_kind, path, body) => {
	const begin = async (options?: ServiceOptions) => {
		await start(options);
		later(0);
		return `${path}/${(await post(path, body)).body.id}`;
	};

	it('goes on for a while when all its pages are there, and leads to an empty chunk', async () => {
		const job = await begin({ crawlMs: 10_000 });
		later(9_000);
		const { body: running } = await get(job);
		expect(running).toMatchObject({ status: 'scraping', completed: 3, total: 3 });
		const { body: empty } = await get(running.next);
		expect([empty.data, empty.next]).toEqual([[], running.next]);
		later(10_000);
		expect((await get(job)).body).not.toHaveProperty('next');
	});

	it('that is cancelled leads for ever to an empty chunk, and lists the URLs that were left', async () => {
		const job = await begin();
		await call('DELETE', job);
		const { next } = (await get(job)).body;
		expect((await get(next)).body).toMatchObject({ status: 'cancelled', data: [], next });
		const { errors } = (await get(`${job}/errors`)).body;
		expect(errors.filter(({ code }: any) => code === 'UNKNOWN_ERROR')).toHaveLength(3);
		later(2_000);
		expect((await call('DELETE', job)).status).toBe(409);
	});
});

describe('jobs', () => {
	it('have at most 100 pages in a chunk unless asked for more', async () => {
		const { id } = service.crawls.add({ pages: 130, status: 'completed' });
		const first = (await get(`/v2/crawl/${id}`)).body;
		expect([first.data.length, (await get(first.next)).body.data.length]).toEqual([100, 30]);
		expect((await get(`/v2/crawl/${id}?limit=500`)).body.data).toHaveLength(130);
	});
});
