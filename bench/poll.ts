import 'reflect-metadata';
import { PollContext } from 'n8n-core';
import type { INodeType } from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';
import { join } from 'node:path';

import { startService } from '../mock-service';
import { engine, nodeOf } from '../test/support/engine';

export interface PollCost {
	activeCrawls: number;
	ms: number;
	requests: number;
	stateBytes: number;
}

/** What a poll of the trigger costs in n8n-core while nothing ends. */
export async function pollCost(activeCrawls: number): Promise<PollCost> {
	const service = await startService({ crawlMs: 0 });
	try {
		for (let n = 0; n < activeCrawls; n++) {
			service.crawls.add({ url: `https://example.com/${n}`, status: 'scraping' });
		}
		const nodeType = await triggerNode();
		const credentials = { baseUrl: service.url, apiKey: service.apiKey };
		const { additionalData, nodeTypes } = engine(nodeType, credentials);
		const node = nodeOf({ nodeType, parameters: {}, credentials });
		const workflow = new Workflow({
			id: 'bench',
			nodes: [node],
			connections: {},
			active: true,
			nodeTypes,
			staticData: {},
		});
		const poll = async () =>
			await nodeType.poll!.call(
				new PollContext(workflow, node, additionalData, 'trigger', 'activate'),
			);
		// The first sets the baseline, the second still compiles.
		await poll();
		await poll();
		const requests = service.requests.length;
		const start = performance.now();
		await poll();
		return {
			activeCrawls,
			ms: performance.now() - start,
			requests: service.requests.length - requests,
			stateBytes: JSON.stringify(workflow.staticData).length,
		};
	} finally {
		await service.close();
	}
}

/** Named with its .ts: without it, tsx takes `X.node` for `X.node.json`. */
async function triggerNode(): Promise<INodeType> {
	const file = join(__dirname, '../nodes/WebDataCrawlTrigger/WebDataCrawlTrigger.node.ts');
	const { WebDataCrawlTrigger } = (await import(file)) as Record<string, new () => INodeType>;
	return new WebDataCrawlTrigger();
}
