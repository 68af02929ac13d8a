import { wholeNumberField } from '../form/controls';

export const maxConcurrency = wholeNumberField({
	displayName: 'Max Concurrency',
	name: 'maxConcurrency',
	default: 5,
	minValue: 1,
	description: 'Maximum number of pages to scrape at the same time',
	wire: { mayBeEmpty: true },
});
