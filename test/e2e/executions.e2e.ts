/* eslint-disable @n8n/community-nodes/no-restricted-imports */
/** What an execution of the real n8n adds to the nodes: its tables and files, its error output, its timeout and waits. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { IDataObject } from 'n8n-workflow';

import { until } from '../support/until';
import { runsCoreFlows } from './support/coreFlows';
import { branch, chain, node, ours } from './support/flow';
import { Lab, searchWithFailure, toExecution } from './support/lab';

let lab: Lab;

before(async () => {
	lab = await Lab.open({ service: { crawlMs: 300, jobMs: 300 } });
});

after(async () => {
	await lab?.close();
});

beforeEach(() => {
	lab.service.requests.length = 0;
	lab.service.clearFaults();
});

const byId = (id: string) => ({ __rl: true, mode: 'id', value: id });

describe('n8n runs', () => runsCoreFlows(() => lab));

describe('Web Data Scrape', () => {
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
		const execution = await lab.run(branch(chain([scrape]), 'webDataScrape', { 0: [insert] }));
		const written = await lab.run(branch(chain([scrape]), 'webDataScrape', { 0: [sheet] }));
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
});

describe('Failures', () => {
	it('Continue (using error output): each item on its branch, and found there', async () => {
		const failed = await searchWithFailure(lab);
		assert.match(String(failed.json.message), /service failed while processing the request/);
		const error = failed.json.error as IDataObject;
		assert.equal(error.httpStatus, 500);
		assert.equal(error.code, 'UNKNOWN_ERROR');
		assert.match(String(error.description), /500.*UNKNOWN_ERROR.*Something broke/s);
		assert.equal(failed.json.topic, 'two', 'the fields of the input item are beside it');
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
		lab.service.set({ jobMs: 300, crawlMs: 300, chunkBytes: 10_000_000 });
		const polled = new Set(lab.service.requests.map(({ path }) => path.split('/').at(-1)));
		const named = errors.map((text) => /job ID is ([\w-]{36})/i.exec(text)?.[1]);
		assert.equal(new Set(named).size, nodes.length, errors.join('\n'));
		for (const id of named) assert.ok(polled.has(id), `${id} was asked for`);
	});
});

describe('an execution that n8n puts aside and goes on with later', () => {
	it('Credit Budget lasts over the waits of a loop', async () => {
		lab.service.ledger.length = 0;
		const paid = ours(
			'webDataScrape',
			{
				operation: 'scrape',
				// The same call in each round, which Retry On Fail must not take for a further try.
				url: 'https://a.example',
				options: { creditBudget: 2, cacheOptions: { maxAge: 0 } },
			},
			{ retryOnFail: true },
		);
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
});

it('what was sent kept to the contract', () => {
	assert.deepEqual(lab.service.violations, []);
});
