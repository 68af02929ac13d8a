import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { startService, type LocalService } from '../../mock-service';
import { PolledTrigger } from '../support/polledTrigger';
import type { Shared, TriggerCase } from './frozen';
import { frozenItem } from './run';
import { recorder } from './wire';

const WATCHED = '5f3b2c1a-8d4e-4f6a-9b0c-1d2e3f4a5b6c';
const SITE = 'https://docs.northwind.example';

/** What workflows may hold of the crawl trigger. */
const FORMS: Record<string, INodeParameters> = {
	'any crawl': {},
	'crawls of matching URLs': { urlPattern: 'https://docs.*\n/wanted' },
	'crawls that failed': { events: ['failed'] },
	'crawls that ended otherwise': { events: ['other'] },
	'every end': { events: ['completed', 'failed', 'other'] },
	'any crawl, pages': { output: 'pages' },
	'any crawl, three pages': { output: 'pages', returnAll: false, limit: 3 },
	'one crawl': { watch: 'specific', crawls: WATCHED },
	'one crawl by its URL, pages': {
		watch: 'specific',
		crawls: `https://api.example.com/v2/crawl/${WATCHED}`,
		output: 'pages',
	},
};

/**
 * Records the trigger over an upgrade: the state that polls saved while crawls ran, and what the next poll emits
 * after they have ended.
 */
export async function recordTrigger(shared: Shared): Promise<TriggerCase[]> {
	const cases: TriggerCase[] = [];
	for (const [name, parameters] of Object.entries(FORMS)) {
		for (const activity of [true, false]) {
			const service = await startService({ crawlMs: 0, activity });
			const title = activity ? name : `${name}, no list of recent activity`;
			cases.push({ name: title, ...(await record(service, parameters, shared)) });
			await service.close();
		}
	}
	return cases;
}

async function record(
	service: LocalService,
	parameters: INodeParameters,
	shared: Shared,
): Promise<Omit<TriggerCase, 'name'>> {
	const seen: Record<string, string> = {};
	const wire = await recorder(
		service.url,
		service.apiKey,
		() => undefined,
		({ path }, response) => {
			seen[path] = shared.add(response);
		},
	);
	service.crawls.add({ status: 'completed' });
	service.crawls.add({ id: WATCHED, url: SITE, pages: 5 });
	const failing = service.crawls.add({ url: 'https://market.harbor.example', pages: 2 });
	const stopped = service.crawls.add({ url: 'https://blog.example.com/wanted' });
	const trigger = new PolledTrigger({ url: wire.url, apiKey: service.apiKey }, parameters);
	await trigger.poll();
	const state = trigger.saved;
	service.crawls.end(WATCHED);
	service.crawls.end(failing.id, 'failed');
	service.crawls.end(stopped.id, 'cancelled');
	for (const path of Object.keys(seen)) delete seen[path];
	const now = Date.now();
	const emitted = await trigger.poll();
	await wire.close();
	return {
		parameters,
		typeVersion: 1,
		state,
		now,
		responses: seen,
		emitted: frozenItems(emitted, wire.url),
	};
}

/** The items of a poll; crawls that end in the same poll come in any order. */
export function frozenItems(items: INodeExecutionData[] | null, url: string) {
	const text = (json: IDataObject) => JSON.stringify(json);
	return (
		items
			?.map((item) => frozenItem(item, url))
			.sort((a, b) => (text(a.json) < text(b.json) ? -1 : 1)) ?? null
	);
}
