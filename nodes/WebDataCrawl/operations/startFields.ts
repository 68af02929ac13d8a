import { invalid, quoted } from '../../shared/form/checks';
import { linesField, wholeNumberField } from '../../shared/form/controls';
import type { Field, Place } from '../../shared/form/field';
import { maxConcurrency } from '../../shared/fields/maxConcurrency';
import { pageFields } from '../../shared/fields/pageFields';
import { sitemapField } from '../../shared/fields/sitemap';
import { webhook } from '../../shared/fields/webhook';
import { url } from '../../shared/form/values';

const site: Field = {
	displayName: 'URL',
	name: 'url',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. https://example.com',
	description: 'Where to start the crawl',
	wire: { value: url },
};

/** Stands in the form itself and is always sent, because the service's own default is 10,000 pages. */
export const maxPages = wholeNumberField({
	displayName: 'Max Pages',
	name: 'maxPages',
	default: 100,
	minValue: 1,
	description: 'Maximum number of pages to crawl',
	hint: 'Each page costs 1 credit; some formats cost more',
	wire: { as: 'limit', always: true },
});

const ignoreRobotsTxt: Field<boolean> = {
	displayName: 'Ignore Robots.txt',
	name: 'ignoreRobotsTxt',
	type: 'boolean',
	default: true,
	description:
		"Whether to crawl pages that the site's robots.txt forbids. Must be enabled for your team. Newer services only.",
	wire: { mayBeEmpty: true },
};

const robotsUserAgent: Field<string> = {
	displayName: 'Robots.txt User Agent',
	name: 'robotsUserAgent',
	type: 'string',
	default: '',
	placeholder: 'e.g. AcmeBot',
	description:
		"Follow the rules for this user agent in the site's robots.txt. Must be enabled for your team. Newer services only.",
	wire: { mayBeEmpty: true },
};

const delay: Field<number> = {
	displayName: 'Delay (Seconds)',
	name: 'delay',
	type: 'number',
	typeOptions: { minValue: 0.1, maxValue: 60 },
	default: 1,
	description:
		'Seconds to wait between pages, to go easy on the site; they are then scraped one at a time',
};

export const startFields: Field[] = [
	site,
	maxPages,
	...pageFields({ in: 'scrapeOptions', description: 'How to scrape each page' }),
];

const PATH_HINT = 'A path such as /docs, or a regular expression; one per line';

/** Matches a path and everything below it, as people write it: `/docs`, `/docs/` or `/docs/*`. */
const PLAIN_PATH = /^(\/[\w.~%-]+(?:\/[\w.~%-]+)*)\/?\*?$/;

/** Turns an entry into a regular expression. Throws NodeOperationError if it isn't a valid one. */
function patternOf(entry: string, isFullUrl: boolean, place: Place): string {
	const reject = (problem: string, remedy: string) =>
		invalid(place, `has ${quoted(entry)}, which is ${problem}`, remedy);
	// A regular expression may contain a comma. But no path contains a blank, and no path begins in the middle of another,
	// so this entry holds several.
	if (/,(\s|\^\/)/.test(entry)) {
		throw reject('more than one regular expression', 'Enter one per line.');
	}
	if (!isFullUrl && /^\^?https?:\/\//i.test(entry)) {
		throw reject(
			'a whole URL, while only paths are matched',
			'Write the path alone, e.g. /blog, or turn on Match Paths on Full URL.',
		);
	}
	const [, path] = (!isFullUrl && PLAIN_PATH.exec(entry)) || [];
	if (path !== undefined) return `^${path.replace(/\./g, '\\.')}(/|$)`;
	try {
		new RegExp(entry);
		return entry;
	} catch {
		throw reject(
			'not a regular expression',
			'Write .* for any text, e.g. \\.pdf$ for all paths that end in .pdf, or a path such as /docs.',
		);
	}
}

/** Keeps patterns as text until it is known whether they are for paths or for whole URLs. */
const patternsField = (field: Pick<Field, 'displayName' | 'name' | 'description'>): Field =>
	linesField({
		...field,
		example: '/blog',
		hint: PATH_HINT,
		wire: {
			last: true,
			put: (target, value, place) => {
				const isFullUrl = target.regexOnFullURL === true;
				target[field.name] = (value as string[]).map((one) => patternOf(one, isFullUrl, place));
			},
		},
	});

export const startSettings: Field[] = [
	patternsField({
		displayName: 'Include Paths',
		name: 'includePaths',
		description:
			'Crawl only these paths, and all below them. A start URL that does not match is left out, but its links are followed.',
	}),
	patternsField({
		displayName: 'Exclude Paths',
		name: 'excludePaths',
		description: 'Skip these paths, and all below them',
	}),
	{
		displayName: 'Prompt',
		name: 'prompt',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		placeholder: 'e.g. Only the blog posts of this year',
		description: 'What to crawl, in your own words; the service works out the settings',
		wire: { maxLength: 10_000 },
	},
	{
		displayName: 'Max Depth',
		name: 'maxDiscoveryDepth',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 0 },
		default: 2,
		description:
			'How many links away from the start URL a page may be. Pages in the sitemap count as 0: with 1 or more, all of them are crawled unless Sitemap is Skip.',
	},
	sitemapField({
		include: 'The start URL, pages in the sitemap and linked pages',
		only: 'Only the start URL and pages in the sitemap',
		skip: 'Only the start URL and linked pages',
	}),
	{
		displayName: 'Crawl Entire Domain',
		name: 'crawlEntireDomain',
		type: 'boolean',
		default: false,
		description: 'Whether to crawl the whole site, not only pages below the start URL',
		wire: { mayBeEmpty: true },
	},
	{
		displayName: 'Allow Subdomains',
		name: 'allowSubdomains',
		type: 'boolean',
		default: false,
		description: 'Whether to follow links to subdomains',
		wire: { mayBeEmpty: true },
	},
	{
		displayName: 'Allow External Links',
		name: 'allowExternalLinks',
		type: 'boolean',
		default: false,
		description: 'Whether to follow links to other sites',
		wire: { mayBeEmpty: true },
	},
	{
		displayName: 'Ignore Query Parameters',
		name: 'ignoreQueryParameters',
		type: 'boolean',
		default: false,
		description: 'Whether to treat URLs that differ only in their query parameters as one page',
	},
	{
		displayName: 'Deduplicate Similar URLs',
		name: 'deduplicateSimilarURLs',
		type: 'boolean',
		default: true,
		description:
			'Whether to treat URLs that differ only in http or https, www., index.html or a slash at the end as one page. The service default is on.',
	},
	{
		displayName: 'Match Paths on Full URL',
		name: 'regexOnFullURL',
		type: 'boolean',
		default: false,
		description: 'Whether to match Include Paths and Exclude Paths against the whole URL',
	},
	delay,
	maxConcurrency,
	webhook,
	{
		displayName: 'Zero Data Retention',
		name: 'zeroDataRetention',
		type: 'boolean',
		default: false,
		description:
			'Whether to have the service keep no data of the crawl; 1 more credit per page. Must be enabled for your team.',
	},
	ignoreRobotsTxt,
	robotsUserAgent,
];
