import { wholeNumberField } from '../form/controls';

export const maxConcurrency = wholeNumberField('maxConcurrency', 'Max Concurrency', {
	default: 5,
	minValue: 1,
	description: 'Maximum number of pages to scrape at the same time',
	wire: { mayBeEmpty: true },
});
