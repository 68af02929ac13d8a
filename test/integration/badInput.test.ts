import type { IDataObject, INodeExecutionData, INodeParameters, INodeType } from 'n8n-workflow';

import { WebDataAgent } from '../../nodes/WebDataAgent/WebDataAgent.node';
import { WebDataCrawl } from '../../nodes/WebDataCrawl/WebDataCrawl.node';
import { WebDataExtract } from '../../nodes/WebDataExtract/WebDataExtract.node';
import { WebDataScrape } from '../../nodes/WebDataScrape/WebDataScrape.node';
import { WebDataSearch } from '../../nodes/WebDataSearch/WebDataSearch.node';
import { WebDataUsage } from '../../nodes/WebDataUsage/WebDataUsage.node';
import { startService, type LocalService } from '../../mock-service';
import { itemsOf, runNode } from '../support/engine';

/** One bad value: three items are run, the second one has it. */
interface Case {
	name: string;
	node: INodeType;
	/** With `VALUE` where the item's value goes. */
	parameters: INodeParameters;
	good: unknown;
	bad: unknown;
	/** The whole message, or its beginning where the rest is another program's text. */
	message: string | RegExp;
	/** What the description has to say besides the item. */
	says?: string;
}

const VALUE = '={{ $json.value }}';
const CRAWL_ID = '5f3b2c1a-8d4e-4f6a-9b0c-1d2e3f4a5b6c';

const search = (
	options: INodeParameters,
	query: string = 'coffee',
	more: INodeParameters = {},
) => ({
	node: new WebDataSearch(),
	parameters: { operation: 'search', query, options, ...more },
});
const scrape = (scrapeOptions: INodeParameters, more: INodeParameters = {}) => ({
	node: new WebDataScrape(),
	parameters: { operation: 'scrape', url: 'https://example.com', scrapeOptions, ...more },
});
const agent = (more: INodeParameters) => ({
	node: new WebDataAgent(),
	parameters: { operation: 'start', prompt: 'Find the founders', ...more },
});
const extract = (more: INodeParameters) => ({
	node: new WebDataExtract(),
	parameters: { operation: 'start', urls: 'https://example.com', prompt: 'Prices', ...more },
});
const crawlId = {
	node: new WebDataCrawl(),
	parameters: { operation: 'getStatus', crawlId: { __rl: true, mode: 'id', value: VALUE } },
	good: CRAWL_ID,
};
const jobId = {
	node: new WebDataAgent(),
	parameters: { operation: 'cancel', jobId: VALUE },
	good: CRAWL_ID,
};
const BAD_IDS = ['../x', '..', '.', 'a/b', 'a?b', 'a#b', 'a%2Fb', 'a\\b', '..%2Fteam'];

const schemaOf = (jsonSchema: string) => ({ schema: { from: 'jsonSchema', jsonSchema } });
const actionsOf = (...action: INodeParameters[]) => ({ actions: { action } });
const timeFilter = (range: INodeParameters) => ({ timeFilter: { range } });

