import { booleanField, collectionField, textField, wholeNumberField } from '../form/controls';
import type { Field } from '../form/field';
import { patternsField } from './crawlPaths';
import { maxConcurrency } from './jobOptions';
import { sitemapField } from './map';

const ignoreRobotsTxt = booleanField('ignoreRobotsTxt', 'Ignore Robots.txt', {
	description:
		'Whether to crawl what robots.txt forbids. Must be enabled for your team. Newer services only.',
	wire: { mayBeEmpty: true },
});

const robotsUserAgent = textField('robotsUserAgent', 'Robots.txt User Agent', {
	placeholder: 'e.g. AcmeBot',
	description:
		'Follow the rules of robots.txt for this user agent. Must be enabled for your team. Newer services only.',
});

const delay: Field<number> = {
	displayName: 'Delay (Seconds)',
	name: 'delay',
	type: 'number',
	typeOptions: { minValue: 0.1, maxValue: 60 },
	default: 1,
	hint: '0.1 to 60',
	description: 'Seconds between pages, which are then scraped one at a time',
};

/** Options that decide which pages belong to the crawl, apart from their paths. */
export const pages = collectionField('pages', 'Which Pages', {
	placeholder: 'Add Rule for Pages',
	options: [
		textField('prompt', 'Prompt', {
			typeOptions: { rows: 2 },
			placeholder: 'e.g. Only the blog posts of this year',
			description: 'What to crawl, in your words; the service derives the settings',
			wire: { maxLength: 10_000 },
		}),
		wholeNumberField('maxDiscoveryDepth', 'Max Depth', {
			minValue: 0,
			default: 2,
			description:
				'How many links away from the start URL. Pages in the sitemap count as 0: with 1 or more, all are crawled unless Sitemap is Skip.',
		}),
		sitemapField({
			include: 'The start URL, the sitemap and linked pages',
			only: 'Only the start URL and the sitemap',
			skip: 'Only the start URL and linked pages',
		}),
		booleanField('crawlEntireDomain', 'Crawl Entire Domain', {
			default: false,
			description: 'Whether to crawl the whole site, not only pages below the start URL',
			wire: { mayBeEmpty: true },
		}),
		booleanField('allowSubdomains', 'Allow Subdomains', {
			default: false,
			description: 'Whether to follow links to subdomains',
			wire: { mayBeEmpty: true },
		}),
		booleanField('allowExternalLinks', 'Allow External Links', {
			default: false,
			description: 'Whether to follow links to other sites',
			wire: { mayBeEmpty: true },
		}),
		booleanField('ignoreQueryParameters', 'Ignore Query Parameters', {
			default: false,
			description: 'Whether URLs that differ only in their query are one page',
		}),
		booleanField('deduplicateSimilarURLs', 'Deduplicate Similar URLs', {
			description:
				'Whether URLs that differ in http(s), www., index.html or a final slash are one page. The service default is on.',
		}),
		booleanField('regexOnFullURL', 'Match Paths on Full URL', {
			default: false,
			description: 'Whether Include Paths and Exclude Paths match the whole URL, with its query',
		}),
	],
	wire: { spread: true },
});

/** Options for how the crawl treats the site. */
export const manners = collectionField('manners', 'Pace and Robots.txt', {
	placeholder: 'Add Pace or Robots.txt Option',
	description: 'How fast to crawl, and which rules of the site to follow',
	options: [delay, maxConcurrency, ignoreRobotsTxt, robotsUserAgent],
	wire: { spread: true },
});

export const includePaths = patternsField(
	'includePaths',
	'Include Paths',
	'Only these paths, and all below them. A start URL that does not match is left out, but its links are followed.',
);

export const excludePaths = patternsField(
	'excludePaths',
	'Exclude Paths',
	'Skip these paths, and all below them',
);
