import type { Field } from '../form/field';

/** Which version of the API to speak, where v1 is what the document describes and v2 is newer. */
export const apiVersion: Field<'v1' | 'v2'> = {
	displayName: 'API Version',
	name: 'apiVersion',
	type: 'options',
	default: 'v1',
	description: 'V2 takes the newer scrape options; a service that does not have it answers 404',
	options: [
		{ name: 'V1', value: 'v1' },
		{ name: 'V2', value: 'v2' },
	],
	wire: { in: 'settings' },
};
