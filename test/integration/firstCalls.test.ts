/** First calls of models: what they write into fields does what was meant, or is refused for nothing with a way on. */
import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';

import type { LocalService } from '../../mock-service';
import { allNodes } from '../../scripts/lib/nodes';
import { toolOf } from '../support/engine';
import { served } from '../support/served';

let service: LocalService;
const run = served({ credits: 1_000_000, crawlMs: 0, jobMs: 0 }, (started) => (service = started));

const tools = new Map(
	allNodes().map((node): [string, INodeType] => [node.description.name, toolOf(node)]),
);

/** Parameters that a model fills, as n8n has them: each asks for its value. */
function filled(given: IDataObject): IDataObject {
	const ask = (name: string, value: unknown) =>
		`={{ $fromAI('${name}', '', 'string', ${JSON.stringify(value).replaceAll(/\}(?=\})/g, '} ')}) }}`;
	return Object.fromEntries(
		Object.entries(given).map(([name, value]) => [
			name,
			typeof value === 'object' && !Array.isArray(value) && value !== null
				? filled(value as IDataObject)
				: ask(name, value),
		]),
	);
}

const call = async (name: string, operation: string, given: IDataObject) =>
	await run(tools.get(`webData${name}`)!, { operation, ...filled(given) } as INodeParameters);

const A = 'https://a.example/x';
const B = 'https://b.example/';
const PRICE = { type: 'object', properties: { price: { type: 'number' } } };
const asText = (value: unknown) => JSON.stringify(value, null, 1);
const schema = (schemaJson: string) => ({ schemaFrom: 'json', schemaJson });
const week = (from: string, to: string) => ({ published: 'dates', from, to });

/** What is sent for a call, or what the model is told before anything is sent. */
type Call = [operation: string, given: IDataObject, expected: object | RegExp];

/** One for each way of reading; the ways themselves are in test/unit/form. */
const CALLS: Record<string, Call[]> = {
	Search: [
		['search', { query: '  tea\n', limit: '3' }, { query: 'tea', limit: 3 }],
		['search', { query: 'tea', limit: 'ten' }, /Limit is "ten".*Enter a number/],
		['search', { query: 'tea', options: { sources: 'Web, news' } }, { sources: ['web', 'news'] }],
		['search', { query: 'tea', options: { sources: 'videos' } }, /Use one of: web, news, images/],
		['search', { query: 'tea', published: 'past_day' }, { tbs: 'qdr:d' }],
		['search', { query: 'tea', published: 'none' }, { query: 'tea' }],
		['search', { query: 'tea', ...week('11/01/2026', '11/07/2026') }, /From is .*YYYY-MM-DD/],
		['search', { query: 'tea', options: { country: 'n/a', location: 'null' } }, { query: 'tea' }],
		['search', { query: 'tea', options: { country: 'Deutschland' } }, /ISO 3166-1 code, e\.g\. DE/],
		['search', { query: 'tea', options: { categories: 'PDF' } }, { categories: [{ type: 'pdf' }] }],
		['search', { query: 'tea', options: { safe: 'yes' } }, /Enter true or false/],
		[
			'search',
			{ query: 'tea', options: { queryOperators: { site: '["a.example", "b.example"]' } } },
			{ query: 'tea (site:a.example OR site:b.example)' },
		],
	],
	Scrape: [
		['scrape', { url: ` ${A}\n`, formats: '' }, { url: A }],
		['scrape', { url: `[Site](${A})` }, /which is not a URL.*Write it like https:/],
		['scrape', { url: `${A}, ${B}` }, /more than one URL.*Enter one URL/],
		['scrape', { url: 'https://a.example/{{ id }}' }, /which is not a URL.*parts to fill in/],
		['scrape', { url: A, formats: '["markdown", "links"]' }, { formats: ['markdown', 'links'] }],
		['scrape', { url: A, formats: 'Raw HTML' }, { formats: ['rawHtml'] }],
		['scrape', { url: A, formats: 'all' }, /Use one of: markdown, json, /],
		['scrape', { url: A, options: { onlyMainContent: 'False' } }, { onlyMainContent: false }],
		['batchStart', { urls: `["${A}", "${B}"]` }, { urls: [A, B] }],
		['batchStart', { urls: [A, B] }, { urls: [A, B] }],
		['batchStart', { urls: 'a.example/x b.example' }, { urls: [A, B] }],
		['batchStart', { urls: `1. ${A}\n2. ${B}` }, /which is not a URL.*without other text/],
		['getScrape', { scrapeId: 'the last one' }, /not an ID.*Copy it alone/],
	],
	Crawl: [
		['start', { url: B, maxPages: '' }, { limit: 100 }],
		['start', { url: B, includePaths: '["/docs"]' }, { includePaths: ['^/docs(/|$)'] }],
		['start', { url: B, includePaths: '/docs, /blog' }, /Include Paths .*one per line/],
		['start', { url: B, includePaths: '/(?!blog)' }, /which a crawl would ignore.*no look-ahead/],
		['start', { url: B, options: { excludePaths: 'none' } }, { url: B }],
		['start', { url: B, options: { pages: { sitemap: 'Skip' } } }, { sitemap: 'skip' }],
	],
	Extract: [
		['start', { urls: A, ...schema(asText(PRICE)) }, { schema: PRICE }],
		['start', { urls: A, ...schema('{"price": 9.5}') }, /looks like an example.*Example Object/],
		['start', { urls: A, ...schema('{"price": }') }, /not valid JSON.*quotes and commas/],
		[
			'start',
			{ urls: A, schemaFrom: 'Example Object', schemaExample: '{"price": 9.5}' },
			{ schema: PRICE },
		],
	],
	Agent: [
		['start', { prompt: 'Find it', options: { urls: 'none' } }, { prompt: 'Find it' }],
		['start', { prompt: 'Find it', options: { model: 'Spark 1 Pro' } }, { model: 'spark-1-pro' }],
		['start', { prompt: '' }, /^Prompt: .* gives nothing/],
	],
	Usage: [
		['getHistorical', { groupBy: 'Month and API key', months: 'This month' }, {}],
		['getHistorical', { months: 'last 3 months' }, /Use one of: all, current, range/],
	],
};

