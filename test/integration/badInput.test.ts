import type { IDataObject, INodeExecutionData, INodeParameters, INodeType } from 'n8n-workflow';

import { WebDataAgent } from '../../nodes/WebDataAgent/WebDataAgent.node';
import { WebDataExtract } from '../../nodes/WebDataExtract/WebDataExtract.node';
import { WebDataScrape } from '../../nodes/WebDataScrape/WebDataScrape.node';
import { WebDataSearch } from '../../nodes/WebDataSearch/WebDataSearch.node';
import type { LocalService } from '../../mock-service';
import { byTopic } from '../support/form';
import { itemsOf } from '../support/engine';
import { type MoreOptions, served } from '../support/served';
import { crawl, usage } from '../support/nodes';

/** One bad value: three items are run, and the second one has it. */
interface Case {
	name: string;
	node: INodeType;
	/** With `VALUE` in the place of the item's value. */
	parameters: INodeParameters;
	good: unknown;
	bad: unknown;
	message: string;
	/** What the description must say besides the item. */
	says?: string;
}

const VALUE = '={{ $json.value }}';
const CRAWL_ID = '5f3b2c1a-8d4e-4f6a-9b0c-1d2e3f4a5b6c';

const search = (
	options: INodeParameters,
	query: string = 'coffee',
	more: INodeParameters = {},
) => ({ node: new WebDataSearch(), parameters: { operation: 'search', query, options, ...more } });
const scrape = (options: INodeParameters, more: INodeParameters = {}) => ({
	node: new WebDataScrape(),
	parameters: {
		operation: 'scrape',
		url: 'https://example.com',
		options: byTopic(options),
		...more,
	},
});
const agent = (more: INodeParameters) => ({
	node: new WebDataAgent(),
	parameters: { operation: 'start', prompt: 'Find the founders', ...more },
});
const extract = (more: INodeParameters) => ({
	node: new WebDataExtract(),
	parameters: { operation: 'start', urls: 'https://example.com', prompt: 'Prices', ...more },
});
const crawlId = {
	node: crawl,
	parameters: { operation: 'getStatus', crawlId: { __rl: true, mode: 'id', value: VALUE } },
	good: CRAWL_ID,
};
const schemaOf = (schemaJson: string) => ({ schemaFrom: 'json', schemaJson });
const actionsOf = (...action: INodeParameters[]) => ({ actions: { action } });

const cases: Case[] = [
	{
		name: 'a limit out of range',
		...search({}, 'coffee', { limit: VALUE }),
		good: 1,
		bad: 101,
		message: 'Limit is 101, but must be from 1 to 100',
		says: '(field: Limit)',
	},
	{
		name: 'a part of a second for the rate limit',
		...search({ maxWait: VALUE }),
		good: 1,
		bad: 2.5,
		message: 'Rate Limit Wait (Seconds) is 2.5, but must be a whole number',
	},
	{
		name: 'nothing for the pages of a PDF',
		...scrape({ parsers: { maxPages: VALUE } }),
		good: 10,
		bad: undefined,
		message: 'Max Pages: {{ $json.value }} gives nothing',
		says: 'Page Content → PDF Parsing → Max Pages',
	},
	{
		name: 'nothing for a Credit Budget',
		...search({ creditBudget: VALUE }),
		good: 1000,
		bad: null,
		message: 'Credit Budget: {{ $json.value }} gives nothing',
		says: 'check its expression',
	},
	{
		// n8n itself drops what a row hides; if the action comes from an expression, it shows, and keeps, both.
		name: 'a wait with both time and element',
		...scrape(actionsOf({ type: VALUE, seconds: 5, selector: '#app' })),
		good: 'click',
		bad: 'wait',
		message: 'Action 1 has both Time and Selector, but a wait takes only one of them',
		says: 'Browser → Actions → Action 1',
	},
	{
		name: 'no URLs of a batch in Additional Body Fields',
		node: new WebDataScrape(),
		parameters: {
			operation: 'batchStart',
			urls: 'https://a.example',
			options: { jobPerItem: true, additionalBodyFields: '={{ { urls: $json.value } }}' },
		},
		good: 'https://b.example',
		bad: null,
		message: 'URLs is empty',
	},
	{
		name: 'failed pages of a response that stays whole',
		...search({ splitIntoItems: VALUE, failedPages: 'errors' }, 'coffee', {
			operation: 'searchAndScrape',
		}),
		good: true,
		bad: false,
		message: 'Failed Pages is Treat as Errors, but Split Into Items is off',
		says: 'Failed Pages',
	},
	{
		name: 'a schema nested 5,000 deep',
		...agent(schemaOf(VALUE)),
		good: '{"type":"array","items":{"type":"string"}}',
		bad: `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`,
		message: 'JSON Schema has more than 500 levels of brackets',
	},
	{
		name: "a URL that is not a crawl's",
		...crawlId,
		bad: 'https://docs.example.com/crawls',
		message: 'Crawl is "https://docs.example.com/crawls", which is not an ID',
	},
	{
		name: 'a month range that ends before it begins',
		node: usage,
		parameters: { operation: 'getHistorical', months: 'range', from: VALUE, to: '2026-03-01' },
		good: '2026-01-01',
		bad: '2026-04-01',
		message: 'From is 2026-04-01, which is after To (2026-03-01)',
	},
];

