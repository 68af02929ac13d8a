/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IDataObject } from 'n8n-workflow';

import { CollectedPages, collectPages } from '../../../nodes/shared/jobs/collectedPages';
import { callService } from '../../../nodes/shared/client/call';
import { type LocalService, type ServiceOptions, startService } from '../../../mock-service';
import { callNode } from '../../support/callNode';
import { itemsOf, runNode } from '../../support/engine';

let service: LocalService;

afterEach(async () => {
	await service.close();
});

async function start(options: ServiceOptions = {}) {
	service = await startService({ chunkBytes: 5_000, crawlMs: 0, ...options });
}

/** Returns the URLs of a crawl's pages, and the error that their collection ended with. */
async function pagesOf(id: string, settings: { limit?: number } = {}) {
	const urls: string[] = [];
	const take = (fresh: IDataObject[]) => {
		for (const { metadata } of fresh) urls.push(String((metadata as IDataObject).sourceURL));
	};
	const { error } = await runNode({
		nodeType: callNode({}, async (caller, call, callSettings) => {
			const first = await callService(caller, call, callSettings);
			const collecting = { collected: new CollectedPages(), take };
			await collectPages(caller, call, first, { ...callSettings, ...settings, ...collecting });
			return [{ json: {} }];
		}),
		parameters: {},
		items: itemsOf({ method: 'GET', path: `/v2/crawl/${id}` }),
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

it('following `next` sends the key nowhere else', async () => {
	let hits = 0;
	const other = createServer((_request, response) => {
		hits++;
		response.end('{}');
	});
	await new Promise<void>((done) => other.listen(0, '127.0.0.1', done).unref());
	const { port } = other.address() as AddressInfo;
	await start({ mangleNext: (next) => next.replace(/\/\/[^/]+/, `//127.0.0.1:${port}`) });
	const { id } = service.crawls.add({ pages: 20, pageBytes: 1_000, status: 'completed' });
	expect((await pagesOf(id)).urls).toHaveLength(20);
	expect(hits).toBe(0);
	other.close();
});

it.each<[string, (next: string) => string, RegExp]>([
	['another endpoint', (next) => next.replace(/crawl\/.*/, 'team/activity'), /leads elsewhere/],
	['another crawl', (next) => next.replace(/crawl\/[^?]+/, 'crawl/other'), /leads elsewhere/],
	['up the path', (next) => next.replace(/\?/, '/../active?'), /leads elsewhere/],
	['itself', (next) => next.replace(/skip=\d+/, 'skip=4'), /in circles/],
])('rejects a `next` that leads to %s', async (_name, mangleNext, message) => {
	await start({ mangleNext });
	const { id } = service.crawls.add({ pages: 40, pageBytes: 1_000, status: 'completed' });
	const { urls, error } = await pagesOf(id);
	expect(error?.message).toMatch(message);
	expect(urls.length).toBeGreaterThan(0);
	expect(service.requests.length).toBeLessThan(4);
});

it('following `next` fetches nothing beyond the limit', async () => {
	await start();
	const { id } = service.crawls.add({ pages: 40, pageBytes: 1_000, status: 'completed' });
	const { urls } = await pagesOf(id, { limit: 3 });
	expect(urls).toHaveLength(3);
	expect(service.requests).toHaveLength(1);
	expect((await pagesOf(id, { limit: 11 })).urls).toHaveLength(11);
	expect(service.requests.length).toBeLessThan(5);
});

it('following `next` of a running crawl ends at the pages it had at first', async () => {
	await start();
	const { id } = service.crawls.add({ pages: 40, pageBytes: 1_000, status: 'scraping' });
	service.crawls.progress(id, 20);
	const soFar = await pagesOf(id);
	expect(soFar.error).toBeUndefined();
	expect(new Set(soFar.urls).size).toBe(20);
	expect(soFar.urls).toHaveLength(20);
	expect(service.requests.length).toBeLessThan(12);
});

it('following `next` repeats a part that fails, and gives the pages so far when it keeps failing', async () => {
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
