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

it('sends a report again until it is taken, three times at most, with the headers and metadata asked for', async () => {
	statuses = [500, 404, 503];
	const own = {
		headers: { 'x-token': 'abc' },
		metadata: { customer: '4711' },
		events: ['started'],
	};
	await start('/v2/crawl', { url: 'https://a.example', webhook: { ...webhook, ...own } });
	await reported(4);
	expect(new Set(reports.map(({ body }) => body.webhookId)).size).toBe(1);
	const gaps = reports.slice(1).map(({ at }, index) => at - reports[index].at);
	expect(gaps[2]).toBeGreaterThan(gaps[0]);
	const [{ headers, body }] = reports;
	expect(headers).toMatchObject({ 'x-token': 'abc' });
	expect(body.metadata).toEqual({ customer: '4711' });
});

it('reports each page and the end of a check by a monitor, as often as set', async () => {
	const target = { type: 'scrape', urls: ['https://a.example'] };
	const own = { headers: { 'x-token': 'abc' }, metadata: { customer: '4711' } };
	const body = { name: 'Tea', schedule: { text: 'hourly' }, targets: [target] };
	const options = { monitorMs: 500, jobMs: 1, reportTimes: 2 };
	await start('/v2/monitor', { ...body, webhook: { ...webhook, ...own } }, options);
	await reported(4);
	const [page] = ofType('monitor.page').map((report) => report.body);
	const ids = { monitorId: service.monitors.list()[0].id, checkId: page.id };
	const about = { url: 'https://a.example', status: 'new', isMeaningful: null, error: null };
	const known = { success: true, metadata: { customer: '4711' } };
	expect(page).toMatchObject({
		...known,
		data: [{ ...ids, ...about, judgment: null, diff: null }],
	});
	const [first, second] = ofType('monitor.check.completed');
	const summary = { totalPages: 1, same: 0, changed: 0, new: 1, removed: 0, error: 0 };
	expect(first.body).toMatchObject({ ...known, data: [{ ...ids, status: 'completed', summary }] });
	expect(second.body).toEqual(first.body);
	expect(first.headers).toMatchObject({ 'x-token': 'abc' });
	service.set({ reportTimes: 0 });
	await until('three checks', () => service.monitors.list()[0].checks.length > 2, 10_000, 10);
	expect(reports).toHaveLength(4);
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
