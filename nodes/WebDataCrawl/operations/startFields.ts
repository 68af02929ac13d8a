import { booleanField, textField, wholeNumberField } from '../../shared/form/controls';
import type { Field } from '../../shared/form/field';
import { excludePaths, includePaths, manners, pages } from '../../shared/fields/crawlOptions';
import { formatFields } from '../../shared/fields/formats';
import { scrapeOptions } from '../../shared/fields/scrapeOptions';
import { webhook } from '../../shared/fields/webhook';
import { url } from '../../shared/form/urls';
import { PRICES, credits } from '../../shared/fields/prices';

export const site = textField('url', 'URL', {
	required: true,
	placeholder: 'e.g. https://example.com',
	description: 'Where to start the crawl',
	wire: { value: url },
});

/** Shown outside Options and always sent, because the service's own default is 10,000 pages. */
export const maxPages = wholeNumberField('maxPages', 'Max Pages', {
	default: 100,
	description: 'Maximum number of pages to crawl',
	hint: `Each page costs ${credits(PRICES.page)}; some formats cost more`,
	wire: { as: 'limit', always: true },
});

export const startFields: Field[] = [
	site,
	maxPages,
	includePaths,
	...formatFields('scrapeOptions.'),
];

/** The options that decide which pages are crawled, and how. */
export const startOptions: Field[] = [
	excludePaths,
	pages,
	...scrapeOptions('scrapeOptions.'),
	manners,
];

export const startSettings: Field[] = [
	webhook,
	booleanField('zeroDataRetention', 'Zero Data Retention', {
		default: false,
		description: `Whether the service keeps no data; ${credits(PRICES.zeroDataRetention, 'more ')} per page. Must be enabled for your team.`,
	}),
];
