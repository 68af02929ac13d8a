import type { Operation } from '../../shared/run/operation';
import { scrapeIdField } from './scrapeIdField';

/** Closes a browser that Interact opened (api/beyond.openapi.yaml). */
export const stopInteraction: Operation = {
	name: 'Stop Interaction',
	description: 'Close the browser of a scraped page, save its profile and stop the charges',
	method: 'DELETE',
	path: '/v2/scrape/{scrapeId}/interact',
	fields: [scrapeIdField],
	split: (response, { value }) => [{ scrapeId: value(scrapeIdField), ...response }],
};
