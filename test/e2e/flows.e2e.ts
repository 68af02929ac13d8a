/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
/** The example workflows as they are in `examples/`, and the three kinds of flows the package is for. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';

import { examples, withCredential } from '../../scripts/lib/examples.mjs';
import { type FlowNode, chain, node, ours } from './support/flow';
import { type Execution, Lab, toExecution } from './support/lab';
import { until } from '../support/until';

let lab: Lab;

before(async () => {
	lab = await Lab.open({ service: { crawlMs: 1000, jobMs: 500 } });
});

after(async () => {
	await lab?.close();
});

interface Example {
	id: string;
	name: string;
	nodes: FlowNode[];
}

const exampleOf = (id: string) =>
	withCredential(
		examples().find((one) => one.id === id),
		lab.credential,
	) as Example;

/** Imports an example, changed by `change`, and runs it from the named trigger. */
async function runExample(
	id: string,
	trigger: string,
	change: (workflow: Example) => void = () => {},
): Promise<Execution> {
	const workflow = exampleOf(id);
	change(workflow);
	const saved = await lab.client.saveWorkflow(workflow);
	const execution = toExecution(await lab.client.run(saved, trigger, 90_000));
	assert.equal(execution.status, 'success', execution.error?.message);
	return execution;
}

const rowsOf = async (table: string) => (await lab.client.tableRows(table)) as IDataObject[];

describe('Examples', () => {
	it('Scheduled search to a table: a second run adds no row twice', async () => {
		await runExample('webDataSearchTbl', 'Every morning');
		const rows = await rowsOf('Web search results');
		assert.equal(rows.length, 10);
		await runExample('webDataSearchTbl', 'Every morning');
		assert.equal((await rowsOf('Web search results')).length, 10);
	});

	it('News digest with only new items: makes one message of all news', async () => {
		const execution = await runExample('webDataNewItems0', 'New in the news');
		const [{ json }, ...others] = execution.items('Send the digest');
		assert.deepEqual(others, []);
		assert.match(String(json.subject), /^10 new: renewable energy storage/);
		assert.equal(String(json.text).split('\n\n').length, 10);
	});

	it('Page change to alert: tells changes and pages that cannot be read apart', async () => {
		lab.service.web.setPage('https://example.com/pricing', { markdown: 'Pro: 12' });
		lab.service.web.setPage('https://example.com/terms', { statusCode: 403 });
		const execution = await runExample('webDataPageAlert', 'A page has changed');
		const [changed] = execution.items('Write the change');
		assert.match(String(changed.json.text), /^https:\/\/example.com\/pricing\n\n\+ Pro: 12$/);
		const [failed] = execution.items('Write what is wrong');
		assert.equal(failed.json.subject, 'Cannot be read: https://example.com/terms');
		assert.match(String(failed.json.text), /403/);
	});

	it("A competitor's new posts to chat: writes one message with all posts", async () => {
		const post = (n: number) => ({
			url: `https://northwind.example/blog/post-${n}`,
			title: `Post ${n}`,
			description: 'Text',
		});
		lab.service.web.setSite('https://northwind.example', [
			'https://northwind.example/about',
			post(1),
			post(2),
		]);
		const execution = await runExample('webDataNewPosts0', 'New posts');
		const [{ json }, ...others] = execution.items('Post to the chat');
		assert.deepEqual(others, []);
		assert.equal(
			json.text,
			[1, 2].map((n) => `• Post ${n}\nhttps://northwind.example/blog/post-${n}`).join('\n'),
		);
	});

	it('Pick a crawl and get its pages: waits for the crawl and gives each page', async () => {
		const { id } = lab.service.crawls.add({ pages: 12 });
		const execution = await runExample(
			'webDataPickCrawl',
			'When you click Execute',
			({ nodes }) => {
				const get = nodes.find(({ name }) => name === 'Get the pages');
				get!.parameters.crawlId = { __rl: true, mode: 'list', value: id };
				setTimeout(() => lab.service.crawls.end(id), 1500);
			},
		);
		const items = execution.items('Title, address and text');
		assert.equal(items.length, 12);
		assert.equal(new Set(items.map(({ json }) => json.url)).size, 12);
		assert.ok(items.every(({ json }) => json.title && json.text));
	});

	it('Agent task: one item with the fields of the schema', async () => {
		const execution = await runExample('webDataAgentTask', 'When you click Execute');
		const items = execution.items('Find the facts');
		assert.equal(items.length, 1);
		assert.deepEqual(Object.keys(items[0].json).sort(), ['city', 'founded', 'founders']);
	});

	it('Research a company: one record with the pages it is based on', async () => {
		await runExample('webDataResearch0', 'When you click Execute');
		const rows = await rowsOf('Companies');
		assert.equal(rows.length, 1);
		assert.equal(rows[0].company, 'Northwind Coffee');
		assert.ok(rows[0].business && rows[0].city);
		assert.equal(String(rows[0].pages).split('\n').length, 3);
	});

	it('Crawl a site every Monday: published, the trigger puts each page in the table once', async () => {
		const execution = await runExample('webDataMonCrawl0', 'Every Monday');
		const [started] = execution.items('Start the crawl');
		assert.match(String(started.json.id), /^[0-9a-f-]{36}$/);

		const saved = await lab.client.getWorkflow('webDataMonCrawl0');
		const polls = () =>
			lab.service.requests.filter(({ path }) => path === '/v2/crawl/active').length;
		const before = polls();
		await lab.client.request('POST', `/workflows/${saved.id}/activate`, {
			versionId: saved.versionId,
		});
		await until('the first poll', () => polls() > before, 90_000);
		// the first poll sets the baseline, so the crawl to report starts after it
		await runStart();
		await until(
			'the pages',
			async () => ((await rowsOf('Crawled pages')) ?? []).length > 0,
			150_000,
		);
		await sleep(2000);
		const rows = await rowsOf('Crawled pages');
		assert.equal(new Set(rows.map(({ url }) => url)).size, rows.length);
		assert.ok(rows.every(({ title, text }) => title && text));
		await lab.client.request('POST', `/workflows/${saved.id}/deactivate`, {});
	});
});

