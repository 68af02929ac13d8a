import type { Field } from '../form/field';

/** Whether to return all results or up to Limit, as n8n's own nodes ask it. */
export const returnAllField: Field<boolean> = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
	wire: { in: 'settings', always: true },
};

/** The most results to return, when not all are wanted; the setting `limit`. */
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
