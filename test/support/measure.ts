// Measures the request path at full size through n8n-core's engine: npx tsx test/support/measure.ts [case …]
import 'reflect-metadata';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { IDataObject, INodeType } from 'n8n-workflow';

import { followPages } from '../../nodes/shared/jobs/pages';
import { callService } from '../../nodes/shared/transport';
import { startService, type ServiceOptions } from '../../mock-service';
import { callNode } from './callNode';
import { itemsOf, runNode } from './engine';

const cases: Record<string, () => Promise<void>> = {
	window: async () =>
		await limited({ rateLimit: { requests: 50, perMs: 1_000, retryAfter: 'seconds' } }),
	windowSlow: async () =>
		await limited({
			rateLimit: { requests: 50, perMs: 1_000, retryAfter: 'seconds' },
			latencyMs: 300,
		}),
	windowNone: async () =>
		await limited({ rateLimit: { requests: 50, perMs: 1_000, retryAfter: 'none' } }),
	slow: async () => await limited({ latencyMs: 500 }),
	slowAtOnce: async () => await limited({ latencyMs: 500 }, allAtOnce()),
	fast: async () => await limited({}),
	fastAtOnce: async () => await limited({}, allAtOnce()),
	crawl: async () => await crawl(),
	crawlPlain: async () => await crawlPlain(),
};

/** The same calls by n8n alone, which sends all at once, with the same two expressions an HTTP Request would need. */
function allAtOnce(): INodeType {
	const { description } = callNode();
	return {
		description: {
			...description,
			requestDefaults: {
				baseURL: '={{ $credentials.baseUrl }}',
				method: 'POST',
				url: '/v2/search',
			},
			properties: [
				{
					displayName: 'Query',
					name: 'query',
					type: 'string',
					default: '={{ "item " + $json.n }}',
					routing: { send: { type: 'body', property: 'query' } },
				},
			],
		},
	};
}

const CRAWL = { pages: 1_000, pageBytes: 100 * 1_024, status: 'completed' };

/** A crawl of 100 MB in ten parts whose `next` names an internal host; beside it, see crawlPlain. */
async function crawl(): Promise<void> {
	await inOwnService(async (url, apiKey, id) => {
		const nodeType = callNode({}, async (caller, call, settings) => {
			const first = await callService(caller, call, settings);
			const pages: IDataObject[] = [];
			for await (const part of followPages(caller, call, first, settings)) pages.push(...part);
			return pages.map((json) => ({ json }));
		});
		const { output, error } = await runNode({
			nodeType,
			parameters: {},
			items: itemsOf({ method: 'GET', path: `/v1/crawl/${id}` }),
			credentials: { baseUrl: url, apiKey },
		});
		if (error) throw new Error(error.message);
		return output[0].map((item) => item.json);
	});
}

/** The same parts by fetch and JSON.parse. */
async function crawlPlain(): Promise<void> {
	await inOwnService(async (url, apiKey, id) => {
		const pages: unknown[] = [];
		let path: string | undefined = `/v1/crawl/${id}`;
		while (path !== undefined) {
			const response = await fetch(url + path, { headers: { authorization: `Bearer ${apiKey}` } });
			const body = JSON.parse(await response.text()) as { data: unknown[]; next?: string | null };
			pages.push(...body.data);
			path = body.next ? body.next.replace(/^https?:\/\/[^/]+/, '') : undefined;
		}
		return pages;
	});
}

async function inOwnService(
	read: (url: string, apiKey: string, id: string) => Promise<unknown[]>,
): Promise<void> {
	// In a process of its own, so that its memory is not counted.
	const service = fork(join(__dirname, 'crawlProcess.ts'), [JSON.stringify(CRAWL)], {
		execArgv: ['--import', 'tsx'],
	});
	const [{ url, apiKey, id }] = (await once(service, 'message')) as [Record<string, string>];
	global.gc?.();
	const idle = process.memoryUsage().rss;
	const started = Date.now();
	const pages = await read(url, apiKey, id);
	const seconds = (Date.now() - started) / 1_000;
	const peak = process.resourceUsage().maxRSS * 1_024;
	const urls = new Set(pages.map((page) => JSON.stringify((page as IDataObject).metadata)));
	print(read.toString().includes('fetch(') ? 'plain' : 'ours', {
		pages: pages.length,
		distinct: urls.size,
		seconds,
		peakOverIdleMb: Math.round((peak - idle) / 1_048_576),
	});
	service.kill();
}

async function limited(
	options: ServiceOptions,
	nodeType: INodeType = callNode(),
	count = 1_000,
): Promise<void> {
	const service = await startService({ ...options, credits: 1_000_000 });
	const items = itemsOf(...Array.from({ length: count }, (_, n) => ({ n })));
	const cpu = process.cpuUsage();
	const started = Date.now();
	const { output, error, status } = await runNode({
		nodeType,
		parameters: {},
		items,
		credentials: { baseUrl: service.url, apiKey: service.apiKey },
	});
	const { user, system } = process.cpuUsage(cpu);
	const rejected = service.requests.filter((request) => request.status === 429).length;
	print(JSON.stringify(options), {
		status,
		error: error?.message,
		results: output[0]?.length,
		processed: service.ledger.length,
		distinct: new Set(service.ledger.map((entry) => JSON.stringify(entry.body))).size,
		rejected,
		maxInFlight: service.maxInFlight,
		seconds: (Date.now() - started) / 1_000,
		cpuMsPerItem: (user + system) / 1_000 / count,
	});
	await service.close();
}

function print(title: string, figures: IDataObject): void {
	process.stdout.write(`${title} ${JSON.stringify(figures)}\n`);
}

async function main(): Promise<void> {
	const chosen = process.argv.slice(2);
	for (const [name, run] of Object.entries(cases)) {
		if (chosen.length === 0 || chosen.includes(name)) await run();
	}
	process.exit(0);
}

void main();
