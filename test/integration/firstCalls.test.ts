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

const CALLS: Record<string, Call[]> = {
	Search: [
		['search', { query: 'tea', limit: '3' }, { query: 'tea', limit: 3 }],
		['search', { query: '"green tea" -jobs', limit: 3 }, { query: '"green tea" -jobs' }],
		['search', { query: '  tea\n' }, { query: 'tea' }],
		['search', { query: 'tea', limit: 'ten' }, /Limit is "ten".*Enter a number/],
		['search', { query: 'tea', limit: '1000' }, /Limit .*100/],
		['search', { query: 'tea', options: { sources: 'web, news' } }, { sources: ['web', 'news'] }],
		[
			'search',
			{ query: 'tea', options: { sources: '["Web", "News"]' } },
			{ sources: ['web', 'news'] },
		],
		['search', { query: 'tea', options: { sources: ['images'] } }, { sources: ['images'] }],
		['search', { query: 'tea', options: { sources: 'videos' } }, /Use one of: web, news, images/],
		['search', { query: 'tea', published: 'Past Week' }, { tbs: 'qdr:w' }],
		['search', { query: 'tea', published: 'past_day' }, { tbs: 'qdr:d' }],
		['search', { query: 'tea', published: 'qdr:m' }, { tbs: 'qdr:m' }],
		['search', { query: 'tea', published: 'none' }, { query: 'tea' }],
		['search', { query: 'tea', published: 'recent' }, /Use one of: any, qdr:h, .*dates/],
		[
			'search',
			{ query: 'tea', ...week('2026-11-01', '2026-11-07T00:00:00Z') },
			{ tbs: 'cdr:1,cd_min:11/01/2026,cd_max:11/07/2026' },
		],
		['search', { query: 'tea', ...week('11/01/2026', '11/07/2026') }, /From is .*YYYY-MM-DD/],
		['search', { query: 'tea', ...week('2026-11-07', '2026-11-01') }, /after To/],
		['search', { query: 'tea', options: { country: 'Germany' } }, { country: 'DE' }],
		['search', { query: 'tea', options: { country: 'de' } }, { country: 'DE' }],
		['search', { query: 'tea', options: { country: 'n/a', location: 'null' } }, { query: 'tea' }],
		['search', { query: 'tea', options: { country: 'Deutschland' } }, /ISO 3166-1 code, e\.g\. DE/],
		[
			'search',
			{ query: 'tea', options: { includeDomains: '["a.example", "b.example"]' } },
			{ includeDomains: ['a.example', 'b.example'] },
		],
		['search', { query: 'tea', options: { categories: 'PDF' } }, { categories: [{ type: 'pdf' }] }],
		['search', { query: 'tea', options: { safe: 'yes' } }, /Enter true or false/],
		[
			'search',
			{ query: 'tea', options: { queryOperators: { site: '["a.example", "b.example"]' } } },
			{ query: 'tea (site:a.example OR site:b.example)' },
		],
		['search', { query: 'tea site:' }, /"site:" with nothing after it/],
		[
			'searchAndScrape',
			{ query: 'tea', formats: 'Markdown, Links' },
			{ scrapeOptions: { formats: ['markdown', 'links'] } },
		],
	],
	Scrape: [
		['scrape', { url: 'a.example/x' }, { url: A }],
		['scrape', { url: ` ${A}\n` }, { url: A }],
		['scrape', { url: 'HTTPS://A.Example/x' }, { url: A }],
		['scrape', { url: `Please scrape ${A}` }, /which is not a URL.*Write it like https:/],
		['scrape', { url: `[Site](${A})` }, /which is not a URL.*Write it like https:/],
		['scrape', { url: 'the homepage of Example' }, /which is not a URL.*Write it like https:/],
		['scrape', { url: `${A}, ${B}` }, /more than one URL.*Enter one URL/],
		['scrape', { url: 'https://a.example/{{ id }}' }, /which is not a URL.*parts to fill in/],
		['scrape', { url: A, formats: '["markdown", "links"]' }, { formats: ['markdown', 'links'] }],
		['scrape', { url: A, formats: 'Raw HTML' }, { formats: ['rawHtml'] }],
		['scrape', { url: A, formats: '' }, { url: A }],
		['scrape', { url: A, formats: 'text' }, /Use one of: markdown, json, /],
		['scrape', { url: A, formats: 'all' }, /Use one of: markdown, json, /],
		['scrape', { url: A, options: { onlyMainContent: 'False' } }, { onlyMainContent: false }],
		['scrape', { url: A, options: { onlyMainContent: '1' } }, /Enter true or false/],
		['map', { siteUrl: B, options: { search: '', limit: '10' } }, { url: B, limit: 10 }],
		['map', { siteUrl: B, options: { limit: '100 links' } }, /Enter a number/],
		['batchStart', { urls: `["${A}", "${B}"]` }, { urls: [A, B] }],
		['batchStart', { urls: [A, B] }, { urls: [A, B] }],
		['batchStart', { urls: `${A}\n${B}` }, { urls: [A, B] }],
		['batchStart', { urls: `${A}, ${B}` }, { urls: [A, B] }],
		['batchStart', { urls: 'a.example/x b.example' }, { urls: [A, B] }],
		['batchStart', { urls: `${A} and ${B}` }, /which is not a URL.*without other text/],
		['batchStart', { urls: `1. ${A}\n2. ${B}` }, /which is not a URL.*without other text/],
		['getScrape', { scrapeId: 'the last one' }, /not an ID.*Copy it alone/],
	],
	Crawl: [
		['start', { url: B, maxPages: '5' }, { limit: 5 }],
		['start', { url: B, maxPages: 'all' }, /Max Pages is "all".*Enter a number/],
		['start', { url: B, maxPages: '' }, { limit: 100 }],
		[
			'start',
			{ url: B, includePaths: '["/docs", "/blog/*"]' },
			{
				includePaths: ['^/docs(/|$)', '^/blog/.*'],
			},
		],
		[
			'start',
			{ url: B, includePaths: 'https://b.example/docs' },
			{ includePaths: ['^/docs(/|$)'] },
		],
		['start', { url: B, includePaths: '/docs, /blog' }, /Include Paths .*one per line/],
		['start', { url: B, includePaths: '/(?!blog)' }, /which a crawl would ignore.*no look-ahead/],
		['start', { url: B, options: { excludePaths: 'none' } }, { url: B }],
		['start', { url: B, options: { excludePaths: '*' } }, /Exclude Paths .*Write/],
		[
			'start',
			{ url: B, options: { pages: { sitemap: 'Skip', maxDiscoveryDepth: '2' } } },
			{ sitemap: 'skip' },
		],
	],
	Extract: [
		['start', { urls: `${A}\n${B}`, prompt: 'prices' }, { urls: [A, B], prompt: 'prices' }],
		['start', { urls: 'b.example/*', prompt: 'prices' }, { urls: ['https://b.example/*'] }],
		['start', { urls: A, ...schema(asText(PRICE)) }, { schema: PRICE }],
		['start', { urls: A, ...schema('{"price": 9.5}') }, /looks like an example.*Example Object/],
		['start', { urls: A, ...schema('name, price') }, /not valid JSON/],
		['start', { urls: A, ...schema('{"price": }') }, /not valid JSON.*quotes and commas/],
		[
			'start',
			{ urls: A, schemaFrom: 'Example Object', schemaExample: '{"price": 9.5}' },
			{ schema: PRICE },
		],
	],
	Agent: [
		[
			'start',
			{ prompt: 'Find it', options: { urls: 'none' }, maxCredits: '100' },
			{ maxCredits: 100 },
		],
		['start', { prompt: 'Find it', options: { model: 'Spark 1 Pro' } }, { model: 'spark-1-pro' }],
		['start', { prompt: 'Find it', options: { model: 'gpt' } }, /Use one of: spark-1-mini, /],
		['start', { prompt: 'Find it', maxCredits: '100 credits' }, /Enter a number/],
		['start', { prompt: '' }, /^Prompt: .* gives nothing/],
	],
	Usage: [
		['getHistorical', { groupBy: 'Month and API key', months: 'This month' }, {}],
		['getHistorical', { groupBy: 'week' }, /Use one of: month, key/],
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
