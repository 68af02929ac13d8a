import { LoadOptionsContext } from 'n8n-core';
import { type INodeListSearchResult, type INodeType, Workflow } from 'n8n-workflow';

import { WebDataAgent } from '../../nodes/WebDataAgent/WebDataAgent.node';
import { WebDataExtract } from '../../nodes/WebDataExtract/WebDataExtract.node';
import { WebDataScrape } from '../../nodes/WebDataScrape/WebDataScrape.node';
import type { LocalService } from '../../mock-service';
import { engine, nodeOf } from '../support/engine';
import { served } from '../support/served';

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
	return await node.methods!.listSearch!.searchJobs.call(context, filter, token);
}

const [agent, extract, scrape] = [new WebDataAgent(), new WebDataExtract(), new WebDataScrape()];
const urls = 'https://a.example/Page';

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

	it.each([404, 500])('are left to By ID where a service answers %i', async (status) => {
		service.fail({ status, body: { success: false, error: 'The database is not configured' } });
		await expect(listed(agent)).rejects.toThrow(
			'This service does not list its jobs: choose By ID',
		);
	});

	it('say what else is wrong', async () => {
		service.fail({ status: 401, body: { success: false, error: 'Unauthorized' } });
		await expect(listed(agent)).rejects.toThrow(/API key/);
	});
});
