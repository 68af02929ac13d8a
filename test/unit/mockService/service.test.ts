/* eslint-disable @n8n/community-nodes/no-dangerous-functions, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { validateResponse } from '../../../api/contract';
import { commandLineOf, help, why } from '../../../mock-service/commandLine';
import { type LocalService, type ServiceOptions, startService } from '../../../mock-service';
import { handlers } from '../../../mock-service/operations';

/* eslint-disable @typescript-eslint/no-explicit-any -- responses are read as they come */

let service: LocalService;

interface Reply {
	status: number;
	headers: Headers;
	text: string;
	body: any;
}

interface Sending {
	key?: string | null; // null: no Authorization header
	type?: string;
	signal?: AbortSignal;
}

/** Sends a request; every JSON response of a known operation is checked against the contract. */
async function call(
	method: string,
	path: string,
	body?: unknown,
	{ key = service.apiKey, type = 'application/json', signal }: Sending = {},
): Promise<Reply> {
	const response = await fetch(path.startsWith('http') ? path : `${service.url}${path}`, {
		method,
		headers: {
			...(key !== null && { authorization: `Bearer ${key}` }),
			...(body !== undefined && { 'content-type': type }),
		},
		body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
		signal,
	});
	const text = await response.text();
	let parsed: any;
	try {
		parsed = JSON.parse(text);
	} catch {
		parsed = undefined;
	}
	return { status: response.status, headers: response.headers, text, body: parsed };
}

/** Sends a request like `call`, and requires that the response keeps the contract. */
async function checked(method: string, path: string, body?: unknown, sending?: Sending) {
	const reply = await call(method, path, body, sending);
	const bare = path.replace(service.url, '').split('?')[0];
	expect(validateResponse(method, bare, reply.status, reply.body)).toEqual([]);
	return reply;
}

async function start(options?: ServiceOptions): Promise<LocalService> {
	await service?.close();
	service = await startService(options);
	return service;
}

afterAll(async () => await service?.close());

describe('requests', () => {
	beforeAll(async () => await start());

	it('asks for the right key', async () => {
		for (const key of [null, 'wrong', '']) {
			const reply = await checked('GET', '/v2/crawl/active', undefined, { key });
			expect(reply.status).toBe(401);
		}
		expect(service.requests.map((r) => r.headers.authorization)).toEqual([
			undefined,
			'wrong',
			'wrong',
		]);
		expect(JSON.stringify(service.requests)).not.toContain(service.apiKey);
	});

	it('responds with 400 with details and remembers the violation', async () => {
		const reply = await checked('POST', '/v2/search', { query: 'tea', limit: 0, colour: 'red' });
		expect(reply.status).toBe(400);
		expect(reply.body).toMatchObject({
			success: false,
			error: 'Invalid request body',
			details: [
				{ code: 'too_small', path: ['limit'] },
				{ code: 'unrecognized_keys', path: [], keys: ['colour'] },
			],
		});
		expect(service.violations).toEqual([
			expect.stringContaining('POST /v2/search: colour'),
			expect.stringContaining('POST /v2/search: limit'),
		]);
		expect(service.ledger).toEqual([]);
	});

	it('responds with 400 to a body that is not JSON, 404 to an unknown path', async () => {
		expect((await checked('POST', '/v2/search', '{"query":')).body.code).toBe(
			'BAD_REQUEST_INVALID_JSON',
		);
		expect((await call('GET', '/v2/nothing')).status).toBe(404);
		expect((await call('GET', '/v2/agent/..%2Fteam')).status).toBe(404);
	});

	it('reads no body that is not sent as JSON', async () => {
		const before = service.violations.length;
		const sending = { type: 'text/plain' };
		const reply = await checked('POST', '/v2/search', { query: 'tea' }, sending);
		expect(reply.status).toBe(400);
		expect(service.violations).toHaveLength(before + 1);
		expect(service.ledger).toEqual([]);
	});
});

