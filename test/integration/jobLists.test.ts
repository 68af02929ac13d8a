import { LoadOptionsContext } from 'n8n-core';
import { type INodeListSearchResult, type INodeType, Workflow } from 'n8n-workflow';

import { WebDataMonitor } from '../../nodes/WebDataMonitor/WebDataMonitor.node';
import type { LocalService } from '../../mock-service';
import { engine, nodeOf } from '../support/engine';
import { served } from '../support/served';
import { agent, extract, scrape } from '../support/nodes';

let service: LocalService;
const run = served({ credits: 1_000_000 }, (started) => (service = started));

async function listed(
	node: INodeType,
	filter?: string,
	token?: string,
): Promise<INodeListSearchResult> {
	const credentials = { baseUrl: service.url, apiKey: service.apiKey };
	const { additionalData, nodeTypes } = engine(node, credentials);
	const one = nodeOf({ nodeType: node, parameters: {}, credentials });
	const workflow = new Workflow({ nodes: [one], connections: {}, active: false, nodeTypes });
	const context = new LoadOptionsContext(workflow, one, additionalData, 'jobId');
	const [search] = Object.values(node.methods!.listSearch!);
	return await search.call(context, filter, token);
}

const urls = 'https://a.example/Page';

it('monitors to choose from are found by their name or ID, over several parts of the list', async () => {
	const monitor = new WebDataMonitor();
	for (let n = 0; n < 120; n++) service.monitors.add();
	const { output } = await run(monitor, { operation: 'create', name: 'Prices of Acme', urls });
	const { id } = output[0][0].json;
	expect((await listed(monitor)).results).toHaveLength(121);
	const found = [{ name: `Prices of Acme (${id as string})`, value: id }];
	expect((await listed(monitor, 'acme')).results).toEqual(found);
	expect((await listed(monitor, id as string)).results).toEqual(found);
});

describe('recent jobs to choose from', () => {
	it.each([
		['agent tasks', agent, { operation: 'start', prompt: 'Find the Founders' }, 'founders'],
		['extractions', extract, { operation: 'start', urls, prompt: 'prices' }, 'a.example/page'],
		['batches', scrape, { operation: 'batchStart', urls }, 'a.example/page'],
	])('are %s only, by any part of their subject or ID', async (_kind, node, start, filter) => {
		const { output, error } = await run(node, start);
		expect(error).toBeUndefined();
		const id = output[0][0].json.id as string;
		const of = async (text?: string) =>
			(await listed(node, text)).results.map(({ value }) => value);
		expect(await of()).toContain(id);
		expect(await of(filter)).toContain(id);
		expect(await of(id.toUpperCase())).toEqual([id]);
		expect(await of('no such job')).toEqual([]);
		for (const other of [agent, extract, scrape].filter((one) => one !== node)) {
			const { results } = await listed(other);
			expect(results.map(({ value }) => value)).not.toContain(id);
		}
		const jobId = { __rl: true, mode: 'list', value: id };
		const get = { operation: node === scrape ? 'batchGetPages' : 'get', jobId };
		expect((await run(node, get)).error).toBeUndefined();
	});

	it('come page by page', async () => {
		const page = { success: true, data: [{ id: 'j-1' }], cursor: 'a b', has_more: true };
		service.fail({ status: 200, body: page });
		expect(await listed(agent)).toEqual({
			results: [{ name: 'j-1', value: 'j-1' }],
			paginationToken: 'a b',
		});
		service.clearFaults();
		service.requests.length = 0;
		await listed(agent, '', 'a b');
		expect(service.requests[0].query).toEqual({ endpoint: 'agent', limit: '100', cursor: 'a b' });
	});

	it('are looked for in further pages, of which n8n would not ask for more without a result', async () => {
		const job = (n: number) => ({ id: `j-${n}`, target: n === 250 ? 'Tea' : 'Coffee' });
		for (const page of [0, 1, 2]) {
			const data = Array.from({ length: 100 }, (_, n) => job(page * 100 + n));
			const body = { success: true, data, cursor: `c-${page}`, has_more: page < 2 };
			service.fail({ times: 1, status: 200, body });
		}
		const { results, paginationToken } = await listed(agent, 'tea');
		expect(results).toEqual([{ name: 'Tea (j-250)', value: 'j-250' }]);
		expect(paginationToken).toBeUndefined();
		expect(service.requests.map(({ query }) => (query as { cursor?: string }).cursor)).toEqual([
			undefined,
			'c-0',
			'c-1',
		]);
	});

	it('are looked for in a list that never ends in ten pages at most', async () => {
		const data = [{ id: 'j-1' }];
		for (let n = 0; n < 20; n++) {
			const body = { success: true, data, cursor: `c-${n}`, has_more: true };
			service.fail({ status: 200, body, times: 1 });
		}
		expect(await listed(agent, 'tea')).toEqual({ results: [], paginationToken: 'c-9' });
		expect(service.requests).toHaveLength(10);
	});

	it('are looked for no further where the list goes in circles', async () => {
		const data = [{ id: 'j-1' }];
		service.fail({ status: 200, body: { success: true, data, cursor: 'c', has_more: true } });
		expect(await listed(agent, 'tea')).toEqual({ results: [], paginationToken: 'c' });
		expect(service.requests).toHaveLength(2);
	});

	it('say that the rate limit was reached before whoever looks gives up', async () => {
		service.fail({ status: 429, body: { error: 'Too many requests. Please retry after 57s' } });
		const began = Date.now();
		await expect(listed(agent)).rejects.toThrow(/rate limit/);
		expect(Date.now() - began).toBeLessThan(15_000);
	});

	it.each([{ ids: ['j-1'] }, { success: true, ids: ['j-1'] }, ['j-1'], [{ id: 'j-1' }]])(
		'are read where they are IDs alone: %j',
		async (body) => {
			service.fail({ status: 200, body });
			expect(await listed(agent)).toEqual({ results: [{ name: 'j-1', value: 'j-1' }] });
		},
	);

	it.each([{}, { success: true, data: {} }])(
		'are not said to be none where there is no list: %j',
		async (body) => {
			service.fail({ status: 200, body });
			await expect(listed(agent)).rejects.toThrow("The service's response has no list of jobs");
		},
	);

	it.each([404, 500])('are left to By ID where a service answers %i', async (status) => {
		// The shortest wait before each retry.
		const random = jest.spyOn(Math, 'random').mockReturnValue(0);
		service.fail({ status, body: { success: false, error: 'The database is not configured' } });
		await expect(listed(agent)).rejects.toThrow(
			'This service does not list its jobs: choose By ID',
		);
		random.mockRestore();
	});

	it('say what else is wrong', async () => {
		service.fail({ status: 401, body: { success: false, error: 'Unauthorized' } });
		await expect(listed(agent)).rejects.toThrow(/API key/);
	});
});
