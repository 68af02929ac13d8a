import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IDataObject } from 'n8n-workflow';

import { callService, followPages } from '../../../nodes/shared/transport';
import { pathOf, type PageSettings } from '../../../nodes/shared/transport/pages';
import { startService, type LocalService, type ServiceOptions } from '../../service';
import { callNode } from '../../support/callNode';
import { itemsOf, runNode } from '../../support/engine';

let service: LocalService;

afterEach(async () => {
	await service.close();
});

async function start(options: ServiceOptions = {}) {
	service = await startService({ chunkBytes: 5_000, crawlMs: 0, ...options });
}

/** The URLs of a crawl's pages as followPages gives them, and the error it ended with. */
async function pagesOf(id: string, settings: PageSettings = {}) {
	const urls: string[] = [];
	const { error } = await runNode({
		nodeType: callNode({}, async (context, call, callSettings) => {
			const first = await callService(context, call, callSettings);
			const all = { ...callSettings, ...settings };
			for await (const part of followPages(context, call, first, all)) {
				for (const page of part) urls.push((page.metadata as IDataObject).sourceURL as string);
			}
			return [{ json: {} }];
		}),
		parameters: {},
		items: itemsOf({ method: 'GET', path: `/v1/crawl/${id}` }),
		credentials: { baseUrl: `${service.url}/`, apiKey: service.apiKey },
	});
	return { urls, error };
}

it.each<[string, (next: string) => string]>([
	['as it comes', (next) => next],
	['with https', (next) => next.replace('http:', 'https:')],
	['with an internal host', (next) => next.replace(/\/\/[^/]+/, '//internal:3002')],
	['without the prefix', (next) => next.replace('/some/prefix', '')],
	['with another prefix', (next) => next.replace('/some/prefix', '/other')],
	['as a path', (next) => next.replace(/^https?:\/\/[^/]+/, '')],
])('gives every page once, with `next` %s', async (_name, mangleNext) => {
	await start({ basePath: '/some/prefix', mangleNext });
	const { id } = service.crawls.add({ pages: 40, pageBytes: 1_000, status: 'completed' });
	const { urls, error } = await pagesOf(id);
	expect(error).toBeUndefined();
	expect(urls).toHaveLength(40);
	expect(new Set(urls).size).toBe(40);
	expect(service.requests.length).toBeGreaterThan(5);
	expect(service.requests.every(({ status }) => status === 200)).toBe(true);
});

it('sends the key nowhere else', async () => {
	let hits = 0;
	const other = createServer((_request, response) => {
		hits++;
		response.end('{}');
	});
	await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
	const { port } = other.address() as AddressInfo;
	await start({ mangleNext: (next) => next.replace(/\/\/[^/]+/, `//127.0.0.1:${port}`) });
	const { id } = service.crawls.add({ pages: 20, pageBytes: 1_000, status: 'completed' });
	expect((await pagesOf(id)).urls).toHaveLength(20);
	expect(hits).toBe(0);
	other.close();
});

it.each<[string, (next: string) => string, RegExp]>([
	['another endpoint', (next) => next.replace(/crawl\/.*/, 'team/activity'), /something else/],
	['another crawl', (next) => next.replace(/crawl\/[^?]+/, 'crawl/other'), /something else/],
	['up the path', (next) => next.replace(/\?/, '/../active?'), /something else/],
	['itself', (next) => next.replace(/skip=\d+/, 'skip=4'), /in circles/],
])('refuses a `next` that leads to %s', async (_name, mangleNext, message) => {
	await start({ mangleNext });
	const { id } = service.crawls.add({ pages: 40, pageBytes: 1_000, status: 'completed' });
	const { urls, error } = await pagesOf(id);
	expect(error?.message).toMatch(message);
	expect(urls.length).toBeGreaterThan(0);
	expect(service.requests.length).toBeLessThan(4);
});

it('fetches nothing beyond the limit', async () => {
	await start();
	const { id } = service.crawls.add({ pages: 40, pageBytes: 1_000, status: 'completed' });
	const { urls } = await pagesOf(id, { limit: 3 });
	expect(urls).toHaveLength(3);
	expect(service.requests).toHaveLength(1);
	expect((await pagesOf(id, { limit: 11 })).urls).toHaveLength(11);
	expect(service.requests.length).toBeLessThan(5);
});

it('does not chase a running crawl', async () => {
	await start();
	const { id } = service.crawls.add({ pages: 40, pageBytes: 1_000, status: 'scraping' });
	service.crawls.progress(id, 20);
	const once = await pagesOf(id);
	expect(once.error).toBeUndefined();
	expect(service.requests).toHaveLength(1);
	const soFar = await pagesOf(id, { whileRunning: true });
	expect(soFar.error).toBeUndefined();
	expect(new Set(soFar.urls).size).toBe(20);
	expect(soFar.urls).toHaveLength(20);
	expect(service.requests.length).toBeLessThan(12);
});

it('repeats a part that fails, and gives the pages so far when it keeps failing', async () => {
	await start();
	const { id } = service.crawls.add({ pages: 20, pageBytes: 1_000, status: 'completed' });
	const later = { when: ({ query }: { query: unknown }) => 'skip' in (query as object) };
	service.fail({ ...later, truncate: true, times: 2 });
	expect((await pagesOf(id)).urls).toHaveLength(20);
	service.fail({ ...later, status: 400, body: { success: false, error: 'gone' } });
	const { urls, error } = await pagesOf(id);
	expect(urls.length).toBeGreaterThan(0);
	expect(error?.message).toMatch(/gone/);
});