describe('search', () => {
	beforeEach(async () => await start());

	it('gives five web results by default, with url, title and description only', async () => {
		const { body } = await checked('POST', '/v2/search', { query: 'green tea' });
		expect(Object.keys(body.data)).toEqual(['web']);
		expect(body.data.web).toHaveLength(5);
		expect(Object.keys(body.data.web[0]).sort()).toEqual(['description', 'title', 'url']);
		expect(body.data.web[0].title).toContain('Green tea');
		expect(new Set(body.data.web.map((hit: any) => hit.url)).size).toBe(5);
		expect(body.creditsUsed).toBe(2);
	});

	it('gives the arrays of the requested sources, each up to limit', async () => {
		const { body } = await checked('POST', '/v2/search', {
			query: 'tea',
			limit: 100,
			sources: [{ type: 'news' }, { type: 'images' }],
		});
		expect(Object.keys(body.data).sort()).toEqual(['images', 'news']);
		expect(body.data.news).toHaveLength(100);
		expect(body.data.images[99].position).toBe(100);
		expect(body.creditsUsed).toBe(40);
		const none = await checked('POST', '/v2/search', { query: 'no-such-thing' });
		expect(none.body.data).toEqual({ web: [] });
	});

	it('names the category of each result when categories are requested', async () => {
		const categories = [{ type: 'github' }, { type: 'pdf' }];
		const { body } = await checked('POST', '/v2/search', { query: 'tea', limit: 4, categories });
		expect(body.data.web.map((hit: any) => hit.category)).toEqual([
			'github',
			'pdf',
			'github',
			'pdf',
		]);
		expect(body.data.web[1].url).toMatch(/\.pdf$/);
	});

	it('scrapes what the formats ask for and bills it', async () => {
		const { body } = await checked('POST', '/v2/search', {
			query: 'tea',
			limit: 2,
			sources: [{ type: 'web' }, { type: 'news' }],
			enterprise: ['zdr', 'anon'],
			scrapeOptions: { formats: [{ type: 'markdown' }, { type: 'links' }], proxy: 'enhanced' },
		});
		for (const hit of [...body.data.web, ...body.data.news]) {
			expect(hit.markdown).toContain('tea');
			expect(hit.links.length).toBeGreaterThan(0);
			expect(hit.metadata).toMatchObject({ sourceURL: hit.url, statusCode: 200 });
			expect(Object.keys(hit)).not.toEqual(expect.arrayContaining(['html']));
			expect(Object.keys(hit)).not.toEqual(expect.arrayContaining(['screenshot']));
		}
		expect(body.creditsUsed).toBe(10 + 4 * (5 + 1));
		expect(service.ledger.map((entry) => entry.credits)).toEqual([34]);
	});

	it('responds with 404 SCRAPE_NO_CACHED_DATA until the pages are cached', async () => {
		const formats = [{ type: 'markdown' }];
		const cachedOnly = { query: 'tea', scrapeOptions: { formats, minAge: 1 } };
		const reply = await checked('POST', '/v2/search', cachedOnly);
		expect([reply.status, reply.body.code]).toEqual([404, 'SCRAPE_NO_CACHED_DATA']);
		expect(service.ledger).toEqual([]);
		await call('POST', '/v2/search', {
			query: 'tea',
			scrapeOptions: { formats, storeInCache: false },
		});
		expect((await call('POST', '/v2/search', cachedOnly)).status).toBe(404);
		await call('POST', '/v2/search', { query: 'tea', scrapeOptions: { formats } });
		expect((await checked('POST', '/v2/search', cachedOnly)).status).toBe(200);
		const older = { query: 'tea', scrapeOptions: { formats, minAge: 60_000 } };
		expect((await call('POST', '/v2/search', older)).status).toBe(404);
	});

	it('responds with 402 when the credits are used up, 408 when it takes too long', async () => {
		service.set({ credits: 3 });
		expect((await checked('POST', '/v2/search', { query: 'tea' })).status).toBe(200);
		expect((await checked('POST', '/v2/search', { query: 'tea' })).status).toBe(402);
		service.set({ credits: 100, latencyMs: 20 });
		expect((await checked('POST', '/v2/search', { query: 'tea', timeout: 10 })).status).toBe(408);
		expect(service.ledger).toHaveLength(1);
	});
});