const cases: Case[] = [
	{
		name: 'a query that is too long',
		...search({}, VALUE),
		good: 'x'.repeat(500),
		bad: 'x'.repeat(501),
		message: 'Query has 501 characters, but at most 500 are allowed',
	},
	{
		name: 'an empty query',
		...search({}, VALUE),
		good: 'coffee',
		bad: '   ',
		message: 'Query is empty',
	},
	{
		name: 'a query that is too long with its operators',
		node: new WebDataSearch(),
		parameters: { operation: 'search', query: VALUE, queryOperators: { site: 'example.com' } },
		good: 'coffee',
		bad: 'x'.repeat(490),
		message: 'Query with its Query Operators has 507 characters, but at most 500 are allowed',
		says: 'Shorten it by 7 characters',
	},
	...[0, 101, -1].map((bad) => ({
		name: `limit ${bad}`,
		...search({}, 'coffee', { limit: VALUE }),
		good: 1,
		bad,
		message: `Limit is ${bad}, but must be from 1 to 100`,
		says: '(field: Limit)',
	})),
	{
		name: 'a limit that is a word',
		...search({}, 'coffee', { limit: VALUE }),
		good: 1,
		bad: 'ten',
		message: 'Limit is "ten", which is not a number',
	},
	{
		name: 'a country of three letters',
		...search({ country: VALUE }),
		good: 'us',
		bad: 'usa',
		message: 'Country is "usa", but must be a two-letter country code',
		says: 'ISO 3166-1',
	},
	{
		name: 'To before From',
		...search(timeFilter({ past: 'dates', from: VALUE, to: '2026-01-31' })),
		good: '2026-01-01',
		bad: '2026-02-01',
		message: 'From is 2026-02-01, which is after To (2026-01-31)',
		says: 'Options → Time Filter → From',
	},
	{
		name: 'a day that does not exist',
		...search(timeFilter({ past: 'dates', from: '2026-01-01', to: VALUE })),
		good: '2026-02-28',
		bad: '2026-02-30',
		message: 'To is "2026-02-30", which is not a date',
	},
	{
		name: 'an image size without height',
		node: new WebDataSearch(),
		parameters: { operation: 'search', query: 'q', queryOperators: { imageSize: VALUE } },
		good: '1920x1080',
		bad: '1920',
		message: 'Image Size is "1920", but must be WIDTHxHEIGHT',
	},
	{
		name: 'a source that is no source',
		...search({}, 'coffee', { sources: VALUE }),
		good: ['news', { type: 'web', location: 'Berlin' }],
		bad: [{ kind: 'news' }],
		message: 'Sources has "{"kind":"news"}", which is not one of its choices',
	},
	{
		name: 'operators without anything to search for',
		node: new WebDataSearch(),
		parameters: { operation: 'search', query: '', queryOperators: { site: VALUE } },
		good: 'example.com',
		bad: 'site:',
		message: 'Only Sites has "site:", in which nothing is left to search for',
	},
	...[
		['an array', '[1]', /^Additional Body Fields \(JSON\) is an array, but must be a JSON object$/],
		['a text', '"a"', /^Additional Body Fields \(JSON\) is "a", but must be a JSON object$/],
		['broken', '{"a":', /^Additional Body Fields \(JSON\) is not valid JSON: /],
	].map(([kind, bad, message]) => ({
		name: `additional body fields that are ${kind as string}`,
		...search({ additionalBodyFields: VALUE }),
		good: '{"limit":1}',
		bad,
		message: message as RegExp,
	})),
	...[999, 300001].map((bad) => ({
		name: `scrape timeout ${bad}`,
		...scrape({ timeout: VALUE }),
		good: 1000,
		bad,
		message: `Timeout (Ms) is ${bad}, but must be from 1000 to 300000`,
		says: 'Scrape Options → Timeout (Ms)',
	})),
	...[0, 10001].map((bad) => ({
		name: `maxPages ${bad}`,
		...scrape({ parsers: { maxPages: VALUE } }),
		good: 10000,
		bad,
		message: `Max Pages is ${bad}, but must be from 1 to 10000`,
		says: 'Scrape Options → PDF Parsing → Max Pages',
	})),
	...[0, 61].map((bad) => ({
		name: 'the delay of a crawl',
		node: new WebDataCrawl(),
		parameters: {
			operation: 'start',
			url: 'https://example.com',
			options: { delay: VALUE },
		},
		good: 0.5,
		bad,
		message: `Delay (Seconds) is ${bad}, but must be from 0.1 to 60`,
	})),
	{
		name: 'a profile name that is too long',
		...scrape({ profile: { name: VALUE } }),
		good: 'x'.repeat(128),
		bad: 'x'.repeat(129),
		message: 'Name has 129 characters, but at most 128 are allowed',
		says: 'Browser Profile → Name',
	},
	{
		name: 'a profile without a name',
		...scrape({ profile: { name: VALUE, saveChanges: false } }),
		good: 'shop',
		bad: '  ',
		message: 'Name is empty',
		says: 'Browser Profile → Name',
	},
	...[0, 101].map((bad) => ({
		name: `screenshot quality ${bad}`,
		...scrape({}, { formats: ['screenshot'], screenshotOptions: { quality: VALUE } }),
		good: 100,
		bad,
		message: `Quality is ${bad}, but must be from 1 to 100`,
		says: 'Screenshot Options → Quality',
	})),
	{
		name: 'a viewport without width',
		...scrape(
			{},
			{
				formats: ['screenshot'],
				screenshotOptions: { viewport: { size: { width: VALUE, height: 600 } } },
			},
		),
		good: 800,
		bad: '',
		message: 'Width is empty',
		says: 'Viewport → Width',
	},
	{
		// n8n itself drops what a row hides; with the action from an expression it shows, and keeps, both.
		name: 'a wait with both time and element',
		...scrape(actionsOf({ type: VALUE, milliseconds: 5, selector: '#app' })),
		good: 'click',
		bad: 'wait',
		message: 'Action 1 has both Milliseconds and Selector, but a wait takes only one of them',
		says: 'Scrape Options → Actions → Action 1',
	},
	{
		name: 'a wait of no time',
		...scrape(actionsOf({ type: 'wait', milliseconds: VALUE })),
		good: 1,
		bad: 0,
		message: 'Milliseconds is 0, but must be at least 1',
		says: 'Actions → Action 1 → Milliseconds',
	},
	{
		name: 'a click on nothing',
		...scrape(actionsOf({ type: 'scrape' }, { type: 'click', selector: VALUE })),
		good: '#more',
		bad: '',
		message: 'Selector is empty',
		says: 'Actions → Action 2 → Selector',
	},
	{
		name: 'an action that does not exist',
		...scrape(actionsOf({ type: VALUE })),
		good: 'scrape',
		bad: 'hover',
		message: 'Action is "hover", which is not one of its choices',
	},
	{
		name: 'a header value without name',
		...scrape({ headers: { pair: [{ name: VALUE, value: 'x' }] } }),
		good: 'X-Test',
		bad: '',
		message: 'Headers has a value without a name',
	},
	...['example.com', 'ftp://example.com', 'https://'].map((bad) => ({
		name: `the page URL ${bad}`,
		node: new WebDataScrape(),
		parameters: { operation: 'scrape', url: VALUE },
		good: 'https://example.com',
		bad,
		message: `URL is "${bad}", which is not a URL`,
		says: 'https://',
	})),
	{
		name: 'no page URL',
		node: new WebDataScrape(),
		parameters: { operation: 'scrape', url: VALUE },
		good: 'https://example.com',
		bad: null,
		message: 'URL is empty',
	},
	{
		name: 'no format',
		...scrape({}, { formats: VALUE }),
		good: ['markdown'],
		bad: [],
		message: 'Formats is empty',
	},
	{
		name: 'a list of URLs with a bad one',
		...extract({ urls: VALUE }),
		good: ['https://example.com/*'],
		bad: ['https://example.com/*', 'example.com/b'],
		message: 'URLs has "example.com/b" (number 2), which is not a URL',
	},
	{
		name: 'no URL to extract from',
		...extract({ urls: VALUE }),
		good: 'https://example.com',
		bad: ' \n ',
		message: 'URLs is empty',
	},
	{
		name: 'an empty prompt',
		...agent({ prompt: VALUE }),
		good: 'Find the founders',
		bad: '',
		message: 'Prompt is empty',
	},
	{
		name: 'a prompt of 10,001 characters',
		...agent({ prompt: VALUE }),
		good: 'x'.repeat(10_000),
		bad: 'x'.repeat(10_001),
		message: 'Prompt has 10001 characters, but at most 10000 are allowed',
	},
	{
		name: 'a schema that is broken JSON',
		...agent({ schema: schemaOf(VALUE) }),
		good: '{"type":"object"}',
		bad: '{"type": "object",}',
		message: /^JSON Schema is not valid JSON: /,
		says: 'Output Schema → JSON Schema',
	},
	{
		name: 'a schema that is an array',
		...agent({ schema: schemaOf(VALUE) }),
		good: '{"type":"object"}',
		bad: '[{"type":"object"}]',
		message: 'JSON Schema is an array, but must be a JSON object',
	},
	{
		name: 'a schema with a field twice',
		...agent({
			schema: { schema: { from: 'fields', fields: { field: [{ name: 'a' }, { name: VALUE }] } } },
		}),
		good: 'b',
		bad: 'a',
		message: 'Name is "a" twice',
		says: 'Output Schema → Fields → Field 2 → Name',
	},
	{
		name: 'credits below one',
		...agent({ maxCredits: VALUE }),
		good: 1.5,
		bad: 0.5,
		message: 'Max Credits is 0.5, but must be at least 1',
	},
	{
		name: 'only these URLs, but none',
		...agent({ options: { strictConstrainToURLs: VALUE } }),
		good: false,
		bad: true,
		message: 'Only These URLs is on, but URLs is empty',
	},
	{
		name: 'a list of URLs in one line',
		...extract({ urls: VALUE }),
		good: 'https://example.com/*',
		bad: 'https://example.com/*, https://example.org/*',
		message:
			'URLs has "https://example.com/*, https://example.org/*" (number 1), which is more than one URL',
		says: 'Enter one per line.',
	},
	{
		name: 'several URLs in a line of a batch, whose bad ones are skipped',
		node: new WebDataScrape(),
		parameters: { operation: 'batchStart', oneJobFor: 'item', urls: VALUE },
		good: '- https://a.example\n* b.example',
		bad: 'https://a.example, https://b.example',
		message:
			'URLs has "https://a.example, https://b.example" (number 1), which is more than one URL',
		says: 'Enter one per line.',
	},
	{
		name: 'a URL of a batch with a label',
		node: new WebDataScrape(),
		parameters: { operation: 'batchStart', oneJobFor: 'item', urls: VALUE },
		good: '1. https://a.example\n2. https://b.example',
		bad: 'Docs: https://a.example/a',
		message: 'URLs has "Docs: https://a.example/a" (number 1), which is not a URL',
		says: 'Enter the URL alone: https://a.example/a.',
	},
	...[
		['Include Paths', 'includePaths'],
		['Exclude Paths', 'excludePaths'],
	].map(([label, name]) => ({
		name: `${label} in one line`,
		node: new WebDataCrawl(),
		parameters: {
			operation: 'start',
			url: 'https://a.example',
			options: { [name]: VALUE },
		},
		good: '["^/a{1,2}$", "^/b,c"]',
		bad: 'blog/.*, docs/.*',
		message: `${label} has "blog/.*, docs/.*", which is more than one regular expression`,
		says: 'Enter one per line.',
	})),
	{
		name: 'patterns in one line without a blank between them',
		node: new WebDataCrawl(),
		parameters: {
			operation: 'start',
			url: 'https://a.example',
			options: { includePaths: VALUE },
		},
		good: '^/a,b',
		bad: '^/a,^/b',
		message: 'Include Paths has "^/a,^/b", which is more than one regular expression',
		says: 'Enter one per line.',
	},
	...[null, ''].map((bad) => ({
		name: `${JSON.stringify(bad)} for the URLs of a batch in Additional Body Fields`,
		node: new WebDataScrape(),
		parameters: {
			operation: 'batchStart',
			oneJobFor: 'item',
			urls: 'https://a.example',
			options: { additionalBodyFields: '={{ { urls: $json.value } }}' },
		},
		good: 'https://b.example',
		bad,
		message: 'URLs is empty',
	})),
	...[
		['<https://a.example/x>', 'Enter the URL alone: https://a.example/x.'],
		['[A page](https://a.example)', 'Enter the URL alone: https://a.example.'],
		['Docs: https://a.example.', 'Enter the URL alone: https://a.example.'],
		[
			'web.example/https://a.example',
			'Begin it with https://, e.g. https://web.example/https://a.example.',
		],
		['a.example?u=https://b.example', 'Begin it with https://, e.g. https://a.example?u='],
	].map(([bad, says]) => ({
		name: `${bad} for a URL`,
		...agent({ urls: VALUE }),
		good: '- https://a.example\n- https://b.example',
		bad,
		message: `URLs has "${bad}" (number 1), which is not a URL`,
		says,
	})),
	{
		name: 'two URLs in a line, the first without a scheme',
		...agent({ urls: VALUE }),
		good: 'https://a.example',
		bad: 'a.example, https://b.example',
		message: 'URLs has "a.example, https://b.example" (number 1), which is more than one URL',
		says: 'Enter one per line.',
	},
	{
		name: 'nothing to extract',
		...extract({ prompt: VALUE }),
		good: 'Prices',
		bad: '',
		message: 'Prompt and Output Schema are empty',
		says: 'Fill in one of them or both.',
	},
	{
		name: 'an object for the name of a field',
		...agent({ schema: { schema: { from: 'fields', fields: { field: [{ name: VALUE }] } } } }),
		good: 5,
		bad: { a: 1 },
		message: 'Name is "{"a":1}", which is not text',
	},
	{
		name: 'a date for a text',
		...agent({
			prompt: '={{ $json.value === 0 ? DateTime.fromMillis(0, { zone: "utc" }) : "x" }}',
		}),
		good: 1,
		bad: 0,
		message: 'Prompt is "1970-01-01T00:00:00.000Z", which is not text',
	},
	{
		name: 'a wait that leaves no time for the page',
		...scrape({ waitFor: VALUE, timeout: 4000 }),
		good: 2000,
		bad: 2001,
		message: 'Wait For (Ms) is 2001, but must be at most half of Timeout (4000)',
	},
	{
		name: 'change tracking without Markdown',
		...scrape({}, { formats: VALUE }),
		good: ['markdown', 'changeTracking'],
		bad: ['changeTracking'],
		message: 'Formats has Change Tracking without Markdown',
	},
	{
		name: 'JSON without a schema or a prompt',
		...scrape({}, { formats: ['json'], jsonPrompt: VALUE }),
		good: 'Prices',
		bad: '',
		message: 'Formats has JSON without a schema or a prompt',
	},
	{
		name: 'a question without a question, in a format an expression gives',
		...scrape({}, { formats: '={{ [{ type: "question" }] }}', question: VALUE }),
		good: 'When?',
		bad: '',
		message: 'Question is empty',
	},
	{
		name: 'a format that a search does not take',
		node: new WebDataSearch(),
		parameters: { operation: 'searchAndScrape', query: 'coffee', formats: VALUE },
		good: ['markdown'],
		bad: ['branding'],
		message: 'Formats is "branding", which this operation does not take',
	},
	{
		name: 'JSON options without the format JSON',
		...extract({ scrapeOptions: { formats: VALUE, jsonOptions: { prompt: 'Prices' } } }),
		good: ['json'],
		bad: ['markdown'],
		message: 'JSON Options is set, but Formats has no JSON',
	},
	{
		name: 'a header that comes twice',
		...scrape({
			headers: {
				pair: [
					{ name: 'X-Test', value: '1' },
					{ name: VALUE, value: '2' },
				],
			},
		}),
		good: 'X-Other',
		bad: 'x-test',
		message: 'Headers has "x-test" twice',
	},
	...['active', 'ongoing'].map((bad) => ({
		name: `the crawl ID ${bad}`,
		...crawlId,
		bad,
		message: `Crawl is "${bad}", which is not an ID`,
	})),
	...BAD_IDS.flatMap((bad) => [
		{
			name: `the job ID ${bad}`,
			...jobId,
			bad,
			message: 'Job ID is not a valid ID',
			says: `It is “${bad}”`,
		},
		{
			name: `the crawl ID ${bad}`,
			...crawlId,
			bad,
			message: 'Crawl is not a valid ID',
			says: `It is “${bad}”`,
		},
	]),
	{
		name: 'a job ID that is too long for a path',
		...jobId,
		good: 'x'.repeat(200),
		bad: 'x'.repeat(201),
		message: 'Job ID is not a valid ID',
		says: 'has at most 200 characters',
	},
	...(
		[
			['Only Sites', 'site', 'a.example'],
			['Exclude Sites', 'excludeSite', 'a.example'],
			['Related To', 'related', 'a.example'],
			['File Type', 'fileType', 'pdf'],
			['Exclude File Type', 'excludeFileType', 'pdf'],
		] as const
	).flatMap(([label, name, good]) =>
		[', ', ',', ';', ' '].map((separator) => ({
			name: `${label} in one line, with "${separator}" between them`,
			...search({}, 'coffee', { queryOperators: { [name]: VALUE } }),
			good: `${good}\nb`,
			bad: `${good}${separator}b`,
			message: `${label} has "${good}${separator}b", which is more than one entry`,
			says: 'Enter one per line.',
		})),
	),
	...[
		['Languages', { location: { languages: VALUE } }, 'de-DE'],
		['Blocked Domains', { threatProtection: { blacklist: VALUE } }, '*.a.example'],
		['Allowed Domains', { threatProtection: { whitelist: VALUE } }, 'a.example'],
		['Blocked Endings', { threatProtection: { blockedTlds: VALUE } }, 'zip'],
	].map(([label, scrapeOptions, good]) => ({
		name: `${label as string} in one line`,
		...scrape(scrapeOptions as INodeParameters),
		good,
		bad: `${good as string}, b`,
		message: `${label as string} has "${good as string}, b", which is more than one entry`,
		says: 'Enter one per line.',
	})),
	{
		name: 'a URL for a blocked domain',
		...scrape({ threatProtection: { blacklist: VALUE } }),
		good: '*.a.example',
		bad: 'https://a.example',
		message: 'Blocked Domains has "https://a.example", which is not a domain',
	},
	{
		name: 'a header with a line break',
		...scrape({ headers: { pair: [{ name: 'Cookie', value: VALUE }] } }),
		good: 'a=b',
		bad: 'a=secret\r\nX: y',
		message: 'Headers has a value that no header can have (number 1)',
	},
	{
		name: 'an object for what to type on a page',
		...scrape(actionsOf({ type: 'write', text: VALUE })),
		good: ' ',
		bad: { password: 'secret' },
		message: 'Text has a value that is not text',
	},
	...[NaN, Infinity].map((bad) => ({
		name: `${bad} for a query`,
		...search({}, VALUE),
		good: 5,
		bad,
		message: `Query is "${bad}", which is not text`,
	})),
	{
		name: 'an object within a query',
		...search({}, '=coffee {{ $json.value }}'),
		good: 'beans',
		bad: { a: 1 },
		message: 'Query has "[object Object]" in it',
		says: 'choose one of its fields',
	},
	{
		name: 'an object for a country',
		...search({ country: VALUE }),
		good: 'us',
		bad: { code: 'us' },
		message: 'Country is "{"code":"us"}", but must be a two-letter country code',
	},
	{
		name: 'a category that is a number',
		...search({ categories: VALUE }),
		good: ['github'],
		bad: [5],
		message: 'Categories has "5", which is not one of its choices',
		says: 'Give text, e.g. github,',
	},
	{
		name: 'a search timeout beyond whole numbers',
		...search({ timeout: VALUE }),
		good: 60_000,
		bad: 1e21,
		message: 'Timeout (Ms) is 1e+21, but must be at most 9007199254740991',
	},
	...[
		['Additional Body Fields (JSON)', search({ additionalBodyFields: VALUE }), '{"limit":1}'],
		['JSON Schema', agent({ schema: schemaOf(VALUE) }), '{"type":"object"}'],
		[
			'Example Object',
			agent({ schema: { schema: { from: 'example', example: VALUE } } }),
			'{"a":1}',
		],
	].map(([label, form, good]) => ({
		name: `${label as string} nested 5,000 deep`,
		...(form as ReturnType<typeof search>),
		good,
		bad: `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`,
		message: `${label as string} has more than 500 levels of brackets`,
	})),
	{ name: 'no job ID', ...jobId, bad: '', message: 'Job ID is empty' },
	{ name: 'no crawl ID', ...crawlId, bad: '', message: 'Crawl is empty' },
	{
		name: 'a list of crawl IDs',
		...crawlId,
		bad: ['a', 'b'],
		message: 'Crawl is "["a","b"]", which is not an ID',
	},
	{
		name: 'a crawl URL that leads up',
		...crawlId,
		bad: 'https://api.example.com/v2/crawl/..',
		message: 'Crawl is not a valid ID',
	},
	...['https://api.example.com/v2/crawl/active', 'https://docs.example.com/crawls'].map((bad) => ({
		name: `the URL ${bad} as a crawl's`,
		...crawlId,
		bad,
		message: `Crawl has a URL that is not a crawl's: "${bad}"`,
		says: 'ends in /crawl/ and its ID',
	})),
	{
		name: 'a month range that ends before it begins',
		node: new WebDataUsage(),
		parameters: { operation: 'getHistorical', options: { from: VALUE, to: '2026-03-01' } },
		good: '2026-01-01',
		bad: '2026-04-01',
		message: 'From is 2026-04-01, which is after To (2026-03-01)',
	},
];

