import type { Field } from '../form/field';

/** Which version of the API to use: v1 is in openapi.yaml, v2 in beyond.openapi.yaml. */
export const apiVersion: Field<'v1' | 'v2'> = {
	displayName: 'API Version',
	name: 'apiVersion',
	type: 'options',
	default: 'v1',
	description: 'V2 has the newer scrape options. Not all services have it.',
	options: [
		{ name: 'V1', value: 'v1' },
		{ name: 'V2', value: 'v2' },
	],
	wire: { in: 'settings' },
};
