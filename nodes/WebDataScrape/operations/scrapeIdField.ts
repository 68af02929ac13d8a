import { textField } from '../../shared/form/controls';

export const scrapeIdField = textField('scrapeId', 'Scrape ID', {
	required: true,
	placeholder: 'e.g. 5f3b2c1a-8d4e-4f6a-9b0c-1d2e3f4a5b6c',
	description: 'The scrape whose page to use',
	hint: 'The field scrapeId of Scrape and Interact, or id of Web Data Usage: List Recent Activity',
	wire: { in: 'path' },
});