let service: LocalService;
beforeAll(async () => {
	service = await startService({ credits: 1_000_000 });
	service.crawls.add({ id: CRAWL_ID, status: 'completed', pages: 1 });
	service.fail({ method: 'DELETE', status: 200, body: { success: true } });
});
afterAll(async () => await service.close());
beforeEach(() => {
	service.requests.length = 0;
});

const run = async (
	{ node, parameters, good, bad }: Case,
	more: Partial<Parameters<typeof runNode>[0]>,
) =>
	await runNode({
		nodeType: node,
		parameters,
		items: itemsOf(
			{ value: good } as IDataObject,
			{ value: bad } as IDataObject,
			{
				value: good,
			} as IDataObject,
		),
		credentials: { baseUrl: service.url, apiKey: service.apiKey },
		...more,
	});

/** The input items that the given items come from. */
const sourcesOf = (items: INodeExecutionData[]) => [
	...new Set(items.map(({ pairedItem }) => ([pairedItem].flat()[0] as { item: number }).item)),
];

describe.each(cases)('$name', (bad) => {
	it('stops before anything is sent, and says where and why', async () => {
		const { error, status } = await run(bad, {});
		expect(status).toBe('error');
		if (typeof bad.message === 'string') expect(error?.message).toBe(bad.message);
		else expect(error?.message).toMatch(bad.message);
		expect((error?.context as IDataObject).itemIndex).toBe(1);
		expect(error?.description).toContain('Nothing was sent for item 1');
		if (bad.says !== undefined) expect(error?.description).toContain(bad.says);
		expect(service.requests).toEqual([]);
	});

	it('fails alone where the node continues on errors', async () => {
		const { output, status } = await run(bad, { onError: 'continueErrorOutput' });
		expect(status).toBe('success');
		const [good, failed] = output;
		expect(sourcesOf(good)).toEqual([0, 2]);
		expect(failed).toHaveLength(1);
		expect(sourcesOf(failed)).toEqual([1]);
		expect(failed[0].json.message).toEqual(
			typeof bad.message === 'string' ? bad.message : expect.stringMatching(bad.message),
		);
		expect(service.requests).toHaveLength(2);
		expect(service.requests.map((request) => request.status)).toEqual([200, 200]);
	});
});

