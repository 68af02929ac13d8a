import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NodeConnectionTypes, type INodeType } from 'n8n-workflow';

import { itemsOf, runNode } from '../../support/engine';

class Probe implements INodeType {
	description: INodeType['description'] = {
		displayName: 'Probe',
		name: 'probe',
		group: ['transform'],
		version: 1,
		description: 'One declarative request',
		defaults: { name: 'Probe' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'webDataServiceApi', required: true }],
		requestDefaults: { baseURL: '={{ $credentials.baseUrl }}' },
		properties: [
			{
				displayName: 'Path',
				name: 'path',
				type: 'string',
				default: '',
				routing: { request: { method: 'GET', url: '={{ $value }}' } },
			},
		],
	};
}

describe('runNode', () => {
	const seen: Array<string | undefined> = [];
	const server = createServer((request, response) => {
		seen.push(request.headers.authorization);
		if (request.url === '/hang') return;
		if (request.url === '/bad') response.writeHead(402, { 'content-type': 'application/json' });
		else response.writeHead(200, { 'content-type': 'application/json' });
		response.end(JSON.stringify({ path: request.url }));
	});
	let credentials: { baseUrl: string; apiKey: string };
	beforeAll(async () => {
		await new Promise<void>((done) => server.listen(0, '127.0.0.1', done).unref());
		const { port } = server.address() as AddressInfo;
		credentials = { baseUrl: `http://127.0.0.1:${port}`, apiKey: 'key-of-the-test' };
	});
	afterAll(() => {
		server.closeAllConnections();
		server.close();
	});

	it('runs a declarative node over HTTP with the credential', async () => {
		const { output, error, status } = await runNode({
			nodeType: new Probe(),
			parameters: { path: '={{ $json.path }}' },
			items: itemsOf({ path: '/a' }, { path: '/b' }),
			credentials,
		});
		expect(error).toBeUndefined();
		expect(status).toBe('success');
		expect(output).toMatchObject([[{ json: { path: '/a' } }, { json: { path: '/b' } }]]);
		expect(seen).toEqual(['Bearer key-of-the-test', 'Bearer key-of-the-test']);
	});

	it('gives the error of a failed execution', async () => {
		const { error, status } = await runNode({
			nodeType: new Probe(),
			parameters: { path: '/bad' },
			credentials,
		});
		expect(status).toBe('error');
		expect(error).toMatchObject({ httpCode: '402' });
	});

	it('has an error output', async () => {
		const { output } = await runNode({
			nodeType: new Probe(),
			parameters: { path: '={{ $json.path }}' },
			items: itemsOf({ path: '/a' }, { path: '/bad' }),
			credentials,
			onError: 'continueErrorOutput',
		});
		expect(output).toHaveLength(2);
		expect(output[0]).toHaveLength(1);
		expect(output[1]).toHaveLength(1);
	});

	it('cancels', async () => {
		const controller = new AbortController();
		const running = runNode({
			nodeType: new Probe(),
			parameters: { path: '/hang' },
			credentials,
			signal: controller.signal,
		});
		setTimeout(() => controller.abort(), 100);
		expect((await running).status).toBe('canceled');
	});
});
