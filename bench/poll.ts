import type { INodeType } from 'n8n-workflow';

import { startService } from '../mock-service';
import { allNodes } from '../scripts/lib/nodes';
import { PolledTrigger } from '../test/support/polledTrigger';

export interface PollCost {
	activeCrawls: number;
	ms: number;
	requests: number;
	stateBytes: number;
}

/** Returns what a poll of the trigger costs in n8n-core while no crawl ends. */
export async function pollCost(activeCrawls: number): Promise<PollCost> {
	const service = await startService({ crawlMs: 0 });
	try {
		for (let n = 0; n < activeCrawls; n++) {
			service.crawls.add({ url: `https://example.com/${n}`, status: 'scraping' });
		}
		const nodeType = allNodes().find(({ description: { name } }) => name === 'webDataCrawlTrigger');
		const trigger = new PolledTrigger(service, {}, {}, undefined, nodeType as Required<INodeType>);
		// The first poll sets the baseline, and code is still being compiled during the second.
		await trigger.poll();
		await trigger.poll();
		const requests = service.requests.length;
		const start = performance.now();
		await trigger.poll();
		return {
			activeCrawls,
			ms: performance.now() - start,
			requests: service.requests.length - requests,
			stateBytes: JSON.stringify(trigger.saved).length,
		};
	} finally {
		await service.close();
	}
}
