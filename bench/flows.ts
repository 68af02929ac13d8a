import type { IDataObject } from 'n8n-workflow';

import type { Flow } from '../test/e2e/support/flow';
import { chain, node, ours } from '../test/e2e/support/flow';
import type { Lab } from '../test/e2e/support/lab';

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
const search = (name: string, options: IDataObject) => (_: Lab, count: number) =>
	chain(
		[ours('webDataSearch', { operation: 'search', query: QUERY, options }, { name: MEASURED })],
		{ items: items(count), name },
	);

/** One search per item, in several ways, and a node that calls nobody to compare with. */
export const searches: Record<string, (lab: Lab, count: number) => Flow> = {
	'Web Data Search': search('Search', {}),
	'Web Data Search, Split Into Items off': search('Search, not split', { splitIntoItems: false }),
	'Web Data Search, Max Concurrent Requests 500': search('Search, many', { maxConcurrent: 500 }),
	'HTTP Request': (lab, count) =>
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
			{ items: items(count), name: 'HTTP Request' },
		),
	'Edit Fields (calls nobody)': (_, count) =>
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

/** What everything about a large crawl is compared with; in a Node of its own under this name. */
export const PLAIN_LOOP = 'fetch and JSON.parse in a loop';

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
	'HTTP Request with pagination': (lab, id) =>
		chain(
			[
				httpRequest(lab, {
					url: `${lab.service.url}/v1/crawl/${id}`,
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
					{ url: `${service.url}/v1/crawl/${id}`, apiKey: service.apiKey },
					{ name: MEASURED },
				),
			],
			{ name: 'Plain loop' },
		),
};
