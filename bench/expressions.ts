import type { IDataObject } from 'n8n-workflow';

import { chain, ours } from '../test/e2e/support/flow';
import { type Bench, MEASURED } from './flows';
import { median } from './process';
import { longestStall, measure } from './run';

/** The cost of expressions in some fields, for one run of a node. */
export interface ExpressionCost {
	name: string;
	/** Longest time (ms) in which n8n didn't respond. */
	silentMs: number;
	cpuMsPerItem: number;
}

const URL = '=https://a.example/{{ $json.n }}';
const TEXT = '={{ "x" + $json.n }}';
const NUMBER = '={{ 20000 + $json.n }}';

/** Forms in which one or more values are expressions. */
const forms: Record<string, [node: string, parameters: IDataObject]> = {
	'Scrape, everything fixed': ['webDataScrape', { operation: 'scrape', url: 'https://a.example' }],
	'Scrape, URL': ['webDataScrape', { operation: 'scrape', url: URL }],
	'Scrape, one in Options': [
		'webDataScrape',
		{ operation: 'scrape', url: 'https://a.example', options: { maxTextLength: NUMBER } },
	],
	'Scrape, URL and one in Options': [
		'webDataScrape',
		{ operation: 'scrape', url: URL, options: { maxTextLength: NUMBER } },
	],
	'Scrape, URL, one in Options and one in Cache and Safety': [
		'webDataScrape',
		{
			operation: 'scrape',
			url: URL,
			cacheOptions: { maxAge: NUMBER },
			options: { maxTextLength: NUMBER },
		},
	],
	'Map, URL and one in Options': [
		'webDataScrape',
		{ operation: 'map', url: URL, options: { search: TEXT } },
	],
	'Start Scraping Many Pages, one per item, URLs': [
		'webDataScrape',
		{ operation: 'batchStart', oneJobFor: 'item', urls: URL },
	],
	'Search, Query': ['webDataSearch', { operation: 'search', query: TEXT }],
	'Search, Query and one in Options': [
		'webDataSearch',
		{ operation: 'search', query: TEXT, options: { location: TEXT } },
	],
	'Crawl: Start, URL and one in Options': [
		'webDataCrawl',
		{ operation: 'start', url: URL, maxPages: 1, options: { maxTextLength: NUMBER } },
	],
	'Extract: Start, URLs, Prompt and one in Options': [
		'webDataExtract',
		{ operation: 'start', urls: URL, prompt: TEXT, options: { maxTextLength: NUMBER } },
	],
	'Agent: Start, Prompt and one in Options': [
		'webDataAgent',
		{ operation: 'start', prompt: TEXT, options: { maxTextLength: NUMBER } },
	],
};

const COUNT = 1_000;

/** Measures a thousand items of each form, and of some forms also started by n8n in batches of 20, 1 ms apart. */
export async function expressionCosts(
	{ lab }: Bench,
	repeats: number,
	say: (line: string) => void,
): Promise<ExpressionCost[]> {
	const found: ExpressionCost[] = [];
	const batching = { requestOptions: { batching: { batch: { batchSize: 20, batchInterval: 1 } } } };
	const all = Object.entries(forms).flatMap(([name, [node, parameters]]) => [
		{ name, node, parameters },
		...(name === 'Scrape, URL and one in Options'
			? [{ name: `${name}, batches of 20`, node, parameters: { ...parameters, ...batching } }]
			: []),
	]);
	for (const { name, node, parameters } of all) {
		const flow = (count: number) =>
			chain([ours(node, parameters, { name: MEASURED })], {
				items: Array.from({ length: count }, (_, n) => ({ n })),
				name,
			});
		await measure(lab, flow(100), MEASURED);
		const runs = [];
		for (let round = 0; round < repeats; round++) {
			const { ms } = await longestStall(lab, flow(COUNT), MEASURED);
			const { cpuMs } = await measure(lab, flow(COUNT), MEASURED);
			lab.service.requests.length = 0;
			runs.push({ ms, cpuMs });
		}
		found.push({
			name,
			silentMs: median(runs.map(({ ms }) => ms)),
			cpuMsPerItem: median(runs.map(({ cpuMs }) => cpuMs)) / COUNT,
		});
		say(`  ${JSON.stringify(found.at(-1))}`);
	}
	return found;
}
