import { downloadFiles, failedPages } from '../../shared/fields/options';
import { formatFields } from '../../shared/fields/formats';
import { pageEntries } from '../../shared/fields/schema';
import { scrapeOptions } from '../../shared/fields/scrapeOptions';
import { PRICES, credits, searchPrice } from '../../shared/fields/prices';
import type { Operation } from '../../shared/run/operation';
import { searchFields, searchOptions } from '../../shared/fields/search/fields';
import { searchResultShape } from '../../shared/fields/shapes';
import { splitSearch } from '../../shared/run/results/searchResults';

const formats = formatFields('scrapeOptions.', {
	// The service scrapes nothing if there are no formats.
	always: true,
	without: ['attributes', 'audio', 'changeTracking', 'branding', 'video'],
});

const pageOptions = scrapeOptions('scrapeOptions.', {
	alwaysFresh:
		'Whether to fetch pages now; the same as Max Age 0. Some services still use copies up to 3 days old.',
	maxAge:
		'Accept a copy younger than this. The service default is 48 (2 days). Some services use copies up to 3 days old: for fresh pages, use Search Web, then Scrape Page.',
});

/** Searches with `scrapeOptions`, so that each result includes its page. */
export const searchAndScrape: Operation = {
	name: 'Search Web and Scrape Results',
	description: `Search and get the content of each result page too; ${credits(PRICES.page, 'more ')} per scraped page, more for some formats`,
	method: 'POST',
	path: '/v2/search',
	fields: [...searchFields(), ...formats, pageEntries],
	options: searchOptions([...pageOptions, downloadFiles, failedPages]),
	results: searchResultShape,
	price: searchPrice,
	resultsKey: 'data',
	split: splitSearch,
};
