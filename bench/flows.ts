import { type Flow, type FlowNode, chain, node, ours } from '../test/e2e/support/flow';
import type { Credential, Lab } from '../test/e2e/support/lab';

/** The lab, and one of n8n's own credentials for the bearer token. */
export interface Bench {
	lab: Lab;
	bearer: Credential;
}

/** A node to measure. */
export type Measured = (bench: Bench) => FlowNode;

/** Returns a flow in which a node gets `count` items. */
export const flowOf = (measured: FlowNode, count: number): Flow =>
	chain([measured], { items: Array.from({ length: count }, (_, n) => ({ n })) });

const QUERY = '=coffee grinder {{ $json.n }}';
const search = { operation: 'search', query: QUERY };

/** One search per item in several ways, and n8n's own nodes to compare with. */
export const searches: Record<string, Measured> = {
	'Web Data Search': () => ours('webDataSearch', search),
	'Web Data Search, Split Into Items off': () =>
		ours('webDataSearch', { ...search, options: { splitIntoItems: false } }),
	'HTTP Request': ({ lab, bearer: { id, name } }) =>
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
			{ typeVersion: 4.2, credentials: { httpBearerAuth: { id, name } } },
		),
	'Edit Fields (calls nobody)': () =>
		node(
			'n8n-nodes-base.set',
			{ assignments: { assignments: [{ id: 'a', name: 'query', value: QUERY, type: 'string' }] } },
			{ typeVersion: 3.4 },
		),
};

const URL = '=https://a.example/{{ $json.n }}';
const TEXT = '={{ "x" + $json.n }}';
const options = { maxTextLength: '={{ 20000 + $json.n }}' };
const both = { operation: 'scrape', url: URL, options };

/** Forms in which none or some values are expressions. */
export const forms: Record<string, Measured> = {
	'Scrape, everything fixed': () =>
		ours('webDataScrape', { operation: 'scrape', url: 'https://a.example' }),
	'Scrape, URL': () => ours('webDataScrape', { operation: 'scrape', url: URL }),
	'Scrape, URL and one in Options': () => ours('webDataScrape', both),
	'Scrape, URL and one in Options, batches of 20, 1 ms apart': () =>
		ours('webDataScrape', {
			...both,
			requestOptions: { batching: { batch: { batchSize: 20, batchInterval: 1 } } },
		}),
	'Scrape, URL, one in Options and one in Cache and Safety': () =>
		ours('webDataScrape', {
			...both,
			options: { ...options, cacheOptions: { maxAge: '={{ 20000 + $json.n }}' } },
		}),
	'Search, Query and one in Options': () =>
		ours('webDataSearch', { operation: 'search', query: TEXT, options: { location: TEXT } }),
	'Agent: Start, Prompt and one in Options': () =>
		ours('webDataAgent', { operation: 'start', prompt: TEXT, options }),
};
