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
		{ formats: ['markdown', 'links'] },
	],
	[
		'Scrape',
		{ operation: 'scrape', url: A, formats: '["Markdown"]', onlyMainContent: 'True' },
		{ onlyMainContent: true },
	],
	[
		'Scrape',
		{ operation: 'scrape', url: A, formats: ['markdown', 'Markdown', 'links', 'markdown'] },
		{ formats: ['markdown', 'links'] },
	],
	['Scrape', { operation: 'map', url: `\`${B}\``, options: { search: 'pricing' } }, { url: B }],
	['Search', { ...search, limit: '3' }, { limit: 3 }],
	['Search', { ...search, sources: 'web, news' }, { sources: ['web', 'news'] }],
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

const scrape = { operation: 'scrape', url: A };
const crawlOf = (includePaths: string) => ({ ...crawl, includePaths });
const format = (type: string) => ({ formats: [type] });

/** More of them, with other words and other ways to write. */
const OTHER_WORDS: typeof TRIES = [
	['Scrape', { ...scrape, formats: 'md' }, {}],
	['Scrape', { ...scrape, formats: 'text' }, {}],
	['Scrape', { ...scrape, formats: 'txt' }, {}],
	...['markdown and html', 'markdown & HTML', 'Markdown; HTML', '"markdown" und "html"'].map(
		(formats): (typeof TRIES)[0] => [
			'Scrape',
			{ ...scrape, formats },
			{ formats: ['markdown', 'html'] },
		],
	),
	['Scrape', { ...scrape, formats: 'raw_html' }, format('rawHtml')],
	['Scrape', { ...scrape, formats: 'Raw HTML' }, format('rawHtml')],
	['Scrape', { ...scrape, formats: 'HTML' }, format('html')],
	['Scrape', { ...scrape, formats: '["link"]' }, format('links')],
	['Scrape', { ...scrape, formats: 'screenshots' }, format('screenshot')],
	[
		'Scrape',
		{ ...scrape, formats: 'links, screenshot@fullPage' },
		{ formats: ['links', { type: 'screenshot', fullPage: true }] },
	],
	['Scrape', { operation: 'scrape', url: `[Site](${A})` }, { url: A }],
	['Scrape', { operation: 'scrape', url: `["${A}"]` }, { url: A }],
	['Scrape', { operation: 'scrape', url: `{"url": "${A}"}` }, { url: A }],
	['Scrape', { operation: 'scrape', url: `URL: ${A}` }, { url: A }],
	['Scrape', { ...batch, urls: `{"urls": ["${A}", "${B}"]}` }, { urls: [A, B] }],
	['Scrape', { ...batch, urls: `${A} and ${B}` }, { urls: [A, B] }],
	['Scrape', { ...batch, urls: `1. ${A}\n2. ${B}` }, { urls: [A, B] }],
	['Search', { ...search, sources: 'news articles' }, { sources: ['news'] }],
	['Search', { ...search, sources: 'image' }, { sources: ['images'] }],
	['Search', { ...search, sources: 'Google' }, {}],
	['Search', { ...search, published: 'last week' }, { tbs: 'qdr:w' }],
	['Search', { ...search, published: 'past 24 hours' }, { tbs: 'qdr:d' }],
	['Search', { ...search, published: 'month' }, { tbs: 'qdr:m' }],
	[
		'Search',
		{ ...search, published: 'dates', from: '18.11.2026', to: '20 November 2026' },
		{ tbs: 'cdr:1,cd_min:11/18/2026,cd_max:11/20/2026' },
	],
	['Search', { ...search, limit: '["10"]' }, { limit: 10 }],
	['Search', { ...search, limit: '"10"' }, { limit: 10 }],
	['Search', { ...search, options: { country: 'Deutschland' } }, { country: 'DE' }],
	['Search', { ...search, options: { country: 'en-GB' } }, { country: 'GB' }],
	['Crawl', crawlOf('*'), { includePaths: ['.*'] }],
	['Crawl', crawlOf(`${B}/docs`), { includePaths: ['^/docs(/|$)'] }],
	['Crawl', crawlOf('b.example/docs/*'), { includePaths: ['^/docs(/|$)'] }],
	['Crawl', crawlOf('/blog/*/comments'), { includePaths: ['^/blog/.*/comments(/|$)'] }],
	[
		'Agent',
		{ ...agent, ...schemaAs('{"name": "string", "age": "number"}') },
		{ schema: { properties: { name: { type: 'string' }, age: { type: 'number' } } } },
	],
	['Usage', { operation: 'getHistorical', months: 'current' }, {}],
];

