import { downloadFiles, failedPages } from '../../shared/fields/options';
import { formatFields, pageEntries, scrapeOptions } from '../../shared/fields/pageFields';
import { PRICES, credits, searchPrice } from '../../shared/fields/prices';
import type { Operation } from '../../shared/run/operation';
import { searchFields, searchOptions } from '../../shared/fields/search/fields';
import { searchResultShape } from '../../shared/fields/shapes';
import { splitSearch } from '../../shared/run/results/searchResults';

const pages = {
	in: 'scrapeOptions' as const,
	// The service scrapes nothing if there are no formats.
	formats: {
		always: true as const,
		without: ['attributes', 'audio', 'changeTracking', 'branding', 'video'],
	},
	alwaysFresh:
		'Whether to fetch pages now; the same as Max Age 0. Some services still use copies up to 3 days old.',
	maxAge:
		'Accept a copy younger than this. The service default is 48 (2 days). Some services use copies up to 3 days old: for fresh pages, use Search Web, then Scrape Page.',
};

/** Searches with `scrapeOptions`, so that each result includes its page. */
export const searchAndScrape: Operation = {
	name: 'Search Web and Scrape Results',
	description: `Search and get the content of each result page too; ${credits(PRICES.page, 'more ')} per scraped page, more for some formats`,
	method: 'POST',
	path: '/v2/search',
	fields: [...searchFields(), ...formatFields(pages), pageEntries],
	options: searchOptions([...scrapeOptions(pages), downloadFiles, failedPages]),
	results: searchResultShape,
	price: searchPrice,
	resultsKey: 'data',
	split: splitSearch,
};
