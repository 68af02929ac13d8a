import { booleanField, collectionField, textField, wholeNumberField } from '../form/controls';
import type { Field } from '../form/field';
import { patternsField } from './crawlPaths';
import { maxConcurrency } from './jobOptions';
import { sitemapField } from './map';

const ignoreRobotsTxt = booleanField('ignoreRobotsTxt', 'Ignore Robots.txt', {
	default: true,
	description:
		"Whether to crawl pages that the site's robots.txt forbids. Must be enabled for your team. Newer services only.",
	wire: { mayBeEmpty: true },
});

const robotsUserAgent = textField('robotsUserAgent', 'Robots.txt User Agent', {
	placeholder: 'e.g. AcmeBot',
	description:
		"Follow the rules for this user agent in the site's robots.txt. Must be enabled for your team. Newer services only.",
});

const delay: Field<number> = {
	displayName: 'Delay (Seconds)',
	name: 'delay',
	type: 'number',
	typeOptions: { minValue: 0.1, maxValue: 60 },
	default: 1,
	hint: '0.1 to 60',
	description:
		'Seconds to wait between pages, to go easy on the site; they are then scraped one at a time',
};

/** Options that decide which pages belong to the crawl, apart from their paths. */
export const pages = collectionField('pages', 'Which Pages', {
	placeholder: 'Add Rule for Pages',
	description: 'Which pages of the site to crawl, and how far',
	options: [
		textField('prompt', 'Prompt', {
			typeOptions: { rows: 2 },
			placeholder: 'e.g. Only the blog posts of this year',
			description: 'What to crawl, in your own words; the service works out the settings',
			wire: { maxLength: 10_000 },
		}),
		wholeNumberField('maxDiscoveryDepth', 'Max Depth', {
			minValue: 0,
			default: 2,
			description:
				'How many links away from the start URL a page may be. Pages in the sitemap count as 0: with 1 or more, all of them are crawled unless Sitemap is Skip.',
		}),
		sitemapField({
			include: 'The start URL, pages in the sitemap and linked pages',
			only: 'Only the start URL and pages in the sitemap',
			skip: 'Only the start URL and linked pages',
		}),
		booleanField('crawlEntireDomain', 'Crawl Entire Domain', {
			description: 'Whether to crawl the whole site, not only pages below the start URL',
			wire: { mayBeEmpty: true },
		}),
		booleanField('allowSubdomains', 'Allow Subdomains', {
			description: 'Whether to follow links to subdomains',
			wire: { mayBeEmpty: true },
		}),
		booleanField('allowExternalLinks', 'Allow External Links', {
			description: 'Whether to follow links to other sites',
			wire: { mayBeEmpty: true },
		}),
		booleanField('ignoreQueryParameters', 'Ignore Query Parameters', {
			description: 'Whether to treat URLs that differ only in their query parameters as one page',
		}),
		booleanField('deduplicateSimilarURLs', 'Deduplicate Similar URLs', {
			default: true,
			description:
				'Whether to treat URLs that differ only in http or https, www., index.html or a slash at the end as one page. The service default is on.',
		}),
		booleanField('regexOnFullURL', 'Match Paths on Full URL', {
			description:
				'Whether Include Paths and Exclude Paths are compared with the whole address, e.g. with its query, in place of the path alone',
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
	'Crawl only these paths, and all below them. A start URL that does not match is left out, but its links are followed.',
);

export const excludePaths = patternsField(
	'excludePaths',
	'Exclude Paths',
	'Skip these paths, and all below them',
);
