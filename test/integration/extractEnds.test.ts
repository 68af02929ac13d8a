import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { LocalService } from '../../mock-service';
import type { WebDataAgent } from '../../nodes/WebDataAgent/WebDataAgent.node';
import { WebDataSearch } from '../../nodes/WebDataSearch/WebDataSearch.node';
import { itemsOf } from '../support/engine';
import { freshLimiters } from '../support/limiters';
import { served } from '../support/served';
import { agent, crawl, extract } from '../support/nodes';

let service: LocalService;
const run = served({ jobMs: 1, crawlMs: 1 }, (started) => (service = started));
const form = { urls: 'https://a.example/*', prompt: 'Prices' };
const items = itemsOf({ n: 1 }, { n: 2 }, { n: 3 });
const ENDED = 'The service no longer offers Extract';
const locator = (value: string) => ({ __rl: true, mode: 'id', value });

beforeEach(freshLimiters);

describe('a service that has ended Extract', () => {
	beforeEach(() => service.set({ extract: false }));
	afterEach(() => service.set({ extract: true }));

	it.each(['start', 'startAndWait'])(
		'is asked once by %s, whatever the items',
		async (operation) => {
			const parameters = { ...form, operation };
			const { error } = await run(extract, parameters, { items });
			expect(error?.message).toBe(ENDED);
			for (const next of ['Web Data Scrape', 'Web Data Crawl', 'Web Data Agent']) {
				expect(error?.description).toContain(next);
			}
			expect((error as unknown as IDataObject).failure).toEqual({ cause: 'configuration-invalid' });
			expect(service.requests).toHaveLength(1);
			service.requests.length = 0;
			const { output } = await run(extract, parameters, { items, onError: 'continueErrorOutput' });
			expect(output.map(({ length }) => length)).toEqual([0, 3]);
			const told = output[1].map(({ json }) => json.error as IDataObject);
			expect(told.map(({ message }) => message)).toEqual([ENDED, ENDED, ENDED]);
			const unsent = told.map(({ description }) => String(description).includes('was not sent'));
			expect(unsent).toEqual([false, true, true]);
			expect(service.requests).toHaveLength(1);
		},
	);

	it('says so of the result of an extraction, too', async () => {
		const { error } = await run(extract, { operation: 'get', jobId: locator('a-1') }, {});
		expect(error?.message).toBe(ENDED);
	});
});

it('a service that goes on with Extract gets all items, also if the first one fails', async () => {
	service.fail({ method: 'POST', status: 400, body: { success: false, error: 'No' }, times: 1 });
	const parameters = { ...form, operation: 'startAndWait' };
	const { output } = await run(extract, parameters, { items, onError: 'continueErrorOutput' });
	expect(output.map(({ length }) => length)).toEqual([2, 1]);
});

it('a service that goes on with Extract gets its items beside those of one that has ended it', async () => {
	service.fail({ path: '/ended/v1/extract', status: 410, body: {} });
	const { output } = await run(
		extract,
		{ ...form, operation: 'startAndWait' },
		{
			items: ['/ended', '', '/ended', ''].map((path) => ({ json: { base: service.url + path } })),
			credentials: { baseUrl: '={{ $json.base }}', apiKey: service.apiKey },
			onError: 'continueErrorOutput',
		},
	);
	expect(output.map((items) => items.map(({ pairedItem }) => pairedItem))).toEqual([
		[{ item: 1 }, { item: 3 }],
		[{ item: 0 }, { item: 2 }],
	]);
	// The contract has no such path.
	expect(service.violations.splice(0)).toHaveLength(1);
});

it('another 410 is not about Extract', async () => {
	service.fail({ status: 410, body: { success: false, error: 'Gone' } });
	const told = async (node: WebDataSearch | WebDataAgent, parameters: INodeParameters) =>
		(await run(node, parameters, {})).error?.message;
	const search = { operation: 'search', query: 'tea' };
	expect(await told(new WebDataSearch(), search)).toBe('The service no longer offers this');
	const get = { operation: 'get', jobId: locator('a-1') };
	expect(await told(agent, get)).toBe('The service no longer offers this');
});

it.each(['v1', 'v2'])(
	'a crawl is read from the other version where %s answers 410',
	async (version) => {
		const { id } = service.crawls.add({ pages: 2, status: 'completed' });
		service.fail({ path: `/${version}/crawl/${id}`, status: 410, body: { error: 'Gone' } });
		const options = { apiVersion: version };
		const parameters = { operation: 'getPages', crawlId: locator(id), options };
		const { output } = await run(crawl, parameters as unknown as INodeParameters, {});
		expect(output[0]).toHaveLength(2);
	},
);
