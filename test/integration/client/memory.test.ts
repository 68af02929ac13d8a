/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

import { callNode } from '../../support/callNode';
import { itemsOf, runNode } from '../../support/engine';
import { freshLimiters } from '../../support/limiters';
import { until } from '../../support/until';

const MB = 1024 * 1024;
let server: Server;
let body: Buffer;

beforeAll(async () => {
	server = createServer((_request, response) => {
		const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
		response.writeHead(200, headers).end(body);
	});
	await new Promise<void>((done) => server.listen(0, '127.0.0.1', done).unref());
});

afterAll(() => {
	server.closeAllConnections();
	server.close();
});

it.each([
	['120 MB', 120],
	['60 MB', 60],
])(
	'a small compressed response that holds %s of objects costs little memory',
	async (_name, mb) => {
		freshLimiters();
		body = gzipSync(`[${'{},'.repeat((mb * MB) / 3)}{}]`);
		expect(body.length).toBeLessThan(MB);
		const before = process.memoryUsage().rss;
		let most = before;
		const sampler = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 5);
		const { error } = await runNode({
			nodeType: callNode(),
			parameters: {},
			items: itemsOf({}),
			credentials: {
				baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
				apiKey: 'key-0123456789',
			},
		});
		clearInterval(sampler);
		jest.restoreAllMocks();
		expect(error?.message).toMatch(/too large/);
		expect((most - before) / MB).toBeLessThan(300);
	},
);

it.each([
	['one user', 1, 12, 14],
	['forty users', 40, 1, 60],
])(
	'responses of %s that trickle keep none from another user, and fill only the room there is',
	async (_name, users, each, mb) => {
		freshLimiters();
		const part = Buffer.alloc(mb * MB, ' ');
		let isOver = false;
		let asked = 0;
		const service = createServer((request, response) => {
			response.writeHead(200, { 'content-type': 'application/json' });
			if (request.headers.authorization === 'Bearer healthy-key') {
				response.end(JSON.stringify({ success: true, text: 'x'.repeat(MB / 8) }));
				return;
			}
			asked++;
			response.write(part);
			const trickle = setInterval(() => {
				if (!isOver) response.write(' ');
				else {
					clearInterval(trickle);
					response.end('{}');
				}
			}, 50);
		});
		await new Promise<void>((done) => service.listen(0, '127.0.0.1', done).unref());
		const baseUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
		const run = async (apiKey: string, count: number) =>
			await runNode({
				nodeType: callNode(),
				parameters: {},
				items: itemsOf(...Array.from({ length: count }, () => ({}))),
				credentials: { baseUrl, apiKey },
			});
		const free = process.memoryUsage().rss;
		const slow = Array.from(
			{ length: users },
			async (_, n) => await run(`trickling-key-${n}`, each),
		);
		let before = 0;
		await until('the room to be full', () => {
			const { rss } = process.memoryUsage();
			const isFull = asked === users * each && rss - before < MB;
			before = rss;
			return isFull;
		});
		const began = Date.now();
		const { output, error } = await run('healthy-key', 5);
		expect(error).toBeUndefined();
		expect(output[0]).toHaveLength(5);
		// Until the slow ones are abandoned, nothing else would free room.
		expect(Date.now() - began).toBeLessThan(10_000);
		// The room, the oldest response, and what Node itself needs.
		expect((process.memoryUsage().rss - free) / MB).toBeLessThan(256 + 64 + 250);
		isOver = true;
		service.closeAllConnections();
		await Promise.all(slow);
		service.close();
	},
	60_000,
);
