import { booleanField, wholeNumberField } from '../form/controls';

/** Chooses between all results and Limit, in the words of n8n's own nodes. */
export const returnAllField = booleanField('returnAll', 'Return All', {
	description: 'Whether to return all results or only up to a given limit',
	wire: { in: 'settings', always: true },
});

/** Limits the results if not all are wanted; the setting `limit`. */
export const limitField = wholeNumberField('limit', 'Limit', {
	minValue: 1,
	default: 50,
	description: 'Max number of results to return',
	displayOptions: { show: { returnAll: [false] } },
	wire: { in: 'settings', always: true },
});
