import type { IDataObject, INodeExecutionData, INodeParameters, INodeType } from 'n8n-workflow';

import { WebDataCrawl } from '../../nodes/WebDataCrawl/WebDataCrawl.node';
import { WebDataScrape } from '../../nodes/WebDataScrape/WebDataScrape.node';
import { WebDataSearch } from '../../nodes/WebDataSearch/WebDataSearch.node';
import type { LocalService } from '../../mock-service';
import { itemsOf } from '../support/engine';
import { type MoreOptions, served } from '../support/served';

const [scrape, search, crawl] = [new WebDataScrape(), new WebDataSearch(), new WebDataCrawl()];
const FAIL = { failOnPageErrors: true };

let service: LocalService;
const runWith = served({ crawlMs: 0 }, (started) => (service = started));
const run = async (
	nodeType: INodeType,
	parameters: INodeParameters,
	more: MoreOptions = { onError: 'continueErrorOutput' },
) => await runWith(nodeType, parameters, more);

const page = (n: number, metadata: IDataObject): IDataObject => ({
	markdown: `Page ${n}`,
	metadata: { sourceURL: `https://a.example/${n}`, ...metadata },
});
const good = page(1, { statusCode: 200, error: null });
const gone = page(2, { statusCode: 404, error: 'Not Found' });
const broken = page(3, { statusCode: 0, error: 'The connection was reset' });

const messages = (items: INodeExecutionData[]) => items.map(({ json }) => json.message);
const held = (items: INodeExecutionData[]) =>
	items.map(({ json }) => (json.error as IDataObject).data);

describe('a page that failed', () => {
	const scraped = { operation: 'scrape', url: '=https://a.example/{{ $json.n }}' };
	const respond = (data: IDataObject) =>
		service.fail({ status: 200, body: { success: true, data }, times: 1 });

	it('is a result unless asked otherwise', async () => {
		respond(gone);
		const { output } = await run(scrape, scraped);
		expect(output.map((items) => items.length)).toEqual([1, 0]);
		expect(output[0][0].json).toMatchObject({ statusCode: 404, pageError: 'Not Found' });
	});

	it.each([
		{ metadata: good.metadata },
		{ metadata: good.metadata, screenshot: null, warning: 'No screenshot could be taken' },
	])('is one that came without anything, although it succeeded: %j', async (data) => {
		const pageError = 'The service returned no content for this page';
		const parameters = { ...scraped, simplify: true, formats: ['screenshot'] };
		respond(data as IDataObject);
		const { output } = await run(scrape, parameters);
		expect(output[0][0].json).toMatchObject({ statusCode: 200, pageError });
		respond(data as IDataObject);
		const failing = await run(scrape, { ...parameters, options: FAIL });
		expect(failing.output.map((items) => items.length)).toEqual([0, 1]);
		const batch = { operation: 'batchStartAndWait', urls: 'https://a.example/1', simplify: true };
		service.fail({ method: 'GET', status: 200, body: { status: 'completed', data: [data] } });
		const inBatch = await run(scrape, batch);
		expect(inBatch.output[0][0].json).toMatchObject({ pageError });
	});

	it('is a result of a search that was scraped without getting anything', async () => {
		const found = { url: 'https://a.example/1', title: 'One', description: 'x', category: 'pdf' };
		const web = [{ ...found, metadata: good.metadata }, found];
		service.fail({ status: 200, body: { success: true, data: { web } } });
		const parameters = { operation: 'searchAndScrape', query: 'tea', simplify: true };
		const { output } = await run(search, parameters);
		expect(output[0].map(({ json }) => json.pageError)).toEqual([
			'The service returned no content for this page',
			undefined,
		]);
	});

	it.each<IDataObject>([{ markdown: '' }, { links: [] }, { newFormat: 1 }])(
		'is none where it has what was asked for, even if that is empty: %j',
		async (content) => {
			respond({ ...content, metadata: good.metadata } as IDataObject);
			const { output } = await run(scrape, { ...scraped, simplify: true });
			expect(output[0][0].json).not.toHaveProperty('pageError');
		},
	);

	it('goes to the error branch with what it held; the others go on', async () => {
		const byUrl = new Map([good, gone, broken].map((data, index) => [`${index + 1}`, data]));
		for (const [n, data] of byUrl) {
			service.fail({
				status: 200,
				body: { success: true, data },
				when: ({ body }) => (body as IDataObject).url === `https://a.example/${n}`,
			});
		}
		const { output } = await run(
			scrape,
			{ ...scraped, options: FAIL },
			{ onError: 'continueErrorOutput', items: itemsOf({ n: 1 }, { n: 2 }, { n: 3 }) },
		);
		const [results, failures] = output;
		expect(results.map(({ json }) => json.markdown)).toEqual(['Page 1']);
		expect(messages(failures)).toEqual([
			'The page answered with status 404',
			'The page could not be scraped',
		]);
		expect(held(failures)).toEqual([gone, broken]);
		// Advice must not repeat what the node already does.
		expect(JSON.stringify(failures)).not.toContain('On Error');
		expect(failures.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }, { item: 2 }]);
	});

	it.each([
		['Not Found', 'Not Found'],
		['Not Found.', 'Not Found'],
		['x'.repeat(400), `${'x'.repeat(300)}…`],
	])('stops the workflow where that is asked for, and says what to do: %s', async (said, told) => {
		respond(page(2, { statusCode: 404, error: said }));
		const { error } = await run(
			scrape,
			{ ...scraped, options: FAIL },
			{ items: itemsOf({ n: 2 }) },
		);
		expect(error?.message).toBe('The page answered with status 404');
		expect(error?.description).toContain(`Reason: ${told}. Page: https://a.example/2.`);
		expect(error?.description).toContain('On Error');
	});

	it('of a search fails alone', async () => {
		const web = [good, gone].map((data) => ({ url: 'https://a.example', ...data }));
		service.fail({
			status: 200,
			body: { success: true, data: { web, images: [{ url: 'https://a.example/x' }] } },
		});
		const { output } = await run(search, {
			operation: 'searchAndScrape',
			query: 'tea',
			options: FAIL,
		});
		expect(output.map((items) => items.length)).toEqual([2, 1]);
		expect(held(output[1])).toEqual([expect.objectContaining(gone)]);
	});

	it('of a crawl fails alone', async () => {
		const { id } = service.crawls.add({ status: 'completed' });
		service.fail({ status: 200, body: { status: 'completed', data: [good, gone, broken] } });
		const { output } = await run(crawl, {
			operation: 'getPages',
			crawlId: { __rl: true, mode: 'id', value: id },
			options: FAIL,
		});
		expect(output.map((items) => items.length)).toEqual([1, 2]);
		expect(held(output[1])).toEqual([gone, broken].map((data) => expect.objectContaining(data)));
	});
});