describe('the end of a crawl', () => {
	const page = (n: number) => ({ metadata: { sourceURL: `https://example.com/${n}` } });

	/** Has the service give these answers, one after the other, and reads the crawl's pages. */
	async function read(answers: IDataObject[], settings?: PageSettings) {
		await start();
		for (const answer of answers) {
			const text = JSON.stringify({ success: true, status: 'completed', ...answer });
			service.fail({ times: 1, raw: { type: 'application/json', text } });
		}
		const { urls, error } = await pagesOf('c', settings);
		const pages = urls.map((url) => Number(url.split('/').at(-1)));
		return { pages, error, requests: service.requests.map(({ query }) => query) };
	}

	it.each(['', null, 7, undefined])('is there where `next` is %j', async (next) => {
		const { pages, error, requests } = await read([{ data: [page(1)], next }]);
		expect(error).toBeUndefined();
		expect(pages).toEqual([1]);
		expect(requests).toHaveLength(1);
	});

	it('is not looked for once there are as many as wanted', async () => {
		const answer = { data: [page(1), page(2)], next: '/v1/crawl/c?skip=2' };
		const { pages, requests } = await read([answer], { limit: 2 });
		expect(pages).toEqual([1, 2]);
		expect(requests).toHaveLength(1);
	});

	it('is not taken from an answer without pages or two', async () => {
		const { pages, error } = await read([
			{ data: [], next: '/v1/crawl/c?skip=1' },
			{ next: '/v1/crawl/c?skip=2' },
			{ data: [page(1)], next: '/v1/crawl/c?skip=3' },
			{ data: [], next: '/v1/crawl/c?skip=4' },
			{ data: [], next: '/v1/crawl/c?skip=5' },
			{ data: [page(2)] },
		]);
		expect(error).toBeUndefined();
		expect(pages).toEqual([1, 2]);
	});

	it('is taken to never come after three answers without pages', async () => {
		const next = (n: number) => `/v1/crawl/c?skip=${n}&${'x'.repeat(100)}`;
		const { pages, error, requests } = await read(
			[
				{ data: [page(1), page(2)], next: next(1) },
				{ data: [], next: next(2) },
				{ data: [], next: next(3) },
				{ data: [], next: next(4) },
			],
			{ jobId: 'job-7' },
		);
		expect(pages).toEqual([1, 2]);
		expect(requests).toHaveLength(4);
		expect(error?.message).toBe("The service's link to further pages goes round in circles");
		expect(error?.description).toBe(
			`2 pages were read before it. It is not followed, so that the API key stays where it belongs: “${next(4).slice(0, 100)}”. Job: job-7. Report it to the service.`,
		);
		expect(error?.context).toMatchObject({ itemIndex: 0 });
	});

	it('of a running one is what it had when it was asked first', async () => {
		const running = { status: 'scraping', completed: 2 };
		const { pages, requests } = await read(
			[
				{ ...running, data: [page(1)], next: '/v1/crawl/c?skip=1' },
				{ ...running, data: [page(2)], next: '/v1/crawl/c?skip=2' },
			],
			{ whileRunning: true },
		);
		expect(pages).toEqual([1, 2]);
		expect(requests).toEqual([{}, { skip: '1' }]);
	});

	it('of a running one is there when nothing more comes', async () => {
		const running = { status: 'scraping', completed: 5 };
		const { pages, error, requests } = await read(
			[
				{ ...running, data: [page(1)], next: '/v1/crawl/c?skip=1' },
				{ ...running, data: [], next: '/v1/crawl/c?skip=2' },
			],
			{ whileRunning: true },
		);
		expect(error).toBeUndefined();
		expect(pages).toEqual([1]);
		expect(requests).toHaveLength(2);
	});

	it('of one that ended meanwhile is its end, up to what it had', async () => {
		const { pages } = await read(
			[
				{ status: 'scraping', completed: 2, data: [page(1)], next: '/v1/crawl/c?skip=1' },
				{ data: [page(2)] },
			],
			{ whileRunning: true },
		);
		expect(pages).toEqual([1, 2]);
	});

	it.each(['http://[', 'https://api.example.com/v1/crawl/other', '/team'])(
		'is an error for `next`: %s',
		async (next) => {
			const { pages, error } = await read([{ data: [page(1)], next }]);
			expect(pages).toEqual([1]);
			expect(error?.message).toBe(
				"The service's link to further pages leads to something else than this crawl",
			);
			expect(error?.description).toMatch(/^1 pages were .*”\. Report it to the service\.$/);
		},
	);
});

it('takes over what follows the own path only', async () => {
	await start();
	const own = '/v1/crawl/abc';
	expect(pathOf('https://x.example/v1/crawl/abc?skip=2&a=%2F', own)).toBe(
		'/v1/crawl/abc?skip=2&a=%2F',
	);
	expect(pathOf('/v2/crawl/abc?skip=2', own)).toBe('/v2/crawl/abc?skip=2');
	expect(pathOf('/v2/crawl/abc?skip=2', `${own}?skip=1`)).toBe('/v2/crawl/abc?skip=2');
	expect(pathOf('/v3/crawl/abc?skip=2', own)).toBeUndefined();
	expect(pathOf('https://x.example/v1/crawl/abcd', own)).toBeUndefined();
	expect(pathOf('https://x.example/v1/crawl/abc/../../v2/team', own)).toBeUndefined();
	expect(pathOf('//evil.example/v1/crawl/abc', own)).toBe('/v1/crawl/abc');
	expect(pathOf('javascript:alert(1)', own)).toBeUndefined();
});
