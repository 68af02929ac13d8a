import { searchPrice } from '../../shared/fields/prices';
import type { Operation } from '../../shared/operation';
import { limit, searchFields, searchOptions } from '../../shared/fields/search';
import { searchResultShape } from '../../shared/fields/results';
import { splitSearch } from '../../shared/engine/searchResults';

/** POST /v2/search without scraping: title, description and URL of each result. */
export const search: Operation = {
	name: 'Search',
	value: 'search',
	action: 'Search the web',
	description: 'Search the web, news or images and get titles, descriptions and URLs',
	method: 'POST',
	path: '/v2/search',
	fields: searchFields(limit),
	options: searchOptions(),
	results: searchResultShape,
	price: searchPrice,
	split: splitSearch,
};
