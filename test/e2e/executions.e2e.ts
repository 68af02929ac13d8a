/* eslint-disable @n8n/community-nodes/no-restricted-imports */
/** Every operation of every node, run by the real n8n: items, pairing, files, the error output, what was sent. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { IDataObject } from 'n8n-workflow';

import { until } from '../support/until';
import { type Flow, type FlowNode, branch, chain, node, ours } from './support/flow';
import { type Execution, type ExecutionItem, Lab, toExecution } from './support/lab';

let lab: Lab;

before(async () => {
	lab = await Lab.open({ service: { crawlMs: 0, jobMs: 300 } });
});

after(async () => {
	await lab?.close();
});

beforeEach(() => {
	lab.service.requests.length = 0;
	lab.service.clearFaults();
});

/** Returns method, path and body of what was sent to the service since the test began. */
const sent = () =>
	lab.service.requests.map(({ method, path, body }) => ({ method, path, body: body ?? undefined }));

const pairing = (items: ExecutionItem[]) =>
	items.map(({ pairedItem }) => (pairedItem as { item: number }).item);

/** Runs one of our nodes for the items and expects success. */
async function outputOf(
	type: string,
	parameters: IDataObject,
	items?: IDataObject[],
	more: Partial<FlowNode> = {},
): Promise<ExecutionItem[]> {
	const execution = await lab.run(chain([ours(type, parameters, more)], { items }));
	assert.equal(execution.status, 'success', execution.error?.message);
	return execution.items(type);
}

const byId = (id: string) => ({ __rl: true, mode: 'id', value: id });

