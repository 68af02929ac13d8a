import type { Operation } from '../../shared/operation';
import { limit, searchFields, searchOptions } from '../../shared/search/fields';
import { searchResultShape } from '../../shared/results/shapes';
import { splitSearch } from '../../shared/search/results';

/** Searches without scraping: title, description and URL of each result. */
export const search: Operation = {
	name: 'Search',
	value: 'search',
	action: 'Search web',
	description: 'Search the web, news or images and get titles, descriptions and URLs',
	method: 'POST',
	path: '/v2/search',
	fields: searchFields(limit),
	options: searchOptions(),
	results: searchResultShape,
	price: () => 1,
	split: splitSearch,
};
