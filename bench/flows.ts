import type { IDataObject } from 'n8n-workflow';

import { type Flow, chain, node, ours } from '../test/e2e/support/flow';
import type { Credential, Lab } from '../test/e2e/support/lab';

/** Credits in the service's account: more than all measurements use. */
export const CREDITS = 1_000_000_000;

/** Name of the measured node in all these flows. */
export const MEASURED = 'Measured';

const QUERY = '=coffee grinder {{ $json.n }}';

const items = (count: number): IDataObject[] => Array.from({ length: count }, (_, n) => ({ n }));

/** Creates the flows of one of this package's nodes, with any number of items. */
export const measured =
	(type: string, parameters: IDataObject, name: string) => (_: unknown, count: number) =>
		chain([ours(type, parameters, { name: MEASURED })], { items: items(count), name });

const search = (name: string, options: IDataObject) =>
	measured('webDataSearch', { operation: 'search', query: QUERY, options }, name);

/** The lab, and one of n8n's own credentials for the bearer token. */
export interface Bench {
	lab: Lab;
	bearer: Credential;
}

/** HTTP Request in its cheapest form: n8n's own bearer credential, and a body as JSON. */
export const CHEAPEST = 'HTTP Request';

/** The cost of n8n itself. */
export const CALLS_NOBODY = 'Edit Fields (calls nobody)';

/** One search per item, in several ways, and a node that makes no calls to compare with. */
export const searches: Record<string, (bench: Bench, count: number) => Flow> = {
	'Web Data Search': search('Search', {}),
	'Web Data Search, Split Into Items off': search('Search, not split', { splitIntoItems: false }),
	[CHEAPEST]: ({ lab, bearer: { id, name } }, count) =>
		chain(
			[
				node(
					'n8n-nodes-base.httpRequest',
					{
						authentication: 'genericCredentialType',
						genericAuthType: 'httpBearerAuth',
						method: 'POST',
						url: `${lab.service.url}/v2/search`,
						sendBody: true,
						specifyBody: 'json',
						jsonBody: '={{ JSON.stringify({ query: "coffee grinder " + $json.n }) }}',
					},
					{ name: MEASURED, typeVersion: 4.2, credentials: { httpBearerAuth: { id, name } } },
				),
			],
			{ items: items(count), name: 'HTTP Request' },
		),
	[CALLS_NOBODY]: (_, count) =>
		chain(
			[
				node(
					'n8n-nodes-base.set',
					{
						assignments: {
							assignments: [{ id: 'a', name: 'query', value: QUERY, type: 'string' }],
						},
					},
					{ name: MEASURED, typeVersion: 3.4 },
				),
			],
			{ items: items(count), name: 'Edit Fields' },
		),
};
