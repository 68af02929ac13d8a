import type { IDataObject } from 'n8n-workflow';

import { type Flow, chain, node, ours } from '../test/e2e/support/flow';
import type { Credential, Lab } from '../test/e2e/support/lab';

/** What the service's account has: more than all that is measured. */
export const CREDITS = 1_000_000_000;

/** The name of the node that is measured, in every flow here. */
export const MEASURED = 'Measured';

const QUERY = '=coffee grinder {{ $json.n }}';

const items = (count: number): IDataObject[] => Array.from({ length: count }, (_, n) => ({ n }));

/** n8n's own nodes get the credential of the lab too. */
function httpRequest(lab: Lab, parameters: IDataObject) {
	const { id, name } = lab.credential;
	return node(
		'n8n-nodes-base.httpRequest',
		{
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'webDataServiceApi',
			...parameters,
		},
		{ name: MEASURED, typeVersion: 4.2, credentials: { webDataServiceApi: { id, name } } },
	);
}

/** A search per item; the options are those of Web Data Search. */
const search =
	(name: string, options: IDataObject, requestOptions: IDataObject = {}) =>
	(_: unknown, count: number) =>
		chain(
			[
				ours(
					'webDataSearch',
					{ operation: 'search', query: QUERY, options, requestOptions },
					{ name: MEASURED },
				),
			],
			{ items: items(count), name },
		);

/** The lab, and a credential of n8n's own for the bearer token. */
export interface Bench {
	lab: Lab;
	bearer: Credential;
}

/** HTTP Request as cheap as a user can have it: n8n's own bearer credential, and a body as JSON. */
export const CHEAPEST = 'HTTP Request';

/** The node of the package that is compared with it. */
export const OURS = 'Web Data Search';

/** What n8n itself costs. */
const CALLS_NOBODY = 'Edit Fields (calls nobody)';

/** One search per item, in several ways, and a node that calls nobody to compare with. */
export const searches: Record<string, (bench: Bench, count: number) => Flow> = {
	[OURS]: search('Search', {}),
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
	'HTTP Request, credential of this package': ({ lab }, count) =>
		chain(
			[
				httpRequest(lab, {
					method: 'POST',
					url: `${lab.service.url}/v2/search`,
					sendBody: true,
					specifyBody: 'keypair',
					bodyParameters: { parameters: [{ name: 'query', value: QUERY }] },
				}),
			],
			{ items: items(count), name: 'HTTP Request, our credential' },
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

/** The same searches, started by n8n in batches. */
const BATCHED = `${OURS}, batches of 50, 1 ms apart`;

/** What can keep n8n from answering. */
export const stalling: typeof searches = {
	[OURS]: searches[OURS],
	[BATCHED]: search(
		'Search, batched',
		{},
		{ batching: { batch: { batchSize: 50, batchInterval: 1 } } },
	),
	[CHEAPEST]: searches[CHEAPEST],
	[CALLS_NOBODY]: searches[CALLS_NOBODY],
};

/** What everything about a large crawl is compared with; in a Node of its own under this name. */
export const PLAIN_LOOP = 'fetch and JSON.parse in a loop';

/** Get Pages with n8n's own node. */
export const PAGINATED = 'HTTP Request with pagination';

/** All pages of a crawl, in three ways. */
export const crawls: Record<string, (lab: Lab, id: string) => Flow> = {
	'Web Data Crawl: Get Pages': (_, id) =>
		chain(
			[
				ours(
					'webDataCrawl',
					{
						operation: 'getPages',
						crawlId: { __rl: true, mode: 'id', value: id },
						returnAll: true,
					},
					{ name: MEASURED },
				),
			],
			{ name: 'Get Pages' },
		),
	[PAGINATED]: (lab, id) =>
		chain(
			[
				httpRequest(lab, {
					url: `${lab.service.url}/v2/crawl/${id}`,
					options: {
						pagination: {
							pagination: {
								paginationMode: 'responseContainsNextURL',
								nextURL: '={{ $response.body.next }}',
								paginationCompleteWhen: 'other',
								completeExpression: '={{ !$response.body.next }}',
							},
						},
					},
				}),
			],
			{ name: 'HTTP Request, pages' },
		),
	[`${PLAIN_LOOP}, as a node`]: ({ service }, id) =>
		chain(
			[
				node(
					'CUSTOM.plainLoop',
					{ url: `${service.url}/v2/crawl/${id}`, apiKey: service.apiKey },
					{ name: MEASURED },
				),
			],
			{ name: 'Plain loop' },
		),
};
