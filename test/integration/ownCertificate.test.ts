/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-dangerous-functions */
import { execFileSync } from 'node:child_process';
import { type AddressInfo, connect } from 'node:net';
import { type Server, createServer } from 'node:tls';
import { LoadOptionsContext } from 'n8n-core';
import { type IDataObject, Workflow } from 'n8n-workflow';

import { WebDataCrawl } from '../../nodes/WebDataCrawl/WebDataCrawl.node';
import { WebDataScrape } from '../../nodes/WebDataScrape/WebDataScrape.node';
import type { LocalService } from '../../mock-service';
import { engine, nodeOf } from '../support/engine';
import { PolledTrigger } from '../support/polledTrigger';
import { served } from '../support/served';

const NOT_TRUSTED = /Could not establish a secure connection to /;
let service: LocalService;
let front: Server;
let root: string;
const run = served({ credits: 1_000 }, (started) => (service = started));

// A proxy in front of the stand-in, with a self-signed certificate.
beforeAll(async () => {
	const pem = execFileSync('openssl', [
		...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
		...['-keyout', '-', '-subj', '/CN=localhost', '-days', '2'],
	]);
	front = createServer({ key: pem, cert: pem }, (socket) => {
		const behind = connect(Number(new URL(service.url).port), '127.0.0.1');
		for (const one of [socket, behind]) one.on('error', () => {});
		socket.pipe(behind).pipe(socket);
	});
	await new Promise<void>((done) => front.listen(0, '127.0.0.1', done).unref());
	root = `https://127.0.0.1:${(front.address() as AddressInfo).port}`;
});

afterAll(() => {
	front.close();
});

const credentials = (ignoreSslIssues: boolean) => ({
	baseUrl: root,
	apiKey: service.apiKey,
	ignoreSslIssues,
});

async function listed(isAllowed: boolean, requestOptions: IDataObject = {}) {
	const crawl = new WebDataCrawl();
	const { additionalData, nodeTypes } = engine(crawl, credentials(isAllowed));
	additionalData.currentNodeParameters = { requestOptions } as never;
	const node = nodeOf({ nodeType: crawl, parameters: {}, credentials: credentials(isAllowed) });
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const context = new LoadOptionsContext(workflow, node, additionalData, 'crawlId');
	return (await crawl.methods.listSearch.searchActiveCrawls.call(context)).results;
}

describe('a service whose certificate nobody signed', () => {
	const scrape = async (isAllowed: boolean, options: IDataObject = {}) =>
		await run(
			new WebDataScrape(),
			{ operation: 'scrape', url: 'https://a.example', options } as never,
			{ credentials: credentials(isAllowed) },
		);

	it('is called by an operation if the credential ignores SSL issues', async () => {
		expect((await scrape(false)).error?.message).toMatch(NOT_TRUSTED);
		expect(service.requests).toHaveLength(0);
		expect((await scrape(true)).error).toBeUndefined();
	});

	it('gives its files then, too', async () => {
		const screenshot = `${root}/files/shot.png`;
		service.fail({ status: 200, body: { success: true, data: { screenshot } } });
		const { output, error } = await scrape(true, { downloadFiles: true });
		expect(error).toBeUndefined();
		expect(output[0][0].binary).toHaveProperty('screenshot');
	});

	it('is polled by a trigger then', async () => {
		const trigger = (isAllowed: boolean) => {
			const polled = new PolledTrigger({ url: root, apiKey: service.apiKey });
			Object.assign(polled.credentials, credentials(isAllowed));
			return polled;
		};
		await expect(trigger(false).poll()).rejects.toThrow(NOT_TRUSTED);
		expect(await trigger(true).poll()).toBeNull();
	});

	it('fills the lists of the form then, or if Request Options ignore SSL issues', async () => {
		await expect(listed(false)).rejects.toThrow(NOT_TRUSTED);
		expect(await listed(true)).toEqual([]);
		expect(await listed(false, { allowUnauthorizedCerts: true })).toEqual([]);
	});
});

it.each([
	['http://me:p%40ss@127.0.0.1:1', /connection was refused/],
	['nonsense', NOT_TRUSTED],
])('a list is fetched through the proxy of Request Options: %s', async (proxy, message) => {
	await expect(listed(false, { proxy, timeout: 5_000 })).rejects.toThrow(message);
});
