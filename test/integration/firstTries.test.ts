import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';

import type { LocalService } from '../../mock-service';
import { allNodes } from '../../scripts/lib/nodes';
import { toolOf } from '../support/engine';
import { served } from '../support/served';

let service: LocalService;
const run = served({ credits: 1_000_000, crawlMs: 0, jobMs: 0 }, (started) => (service = started));

const nodeOf = (name: string): INodeType =>
	allNodes().find(({ description }) => description.name === `webData${name}`)!;
const [A, B] = ['https://a.example/x', 'https://b.example'];
const FENCED = (text: string) => `\`\`\`json\n${text}\n\`\`\``;
const SCHEMA = { type: 'object', properties: { price: { type: 'number' } } };
const schemaAs = (schemaJson: unknown) => ({ schemaFrom: 'json', schemaJson }) as IDataObject;
const batch = { operation: 'batchStart' };
const extract = { operation: 'start', urls: A };
const agent = { operation: 'start', prompt: 'Find the price' };
const crawl = { operation: 'start', url: B };
const search = { operation: 'search', query: 'tea' };

/** What models write at first for a field whose name they are told, and what must be sent for it. */
const TRIES: Array<[node: string, parameters: IDataObject, sent: IDataObject]> = [
	['Scrape', { ...batch, urls: `${A}, ${B}` }, { urls: [A, B] }],
	['Scrape', { ...batch, urls: `${A} ${B}` }, { urls: [A, B] }],
	['Scrape', { ...batch, urls: `${A}\n${B}` }, { urls: [A, B] }],
	['Scrape', { ...batch, urls: `['${A}', '${B}']` }, { urls: [A, B] }],
	['Scrape', { ...batch, urls: `["${A}", "${B}"]` }, { urls: [A, B] }],
	['Scrape', { ...batch, urls: FENCED(`["${A}", "${B}"]`) }, { urls: [A, B] }],
	['Scrape', { ...batch, urls: `- ${A}\n- ${B}` }, { urls: [A, B] }],
	['Scrape', { ...batch, urls: `<${A}>, <${B}>` }, { urls: [A, B] }],
	[
		'Scrape',
		{ ...batch, urls: 'a.example, b.example' },
		{ urls: ['https://a.example', 'https://b.example'] },
	],
	['Scrape', { operation: 'scrape', url: `<${A}>` }, { url: A }],
	['Scrape', { operation: 'scrape', url: 'a.example' }, { url: 'https://a.example' }],
	[
		'Scrape',
		{ operation: 'scrape', url: A, formats: 'markdown, links' },
		{ formats: [{ type: 'markdown' }, { type: 'links' }] },
	],
	[
		'Scrape',
		{ operation: 'scrape', url: A, formats: '["Markdown"]', onlyMainContent: 'True' },
		{ onlyMainContent: true },
	],
	['Scrape', { operation: 'map', url: `\`${B}\``, options: { search: 'pricing' } }, { url: B }],
	['Search', { ...search, limit: '3' }, { limit: 3 }],
	['Search', { ...search, sources: 'web, news' }, { sources: [{ type: 'web' }, { type: 'news' }] }],
	['Search', { ...search, published: 'Past week' }, { tbs: 'qdr:w' }],
	['Search', { ...search, published: 'qdr:d', sortBy: 'newest first' }, { tbs: 'sbd:1,qdr:d' }],
	[
		'Search',
		{ ...search, published: 'dates', from: '2026-11-01', to: '2026-11-07' },
		{ tbs: 'cdr:1,cd_min:11/01/2026,cd_max:11/07/2026' },
	],
	[
		'Search',
		{ ...search, options: { country: 'de', includeDomains: 'a.example, b.example' } },
		{ country: 'DE', includeDomains: ['a.example', 'b.example'] },
	],
	[
		'Crawl',
		{ ...crawl, maxPages: '5', includePaths: '/docs, /blog' },
		{ limit: 5, includePaths: ['^/docs(/|$)', '^/blog(/|$)'] },
	],
	[
		'Crawl',
		{ ...crawl, includePaths: '["/docs"]', excludePaths: '' },
		{ includePaths: ['^/docs(/|$)'] },
	],
	[
		'Crawl',
		{ ...crawl, pages: { maxDiscoveryDepth: '2', sitemap: 'Skip' } },
		{ maxDiscoveryDepth: 2, sitemap: 'skip' },
	],
	['Extract', { ...extract, urls: `${A}, ${B}`, prompt: 'Prices' }, { urls: [A, B] }],
	['Extract', { ...extract, ...schemaAs(JSON.stringify(SCHEMA)) }, { schema: SCHEMA }],
	[
		'Extract',
		{ ...extract, ...schemaAs(FENCED(JSON.stringify(SCHEMA, null, 2))) },
		{ schema: SCHEMA },
	],
	[
		'Agent',
		{ ...agent, ...schemaAs(SCHEMA), maxCredits: '100' },
		{ schema: SCHEMA, maxCredits: 100 },
	],
	[
		'Agent',
		{ ...agent, urls: `['${A}']`, ...schemaAs(FENCED(JSON.stringify(SCHEMA))) },
		{ urls: [A], schema: SCHEMA },
	],
	[
		'Agent',
		{ ...agent, urls: 'none', options: { model: 'Spark 1 Pro' } },
		{ model: 'spark-1-pro' },
	],
	['Usage', { operation: 'getHistorical', groupBy: 'Month and API key' }, {}],
	['Usage', { operation: 'getHistorical', months: 'This month' }, {}],
];

it.each(TRIES)("a model's first try for %s succeeds: %j", async (name, parameters, sent) => {
	const { error, output } = await run(toolOf(nodeOf(name)), parameters as INodeParameters);
	expect(error?.message).toBeUndefined();
	expect(output[0].length).toBeGreaterThan(0);
	expect(output[0][0].json).not.toHaveProperty('error');
	expect(service.requests[0].body ?? {}).toMatchObject(sent);
});

it('these are at least thirty tries, for every node that can be a tool', () => {
	expect(TRIES.length).toBeGreaterThanOrEqual(30);
	expect(new Set(TRIES.map(([name]) => name)).size).toBe(6);
});