const calls = Object.entries(CALLS).flatMap(([name, all]) =>
	all.map((one) => [name, ...one] as const),
);

it.each(calls)('%s %s: %j', async (name, operation, given, expected) => {
	const { error, output } = await call(name, operation, given);
	if (expected instanceof RegExp) {
		expect(error?.message).toMatch(expected);
		expect(service.requests).toEqual([]);
		return;
	}
	expect(error?.message).toBeUndefined();
	expect(output[0][0].json).not.toHaveProperty('error');
	expect(service.requests[0].body ?? {}).toMatchObject(expected);
});

describe('dates that a model gives without a choice for Published', () => {
	const dates = { from: '2024-01-01', to: '2024-02-01' };

	it.each([
		[{ published: '', ...dates }, /^From is given, but counts only if Published is dates\./],
		[{ published: 'any', ...dates }, /^From is given/],
		[{ published: 'qdr:w', from: '', to: '2024-02-01' }, /^To is given/],
		[{ published: 'dates', from: '2024-01-01', to: '' }, /^To(?: is empty|: .* gives nothing)/],
	])('are refused: %j', async (given, says) => {
		const { error } = await call('Search', 'search', { query: 'tea', ...given });
		expect(error?.message).toMatch(says);
		expect(service.requests).toEqual([]);
	});
});

it.each([
	['question', 'question', 'Question'],
	['jsonPrompt', 'json', 'JSON Prompt'],
	['highlightsQuery', 'highlights', 'Highlights Query'],
])('%s of a model is not dropped beside other formats', async (name, format, label) => {
	const asked = { [name]: 'What is it?' };
	for (const [tool, operation, given] of [
		['Scrape', 'scrape', { url: A, formats: 'markdown', ...asked }],
		['Scrape', 'scrape', { url: A, formats: '', ...asked }],
		['Search', 'searchAndScrape', { query: 'tea', formats: 'markdown, links', ...asked }],
	] as const) {
		const { error } = await call(tool, operation, given);
		expect(error?.message).toContain(
			`${label} is given, but counts only if Formats is ${format}. Set Formats to`,
		);
	}
	expect(service.requests).toEqual([]);
	const { error } = await call('Scrape', 'scrape', { url: A, formats: 'markdown', [name]: 'none' });
	expect(error).toBeUndefined();
});
