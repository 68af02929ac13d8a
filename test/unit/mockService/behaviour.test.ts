import { sleep } from 'n8n-workflow';

import { type LocalService, type ServiceOptions, startService } from '../../../mock-service';

/* eslint-disable @typescript-eslint/no-explicit-any -- responses are read as they come */

/** What the service remembers from one request to the next, and what it bills. */
let service: LocalService;

async function start(options: ServiceOptions = {}): Promise<void> {
	await service?.close();
	service = await startService({ crawlMs: 1, jobMs: 1, ...options });
}
beforeEach(async () => await start());
afterAll(async () => await service.close());

async function call(method: string, path: string, body?: unknown): Promise<any> {
	const isForm = body instanceof FormData;
	const response = await fetch(`${service.url}${path}`, {
		method,
		headers: {
			authorization: `Bearer ${service.apiKey}`,
			...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
		},
		body: isForm ? body : body === undefined ? undefined : JSON.stringify(body),
	});
	const text = await response.text();
	const isJson = response.headers.get('content-type')?.includes('json');
	return { status: response.status, ...(isJson ? JSON.parse(text) : { text }) };
}

const url = 'https://a.example/page';
const scrape = async (body: object = {}) => await call('POST', '/v2/scrape', { url, ...body });

describe('change tracking', () => {
	const formats = ['markdown', { type: 'changeTracking', modes: ['git-diff', 'json'] }];
	const seen = async (more: object = {}) =>
		(await scrape({ formats, ...more })).data.changeTracking;

	it('tells pages that are new, the same and changed', async () => {
		expect(await seen()).toMatchObject({ changeStatus: 'new', previousScrapeAt: null });
		expect(await seen()).toMatchObject({
			changeStatus: 'same',
			previousScrapeAt: expect.any(String),
		});
		service.web.setPage(url, { markdown: '# Sold out' });
		const changed = await seen();
		expect(changed).toMatchObject({ changeStatus: 'changed', json: { content: {} } });
		expect(changed.diff.text).toContain('+# Sold out');
		expect((await seen()).changeStatus).toBe('same');
	});

	it('has a history for each tag', async () => {
		await seen();
		const tagged = ['markdown', { type: 'changeTracking', tag: 'b' }];
		expect((await seen({ formats: tagged })).changeStatus).toBe('new');
	});

	it.each([
		['/v2/batch/scrape', { urls: [url], formats }],
		['/v2/crawl', { url, limit: 1, scrapeOptions: { formats } }],
	])('sees a page of %s once, however often it is read', async (path, body) => {
		await start({ crawlMs: 50 });
		await seen();
		service.web.setPage(url, { markdown: '# Sold out' });
		const { id } = await call('POST', path, body);
		await sleep(60);
		for (let times = 0; times < 2; times++) {
			const { data } = await call('GET', `${path}/${id}`);
			expect(data[0].changeTracking.changeStatus).toBe('changed');
		}
		expect((await seen()).changeStatus).toBe('same');
	});
});

describe('the cache', () => {
	const state = async (more: object = {}) => (await scrape(more)).data?.metadata.cacheState;

	it.each<[string, object, string | undefined]>([
		['the same page', {}, 'hit'],
		['other formats of it', { formats: ['html'] }, 'hit'],
		['one without an age', { maxAge: 0 }, 'miss'],
		['the page of a phone', { mobile: true }, 'miss'],
		['the page with its ads', { blockAds: false }, 'miss'],
		['the page in another country', { location: { country: 'DE' } }, 'miss'],
		['actions on it', { actions: [{ type: 'scrape' }] }, undefined],
		['headers of its own', { headers: { cookie: 'a=b' } }, undefined],
		['its changes', { formats: ['markdown', 'changeTracking'] }, undefined],
	])('has %s or not', async (_what, more, expected) => {
		expect(await state()).toBe('miss');
		expect(await state(more)).toBe(expected);
	});

	it.each([{ storeInCache: false }, { zeroDataRetention: true }])(
		'keeps nothing of %j',
		async (more) => {
			await state(more);
			expect(await state()).toBe('miss');
		},
	);

	it('is all that Lockdown asks, for a credit where it has nothing', async () => {
		const missing = await scrape({ lockdown: true });
		expect(missing).toMatchObject({ status: 404, code: 'SCRAPE_LOCKDOWN_CACHE_MISS' });
		await scrape();
		expect((await scrape({ lockdown: true })).data.metadata).toMatchObject({
			cacheState: 'hit',
			creditsUsed: 5,
		});
		expect(service.ledger.map(({ credits }) => credits)).toEqual([1, 1, 5]);
	});
});

