import { searchPrice } from '../../shared/fields/prices';
import type { Operation } from '../../shared/run/operation';
import { searchFields, searchOptions } from '../../shared/fields/search/fields';
import { searchResultShape } from '../../shared/fields/shapes';
import { splitSearch } from '../../shared/run/results/searchResults';

/** Searches without scraping: title, description and URL of each result. */
export const search: Operation = {
	name: 'Search Web',
	description: 'Search the web, news or images and get titles, descriptions and URLs',
	method: 'POST',
	path: '/v2/search',
	fields: searchFields(),
	options: searchOptions(),
	results: searchResultShape,
	price: searchPrice,
	resultsKey: 'data',
	split: splitSearch,
};
