/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { setTimeout as wait } from 'node:timers/promises';

import { findOperation, validateResponse } from '../../../api/contract';
import { type LocalService, type ServiceOptions, startService } from '../../../mock-service';

/* eslint-disable @typescript-eslint/no-explicit-any -- responses are read as they come */

let service: LocalService;
afterEach(async () => await service.close());

async function start(options: ServiceOptions = {}): Promise<void> {
	service = await startService({ crawlMs: 0, jobMs: 0, ...options });
}

async function call(method: string, path: string, body?: unknown, key = service.apiKey) {
	const response = await fetch(path.startsWith('http') ? path : service.url + path, {
		method,
		headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
		body: body === undefined ? undefined : JSON.stringify(body),
	});
	const text = await response.text();
	const isJson = text.startsWith('{');
	const parsed: any = isJson ? JSON.parse(text) : undefined;
	const bare = path.replace(service.url, '').split('?')[0];
	if (isJson && findOperation(method, bare))
		expect(validateResponse(method, bare, response.status, parsed)).toEqual([]);
	return { status: response.status, headers: response.headers, text, body: parsed };
}

describe('what clients send besides the contract', () => {
	it('is taken, and remembered as a violation', async () => {
		await start();
		const found = await call('POST', '/v2/search', {
			query: 'tea',
			origin: 'some-client',
			sources: ['web', 'news'],
			scrapeOptions: { formats: ['markdown'], parsers: ['pdf'] },
		});
		expect(found.status).toBe(200);
		expect(Object.keys(found.body.data)).toEqual(['web', 'news']);
		expect(found.body.data.web[0].markdown).toEqual(expect.any(String));
		const scraped = await call('POST', '/v2/scrape', {
			url: 'https://a.example',
			formats: ['html'],
		});
		expect(Object.keys(scraped.body.data)).toEqual(['html', 'metadata']);
		expect(service.violations.join()).toMatch(/origin.*parsers/);
	});

	it('is rejected where the service has no use for it', async () => {
		await start();
		const scraped = await call('POST', '/v2/scrape', { url: 'https://a.example', formats: ['x'] });
		expect(scraped.status).toBe(400);
		expect((await call('POST', '/v2/search', { query: 'tea', mood: 'good' })).status).toBe(400);
	});
});

describe('an endpoint that the service lacks', () => {
	it.each(['/v2/nothing', '/v2/team/activity'])(
		'%s is a web page, also without a key',
		async (path) => {
			await start({ activity: false });
			const { status, headers, text } = await call('GET', path, undefined, 'wrong');
			expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
			expect(text).toContain(`<pre>Cannot GET ${path}</pre>`);
		},
	);
});

describe('a body that is no object', () => {
	const post = async (path: string, type: string, body?: string) =>
		await fetch(service.url + path, {
			method: 'POST',
			headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': type },
			body,
		});

	it.each([
		['none', 'application/json', undefined],
		['an empty one', 'application/json', ''],
		['a text', 'text/plain', '{"query":"tea"}'],
	])('%s is read as an empty object', async (_name, type, body) => {
		await start();
		const response = await post('/v2/search', type, body);
		expect([response.status, await response.json()]).toEqual([
			400,
			expect.objectContaining({
				details: [
					expect.objectContaining({
						path: ['query'],
						message: 'Invalid input: expected string, received undefined',
					}),
				],
			}),
		]);
		expect(service.violations).toHaveLength(1);
	});

	it.each(['null', '5', '"tea"'])('%s is malformed', async (body) => {
		await start();
		const response = await post('/v2/search', 'application/json', body);
		expect(await response.json()).toMatchObject({ code: 'BAD_REQUEST_INVALID_JSON' });
	});
});

