import type { IDataObject } from 'n8n-workflow';

import { type Flow, chain, node, ours } from '../test/e2e/support/flow';
import type { Credential, Lab } from '../test/e2e/support/lab';

/** Credits in the service's account: more than all measurements use. */
export const CREDITS = 1_000_000_000;

/** Name of the measured node in all these flows. */
export const MEASURED = 'Measured';

const QUERY = '=coffee grinder {{ $json.n }}';

const items = (count: number): IDataObject[] => Array.from({ length: count }, (_, n) => ({ n }));

/** Creates an HTTP Request node; n8n's own nodes get the lab's credential too. */
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

/** Creates a flow with a search per item; the options are those of Web Data Search. */
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

/** The lab, and one of n8n's own credentials for the bearer token. */
export interface Bench {
	lab: Lab;
	bearer: Credential;
}

/** HTTP Request in its cheapest form: n8n's own bearer credential, and a body as JSON. */
export const CHEAPEST = 'HTTP Request';

/** The node of the package that is compared with it. */
const OURS = 'Web Data Search';

/** The cost of n8n itself. */
const CALLS_NOBODY = 'Edit Fields (calls nobody)';

/** One search per item, in several ways, and a node that makes no calls to compare with. */
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

/** What can keep n8n from responding. */
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

/** Baseline for everything about a large crawl; with a separate Node process, it has this name there. */
export const PLAIN_LOOP = 'fetch and JSON.parse in a loop';

/** Get Pages of Crawl with n8n's own node. */
const PAGINATED = 'HTTP Request with pagination';

/** All pages of a crawl, in three ways. */
export const crawls: Record<string, (lab: Lab, id: string) => Flow> = {
	'Web Data Crawl: Get Pages of Crawl': (_, id) =>
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
			{ name: 'Get Pages of Crawl' },
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