describe('Web Data Search', () => {
	it('Search: an item per result of three sources, paired with the item it came from', async () => {
		const items = await outputOf(
			'webDataSearch',
			{
				operation: 'search',
				query: '={{ $json.topic }}',
				limit: 2,
				options: { sources: ['web', 'news', 'images'] },
			},
			[{ topic: 'tea' }, { topic: 'coffee' }],
		);
		assert.deepEqual(pairing(items), [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]);
		assert.deepEqual(
			items.map(({ json }) => json.source),
			[...'wwiinnwwiinn'].map((letter) => ({ w: 'web', n: 'news', i: 'images' })[letter]),
		);
		const sources = ['web', 'news', 'images'];
		// Both are sent at once, so either may arrive first.
		const bodies = sent().map(({ body }) => body as IDataObject);
		assert.deepEqual(
			bodies.sort((a, b) => String(a.query).localeCompare(String(b.query))),
			[
				{ query: 'coffee', limit: 2, sources },
				{ query: 'tea', limit: 2, sources },
			],
		);
	});

	it('Search: sends what the form shows', async () => {
		const parameters = { operation: 'search', query: 'tea' };
		const [item] = await outputOf('webDataSearch', parameters);
		assert.deepEqual(
			sent().map(({ body }) => body),
			[{ query: 'tea', limit: 5 }],
		);
		assert.equal(item.json.source, 'web');
	});

	it('Search Web and Scrape Results: pages with markdown, screenshots as files', async () => {
		const items = await outputOf('webDataSearch', {
			operation: 'searchAndScrape',
			query: 'tea',
			formats: ['markdown', 'screenshot'],
			limit: 2,
			options: { browserOptions: { waitFor: 0.1 }, downloadFiles: true },
		});
		assert.equal(items.length, 2);
		for (const { json, binary } of items) {
			assert.match(String(json.markdown), /^# /);
			const [file] = Object.values(binary ?? {});
			assert.equal(file?.mimeType, 'image/png');
			const bytes = await lab.download(file);
			assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
		}
		assert.deepEqual(sent()[0].body, {
			query: 'tea',
			limit: 2,
			scrapeOptions: {
				formats: ['markdown', 'screenshot'],
				waitFor: 100,
			},
		});
	});
});

describe('Web Data Agent', () => {
	it('Start, Get and Cancel', async () => {
		const [started] = await outputOf('webDataAgent', {
			operation: 'start',
			prompt: 'Find the founders',
			maxCredits: 100,
			options: { urls: 'https://example.com/about\nhttps://example.com/team' },
		});
		const jobId = String(started.json.id);
		assert.match(jobId, /^[0-9a-f-]{36}$/);
		assert.deepEqual(sent()[0].body, {
			prompt: 'Find the founders',
			urls: ['https://example.com/about', 'https://example.com/team'],
			maxCredits: 100,
		});
		const [got] = await outputOf('webDataAgent', { operation: 'get', jobId });
		assert.equal(got.json.id, jobId);
		assert.ok(['processing', 'completed'].includes(String(got.json.status)));
		// A job that has ended can't be cancelled.
		lab.service.set({ jobMs: 600_000 });
		const [running] = await outputOf('webDataAgent', { operation: 'start', prompt: 'Find more' });
		const runningId = String(running.json.id);
		const [cancelled] = await outputOf('webDataAgent', { operation: 'cancel', jobId: runningId });
		lab.service.set({ jobMs: 300 });
		assert.equal(cancelled.json.success, true);
		assert.equal(sent().at(-1)?.path, `/v2/agent/${runningId}`);
		assert.equal(sent().at(-1)?.method, 'DELETE');
	});

	it('Start and Wait: one job for each item, its result paired', async () => {
		const items = await outputOf(
			'webDataAgent',
			{
				operation: 'startAndWait',
				prompt: '=Find the founders of {{ $json.company }}',
				schemaFrom: 'example',
				schemaExample: '{ "founders": ["Ada"], "founded": 1990 }',
			},
			[{ company: 'Acme' }, { company: 'Northwind' }],
		);
		assert.deepEqual(pairing(items), [0, 1]);
		for (const { json } of items) {
			assert.equal(typeof json.founded, 'number');
		}
		assert.equal(sent().filter(({ method }) => method === 'POST').length, 2);
	});
});

describe('Web Data Crawl', () => {
	it('Start, List Active Crawls, Get Crawl Status, Get Pages of Crawl, Get Crawl Errors and Cancel', async () => {
		const [started] = await outputOf('webDataCrawl', {
			operation: 'start',
			url: 'https://docs.northwind.example',
			formats: ['markdown', 'links'],
			maxPages: 7,
			includePaths: '^/a\n^/b',
			options: { pages: { sitemap: 'skip' } },
		});
		assert.deepEqual(sent()[0], {
			method: 'POST',
			path: '/v2/crawl',
			body: {
				url: 'https://docs.northwind.example/',
				limit: 7,
				includePaths: ['^/a', '^/b'],
				sitemap: 'skip',
				scrapeOptions: { formats: ['markdown', 'links'] },
			},
		});
		const id = String(started.json.id);
		lab.service.crawls.progress(id, 7);

		const active = await outputOf('webDataCrawl', { operation: 'listActive' });
		assert.ok(active.some(({ json }) => json.id === id));
		const [status] = await outputOf('webDataCrawl', { operation: 'getStatus', crawlId: byId(id) });
		assert.deepEqual([status.json.id, status.json.status], [id, 'scraping']);
		assert.equal('data' in status.json, false);

		const soFar = await outputOf('webDataCrawl', {
			operation: 'getPages',
			crawlId: byId(id),
			returnAll: true,
		});
		assert.deepEqual([soFar.length, soFar[0].json.crawlStatus], [7, 'scraping']);
		const errors = await outputOf('webDataCrawl', { operation: 'getErrors', crawlId: byId(id) });
		assert.ok(errors.every(({ json }) => json.crawlId === id && json.reason));
		const [cancelled] = await outputOf('webDataCrawl', { operation: 'cancel', crawlId: byId(id) });
		assert.equal(cancelled.json.status, 'cancelled');
	});

	it('Get Pages of Crawl: every page once through `next`, or up to Limit without fetching further', async () => {
		lab.service.set({ chunkBytes: 20_000 });
		const { id } = lab.service.crawls.add({ pages: 30, pageBytes: 2000, status: 'completed' });
		const crawlId = {
			__rl: true,
			mode: 'url',
			value: `https://elsewhere.example/v2/crawl/${id}`,
		};
		const all = await outputOf('webDataCrawl', { operation: 'getPages', crawlId, returnAll: true });
		const addresses = all.map(({ json }) => json.url);
		assert.equal(addresses.length, 30);
		assert.equal(new Set(addresses).size, 30);
		const forAll = lab.service.requests.length;
		assert.ok(forAll >= 3, `${forAll} requests`);

		const some = await outputOf('webDataCrawl', { operation: 'getPages', crawlId, limit: 5 });
		assert.equal(some.length, 5);
		assert.equal(lab.service.requests.length - forAll, 1);
		lab.service.set({ chunkBytes: 10_000_000 });
	});

	it('Start and Wait: the pages of the finished crawl', async () => {
		lab.service.set({ crawlMs: 500 });
		const items = await outputOf('webDataCrawl', {
			operation: 'startAndWait',
			url: 'https://docs.northwind.example',
			formats: ['markdown'],
			maxPages: 3,
		});
		lab.service.set({ crawlMs: 0 });
		assert.equal(items.length, 3);
		assert.ok(items.every(({ json }) => json.url && json.markdown));
	});
});

describe('Web Data Extract', () => {
	it('Start and Get', async () => {
		const [started] = await outputOf('webDataExtract', {
			operation: 'start',
			urls: 'https://example.com/products/*',
			prompt: 'Name and price',
			options: { includeSubdomains: false },
		});
		assert.deepEqual(sent()[0], {
			method: 'POST',
			path: '/v1/extract',
			body: {
				urls: ['https://example.com/products/*'],
				prompt: 'Name and price',
				includeSubdomains: false,
			},
		});
		const jobId = String(started.json.id);
		const [got] = await outputOf('webDataExtract', { operation: 'get', jobId });
		assert.equal(got.json.id, jobId);
	});

	it('Start and Wait', async () => {
		const [item] = await outputOf('webDataExtract', {
			operation: 'startAndWait',
			urls: 'https://example.com/products/*',
			schemaFrom: 'json',
			schemaJson: '{ "type": "object", "properties": { "price": { "type": "number" } } }',
		});
		assert.equal(typeof item.json.price, 'number');
	});
});

describe('Web Data Scrape', () => {
	it('Scrape: one page, its screenshot and PDF as files', async () => {
		const [item] = await outputOf('webDataScrape', {
			operation: 'scrape',
			url: 'https://example.com/article',
			formats: ['markdown', 'screenshot'],
			options: {
				browserOptions: {
					actions: { action: [{ type: 'wait', seconds: 0.005 }] },
				},
				downloadFiles: true,
			},
		});
		assert.match(String(item.json.markdown), /^# /);
		assert.ok(Object.values(item.binary ?? {}).some(({ mimeType }) => mimeType === 'image/png'));
		assert.equal((sent()[0].body as IDataObject).url, 'https://example.com/article');
		assert.deepEqual((sent()[0].body as IDataObject).actions, [{ type: 'wait', milliseconds: 5 }]);
	});

	it('Scrape Many Pages: rows of a table and of a sheet, without a node in between', async () => {
		const urls = ['https://shop.example/a', 'https://shop.example/b'];
		urls.forEach((url, n) =>
			lab.service.web.setPage(url, { json: { name: `Lamp ${n}`, price: 10 + n } }),
		);
		const expected = urls.map((url, n) => ({ url, name: `Lamp ${n}`, price: 10 + n }));
		const project = await lab.client.request('GET', '/projects/personal');
		const types = { url: 'string', name: 'string', price: 'number' };
		const columns = Object.entries(types).map(([name, type]) => ({ name, type }));
		const path = `/projects/${project.id}/data-tables`;
		const table = await lab.client.request('POST', path, { name: 'Prices', columns });
		const scrape = ours('webDataScrape', {
			operation: 'batchStartAndWait',
			urls: urls.join('\n'),
			formats: ['json'],
			schemaFrom: 'product',
		});
		const insert = node('n8n-nodes-base.dataTable', {
			resource: 'row',
			operation: 'insert',
			dataTableId: { __rl: true, mode: 'id', value: table.id },
			columns: { mappingMode: 'autoMapInputData', value: null },
		});
		const sheet = node('n8n-nodes-base.convertToFile', { operation: 'csv' }, { typeVersion: 1.1 });
		lab.service.set({ crawlMs: 1 });
		const execution = await lab.run(branch(chain([scrape]), 'webDataScrape', { 0: [insert] }));
		const written = await lab.run(branch(chain([scrape]), 'webDataScrape', { 0: [sheet] }));
		lab.service.set({ crawlMs: 0 });
		assert.equal(execution.status, 'success', execution.error?.message);
		const rows = execution
			.items(insert.name)
			.map(({ json: { url, name, price } }) => ({ url, name, price }));
		assert.deepEqual(rows, expected);
		const [{ binary }] = written.items(sheet.name);
		const text = (await lab.download(binary!.data)).toString().replace(/^\uFEFF/, '');
		const lines = expected.map((row) => Object.values(row).join(','));
		assert.deepEqual(text.trim().split('\n'), ['url,name,price', ...lines]);
	});

	it('Map: an item per page of the site', async () => {
		const items = await outputOf('webDataScrape', {
			operation: 'map',
			siteUrl: 'https://example.com',
			options: { limit: 4 },
		});
		assert.equal(items.length, 4);
		assert.ok(items.every(({ json }) => String(json.url).startsWith('http')));
		assert.deepEqual(sent()[0].body, { url: 'https://example.com/', limit: 4 });
	});
});

describe('Web Data Usage', () => {
	it('Get Historical Usage: an item per month, or per month and key', async () => {
		const months = await outputOf('webDataUsage', { operation: 'getHistorical' });
		assert.ok(months.length > 1);
		assert.ok(months.every(({ json }) => typeof json.creditsUsed === 'number' && json.startDate));
		const keys = await outputOf('webDataUsage', {
			operation: 'getHistorical',
			groupBy: 'key',
		});
		assert.ok(keys.length > months.length);
		assert.deepEqual(lab.service.requests.at(-1)?.query, { byApiKey: 'true' });
	});

	it('Get Remaining Credits, Get Queue Status', async () => {
		const [credits] = await outputOf('webDataUsage', { operation: 'getCredits' });
		assert.equal(typeof credits.json.remainingCredits, 'number');
		const [queue] = await outputOf('webDataUsage', { operation: 'getQueueStatus' });
		assert.equal(typeof queue.json.maxConcurrency, 'number');
	});

	it('List Recent Activity: all jobs by cursor, or up to Limit', async () => {
		const all = await outputOf('webDataUsage', { operation: 'listActivity', returnAll: true });
		assert.ok(all.length > 5);
		const three = await outputOf('webDataUsage', { operation: 'listActivity', limit: 3 });
		assert.deepEqual(
			three.map(({ json }) => json.id),
			all.slice(0, 3).map(({ json }) => json.id),
		);
	});
});

describe('Failures', () => {
	const searches: IDataObject[] = ['one', 'two', 'three'].map((topic) => ({ topic }));

	const failingFlow = (onError?: 'continueErrorOutput' | 'continueRegularOutput'): Flow => {
		const source = node(
			'n8n-nodes-base.set',
			{ mode: 'raw', jsonOutput: '={{ $json }}', options: {} },
			{ name: 'before', typeVersion: 3.4 },
		);
		const search = ours(
			'webDataSearch',
			{ operation: 'search', query: '={{ $json.topic }}', limit: 1 },
			{ onError },
		);
		const look = (name: string) =>
			node(
				'n8n-nodes-base.set',
				{
					mode: 'raw',
					jsonOutput: "={{ { from: $('before').item.json.topic } }}",
					options: {},
				},
				{ name, typeVersion: 3.4 },
			);
		const flow = chain([source, search], { items: searches });
		if (onError === undefined) return flow;
		return branch(flow, 'webDataSearch', { 0: [look('good')], 1: [look('bad')] });
	};

	const failSecond = (status: number, body: IDataObject) =>
		lab.service.fail({
			path: '/v2/search',
			when: ({ body: request }) => (request as IDataObject).query === 'two',
			status,
			body,
		});

	it('Continue (using error output): each item on its branch, $("before").item resolves on both', async () => {
		failSecond(500, { success: false, code: 'UNKNOWN_ERROR', error: 'Something broke' });
		const execution = await lab.run(failingFlow('continueErrorOutput'));
		assert.equal(execution.status, 'success', execution.error?.message);
		const froms = (name: string) => execution.items(name).map(({ json }) => json.from);
		assert.deepEqual(froms('good'), ['one', 'three']);
		assert.deepEqual(froms('bad'), ['two']);
		const [failed] = execution.items('webDataSearch', 1);
		assert.match(String(failed.json.message), /service failed while processing the request/);
		const error = failed.json.error as IDataObject;
		assert.equal(error.httpStatus, 500);
		assert.equal(error.code, 'UNKNOWN_ERROR');
		assert.match(String(error.description), /500.*UNKNOWN_ERROR.*Something broke/s);
		assert.equal(failed.json.topic, 'two', 'the fields of the input item are beside it');
	});

	it('Stop on error: the error says what happened and how many items had finished', async () => {
		failSecond(402, { error: 'Insufficient credits' });
		const execution: Execution = await lab.run(failingFlow());
		assert.equal(execution.status, 'error');
		const text = `${execution.error?.message} ${execution.error?.description}`;
		assert.match(text, /credits/i);
		assert.equal(String(execution.error?.httpCode), '402');
		assert.equal(JSON.stringify(execution.data).includes(lab.service.apiKey), false);
	});

	it('a wrong value is rejected before anything is sent, naming the field and the item', async () => {
		const execution = await lab.run(
			chain(
				[
					ours('webDataSearch', {
						operation: 'search',
						query: '={{ $json.topic }}',
						limit: '={{ $json.limit }}',
					}),
				],
				{
					items: [
						{ topic: 'fine', limit: 3 },
						{ topic: 'wrong', limit: 101 },
					],
				},
			),
		);
		assert.equal(execution.status, 'error');
		assert.match(`${execution.error?.message}`, /Limit/);
		assert.match(`${execution.error?.message} ${execution.error?.description}`, /101/);
		assert.deepEqual(sent(), []);
	});

	it("a job that outlasts the workflow's timeout is an error with its ID, not a canceled execution", async () => {
		lab.service.set({ jobMs: 600_000, crawlMs: 600_000, chunkBytes: 20_000 });
		const crawl = lab.service.crawls.add({ pages: 3 }).id;
		const batch = lab.service.batches.add().id;
		const large = lab.service.crawls.add({ pages: 300, pageBytes: 2_000, status: 'completed' }).id;
		lab.service.fail({ path: new RegExp(large), delayMs: 1_500 });
		const page = 'https://docs.northwind.example';
		const wait = { returnAll: true, options: { ifRunning: 'wait' } };
		const nodes = [
			ours('webDataAgent', { operation: 'startAndWait', prompt: 'Find it' }),
			ours('webDataExtract', { operation: 'startAndWait', urls: page, prompt: 'Find it' }),
			ours('webDataCrawl', { operation: 'startAndWait', url: page, maxPages: 3 }),
			ours('webDataScrape', { operation: 'batchStartAndWait', urls: page }),
			ours('webDataCrawl', { operation: 'getPages', crawlId: byId(crawl), ...wait }),
			ours('webDataScrape', { operation: 'batchGetPages', jobId: batch, ...wait }),
			ours('webDataCrawl', { operation: 'getPages', crawlId: byId(large), returnAll: true }),
		];
		const errors = await Promise.all(
			nodes.map(async (one) => {
				const flow = chain([one]);
				flow.settings.executionTimeout = 10;
				const { status, error } = await lab.run(flow);
				assert.equal(status, 'error', one.name);
				assert.match(`${error?.message}`, /before the workflow's timeout$/);
				return `${error?.description}`;
			}),
		);
		lab.service.set({ jobMs: 300, crawlMs: 0, chunkBytes: 10_000_000 });
		const polled = new Set(sent().map(({ path }) => path.split('/').at(-1)));
		const named = errors.map((text) => /job ID is ([\w-]{36})/i.exec(text)?.[1]);
		assert.equal(new Set(named).size, nodes.length, errors.join('\n'));
		for (const id of named) assert.ok(polled.has(id), `${id} was asked for`);
	});

	it('Retry On Fail does not pay again for an agent task that was started', async () => {
		lab.service.fail({ method: 'GET', path: /\/v2\/agent\//, status: 404, times: 1, body: {} });
		const execution = await lab.run(
			chain([
				ours(
					'webDataAgent',
					{ operation: 'startAndWait', prompt: 'Find it' },
					{ retryOnFail: true, maxTries: 3 },
				),
			]),
		);
		assert.equal(execution.status, 'success', execution.error?.message);
		assert.equal(sent().filter(({ method }) => method === 'POST').length, 1);
	});
});

describe('an execution that n8n puts aside and goes on with later', () => {
	it('Credit Budget lasts over the waits of a loop', async () => {
		lab.service.ledger.length = 0;
		const paid = ours('webDataScrape', {
			operation: 'scrape',
			url: '=https://a.example/{{ $json.n }}',
			options: { creditBudget: 2 },
		});
		const aside = node(
			'n8n-nodes-base.wait',
			{ resume: 'webhook' },
			{ name: 'Wait', typeVersion: 1.1 },
		);
		const rounds = node(
			'n8n-nodes-base.splitInBatches',
			{ batchSize: 1, options: {} },
			{ name: 'Loop', typeVersion: 3 },
		);
		const flow = chain([rounds], { items: [1, 2, 3, 4].map((n) => ({ n })) });
		const looped = branch(flow, rounds.name, { 1: [paid, aside] });
		looped.connections[aside.name] = { main: [[{ node: rounds.name, type: 'main', index: 0 }]] };
		const saved = await lab.save(looped);
		const id = await lab.client.start({ ...saved, pinData: looped.pinData }, 'Start');
		let waits = 0;
		await until('the end', async () => {
			const { status, data } = await lab.client.execution(id);
			if (status !== 'waiting') return status !== 'running' && status !== 'new';
			const signature = `?signature=${data.resumeToken}`;
			const { ok } = await fetch(`${lab.client.url}/webhook-waiting/${id}${signature}`);
			waits += Number(ok);
			return false;
		});
		const execution = toExecution(await lab.client.finished(id));
		assert.equal(waits, 2);
		assert.equal(execution.status, 'error');
		assert.equal(execution.error?.message, 'Not enough Credit Budget left for this item');
		assert.match(`${execution.error?.description}`, /has used up to 2 of 2 credits/);
		const billed = lab.service.ledger.reduce((sum, { credits }) => sum + credits, 0);
		assert.equal(billed, 2);
	});

	it('Start Scraping Many Pages with n8n’s Batching starts all that it was given', async () => {
		const items = [1, 2, 3, 4, 5].map((n) => ({ n }));
		const batching = { batch: { batchSize: 2, batchInterval: 300 } };
		const started = await outputOf(
			'webDataScrape',
			{
				operation: 'batchStart',
				urls: '=https://a.example/{{ $json.n }}',
				requestOptions: { batching },
			},
			items,
		);
		const urls = sent().map(({ body }) => (body as { urls: string[] }).urls.length);
		assert.deepEqual(urls, [2, 2, 1]);
		assert.deepEqual(
			started.map(({ pairedItem }) =>
				(pairedItem as Array<{ item: number }>).map(({ item }) => item),
			),
			[[0, 1], [2, 3], [4]],
		);
	});
});

it('what was sent kept to the contract', () => {
	assert.deepEqual(lab.service.violations, []);
});