describe('details of a 400', () => {
	const scrape = async (body: object) =>
		(await call('POST', '/v2/scrape', { url: 'https://a.example', ...body })).body;

	it('name unknown keys beside the path', async () => {
		await start();
		const { error, details } = await scrape({ colour: 1, mood: 2 });
		expect(error).toMatch(/^Unrecognized key in body/);
		expect(details).toEqual([
			expect.objectContaining({ code: 'unrecognized_keys', keys: ['colour', 'mood'], path: [] }),
		]);
		service.set({ issues: 'zod3' });
		const older = await scrape({ colour: 1 });
		expect(older.error).toBe('Bad Request');
		expect(older.details[0]).toMatchObject({ keys: ['colour'], path: [] });
		expect(older.details[0].message).not.toContain('colour');
	});

	it('hide what is wrong with an entry in a union, in the way of each version', async () => {
		await start();
		const formats = [{ type: 'markdown' }, { type: 'screenshot', quality: 'best' }];
		const [newer] = (await scrape({ formats })).details;
		expect(newer).toMatchObject({ code: 'invalid_union', path: ['formats', 1] });
		expect(newer.errors).toContainEqual([
			expect.objectContaining({ code: 'invalid_type', path: ['quality'] }),
		]);
		expect(newer.errors).toContainEqual([
			expect.objectContaining({ code: 'invalid_value', path: ['type'] }),
		]);
		service.set({ issues: 'zod3' });
		const [older] = (await scrape({ formats })).details;
		expect(older.unionErrors.map(({ issues }: any) => issues)).toContainEqual([
			expect.objectContaining({ code: 'invalid_type', path: ['formats', 1, 'quality'] }),
		]);
		const [plain] = (await scrape({ formats: [{ type: 'screenshot', quality: 500 }] })).details;
		expect(plain).toMatchObject({ code: 'too_big', path: ['formats', 0, 'quality'] });
		const [extra] = (await scrape({ formats: [{ type: 'html', a: 1 }] })).details;
		expect(extra).toMatchObject({ code: 'unrecognized_keys', keys: ['a'], path: ['formats', 0] });
	});

	it.each([
		['/v2/agent', { prompt: 'a' }, 'Invalid JSON schema: schema must be object or boolean'],
		['/v1/extract', { prompt: 'a' }, 'Invalid JSON schema.'],
	])('%s: say of a schema that is a text that it is none', async (path, body, message) => {
		await start();
		const answer = (await call('POST', path, { ...body, schema: 'x' })).body;
		expect(answer).toMatchObject({
			error: message,
			details: [{ code: 'custom', path: ['schema'], message }],
		});
	});

	it.each([
		['/v2/crawl', { url: 'https://a.example', delay: -1 }, 'delay', '>0'],
		['/v2/batch/scrape', { urls: [] }, 'urls', 'array to have >=1 items'],
	])('%s: what is too small or too few is no message of its own', async (path, body, at, words) => {
		await start();
		const { body: answer } = await call('POST', path, body);
		expect(answer).toMatchObject({
			error: 'Bad Request',
			details: [{ code: 'too_small', path: [at], message: expect.stringContaining(words) }],
		});
	});

	it('take sources as one union', async () => {
		await start();
		const { body } = await call('POST', '/v2/search', {
			query: 'tea',
			sources: [{ type: 'web' }, { type: 'videos' }],
		});
		expect(body.details[0]).toMatchObject({ code: 'invalid_union', path: ['sources'] });
		expect(body.details[0].errors.flat()).toContainEqual(
			expect.objectContaining({ code: 'invalid_union', path: [1] }),
		);
	});

	it.each([
		['zod4', 'invalid_format', 'Invalid URL'],
		['zod3', 'invalid_string', 'Invalid url'],
	] as const)('tell missing, wrong and malformed values (%s)', async (issues, code, message) => {
		await start({ issues });
		const { details } = (await call('POST', '/v2/scrape', { waitFor: 'long' })).body;
		expect(details.map((issue: any) => [issue.code, issue.path.join('.')]).sort()).toEqual([
			['invalid_type', 'url'],
			['invalid_type', 'waitFor'],
		]);
		const { body } = await call('POST', '/v2/crawl', { url: 'https://a.example', webhook: 'hook' });
		expect(body.details).toEqual([expect.objectContaining({ code, message })]);
	});
});

describe('jobs', () => {
	it('a cancelled crawl keeps its state and its pages, and leads to an empty chunk that names itself', async () => {
		await start();
		const { id } = service.crawls.add({ pages: 9 });
		service.crawls.progress(id, 3);
		await call('DELETE', `/v2/crawl/${id}`);
		const first = (await call('GET', `/v2/crawl/${id}`)).body;
		expect(first).toMatchObject({ status: 'cancelled', total: 9, completed: 3 });
		expect(first.data).toHaveLength(3);
		const empty = (await call('GET', first.next)).body;
		expect(empty).toMatchObject({ status: 'cancelled', data: [], next: first.next });
	});

	it('one that has ended cannot be cancelled', async () => {
		await start();
		const { id } = service.crawls.add({ status: 'completed' });
		const crawl = await call('DELETE', `/v2/crawl/${id}`);
		expect([crawl.status, Object.keys(crawl.body)]).toEqual([409, ['error']]);
		const job = service.jobs.add({ kind: 'agent' });
		service.jobs.finish(job.id);
		const agent = await call('DELETE', `/v2/agent/${job.id}`);
		expect([agent.status, agent.body.success]).toEqual([409, false]);
	});

	it('a failed extraction comes as 200, a running one with empty data', async () => {
		await start();
		const request = { urls: ['https://a.example'], prompt: 'fail this' };
		const { body } = await call('POST', '/v1/extract', request);
		const running = await call('GET', `/v1/extract/${body.id}`);
		expect(running.body).toMatchObject({ success: true, status: 'processing', data: [] });
		service.set({ jobMs: 1 });
		await wait(5);
		const failed = await call('GET', `/v1/extract/${body.id}`);
		expect(failed.status).toBe(200);
		expect(failed.body).toMatchObject({
			success: false,
			status: 'failed',
			error: 'The pages could not be read',
		});
	});

	it('an extraction of v1 may be there at once', async () => {
		await start({ extractAtOnce: true });
		const { body } = await call('POST', '/v1/extract', {
			urls: ['https://a.example'],
			showSources: true,
		});
		expect(body).toMatchObject({ success: true, extractId: expect.any(String), sources: {} });
		expect(body).toHaveProperty('data');
		expect(body).not.toHaveProperty('id');
	});
});

