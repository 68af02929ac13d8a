import { downloadFiles, failedPages } from '../../shared/fields/options';
import type { Operation } from '../../shared/run/operation';
import { scrapedPageShape } from '../../shared/fields/shapes';
import { pageIn } from './scrape';
import { scrapeIdField } from './scrapeIdField';

/** Returns the result of a scrape once more, e.g. one whose response was lost (api/beyond.openapi.yaml). */
export const getScrape: Operation = {
	name: 'Get Earlier Scrape Again',
	description: 'Get the result of an earlier scrape again, at no cost',
	method: 'GET',
	path: '/v2/scrape/{scrapeId}',
	fields: [scrapeIdField],
	options: [downloadFiles, failedPages],
	results: scrapedPageShape,
	resultsKey: 'data',
	split: pageIn,
};
