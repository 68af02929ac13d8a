/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { type LocalService, type ServiceOptions, startService } from '../../../mock-service';
import { until } from '../../support/until';

interface Report {
	at: number;
	headers: IncomingHttpHeaders;
	body: { type: string; id: string; webhookId: string; [field: string]: unknown };
}

let service: LocalService;
let receiver: Server;
let reports: Report[] = [];
/** The statuses that the receiver responds with first, before 200. */
let statuses: number[] = [];
let webhook: Record<string, unknown>;

beforeEach(async () => {
	[reports, statuses] = [[], []];
	receiver = createServer((request, response) => {
		let text = '';
		request.on('data', (chunk: Buffer) => (text += chunk.toString()));
		request.on('end', () => {
			const body = JSON.parse(text) as Report['body'];
			reports.push({ at: Date.now(), headers: request.headers, body });
			response.writeHead(statuses.shift() ?? 200).end();
		});
	});
	await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
	const { port } = receiver.address() as AddressInfo;
	webhook = { url: `http://127.0.0.1:${port}/hook` };
});
afterEach(async () => {
	await service.close();
	receiver.close();
});

async function start(path: string, body: object, options: ServiceOptions = {}): Promise<string> {
	service = await startService({ crawlMs: 50, jobMs: 20, ...options });
	const response = await fetch(service.url + path, {
		method: 'POST',
		headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
		body: JSON.stringify({ webhook, ...body }),
	});
	return ((await response.json()) as { id: string }).id;
}

const types = () => reports.map(({ body }) => body.type).sort();
const reported = async (count: number) =>
	await until(`${count} reports`, () => reports.length >= count, 10_000, 10);
const ofType = (type: string) => reports.filter(({ body }) => body.type === type);

it('reports the beginning of a crawl, each of its pages, and its end', async () => {
	const id = await start('/v2/crawl', { url: 'https://a.example', limit: 2 });
	await reported(4);
	expect(types()).toEqual(['crawl.completed', 'crawl.page', 'crawl.page', 'crawl.started']);
	expect(new Set(reports.map(({ body }) => body.id))).toEqual(new Set([id]));
	expect(new Set(reports.map(({ body }) => body.webhookId)).size).toBe(4);
	const pages = ofType('crawl.page').flatMap(({ body }) => body.data);
	for (const url of ['https://a.example', 'https://a.example/page-1'])
		expect(pages).toContainEqual(
			expect.objectContaining({ metadata: expect.objectContaining({ url }) }),
		);
	expect(ofType('crawl.completed')[0].body).toMatchObject({ success: true, data: [] });
});

it('tells which pages of a batch failed', async () => {
	await start('/v2/batch/scrape', { urls: ['https://a.example/1', 'https://a.example/fail'] });
	await reported(4);
	expect(types()).toEqual([
		'batch_scrape.completed',
		'batch_scrape.page',
		'batch_scrape.page',
		'batch_scrape.started',
	]);
	const pages = ofType('batch_scrape.page').map(({ body }) => [body.success, body.error]);
	expect(pages).toContainEqual([true, undefined]);
	expect(pages).toContainEqual([false, expect.any(String)]);
});

it.each([['/v2/agent', { prompt: 'x' }, 'agent.completed', [{ creditsUsed: 10, data: {} }]]])(
	'reports the result of %s',
	async (path, body, type, data) => {
		await start(path, body);
		await reported(2);
		expect(types()).toEqual([type, type.replace('completed', 'started')]);
		expect(ofType(type)[0].body).toMatchObject({ success: true, data });
	},
);

it.each([
	['/v2/agent', { prompt: 'fail this' }, 'agent.failed'],
	['/v2/crawl', { url: 'https://fail.example' }, 'crawl.failed'],
])('reports the failure of %s alone where only that is asked for', async (path, body, type) => {
	await start(path, { ...body, webhook: { ...webhook, events: ['failed'] } });
	await reported(1);
	expect(reports.map(({ body }) => body)).toMatchObject([
		{ type, success: false, error: expect.any(String) },
	]);
});

it('reports that a job was cancelled', async () => {
	const id = await start('/v2/agent', { prompt: 'x' }, { jobMs: 0 });
	await fetch(`${service.url}/v2/agent/${id}`, {
		method: 'DELETE',
		headers: { authorization: `Bearer ${service.apiKey}` },
	});
	await reported(2);
	expect(types()).toEqual(['agent.cancelled', 'agent.started']);
});

it('sends the headers and metadata of the request along', async () => {
	const own = {
		headers: { 'x-token': 'abc' },
		metadata: { customer: '4711' },
		events: ['started'],
	};
	const request = { url: 'https://a.example', webhook: { ...webhook, ...own } };
	await start('/v2/crawl', request);
	await reported(1);
	const [{ headers, body }] = reports;
	expect(headers).toMatchObject({ 'x-token': 'abc' });
	expect(body.metadata).toEqual({ customer: '4711' });
});

it('sends a report again until it is taken, three times at most', async () => {
	statuses = [500, 404, 503];
	await start('/v2/crawl', {
		url: 'https://a.example',
		webhook: { ...webhook, events: ['started'] },
	});
	await reported(4);
	expect(new Set(reports.map(({ body }) => body.webhookId)).size).toBe(1);
	const gaps = reports.slice(1).map(({ at }, index) => at - reports[index].at);
	expect(gaps[2]).toBeGreaterThan(gaps[0]);
});

it('calls no other machine', async () => {
	const asked = jest.spyOn(globalThis, 'fetch');
	await start('/v2/crawl', {
		url: 'https://a.example',
		webhook: { url: 'https://b.example/hook' },
	});
	const isOver = (crawl: unknown) => (crawl as { status: string }).status === 'completed';
	await until('the end', () => service.crawls.list().every(isOver), 10_000, 10);
	expect(asked.mock.calls.filter(([to]) => String(to).includes('b.example'))).toEqual([]);
	asked.mockRestore();
});

it.each([
	['/v2/crawl', { url: 'https://a.example', limit: 3 }, 'crawl'],
	[
		'/v2/batch/scrape',
		{ urls: ['a', 'b', 'c'].map((n) => `https://${n}.example`) },
		'batch_scrape',
	],
])(
	'reports each page of %s, though it says too early that it has ended',
	async (path, body, kind) => {
		await start(path, body, { falseEnd: true, crawlMs: 300 });
		await reported(5);
		expect(types()).toEqual([
			`${kind}.completed`,
			...Array<string>(3).fill(`${kind}.page`),
			`${kind}.started`,
		]);
		expect(reports.at(-1)!.body.type).toBe(`${kind}.completed`);
	},
);
