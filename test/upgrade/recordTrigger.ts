import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { type LocalService, startService } from '../../mock-service';
import { WebDataCrawlTrigger } from '../../nodes/WebDataCrawlTrigger/WebDataCrawlTrigger.node';
import { WebDataPageTrigger } from '../../nodes/WebDataPageTrigger/WebDataPageTrigger.node';
import { WebDataSearchTrigger } from '../../nodes/WebDataSearchTrigger/WebDataSearchTrigger.node';
import { PolledTrigger } from '../support/polledTrigger';
import type { Shared, TriggerCase } from './frozen';
import { frozenItem } from './run';
import { recorder } from './wire';

const WATCHED = '5f3b2c1a-8d4e-4f6a-9b0c-1d2e3f4a5b6c';
const FAILING = WATCHED.replace('5', '6');
const STOPPED = WATCHED.replace('5', '7');
const SITE = 'https://docs.northwind.example';

/** A trigger: what workflows may contain of it, and what happens at the service before and between two polls. */
interface Recorded {
	make: () => PolledNode;
	forms: Record<string, INodeParameters>;
	before: (service: LocalService) => void;
	between: (service: LocalService) => void;
}

type PolledNode = NonNullable<ConstructorParameters<typeof PolledTrigger>[4]>;

export const TRIGGERS: Record<string, Recorded> = {
	webDataCrawlTrigger: {
		make: () => new WebDataCrawlTrigger(),
		forms: {
			'any crawl': {},
			'crawls of matching URLs': { options: { urlPattern: 'https://docs.*\n/wanted' } },
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
			'any crawl, pages as files': { output: 'pages', options: { pagesAs: 'files' } },
			'any crawl, some fields of its pages': {
				output: 'pages',
				options: { fieldsToReturn: ['title', 'markdown'] },
			},
			'one crawl, some fields of its pages as files': {
				watch: 'specific',
				crawls: WATCHED,
				output: 'pages',
				options: { pagesAs: 'files', fieldsToReturn: ['statusCode'] },
			},
			'any crawl, one per execution': { options: { oneCrawlPerExecution: true } },
		},
		before: ({ crawls }) => {
			crawls.add({ status: 'completed' });
			crawls.add({ id: WATCHED, url: SITE, pages: 5 });
			crawls.add({ id: FAILING, url: 'https://market.harbor.example', pages: 2 });
			crawls.add({ id: STOPPED, url: 'https://blog.example.com/wanted' });
		},
		between: ({ crawls }) => {
			crawls.end(WATCHED);
			crawls.end(FAILING, 'failed');
			crawls.end(STOPPED, 'cancelled');
		},
	},
	webDataSearchTrigger: {
		make: () => new WebDataSearchTrigger(),
		forms: { 'new results': { query: 'solar power' } },
		before: () => {},
		between: ({ web }) => {
			for (const name of ['a', 'b']) {
				web.addHits({ url: `${SITE}/${name}`, title: `About ${name}`, description: 'Text' });
			}
		},
	},
	webDataPageTrigger: {
		make: () => new WebDataPageTrigger(),
		forms: {
			'a page': { urls: SITE },
			'new pages of a site': { triggerOn: 'site', url: SITE },
			'new pages of a site, with content': { triggerOn: 'site', url: SITE, output: 'pages' },
		},
		before: ({ web }) => {
			web.setPage(SITE, { markdown: '# Prices\n\nBasic: 10' });
			web.setSite(SITE, [`${SITE}/a`]);
		},
		between: ({ web }) => {
			web.setPage(SITE, { markdown: '# Prices\n\nBasic: 12' });
			web.setSite(SITE, [`${SITE}/b`, `${SITE}/a`]);
		},
	},
};

/**
 * Records a trigger over an upgrade: the state saved by polls, and what the next poll emits after something has
 * happened at the service.
 */
export async function recordTrigger(name: string, shared: Shared): Promise<TriggerCase[]> {
	const cases: TriggerCase[] = [];
	for (const [title, parameters] of Object.entries(TRIGGERS[name].forms)) {
		// only the crawl trigger asks for the list of recent activity
		for (const activity of name === 'webDataCrawlTrigger' ? [true, false] : [true]) {
			const service = await startService({ crawlMs: 0, activity });
			const label = activity ? title : `${title}, no list of recent activity`;
			cases.push({ name: label, ...(await record(service, TRIGGERS[name], parameters, shared)) });
			await service.close();
		}
	}
	return cases;
}

async function record(
	service: LocalService,
	{ make, before, between }: Recorded,
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
	const node = make();
	const typeVersion = Math.max(...[node.description.version].flat());
	const own = { url: wire.url, apiKey: service.apiKey };
	const trigger = new PolledTrigger(own, parameters, {}, typeVersion, node);
	before(service);
	await trigger.poll();
	const state = trigger.saved;
	between(service);
	for (const path of Object.keys(seen)) delete seen[path];
	const now = Date.now();
	const emitted = await trigger.poll();
	await wire.close();
	return {
		parameters,
		typeVersion,
		state,
		now,
		responses: seen,
		emitted: frozenItems(emitted, wire.url),
	};
}

/** Returns the items of a poll; crawls that end in the same poll are in any order. */
export function frozenItems(items: INodeExecutionData[] | null, url: string) {
	const text = (json: IDataObject) => JSON.stringify(json);
	return (
		items
			?.map((item) => frozenItem(item, url))
			.sort((a, b) => (text(a.json) < text(b.json) ? -1 : 1)) ?? null
	);
}
