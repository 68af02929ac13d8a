/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { IDataObject } from 'n8n-workflow';

import { chain, ours } from './flow';
import type { Lab } from './lab';

const SITE = 'https://docs.northwind.example';
const FILES = { formats: ['screenshot'], options: { downloadFiles: true } };

/** Node, its parameters, the items before it, and the input item of each item that comes out. */
const FLOWS: Array<[type: string, parameters: IDataObject, items: IDataObject[], from: number[]]> =
	[
		[
			'webDataSearch',
			{ operation: 'search', query: '={{ $json.topic }}', limit: 2 },
			[{ topic: 'tea' }, { topic: 'coffee' }],
			[0, 0, 1, 1],
		],
		['webDataScrape', { operation: 'scrape', url: SITE, ...FILES }, [{}], [0]],
		['webDataAgent', { operation: 'startAndWait', prompt: 'Who founded Northwind?' }, [{}], [0]],
		['webDataUsage', { operation: 'getCredits' }, [{}], [0]],
		['webDataCrawl', { operation: 'startAndWait', url: SITE, maxPages: 4 }, [{}], [0, 0, 0, 0]],
		[
			'webDataScrape',
			{ operation: 'batchStartAndWait', urls: '={{ $json.url }}' },
			[{ url: 'https://a.example' }, { url: 'nonsense' }],
			[0, 1],
		],
	];

/** Tests that an n8n runs a flow of each kind, pairs what comes out with what goes in, and keeps files. */
export function runsCoreFlows(lab: () => Lab, engineType?: string, id = /^\d+$/): void {
	for (const [type, parameters, items, from] of FLOWS) {
		it(`${type}: ${String(parameters.operation)}`, async () => {
			const flow = chain([ours(type, parameters)], { items });
			if (engineType) flow.settings.engineType = engineType;
			const execution = await lab().run(flow);
			assert.equal(execution.status, 'success', execution.error?.message);
			assert.match(execution.id, id);
			const output = execution.items(type);
			assert.deepEqual(
				output
					.map(({ pairedItem }) => [pairedItem].flat()[0] as { item: number })
					.map(({ item }) => item),
				from,
			);
			if (!parameters.formats) return;
			const [file] = Object.values(output[0].binary ?? {});
			assert.equal(file.mimeType, 'image/png');
			// Engine 2.0 hands out no files yet.
			if (engineType) return;
			assert.equal((await lab().download(file)).subarray(1, 4).toString(), 'PNG');
		});
	}
}
