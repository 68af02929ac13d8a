import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';

import type { LocalService } from '../../mock-service';
import { allNodes } from '../../scripts/lib/nodes';
import { toolOf } from '../support/engine';
import { served } from '../support/served';

let service: LocalService;
const run = served({ credits: 1_000_000, crawlMs: 0, jobMs: 0 }, (started) => (service = started));

const nodeOf = (name: string): INodeType =>
	allNodes().find(({ description }) => description.name === `webData${name}`)!;

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

const A = 'https://a.example/x';
const B = 'https://b.example';

const types = (name: string, ...chosen: string[]) => ({ [name]: chosen.map((type) => ({ type })) });
const PRICE = { type: 'object', properties: { price: { type: 'number' } } };

/** What a model first fills in, and what is sent for it, or what it is told before anything is sent. */
const CALLS: Array<
	[node: string, operation: string, given: IDataObject, expected: object | RegExp]
> = [
	['Search', 'search', { query: 'Wetter Köln morgen', limit: '3 Ergebnisse' }, /Enter a number/],
	['Search', 'search', { query: 'tea', limit: 'fünf' }, /Enter a number/],
	['Search', 'search', { query: '"tea"', limit: '"3"' }, { query: '"tea"', limit: 3 }],
	['Search', 'search', { query: '{"query": "tea prices"}' }, { query: 'tea prices' }],
	['Search', 'search', { query: '{"query": "tea", "limit": 3}' }, /Enter the query alone, as text/],
	['Search', 'search', { query: '["tea prices"]' }, { query: 'tea prices' }],
	['Search', 'search', { query: '["tea", "coffee"]' }, /several queries\. Enter one at a time/],
	['Search', 'search', { query: 'tea', sources: 'Web und News' }, types('sources', 'web', 'news')],
	[
		'Search',
		'search',
		{ query: 'tea', sources: '{"type": "news"}' },
		/Use one of: web, news, images/,
	],
	[
		'Search',
		'search',
		{ query: 'tea', sources: '[{"type":"web"},{"type":"news"}]' },
		types('sources', 'web', 'news'),
	],
	['Search', 'search', { query: 'tea', sources: 'all' }, /Use one of: web, news, images/],
	['Search', 'search', { query: 'tea', sources: 'Nachrichten' }, /Use one of: web, news, images/],
	['Search', 'search', { query: 'tea', published: 'letzte Woche' }, /Use one of: any, qdr:h, /],
	['Search', 'search', { query: 'tea', published: 'past_week' }, { tbs: 'qdr:w' }],
	['Search', 'search', { query: 'tea', published: 'last 7 days' }, { tbs: 'qdr:w' }],
	['Search', 'search', { query: 'tea', published: '2026' }, /Use one of: any, .*dates/],
	['Search', 'search', { query: 'tea', published: 'recent' }, /Use one of: any, qdr:h, /],
	[
		'Search',
		'search',
		{ query: 'tea', published: 'dates', from: '1. November 2026', to: 'today' },
		/To is "today".*YYYY-MM-DD/,
	],
	[
		'Search',
		'search',
		{ query: 'tea', published: 'custom', from: '2026-11-01', to: '2026-11-07' },
		/Use one of: any, .*dates/,
	],
	['Search', 'search', { query: 'tea', options: { country: 'Frankreich' } }, { country: 'FR' }],
	['Search', 'search', { query: 'tea', options: { country: 'EU' } }, /ISO 3166-1 code, e\.g\. US/],
	[
		'Search',
		'search',
		{ query: 'tea', options: { categories: 'papers' } },
		/Use one of: developer, /,
	],
	[
		'Search',
		'search',
		{ query: 'tea', options: { includeDomains: 'https://www.a.example/blog' } },
		/Write it like example\.com/,
	],
	[
		'Search',
		'search',
		{ query: 'tea', options: { includeDomains: '{"domains": ["a.example"]}' } },
		/Write it like example\.com/,
	],
	['Search', 'search', { query: 'tea', options: { safe: 'yes' } }, /Enter true or false/],
	['Search', 'search', { query: 'tea', options: { location: 'null' } }, { query: 'tea' }],
	[
		'Search',
		'search',
		{ query: 'tea', queryOperators: { site: 'a.example and b.example' } },
		{ query: 'tea (site:a.example OR site:b.example)' },
	],
	[
		'Search',
		'search',
		{ query: 'tea', queryOperators: { fileType: 'PDF, DOCX' } },
		{ query: 'tea (filetype:pdf OR filetype:docx)' },
	],
	['Search', 'search', { query: 'site: a.example tea' }, { query: 'site:a.example tea' }],
	[
		'Search',
		'searchAndScrape',
		{ query: 'tea', formats: 'Markdown + Links' },
		{ scrapeOptions: types('formats', 'markdown', 'links') },
	],
	[
		'Scrape',
		'scrape',
		{ url: 'a.example/x', formats: 'full text' },
		/Use one of: markdown, json, /,
	],
	['Scrape', 'scrape', { url: A, formats: 'page content' }, /Use one of: markdown, json, /],
	['Scrape', 'scrape', { url: A, formats: 'Text als Markdown' }, /Use one of: markdown, json, /],
	[
		'Scrape',
		'scrape',
		{ url: A, formats: '[{"type":"markdown"},"Links"]' },
		types('formats', 'markdown', 'links'),
	],
	['Scrape', 'scrape', { url: A, formats: '[{"type":"Markdown"}]' }, types('formats', 'markdown')],
	['Scrape', 'scrape', { url: A, formats: '{"type":"markdown"}' }, /Use one of: markdown, json, /],
	['Scrape', 'scrape', { url: A, formats: 'markdown/html' }, types('formats', 'markdown', 'html')],
	[
		'Scrape',
		'scrape',
		{ url: A, formats: 'Zusammenfassung' },
		/Use one of: markdown, json, summary/,
	],
	['Scrape', 'scrape', { url: A, formats: 'main text and images' }, /Use one of: markdown, json, /],
	['Scrape', 'scrape', { url: A, onlyMainContent: 'yes' }, /Enter true or false/],
	['Scrape', 'scrape', { url: A, onlyMainContent: '1' }, /Enter true or false/],
	['Scrape', 'scrape', { url: `Please scrape ${A}` }, /Enter the URL alone/],
	['Scrape', 'scrape', { url: 'the homepage of Example' }, /A URL is like https:\/\/example\.com/],
	['Scrape', 'scrape', { url: `["${A}", "${B}"]` }, /more than one URL\. Enter one URL/],
	[
		'Scrape',
		'scrape',
		{ url: 'https://www.google.com/url?q=https%3A%2F%2Fa.example%2Fx&sa=D' },
		{ url: A },
	],
	['Scrape', 'map', { url: B, options: { search: '' } }, { url: B }],
	['Scrape', 'map', { url: B, options: { limit: '100 links' } }, /Enter a number/],
	['Scrape', 'batchStart', { urls: `${A} und ${B}` }, { urls: [A, B] }],
	['Scrape', 'batchStart', { urls: `{"urls": "${A}, ${B}"}` }, { urls: [A, B] }],
	['Scrape', 'batchStart', { urls: `1) ${A}; 2) ${B}` }, { urls: [A, B] }],
	['Crawl', 'start', { url: B, maxPages: 'all' }, /Max Pages is "all".*Enter a number/],
	['Crawl', 'start', { url: B, maxPages: '10 pages' }, /Enter a number/],
	['Crawl', 'start', { url: B, includePaths: '/blog/** and /news/**' }, /Enter one per line/],
	[
		'Crawl',
		'start',
		{ url: B, includePaths: '["blog/*", "news/*"]' },
		{ includePaths: ['blog/.*', 'news/.*'] },
	],
	['Crawl', 'start', { url: B, excludePaths: 'none' }, { url: B }],
	['Crawl', 'start', { url: B, pages: { maxDiscoveryDepth: 'unlimited' } }, /Enter a number/],
	['Extract', 'start', { urls: `${A}\n${B}`, prompt: 'prices' }, { urls: [A, B] }],
	[
		'Extract',
		'start',
		{ urls: 'a.example/{a,b}', prompt: 'prices' },
		{ urls: ['https://a.example/a', 'https://a.example/b'] },
	],
	[
		'Extract',
		'start',
		{
			urls: A,
			schemaFrom: 'json',
			schemaJson: '{"type":"OBJECT","properties":{"price":{"type":"NUMBER"}}}',
		},
		{ schema: PRICE },
	],
	[
		'Extract',
		'start',
		{ urls: A, schemaFrom: 'json', schemaJson: '{"price": "number", "on": "date"}' },
		{ schema: { properties: { price: { type: 'number' }, on: { type: 'string' } } } },
	],
	[
		'Extract',
		'start',
		{ urls: A, schemaFrom: 'json', schemaJson: 'name, price, date' },
		/not valid JSON/,
	],
	[
		'Extract',
		'start',
		{ urls: A, schemaFrom: 'JSON Schema', schemaJson: '{"price":{"type":"float"}}' },
		{ schema: PRICE },
	],
	[
		'Extract',
		'start',
		{
			urls: A,
			schemaFrom: 'json',
			schemaJson: '{"price":{"type":"money"},"name":{"type":"string"}}',
		},
		/"money", which is none of string, number, /,
	],
	['Agent', 'start', { prompt: 'Find the price', urls: `${A}, b.example` }, { urls: [A, B] }],
	['Agent', 'start', { prompt: 'Find the price', maxCredits: '"100"' }, { maxCredits: 100 }],
	['Agent', 'start', { prompt: 'Find the price', maxCredits: '100 credits' }, /Enter a number/],
	[
		'Agent',
		'start',
		{ prompt: 'Find the price', options: { model: 'pro' } },
		/Use one of: spark-1-mini, /,
	],
	[
		'Agent',
		'start',
		{ prompt: 'Find the price', options: { effort: 'Medium' } },
		{ effort: 'medium' },
	],
	['Usage', 'getHistorical', { groupBy: 'monthly' }, /Use one of: month, key/],
	['Usage', 'getHistorical', { months: 'last 3 months' }, /Use one of: all, current, range/],
	['Usage', 'listActivity', { options: { endpoint: 'scraping' } }, /Use one of: agent, /],
];

it.each(CALLS)(
	'%s %s as a model first calls it does what was meant, or says how: %j',
	async (name, operation, given, expected) => {
		const parameters = { operation, ...filled(given) };
		const { error, output } = await run(toolOf(nodeOf(name)), parameters as INodeParameters);
		if (expected instanceof RegExp) {
			expect(error?.message).toMatch(expected);
			expect(service.requests).toEqual([]);
			return;
		}
		expect(error?.message).toBeUndefined();
		expect(output[0][0].json).not.toHaveProperty('error');
		expect(service.requests[0].body).toMatchObject(expected);
	},
);

it('these are at least sixty calls, of every node that can be a tool', () => {
	expect(CALLS.length).toBeGreaterThanOrEqual(60);
	expect(new Set(CALLS.map(([name]) => name)).size).toBe(6);
});
