import type { Field } from '../form/field';

/** Chooses between all results and Limit, in the words of n8n's own nodes. */
export const returnAllField: Field<boolean> = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
	wire: { in: 'settings', always: true },
};

/** Limits the results if not all are wanted; the setting `limit`. */
export const limitField: Field<number> = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 50,
	description: 'Max number of results to return',
	displayOptions: { show: { returnAll: [false] } },
	wire: { in: 'settings', always: true },
};