it.each<[object, number]>([
	[{ zeroDataRetention: true }, 2],
	[{ proxy: 'enhanced' }, 5],
	[{ proxy: 'stealth' }, 5],
	[{ formats: ['markdown', { type: 'changeTracking', modes: ['json'] }, { type: 'json' }] }, 5],
	[{ formats: [{ type: 'json' }, { type: 'question', question: 'Why?' }] }, 9],
	[{ formats: ['audio'], redactPII: true }, 9],
])('%j costs %i credits', async (more, credits) => {
	const { data } = await scrape(more);
	expect(data.metadata.creditsUsed).toBe(credits);
	expect(service.ledger.map((entry) => entry.credits)).toEqual([credits]);
	const isEnhanced = /enhanced|stealth/.test(JSON.stringify(more));
	expect(data.metadata.proxyUsed).toBe(isEnhanced ? 'stealth' : 'basic');
});

it('finds results of the domains to include alone, and none of those to exclude', async () => {
	const hosts = async (body: object) => {
		const sources = ['web', 'news'];
		const { data } = await call('POST', '/v2/search', { query: 'tea', limit: 9, sources, ...body });
		return [...data.web, ...data.news].map((hit: any) => new URL(hit.url).hostname);
	};
	const [first] = await hosts({});
	expect(new Set(await hosts({ includeDomains: ['a.example', ' B.example'] }))).toEqual(
		new Set(['a.example', 'b.example']),
	);
	expect(await hosts({ excludeDomains: [first] })).not.toContain(first);
});

describe('an uploaded file', () => {
	const upload = async (options: string | undefined, name: string, type: string) => {
		const form = new FormData();
		form.append('file', new Blob(['content'], { type }), name);
		if (options !== undefined) form.append('options', options);
		return await call('POST', '/v2/parse', form);
	};

	it.each([
		['report', 'application/pdf'],
		['report', 'application/pdf; charset=binary'],
		['page', 'text/html; charset=utf-8'],
		['report.PDF', 'application/octet-stream'],
	])('is known by its name or its type: %s, %s', async (name, type) => {
		expect(await upload(undefined, name, type)).toMatchObject({ status: 200, success: true });
	});

	it('may have what the official clients send', async () => {
		const query = { type: 'query', prompt: 'Why?', mode: 'freeform' };
		const options = { formats: ['summary', query], storeInCache: false, proxy: 'auto', maxAge: 0 };
		expect(await upload(JSON.stringify(options), 'a.pdf', 'application/pdf')).toMatchObject({
			status: 200,
			data: { answer: expect.any(String) },
		});
	});

	it.each([
		['report', 'application/octet-stream', undefined, 'UNSUPPORTED_FILE_TYPE', /^Unsupported/],
		['a.pdf', 'application/pdf', '{"formats":', 'BAD_REQUEST', /^Invalid JSON in the 'options'/],
		['a.pdf', 'application/pdf', '[]', 'BAD_REQUEST', /must parse to a JSON object/],
		['a.pdf', 'application/pdf', '{"waitFor":5}', 'PARSE_UNSUPPORTED_OPTIONS', /waitFor/],
		['a.pdf', 'application/pdf', '{"formats":["branding"]}', 'PARSE_UNSUPPORTED_OPTIONS', /brand/],
		['a.pdf', 'application/pdf', '{"proxy":"enhanced"}', 'PARSE_UNSUPPORTED_OPTIONS', /proxy/],
		['a.pdf', 'application/pdf', '{"timeout":500}', 'BAD_REQUEST', /Bad Request/],
	])('is refused: %s %s %s', async (name, type, options, code, error) => {
		const said = await upload(options, name, type);
		expect(said).toMatchObject({ status: 400, code, error: expect.stringMatching(error) });
		expect(service.ledger).toEqual([]);
	});
});

it.each(['v1', 'v2'] as const)('may have %s alone', async (only) => {
	await start({ only });
	const other = only === 'v1' ? 'v2' : 'v1';
	expect((await call('GET', `/${only}/crawl/active`)).status).toBe(200);
	expect((await call('GET', `/${other}/crawl/active`)).status).toBe(404);
});

it('refuses to ask before it buys in any mode but chat', async () => {
	const task = { prompt: 'Find tea', exchange: { requireApproval: true } };
	expect((await call('POST', '/v2/agent', task)).status).toBe(500);
	expect((await call('POST', '/v2/agent', { ...task, mode: 'chat' })).status).toBe(200);
});