/** Calls that mean nothing or several things: refused for nothing, with a text that makes the second try right. */
const REFUSED: Array<[node: string, parameters: IDataObject, says: RegExp]> = [
	['Scrape', { ...scrape, formats: 'docx' }, /Use one of: markdown, json, summary, html, .*menu/],
	['Search', { ...search, sources: 'videos' }, /Use one of: web, news, images/],
	[
		'Search',
		{ ...search, options: { categories: 'law' } },
		/Use one of: developer, github, pdf, research/,
	],
	['Search', { ...search, published: 'ages ago' }, /Use one of: any, qdr:h, .*dates/],
	['Search', { ...search, published: 'dates', from: '11/12/2026', to: '2026-12-12' }, /YYYY-MM-DD/],
	['Search', { ...search, limit: 'ten' }, /Enter a number/],
	['Search', { ...search, limit: '1.000' }, /may be 1 or 1000/],
	['Search', { ...search, limit: '"1.000"' }, /may be 1 or 1000/],
	['Search', { ...search, options: { country: 'Europe' } }, /Use the ISO 3166-1 code, e.g. US/],
	['Scrape', { ...scrape, formats: 'all' }, /Use one of: markdown, json, /],
	['Scrape', { operation: 'scrape', url: 'info@a.example' }, /an email address/],
	['Scrape', { operation: 'scrape', url: '/docs' }, /a path without its site.*https:/s],
	['Scrape', { operation: 'getScrape', scrapeId: 'undefined' }, /not a valid ID/],
	...['"x"', '`x`', '["x"]', '<x>', 'x,'].map((scrapeId): [string, IDataObject, RegExp] => [
		'Scrape',
		{ operation: 'getScrape', scrapeId },
		/not a valid ID/,
	]),
	['Agent', { operation: 'get', jobId: 'none' }, /not a valid ID/],
	['Crawl', crawlOf('other.example/docs'), /Match Paths on Full URL/],
	['Crawl', crawlOf('/shop?color=red'), /Match Paths on Full URL/],
	['Crawl', crawlOf('/blog\nundefined'), /Write a path like/],
	['Agent', { ...agent, options: { effort: 'extreme' } }, /Use one of: low, medium, high/],
	['Agent', { ...agent, ...schemaAs('{}') }, /has no fields/],
	['Usage', { operation: 'getHistorical', groupBy: 'week' }, /Use one of: month, key/],
];

/** Parameters with what a model gave for some of them, as n8n has them: `$fromAI` returns it. */
const byModel = (parameters: IDataObject, given: IDataObject): IDataObject => ({
	...parameters,
	...Object.fromEntries(
		Object.entries(given).map(([name, value]) => [
			name,
			`={{ $fromAI('${name}', '', 'string', '${String(value)}') }}`,
		]),
	),
});

describe('dates that a model gives without a choice for Published', () => {
	const dates = { from: '2024-01-01', to: '2024-02-01' };

	it.each([
		[{ published: '', ...dates }, /^From is given, but counts only if Published is dates\./],
		[{ published: 'any', ...dates }, /^From is given/],
		[{ published: 'qdr:w', from: '', to: '2024-02-01' }, /^To is given/],
		[{ published: 'dates', from: '2024-01-01', to: '' }, /^To is empty\./],
	])('are refused: %j', async (given, says) => {
		const { error } = await run(
			toolOf(nodeOf('Search')),
			byModel(search, given) as INodeParameters,
		);
		expect(error?.message).toMatch(says);
		expect(service.requests).toEqual([]);
	});

	it.each([
		[{ published: 'dates', ...dates }, { tbs: 'cdr:1,cd_min:01/01/2024,cd_max:02/01/2024' }],
		[{ published: 'any', from: '', to: 'none' }, { query: 'tea' }],
	])('do no harm where they are none, or chosen: %j', async (given, sent) => {
		const { error } = await run(
			toolOf(nodeOf('Search')),
			byModel(search, given) as INodeParameters,
		);
		expect(error?.message).toBeUndefined();
		expect(service.requests[0].body).toMatchObject(sent);
	});
});

it.each([
	['question', 'question', 'Question'],
	['jsonPrompt', 'json', 'JSON Prompt'],
	['highlightsQuery', 'highlights', 'Highlights Query'],
])('%s of a model is not dropped beside other formats', async (name, format, label) => {
	for (const [operation, formats] of [
		['scrape', 'markdown'],
		['scrape', ''],
		['searchAndScrape', 'markdown, links'],
	]) {
		const isSearch = operation === 'searchAndScrape';
		const own = isSearch ? { operation, query: 'tea' } : { ...scrape, operation };
		const parameters = byModel(own, { formats, [name]: 'What is it?' });
		const { error } = await run(
			toolOf(nodeOf(isSearch ? 'Search' : 'Scrape')),
			parameters as INodeParameters,
		);
		expect(error?.message).toMatch(
			new RegExp(`^${label} is given, but counts only if Formats is ${format}. Set Formats to`),
		);
	}
	expect(service.requests).toEqual([]);
	const { error } = await run(
		toolOf(nodeOf('Scrape')),
		byModel(scrape, { formats: 'markdown', [name]: 'none' }) as INodeParameters,
	);
	expect(error).toBeUndefined();
});

it.each(REFUSED)(
	'what means nothing for %s is refused with a way on: %j',
	async (name, parameters, says) => {
		const { error } = await run(toolOf(nodeOf(name)), parameters as INodeParameters);
		expect(`${error?.message} ${error?.description as string}`).toMatch(says);
		expect(service.requests).toEqual([]);
	},
);

it.each([...TRIES, ...OTHER_WORDS])(
	"a model's first try for %s succeeds: %j",
	async (name, parameters, sent) => {
		const { error, output } = await run(toolOf(nodeOf(name)), parameters as INodeParameters);
		expect(error?.message).toBeUndefined();
		expect(output[0].length).toBeGreaterThan(0);
		expect(output[0][0].json).not.toHaveProperty('error');
		expect(service.requests[0].body ?? {}).toMatchObject(sent);
	},
);

it('these are at least thirty tries, for every node that can be a tool', () => {
	expect(TRIES.length).toBeGreaterThanOrEqual(30);
	expect(new Set(TRIES.map(([name]) => name)).size).toBe(6);
});

it.each(['all', 'any', 'everything', 'default', '1'])(
	'a word that names no format is refused by an expression, too: %s',
	async (formats) => {
		const parameters = { ...scrape, formats: `={{ '${formats}' }}` };
		const { error } = await run(nodeOf('Scrape'), parameters as INodeParameters);
		expect(error?.description).toMatch(/Use one of: markdown, json, /);
		expect(service.requests).toEqual([]);
	},
);
