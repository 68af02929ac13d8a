import { formatFields } from '../../shared/fields/formats';
import { downloadFiles, failOnPageErrors } from '../../shared/fields/options';
import { queryOperatorsField } from '../../shared/fields/queryOperators';
import { scrapeOptionFields, scrapeOptionsField } from '../../shared/fields/scrapeOptions';
import type { Operation } from '../../shared/operation';
import { query, searchOptions } from '../../shared/fields/search';
import { searchResultShape } from '../../shared/fields/results';
import { searchResults } from '../../shared/fields/searchResults';

/** POST /v2/search with scrapeOptions: the page of each result as well. */
export const searchAndScrape: Operation = {
	name: 'Search and Scrape',
	value: 'searchAndScrape',
	action: 'Search the web and scrape the results',
	description:
		'Search and get the content of each result page too; each scraped page costs credits',
	method: 'POST',
	path: '/v2/search',
	fields: [
		query,
		queryOperatorsField,
		...formatFields('scrapeOptions.formats'),
		scrapeOptionsField(scrapeOptionFields, 'How the page of each result is scraped'),
	],
	options: searchOptions([failOnPageErrors, downloadFiles]),
	results: searchResultShape,
	split: searchResults,
};