let service: LocalService;
const runWith = served({ credits: 1_000_000 }, (started) => (service = started));
beforeEach(() => {
	service.crawls.add({ id: CRAWL_ID, status: 'completed', pages: 1 });
	service.fail({ method: 'DELETE', status: 200, body: { success: true } });
});

const run = async ({ node, parameters, good, bad }: Case, more?: MoreOptions) => {
	const items = [good, bad, good].map((value) => ({ value }) as IDataObject);
	return await runWith(node, parameters, { items: itemsOf(...items), ...more });
};

/** Returns the input items that the given items come from. */
const sourcesOf = (items: INodeExecutionData[]) => [
	...new Set(items.map(({ pairedItem }) => ([pairedItem].flat()[0] as { item: number }).item)),
];

describe.each(cases)('$name', (bad) => {
	it('stops before anything is sent, and says where and why', async () => {
		const { error, status } = await run(bad);
		expect(status).toBe('error');
		expect(error?.message).toBe(bad.message);
		expect((error?.context as IDataObject).itemIndex).toBe(1);
		expect(error?.description).toContain('Nothing was sent for item 2 of 3 (index 1) ');
		if (bad.says !== undefined) expect(error?.description).toContain(bad.says);
		if (/gives nothing$/.test(String(error?.message))) {
			expect(error?.description).toContain('set On Error in Settings to Continue');
		}
		expect(service.requests).toEqual([]);
	});

	it('fails alone where the node continues on errors', async () => {
		const { output, status } = await run(bad, { onError: 'continueErrorOutput' });
		expect(status).toBe('success');
		const [good, failed] = output;
		expect(sourcesOf(good)).toEqual([0, 2]);
		expect(failed).toHaveLength(1);
		expect(sourcesOf(failed)).toEqual([1]);
		expect(failed[0].json.message).toBe(bad.message);
		expect(service.requests).toHaveLength(2);
		expect(service.requests.map((request) => request.status)).toEqual([200, 200]);
	});
});

it.each([
	['Query', search({}, '{{ $json.topic }}')],
	['URLs', extract({ urls: 'https://a.example\nhttps://{{ $json.url }}' })],
	['Value', scrape({ headers: { pair: [{ name: 'A', value: '{{ $json.a }}' }] } })],
	['Additional Body Fields (JSON)', search({ additionalBodyFields: '{ "id": "{{ $json.id }}" }' })],
	['JSON Schema', agent(schemaOf('{ "type": {{ $json.type }} }'))],
	[
		'Crawl',
		{
			...crawlId,
			parameters: {
				operation: 'getStatus',
				crawlId: { __rl: true, mode: 'id', value: '{{ $json.id }}' },
			},
		},
	],
])('%s with an expression that is Fixed says so', async (label, { node, parameters }) => {
	const { error } = await runWith(node, parameters);
	expect(error?.message).toBe(`${label} holds an expression as plain text`);
	expect(error?.description).toContain('Switch the field from Fixed to Expression.');
	expect(service.requests).toEqual([]);
});

it('what looks like an expression is sent where an expression gave it', async () => {
	const { node, parameters } = search({}, VALUE);
	const items = itemsOf({ value: 'n8n {{ $json.a }} is undefined' });
	const { status } = await runWith(node, parameters, { items });
	expect(status).toBe('success');
	expect(service.requests).toHaveLength(1);
});