it.each([
	['dns-error', 200, 'SCRAPE_DNS_RESOLUTION_ERROR', 1],
	['engines-failed', 500, 'SCRAPE_ALL_ENGINES_FAILED', 0],
	['too-slow', 408, 'SCRAPE_TIMEOUT', 0],
	['not-supported', 403, 'UNSUPPORTED_SITE', 0],
])('a page on %s cannot be scraped: %i %s', async (label, status, code, credits) => {
	await start();
	const reply = await call('POST', '/v2/scrape', { url: `https://${label}.example/page` });
	expect(reply.status).toBe(status);
	expect(reply.body).toMatchObject({ success: false, code });
	expect(service.ledger.map((entry) => entry.credits)).toEqual(credits > 0 ? [credits] : []);
});

it('page metadata has what running services send', async () => {
	await start();
	const { id } = service.crawls.add({ status: 'completed' });
	const [page] = (await call('GET', `/v1/crawl/${id}`)).body.data;
	expect(page.metadata).toMatchObject({
		creditsUsed: 1,
		proxyUsed: 'basic',
		'og:title': expect.any(String),
	});
});

it.each([
	['/v2/scrape', { url: 'https://a.example' }, 5],
	['/v2/batch/scrape', { urls: ['https://a.example', 'https://b.example'] }, 10],
	['/v2/crawl', { url: 'https://a.example', limit: 3 }, 15],
	['/v2/search', { query: 'tea', limit: 2 }, 2 + 10],
])('%s bills data that AI extracts at 5 credits a page', async (path, request, credits) => {
	await start();
	const options = { formats: [{ type: 'markdown' }, { type: 'json', prompt: 'Prices' }] };
	const isFlat = path.endsWith('scrape');
	await call('POST', path, { ...request, ...(isFlat ? options : { scrapeOptions: options }) });
	expect(service.ledger.map((entry) => entry.credits)).toEqual([credits]);
});

describe('chunks of pages', () => {
	it('are as long as asked, and their `next` asks for the same', async () => {
		await start({ crawlMs: 1 });
		const urls = [1, 2, 3, 4, 5].map((page) => `https://a.example/${page}`);
		const { id } = (await call('POST', '/v2/batch/scrape', { urls })).body;
		await wait(50);
		const lengths: number[] = [];
		let next: string | undefined = `/v2/batch/scrape/${id}?skip=0&limit=2`;
		while (next !== undefined && lengths.length < 9) {
			const { body } = await call('GET', next);
			lengths.push(body.data.length);
			next = body.next;
		}
		expect(lengths).toEqual([2, 2, 1]);
	});

	it('have at most 100 pages unless asked for more', async () => {
		await start();
		const { id } = service.crawls.add({ pages: 130, status: 'completed' });
		const first = (await call('GET', `/v2/crawl/${id}`)).body;
		const second = (await call('GET', first.next)).body;
		expect([first.data.length, second.data.length, second.next]).toEqual([100, 30, undefined]);
		const all = (await call('GET', `/v2/crawl/${id}?limit=500`)).body;
		expect([all.data.length, all.next]).toEqual([130, undefined]);
	});

	it('lead on from a false end', async () => {
		await start({ falseEnd: true });
		const { id } = service.crawls.add({ pages: 9 });
		service.crawls.progress(id, 3);
		const { body } = await call('GET', `/v2/crawl/${id}`);
		expect(body).toMatchObject({ status: 'completed', completed: 3, total: 9 });
		expect(body.next).toMatch(/skip=3$/);
	});
});

it.each([
	['/v1/search', { query: 'tea' }],
	['/v2/search', { query: 'tea' }],
	['/v1/scrape', { url: 'https://a.example' }],
	['/v1/map', { url: 'https://a.example' }],
	['/v1/crawl', { url: 'https://a.example' }],
	['/v1/batch/scrape', { urls: ['https://a.example'] }],
	['/v1/extract', { urls: ['https://a.example'] }],
	['/v2/agent', { prompt: 'tea' }],
])('the activity of %s has its version', async (path, request) => {
	await start();
	await call('POST', path, request);
	const { body } = await call('GET', '/v2/team/activity');
	expect(body.data).toEqual([expect.objectContaining({ api_version: path.slice(1, 3) })]);
});

it('a video is a video, and no sound', async () => {
	await start();
	const formats = [{ type: 'audio' }, { type: 'video' }];
	const { data } = (await call('POST', '/v2/scrape', { url: 'https://a.example', formats })).body;
	for (const [link, type, ending] of [
		[data.audio, 'audio/mpeg', '.mp3'],
		[data.video, 'video/mp4', '.mp4'],
	]) {
		const response = await fetch(link);
		expect([response.headers.get('content-type'), link.slice(-4)]).toEqual([type, ending]);
	}
});