it.each([
	['Query', search({}, '{{ $json.topic }}')],
	['URL', { ...scrape({}, { url: 'https://{{$json.url}}' }) }],
	['URLs', extract({ urls: 'https://a.example\nhttps://{{ $json.url }}' })],
	['Prompt', agent({ prompt: 'Find {{ $json.name }}' })],
	['Only Sites', search({}, 'coffee', { queryOperators: { site: '{{ $json.site }}' } })],
	['Headers', scrape({ headers: { pair: [{ name: 'A', value: '{{ $json.a }}' }] } })],
])('%s with an expression that is Fixed says so', async (label, { node, parameters }) => {
	const credentials = { baseUrl: service.url, apiKey: service.apiKey };
	const { error } = await runNode({ nodeType: node, parameters, credentials });
	expect(error?.message).toBe(`${label} holds an expression as plain text`);
	expect(error?.description).toContain('Switch the field from Fixed to Expression.');
	expect(service.requests).toEqual([]);
});

it('what looks like an expression is sent where an expression gave it', async () => {
	const { status } = await runNode({
		nodeType: new WebDataSearch(),
		parameters: { operation: 'search', query: VALUE },
		items: itemsOf({ value: 'n8n {{ $json.a }} is undefined' }),
		credentials: { baseUrl: service.url, apiKey: service.apiKey },
	});
	expect(status).toBe('success');
	expect(service.requests).toHaveLength(1);
});

it('has every case that the limits in api/openapi.yaml ask for', () => {
	expect(cases.length).toBeGreaterThanOrEqual(25);
	expect(service.violations).toEqual([]);
});
