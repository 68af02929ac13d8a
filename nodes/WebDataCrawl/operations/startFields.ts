import type { Field } from '../../shared/form/field';
import { formatFields } from '../../shared/fields/formats';
import { scrapeOptionFields, scrapeOptionsField } from '../../shared/fields/scrapeOptions';
import { sitemapField } from '../../shared/fields/sitemap';
import { webhook } from '../../shared/fields/webhook';
import { linesField, url, wholeNumber } from '../../shared/form/values';

const site: Field = {
	displayName: 'URL',
	name: 'url',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. https://example.com',
	description: 'Where the crawl begins',
	hint: 'Unless you set Max Pages in Options, up to 10,000 pages are crawled and billed',
	wire: { value: url },
};

const pageLimit = wholeNumber({
	displayName: 'Max Pages',
	name: 'limit',
	default: 100,
	minValue: 1,
	description: 'Pages to crawl at most; each costs credits. The service default is 10000.',
});

/** What starting a crawl takes, in the order people need it. */
export const startFields: Field[] = [
	site,
	...formatFields('scrapeOptions.formats'),
	scrapeOptionsField(scrapeOptionFields, 'How each page is scraped'),
];

/** The settings of a crawl that have a default at the service. */
export const startSettings: Field[] = [
	pageLimit,
	linesField({
		displayName: 'Include Paths',
		name: 'includePaths',
		example: '^/blog/.*',
		description: 'Only pages whose path matches one of these regular expressions',
	}),
	linesField({
		displayName: 'Exclude Paths',
		name: 'excludePaths',
		example: '^/tag/.*',
		description: 'No pages whose path matches one of these regular expressions',
	}),
	{
		displayName: 'Prompt',
		name: 'prompt',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		placeholder: 'e.g. Only the blog posts of this year',
		description: 'Says in words what to crawl; the service derives its settings from it',
	},
	{
		displayName: 'Max Depth',
		name: 'maxDiscoveryDepth',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 0 },
		default: 2,
		description: 'How many links away from the URL a page may be',
	},
	sitemapField,
	{
		displayName: 'Crawl Entire Domain',
		name: 'crawlEntireDomain',
		type: 'boolean',
		default: false,
		description: 'Whether to follow links to pages above and beside the URL',
	},
	{
		displayName: 'Allow Subdomains',
		name: 'allowSubdomains',
		type: 'boolean',
		default: false,
		description: 'Whether to follow links to subdomains',
	},
	{
		displayName: 'Allow External Links',
		name: 'allowExternalLinks',
		type: 'boolean',
		default: false,
		description: 'Whether to follow links to other sites',
	},
	{
		displayName: 'Ignore Query Parameters',
		name: 'ignoreQueryParameters',
		type: 'boolean',
		default: false,
		description: 'Whether to take pages that differ in their query parameters as one',
	},
	{
		displayName: 'Match Paths on Full URL',
		name: 'regexOnFullURL',
		type: 'boolean',
		default: false,
		description: 'Whether Include Paths and Exclude Paths are matched against the whole address',
	},
	{
		displayName: 'Delay (Seconds)',
		name: 'delay',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 1,
		description: 'Seconds to wait between two pages, to be gentle to the site',
		wire: { fraction: true },
	},
	{
		displayName: 'Max Concurrency',
		name: 'maxConcurrency',
		type: 'number',
		typeOptions: { minValue: 1, numberPrecision: 0 },
		default: 5,
		description: 'Pages the service scrapes at once, at most',
	},
	webhook,
	{
		displayName: 'Zero Data Retention',
		name: 'zeroDataRetention',
		type: 'boolean',
		default: false,
		description: 'Whether the service keeps nothing of the crawl; must be enabled for your team',
	},
];