/** Starts the crawl as the upper flow of the Monday example does. */
async function runStart(): Promise<void> {
	const workflow = await lab.client.getWorkflow('webDataMonCrawl0');
	const execution = await lab.client.run(workflow, 'Every Monday', 60_000);
	assert.equal(execution.status, 'success');
}

describe('Kinds of flows', () => {
	it('no-code chain: search, filter, agent, table', async () => {
		const filter = node(
			'n8n-nodes-base.filter',
			{
				conditions: {
					options: { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 2 },
					conditions: [
						{
							id: '1',
							leftValue: '={{ $json.source }}',
							rightValue: 'news',
							operator: { type: 'string', operation: 'equals' },
						},
					],
					combinator: 'and',
				},
				options: {},
			},
			{ name: 'Only news', typeVersion: 2.2 },
		);
		const create = node(
			'n8n-nodes-base.dataTable',
			{
				resource: 'table',
				operation: 'create',
				tableName: 'Summaries',
				columns: {
					column: [
						{ name: 'url', type: 'string' },
						{ name: 'summary', type: 'string' },
					],
				},
				options: { createIfNotExists: true },
			},
			{ name: 'Table' },
		);
		const insert = node(
			'n8n-nodes-base.dataTable',
			{
				resource: 'row',
				operation: 'insert',
				dataTableId: { __rl: true, mode: 'name', value: 'Summaries' },
				columns: {
					mappingMode: 'defineBelow',
					value: { url: "={{ $('Only news').item.json.url }}", summary: '={{ $json.summary }}' },
					matchingColumns: [],
					schema: ['url', 'summary'].map((id) => ({
						id,
						displayName: id,
						type: 'string',
						display: true,
						required: false,
						defaultMatch: false,
						canBeUsedToMatch: true,
					})),
				},
				options: {},
			},
			{ name: 'Keep' },
		);
		const execution = await lab.run(
			chain([
				create,
				ours('webDataSearch', {
					operation: 'search',
					query: 'tea',
					limit: 2,
					options: { sources: ['web', 'news'] },
				}),
				filter,
				ours('webDataAgent', {
					operation: 'startAndWait',
					prompt: '=Summarize {{ $json.url }}',
					schemaFrom: 'example',
					schemaExample: '{ "summary": "It says …" }',
				}),
				insert,
			]),
		);
		assert.equal(execution.status, 'success', execution.error?.message);
		const news = execution.items('Only news').map(({ json }) => json.url);
		assert.equal(news.length, 2);
		const rows = await rowsOf('Summaries');
		assert.deepEqual(
			rows.map(({ url }) => url),
			news,
		);
		assert.ok(rows.every(({ summary }) => summary));
	});
});

it('what was sent kept to the contract', () => {
	assert.deepEqual(lab.service.violations, []);
});
