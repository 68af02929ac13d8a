import type { IDataObject } from 'n8n-workflow';

import { say } from '../scripts/lib/say.mjs';
import type { Flow } from '../test/e2e/support/flow';
import { type Bench, CALLS_NOBODY, CHEAPEST, MEASURED, measured, searches } from './flows';
import { median } from './process';
import { longestSilence, measure } from './run';

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
const BOTH = { operation: 'scrape', url: URL, options: { maxTextLength: NUMBER } };

/** Forms in which one or more values are expressions. */
const forms: Record<string, [node: string, parameters: IDataObject]> = {
	'Scrape, everything fixed': ['webDataScrape', { operation: 'scrape', url: 'https://a.example' }],
	'Scrape, URL': ['webDataScrape', { operation: 'scrape', url: URL }],
	'Scrape, one in Options': [
		'webDataScrape',
		{ operation: 'scrape', url: 'https://a.example', options: { maxTextLength: NUMBER } },
	],
	'Scrape, URL and one in Options': ['webDataScrape', BOTH],
	'Scrape, URL and one in Options, batches of 20, 1 ms apart': [
		'webDataScrape',
		{ ...BOTH, requestOptions: { batching: { batch: { batchSize: 20, batchInterval: 1 } } } },
	],
	'Scrape, URL, one in Options and one in Cache and Safety': [
		'webDataScrape',
		{ ...BOTH, options: { cacheOptions: { maxAge: NUMBER } } },
	],
	'Map, URL and one in Options': [
		'webDataScrape',
		{ operation: 'map', siteUrl: URL, options: { search: TEXT } },
	],
	'Start Scraping Many Pages, one per item, URLs': [
		'webDataScrape',
		{ operation: 'batchStart', urls: URL, options: { jobPerItem: true } },
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

const flows: Record<string, (bench: Bench, count: number) => Flow> = {
	[CALLS_NOBODY]: searches[CALLS_NOBODY],
	[CHEAPEST]: searches[CHEAPEST],
};
for (const [name, [node, parameters]] of Object.entries(forms)) {
	flows[name] = measured(node, parameters, name);
}

/** Measures a thousand items of each form, and of n8n's own nodes beside them. */
export async function expressionCosts(bench: Bench, repeats: number): Promise<ExpressionCost[]> {
	const { lab } = bench;
	const found: ExpressionCost[] = [];
	for (const [name, flow] of Object.entries(flows)) {
		await measure(lab, flow(bench, 100), MEASURED);
		const silences: number[] = [];
		const cpu: number[] = [];
		for (let round = 0; round < repeats; round++) {
			silences.push(await longestSilence(lab, flow(bench, COUNT)));
			cpu.push((await measure(lab, flow(bench, COUNT), MEASURED)).cpuMs / COUNT);
			lab.service.requests.length = 0;
		}
		found.push({ name, silentMs: median(silences), cpuMsPerItem: median(cpu) });
		say(`  ${JSON.stringify(found.at(-1))}`);
	}
	return found;
}