describe('files', () => {
	beforeAll(async () => await start());

	it('serves real files without the key and notices a key that came', async () => {
		const { body } = await checked('POST', '/v2/scrape', {
			url: 'https://shop.example/bikes',
			formats: [{ type: 'screenshot' }, { type: 'audio' }],
			actions: [{ type: 'screenshot' }, { type: 'pdf' }, { type: 'scrape' }],
		});
		const get = async (url: string, headers = {}) =>
			Buffer.from(await (await fetch(url, { headers })).arrayBuffer());
		const image = await get(body.data.screenshot);
		expect(image.subarray(1, 4).toString()).toBe('PNG');
		expect(image.readUInt32BE(16)).toBe(320);
		expect((await get(body.data.audio)).subarray(0, 2)).toEqual(Buffer.from([0xff, 0xfb]));
		expect((await get(body.data.actions.pdfs[0])).subarray(0, 5).toString()).toBe('%PDF-');
		expect(body.data.actions.scrapes).toHaveLength(1);
		expect(service.violations).toEqual([]);
		await get(body.data.actions.screenshots[0], { authorization: 'Bearer x' });
		expect(service.violations).toHaveLength(1);
	});

	it('gives a PDF base64-encoded when no parser is set', async () => {
		const { body } = await checked('POST', '/v2/scrape', {
			url: 'https://a.example/b.pdf',
			parsers: [],
		});
		expect(Buffer.from(body.data.markdown, 'base64').toString('latin1')).toMatch(
			/^%PDF-1.4[^]*%%EOF\n$/,
		);
		const parsed = await checked('POST', '/v2/scrape', { url: 'https://a.example/b.pdf' });
		expect(parsed.body.data.markdown).toMatch(/^# B\n/);
	});
});

describe('agent and extract jobs', () => {
	beforeEach(async () => await start({ jobMs: 0 }));

	it('shapes the agent result by the given schema', async () => {
		const schema = {
			type: 'object',
			properties: {
				company: { type: 'string' },
				employees: { type: 'integer' },
				offices: {
					type: 'array',
					items: { type: 'object', properties: { city: { type: 'string' } } },
				},
			},
		};
		const { body } = await checked('POST', '/v2/agent', { prompt: 'Research Northwind', schema });
		const path = `/v2/agent/${body.id}`;
		expect((await checked('GET', path)).body).toMatchObject({ status: 'processing' });
		expect((await call('GET', path)).body.data).toBeUndefined();
		service.jobs.finish(body.id);
		expect((await checked('GET', path)).body).toMatchObject({
			status: 'completed',
			model: 'spark-1-mini',
			data: {
				company: expect.any(String),
				employees: expect.any(Number),
				offices: [{ city: expect.any(String) }, {}],
			},
		});
	});

	it('cancels an agent job, responds with 404 to an unknown one', async () => {
		const { body } = await call('POST', '/v2/agent', { prompt: 'x' });
		expect((await checked('DELETE', `/v2/agent/${body.id}`)).body).toEqual({ success: true });
		expect((await call('GET', `/v2/agent/${body.id}`)).body.status).toBe('cancelled');
		expect((await checked('DELETE', '/v2/agent/unknown')).status).toBe(404);
		expect((await checked('GET', '/v2/agent/unknown')).status).toBe(404);
		expect(() => service.jobs.finish('unknown')).toThrow('No job unknown');
	});

	it('never bills an agent task more than maxCredits', async () => {
		await call('POST', '/v2/agent', { prompt: 'x', maxCredits: 4, model: 'spark-1-pro' });
		await call('POST', '/v2/agent', { prompt: 'x', model: 'spark-1-pro' });
		expect(service.ledger.map((entry) => entry.credits)).toEqual([4, 25]);
		service.set({ credits: 0 });
		expect((await checked('POST', '/v2/agent', { prompt: 'x' })).status).toBe(402);
	});

	it('lists invalid URLs when they are to be ignored, rejects them otherwise', async () => {
		const urls = ['https://a.example/*', 'not a url'];
		const rejected = await checked('POST', '/v1/extract', { urls });
		expect([rejected.status, rejected.body.details[0].path]).toEqual([400, ['urls', 1]]);
		const { body } = await checked('POST', '/v1/extract', {
			urls,
			ignoreInvalidURLs: true,
			showSources: true,
		});
		expect(body.invalidURLs).toEqual(['not a url']);
		service.jobs.finish(body.id, { price: 3 });
		const result = await checked('GET', `/v1/extract/${body.id}`);
		expect(result.body).toMatchObject({ status: 'completed', data: { price: 3 }, sources: {} });
		const plain = await checked('POST', '/v1/extract', { urls: ['https://a.example'] });
		expect(plain.body.invalidURLs).toBeUndefined();
		expect((await checked('GET', '/v1/extract/unknown')).status).toBe(404);
	});
});

describe('crawls', () => {
	beforeEach(async () => await start({ crawlMs: 0 }));

	it('lists the active ones in the shape of each version', async () => {
		service.crawls.add({ status: 'completed' });
		const { body } = await checked('POST', '/v2/crawl', {
			url: 'https://shop.example',
			scrapeOptions: { formats: [{ type: 'html' }], mobile: true },
		});
		const v2 = await checked('GET', '/v2/crawl/active');
		expect(v2.body.crawls).toEqual([
			{
				id: body.id,
				teamId: expect.any(String),
				url: 'https://shop.example',
				created_at: expect.any(String),
				options: expect.objectContaining({
					scrapeOptions: { formats: [{ type: 'html' }], parsers: [{ type: 'pdf' }], mobile: true },
				}),
			},
		]);
		const v1 = await checked('GET', '/v1/crawl/active');
		expect(v1.body.crawls[0].options.scrapeOptions).toEqual({
			formats: ['html'],
			parsePDF: true,
			mobile: true,
		});
	});

	it('has no page and counts none where the first one fails, and says why in its errors', async () => {
		service.set({ crawlMs: 1 });
		const url = 'https://dns-error.example';
		const { id } = (await checked('POST', '/v2/crawl', { url })).body;
		await wait(10);
		const { body } = await checked('GET', `/v2/crawl/${id}`);
		expect(body).toMatchObject({ status: 'completed', completed: 0, total: 0, data: [] });
		expect(body.warning).toMatch(/^Only 0 result/);
		const { body: told } = await checked('GET', `/v2/crawl/${id}/errors`);
		expect(told.errors).toMatchObject([{ url, code: 'SCRAPE_DNS_RESOLUTION_ERROR' }]);
		expect(told.robotsBlocked).toEqual([]);
	});

	it('starts, cancels and responds for unknown ones', async () => {
		const { body } = await checked('POST', '/v2/crawl', { url: 'https://shop.example', limit: 3 });
		expect(body.url).toBe(`${service.url}/v2/crawl/${body.id}`);
		expect(service.ledger).toMatchObject([{ operation: 'crawlStart', credits: 3 }]);
		expect((await checked('DELETE', `/v2/crawl/${body.id}`)).body).toEqual({ status: 'cancelled' });
		expect((await checked('GET', `/v2/crawl/${body.id}`)).body.status).toBe('cancelled');
		const unknown = '00000000-0000-4000-8000-000000000000';
		for (const [method, path] of [
			['DELETE', `/v2/crawl/${unknown}`],
			['GET', `/v2/crawl/${unknown}`],
			['GET', `/v2/crawl/${unknown}/errors`],
		]) {
			expect((await checked(method, path)).status).toBe(404);
		}
		expect((await checked('GET', '/v1/crawl/abc')).status).toBe(400);
	});
});

describe('account, scrape, map', () => {
	beforeAll(async () => await start({ credits: 500, crawlMs: 0, jobMs: 0 }));

	it('tells the credits used and left', async () => {
		await call('POST', '/v2/search', { query: 'tea' });
		const { periods } = (await checked('GET', '/v2/team/credit-usage/historical')).body;
		expect(periods).toHaveLength(12);
		expect(periods[0]).toHaveProperty('apiKey', null);
		const byKey = await checked('GET', '/v2/team/credit-usage/historical?byApiKey=true');
		expect(byKey.body.periods).toHaveLength(24);
		const sum = (list: any[]) => list.reduce((total, period) => total + period.creditsUsed, 0);
		expect(sum(byKey.body.periods)).toBe(sum(periods));
		const { data } = (await checked('GET', '/v2/team/credit-usage')).body;
		expect(data).toMatchObject({ remainingCredits: 498, planCredits: 500 });
	});

	it('maps a site and scrapes a page', async () => {
		const { links } = (
			await checked('POST', '/v2/map', { url: 'https://shop.example/x', limit: 7, search: 'bikes' })
		).body;
		expect(links).toHaveLength(7);
		expect(links[0].url).toBe('https://shop.example/x');
		const { data } = (await checked('POST', '/v2/scrape', { url: links[0].url })).body;
		expect(Object.keys(data)).toEqual(['markdown', 'metadata']);
		expect((await checked('POST', '/v2/scrape', { url: 'nothing' })).status).toBe(400);
		const cached = { url: 'https://new.example', minAge: 1 };
		expect((await checked('POST', '/v2/scrape', cached)).body.code).toBe('SCRAPE_NO_CACHED_DATA');
	});

	it('lists activity newest first, by pages, and the queue', async () => {
		const ids = [1, 2, 3, 4, 5].map(() => service.crawls.add().id).reverse();
		const one = (await checked('GET', '/v2/team/activity?endpoint=crawl&limit=3')).body;
		expect(one.data.map((entry: any) => entry.id)).toEqual(ids.slice(0, 3));
		expect(one.has_more).toBe(true);
		const rest = `/v2/team/activity?endpoint=crawl&limit=3&cursor=${one.cursor}`;
		const two = (await checked('GET', rest)).body;
		expect(two.data.map((entry: any) => entry.id)).toEqual(ids.slice(3));
		expect(two).toMatchObject({ has_more: false, cursor: null });
		const all = (await checked('GET', '/v2/team/activity')).body.data;
		expect(new Set(all.map((entry: any) => entry.endpoint))).toEqual(
			new Set(['search', 'map', 'scrape', 'crawl']),
		);
		service.batches.add();
		expect((await checked('GET', '/v2/team/queue-status')).body).toMatchObject({ jobsInQueue: 6 });
	});

	it('can do without activity', async () => {
		service.set({ activity: false });
		expect((await call('GET', '/v2/team/activity')).status).toBe(404);
	});

	it('serves under a prefix only', async () => {
		await start({ basePath: '/prefix/' });
		expect(service.url).toMatch(/\/prefix$/);
		expect((await call('GET', '/v2/crawl/active')).status).toBe(200);
		expect(service.requests[0].path).toBe('/prefix/v2/crawl/active');
		for (const wrong of ['', '/suffix']) {
			const url = service.url.replace('/prefix', wrong);
			expect((await call('GET', `${url}/v2/crawl/active`)).status).toBe(404);
		}
	});
});

it.each([
	['text', /^null$/],
	['seconds', /^(59|60)$/],
	['date', / GMT$/],
	['none', /^null$/],
] as const)('responds with 429 with Retry-After as %s', async (retryAfter, expected) => {
	await start({ rateLimit: { requests: 2, perMs: 60_000, retryAfter } });
	const get = () => checked('GET', '/v2/crawl/active');
	expect([(await get()).status, (await get()).status]).toEqual([200, 200]);
	const { status, headers, body } = await get();
	expect([status, String(headers.get('retry-after'))]).toEqual([
		429,
		expect.stringMatching(expected),
	]);
	const isInText = /please retry after (59|60)s, resets at \w{3} \w{3} \d\d 20\d\d /.test(
		body.error,
	);
	expect(isInText).toBe(retryAfter === 'text');
	service.set({ rateLimit: undefined });
	expect((await get()).status).toBe(200);
});

describe('faults', () => {
	beforeEach(async () => await start());
	const search = () => call('POST', '/v2/search', { query: 'tea' });

	it('keep a request from being processed, or break its response off after that', async () => {
		for (const [fault, processed] of [
			[{ reset: 'before' }, 0],
			[{ reset: 'after' }, 1],
			[{ truncate: true }, 2],
		] as const) {
			service.fail({ ...fault, times: 1 });
			await expect(search()).rejects.toThrow();
			expect(service.ledger).toHaveLength(processed);
		}
	});

	it('closes at once, also with open and hanging connections', async () => {
		service.fail({ hang: true });
		const hanging = search().then(
			() => 'responded',
			() => 'broken off',
		);
		await wait(50);
		const from = Date.now();
		await service.close();
		// Node's server would wait for idle connections, and forever for those that hang.
		expect(Date.now() - from).toBeLessThan(60_000);
		expect(await hanging).toBe('broken off');
	});
});

describe('as a process', () => {
	it('prints its address, is seen over HTTP, ends on SIGTERM', async () => {
		const main = join(__dirname, '../../../mock-service/main.ts');
		const args = ['--import', 'tsx', main, '--api-key', 'another-key'];
		const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
		const ended = once(child, 'exit');
		try {
			const [line] = (await once(child.stdout, 'data')) as [Buffer];
			const url = line.toString().trim();
			const wrong = { url: 'https://a.example', mood: 1 };
			const { status } = await call('POST', `${url}/v2/crawl`, wrong, { key: 'another-key' });
			expect(status).toBe(400);
			const state = (await call('GET', `${url}/_service/state`, undefined, { key: null })).body;
			expect(state).toMatchObject({
				requests: 1,
				violations: [expect.stringContaining('POST /v2/crawl: mood')],
			});
		} finally {
			child.kill('SIGTERM');
		}
		expect(await ended).toEqual([0, null]);
	});
});

it('the local service ends with the npm that runs it, which passes no signal on', async () => {
	const main = join(__dirname, '../../../mock-service/main.ts');
	const script = `const { spawn } = require('node:child_process');
		const { pid } = spawn(process.execPath, ['--import', 'tsx', process.argv[1]], { stdio: 'inherit' });
		console.log('pid ' + pid);`;
	const npm = spawn(process.execPath, ['-e', script, main], {
		env: { ...process.env, npm_lifecycle_event: 'service' },
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	let said = '';
	npm.stdout.on('data', (text: Buffer) => (said += text.toString()));
	while (!said.includes('http://')) await wait(50);
	const pid = Number(/pid (\d+)/.exec(said)![1]);
	npm.kill('SIGTERM');
	// Its output also ends when the service has ended.
	const isOver = await Promise.race([
		once(npm.stdout, 'end').then(() => true),
		wait(10_000, undefined, { ref: false }),
	]);
	if (!isOver) process.kill(pid);
	expect(isOver).toBe(true);
});

it('the local service says its address and key to a person, and that a port is in use', async () => {
	const main = join(__dirname, '../../../mock-service/main.ts');
	const args = ['--import', 'tsx', main, '--say', '--port'];
	const first = spawn(process.execPath, [...args, '0', '--api-key', 'a-key']);
	const [said] = (await once(first.stdout, 'data')) as [Buffer];
	expect(said.toString()).toMatch(/Base URL {2}http:\/\/127\.0\.0\.1:\d+\n {2}API key {3}a-key\n/);
	const port = /:(\d+)/.exec(said.toString())![1];
	const second = spawn(process.execPath, [...args, port]);
	const failed = once(second, 'exit');
	const [complaint] = (await once(second.stderr, 'data')) as [Buffer];
	expect(complaint.toString()).toContain(`Port ${port} is in use: choose another with --port`);
	expect(await failed).toEqual([1, null]);
	const ended = once(first, 'exit');
	first.kill('SIGTERM');
	await ended;
});

describe('the command', () => {
	it('lists its options as docs/maintainers/local-service.md does', () => {
		expect(help()).toMatch(/^ {2}--crawl-ms 2000\n {6}How long crawls and batches take/m);
		expect(help()).not.toContain('---');
	});

	it.each([
		['--port 3999 --api-key k --say', { port: 3999, apiKey: 'k' }],
		['--rate-limit 50/1000', { rateLimit: { requests: 50, perMs: 1000 } }],
		['--rate-limit 5/60/date', { rateLimit: { requests: 5, perMs: 60, retryAfter: 'date' } }],
		['--crawl-ms 0 --chunk-bytes 99', { crawlMs: 0, chunkBytes: 99 }],
		['--false-end --no-activity', { falseEnd: true, activity: false }],
		['--only v2 --issues zod3 --base-path /a', { only: 'v2', issues: 'zod3', basePath: '/a' }],
	])('reads %s', (line, options) => {
		expect(commandLineOf(line.split(' ')).options).toEqual(options);
	});

	it.each([
		[['--prot', '1'], "Unknown option '--prot'. --help lists the options."],
		[
			['--credits', '-5'],
			"Option '--credits' argument is ambiguous.\nDid you forget to specify the option argument for '--credits'?\nTo specify an option argument starting with a dash use '--credits=-XYZ'. --help lists the options.",
		],
		[['--port', 'abc'], '--port is abc, but has to be a whole number'],
		[['--base-path', 'x y/'], '--base-path is x y/, but has to be written like /prefix'],
		[
			['--rate-limit', '50'],
			'--rate-limit is 50, but has to be written like 50/1000 or 50/1000/date',
		],
		[['--issues', 'zod5'], '--issues is zod5, but has to be zod3 or zod4'],
		[['--only', 'v3'], '--only is v3, but has to be v1 or v2'],
	])('says what is wrong with %j', (args, complaint) => {
		let error = new Error('Nothing is wrong');
		try {
			commandLineOf(args);
		} catch (thrown) {
			error = thrown as Error;
		}
		expect(why(error)).toBe(complaint);
	});
});

it('the local service responds from the contract where nobody wrote a handler', async () => {
	await start();
	const { map } = handlers;
	delete handlers.map;
	const reply = await checked('POST', '/v2/map', { url: 'https://a.example' });
	handlers.map = map;
	expect(reply.body).toMatchObject({ success: true, links: [{ url: expect.any(String) }] });
	expect(service.violations).toEqual([]);
});
