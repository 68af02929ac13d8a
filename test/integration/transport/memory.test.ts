import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

import { callNode } from '../../support/callNode';
import { itemsOf, runNode } from '../../support/engine';
import { freshLimiters } from '../../support/limiters';

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
