/* eslint-disable @n8n/community-nodes/no-restricted-imports */
/** Flows on Engine 2.0, n8n's next way to run workflows. It needs PostgreSQL. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { IDataObject } from 'n8n-workflow';

import { freePort } from '../../scripts/lib/machine.mjs';
import { chain, ours } from './support/flow';
import { type ExecutionItem, Lab } from './support/lab';
import { type Server, startPostgres } from './support/servers';

let postgres: Server;
let lab: Lab;

before(async () => {
	postgres = await startPostgres();
	lab = await Lab.open({
		service: { crawlMs: 300, jobMs: 300 },
		env: {
			N8N_ENABLED_MODULES: 'engine-v2',
			N8N_ENGINE_DATABASE_URL: `postgres://n8n@127.0.0.1:${postgres.port}/n8n`,
			N8N_ENGINE_HOST: '127.0.0.1',
			N8N_ENGINE_PORT: `${await freePort()}`,
			N8N_ENGINE_CONTROL_PLANE_PORT: `${await freePort()}`,
		},
	});
});

after(async () => {
	await lab?.close();
	await postgres?.stop();
});

const SITE = 'https://docs.northwind.example';

/** Node, its parameters, the items before it, and how many come out. */
const FLOWS: Array<[type: string, parameters: IDataObject, items: IDataObject[], count: number]> = [
	['webDataSearch', { operation: 'search', query: '={{ $json.topic }}' }, [{ topic: 'tea' }], 5],
	[
		'webDataScrape',
		{ operation: 'scrape', url: SITE, formats: ['screenshot'], options: { downloadFiles: true } },
		[{}],
		1,
	],
	['webDataAgent', { operation: 'startAndWait', prompt: 'Who founded Northwind?' }, [{}], 1],
	['webDataUsage', { operation: 'getCredits' }, [{}], 1],
	['webDataCrawl', { operation: 'startAndWait', url: SITE, maxPages: 4 }, [{}], 4],
	[
		'webDataScrape',
		{ operation: 'batchStartAndWait', urls: '={{ $json.url }}' },
		[{ url: 'https://a.example' }, { url: 'nonsense' }],
		2,
	],
];

describe('Engine 2.0 runs', () => {
	for (const [type, parameters, items, count] of FLOWS) {
		it(`${type}: ${String(parameters.operation)}`, async () => {
			const flow = chain([ours(type, parameters)], { items });
			flow.settings.engineType = 'v2';
			const execution = await lab.run(flow, 60_000);
			assert.equal(execution.status, 'success');
			// Only Engine 2.0 has such IDs.
			assert.match(execution.id, /^[0-9a-f]+-/);
			const output: ExecutionItem[] = execution.items(type);
			assert.equal(output.length, count);
		});
	}
});
