import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { LocalService } from '../../mock-service';
import { itemsOf } from '../support/engine';
import { served } from '../support/served';
import { PolledTrigger } from '../support/polledTrigger';
import { crawl, scrape } from '../support/nodes';

let service: LocalService;
const run = served({ crawlMs: 1 }, (started) => (service = started));

const getPages = (pages: number, pageBytes: number, options: INodeParameters) => {
	const { id } = service.crawls.add({ pages, pageBytes, status: 'completed' });
	const crawlId = { __rl: true, mode: 'id', value: id };
	return { id, parameters: { operation: 'getPages', crawlId, returnAll: true, options } };
};

const pagesIn = ({ binary }: INodeExecutionData) =>
	JSON.parse(Buffer.from(binary!.data.data, 'base64').toString()) as IDataObject[];

const pagesOf = (items: INodeExecutionData[]) => items.flatMap(pagesIn);

describe('files of pages', () => {
	const FILES = { pagesAs: 'files' };

	it('hold all pages once, an item each with what it holds', async () => {
		service.set({ chunkBytes: 2_500 });
		const { id, parameters } = getPages(7, 1_000, FILES);
		const { output } = await run(crawl, parameters);
		expect(output[0].map(({ json }) => json)).toEqual(
			[1, 3, 5, 7].map((firstPage, index) => ({
				crawlId: id,
				crawlStatus: 'completed',
				file: index + 1,
				pages: firstPage === 7 ? 1 : 2,
				firstPage,
			})),
		);
		const [file] = output[0];
		expect(file.binary?.data).toMatchObject({
			fileName: `crawl-${id}-1.json`,
			mimeType: 'application/json',
		});
		const origin = 'https://docs.northwind.example';
		expect(pagesOf(output[0]).map(({ url }) => url)).toEqual([
			origin,
			...[1, 2, 3, 4, 5, 6].map((page) => `${origin}/page-${page}`),
		]);
	});

	it('are of 10 MB at most, whatever the service sends at once', async () => {
		service.set({ chunkBytes: 100 * 1024 * 1024 });
		const { parameters } = getPages(30, 1_000_000, FILES);
		const { output } = await run(crawl, parameters);
		expect(output[0].map(({ json }) => json.pages)).toEqual([10, 10, 10]);
		for (const { binary } of output[0]) {
			expect(Buffer.from(binary!.data.data, 'base64').length).toBeLessThanOrEqual(10 * 1024 * 1024);
		}
	});

	it('hold pages as they came, simplified, or only with the fields to return', async () => {
		const keys = async (more: INodeParameters, options: INodeParameters = {}) => {
			const { parameters } = getPages(1, 0, { ...FILES, ...options });
			const { output } = await run(crawl, { ...parameters, ...more });
			return Object.keys(pagesOf(output[0])[0]);
		};
		expect(await keys({ simplify: false })).toEqual(['markdown', 'metadata']);
		expect(await keys({})).toEqual(['url', 'title', 'description', 'markdown']);
		expect(await keys({}, { fieldsToReturn: ['title', 'language'] })).toEqual([
			'url',
			'title',
			'language',
		]);
	});

	it('are not made with splitIntoItems off, which has no effect on them', async () => {
		const { parameters } = getPages(1, 0, { ...FILES, splitIntoItems: false });
		const { error } = await run(crawl, parameters);
		expect(error?.message).toBe(
			'Return Pages As is JSON Files, on which Split Into Items has no effect',
		);
		expect(error?.description).toMatch('Remove Split Into Items, or set Return Pages As to Items.');
	});

	it.each([
		['Download Files', { options: { ...FILES, downloadFiles: true } }, 'Remove Download Files'],
		[
			'Shorten Texts To (Characters)',
			{ options: { ...FILES, maxTextLength: 2_000 } },
			'Remove Shorten Texts To (Characters)',
		],
		[
			'Failed Pages',
			{ options: { ...FILES, failedPages: 'errors' } },
			'Set Failed Pages to Automatic',
		],
	])('are not made with %s, which has no effect on them', async (label, more, remedy) => {
		const id = { __rl: true, mode: 'id', value: '5f3b2c1a-8d4e-4f6a-9b0c-1d2e3f4a5b6c' };
		service.requests.length = 0;
		for (const [node, parameters] of [
			[crawl, { operation: 'getPages', crawlId: id }],
			[crawl, { operation: 'startAndWait', url: 'https://a.example' }],
			[scrape, { operation: 'batchGetPages', jobId: id.value }],
			[scrape, { operation: 'batchStartAndWait', urls: 'https://a.example' }],
		] as const) {
			const { error } = await run(node, { ...parameters, ...more });
			expect(error?.message).toBe(`Return Pages As is JSON Files, on which ${label} has no effect`);
			expect(error?.description).toMatch(
				`${remedy}, or set Return Pages As to Items. Nothing was sent`,
			);
		}
		expect(service.requests).toEqual([]);
		const { parameters } = getPages(1, 0, { ...FILES, downloadFiles: false });
		expect((await run(crawl, parameters)).status).toBe('success');
	});

	it('come from a batch too, with an item for each URL that has no page', async () => {
		const { output } = await run(
			scrape,
			{ operation: 'batchStartAndWait', urls: '={{ $json.url }}', options: FILES },
			{
				items: itemsOf(
					{ url: 'https://a.example/1' },
					{ url: 'https://a.example/fail' },
					{ url: 'https://a.example/2' },
				),
			},
		);
		const [file, failed, ...others] = output[0];
		expect(others).toEqual([]);
		expect(file.json).toMatchObject({ batchId: expect.any(String), file: 1, pages: 2 });
		expect(file.pairedItem).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
		expect(pagesIn(file).map(({ url }) => url)).toEqual([
			'https://a.example/2',
			'https://a.example/1',
		]);
		expect(failed.json.pageError).toBe('The page did not answer in time');
		expect(failed.pairedItem).toEqual({ item: 1 });
	});
});

describe('Fields to Return', () => {
	it('finds a field that services name in two ways', async () => {
		const { id, parameters } = getPages(1, 0, { fieldsToReturn: ['answer'] });
		const pages = [
			{ question: 'Yes', html: 'x', metadata: { url: 'https://a.example/1' } },
			{ answer: 'No', html: 'x', metadata: { url: 'https://a.example/2' } },
		];
		service.fail({ path: new RegExp(id), status: 200, body: { status: 'completed', data: pages } });
		const { output } = await run(crawl, parameters);
		expect(output[0].map(({ json }) => json.answer)).toEqual(['Yes', 'No']);
		expect(output[0][0].json).not.toHaveProperty('html');
	});

	it('keeps only these of each page', async () => {
		const { parameters } = getPages(2, 0, { fieldsToReturn: ['title', 'language'] });
		for (const more of [{}, { simplify: false }]) {
			const { output } = await run(crawl, { ...parameters, ...more });
			expect(output[0][0].json).toEqual({
				url: 'https://docs.northwind.example',
				title: 'Docs.northwind',
				language: 'en',
			});
		}
	});
});

describe('the crawl trigger', () => {
	const FILES = { pagesAs: 'files' };

	/** Returns a trigger after its first poll, and a function that ends a crawl of so many pages of 1,000 bytes. */
	const begun = async (options: INodeParameters, more: INodeParameters = {}) => {
		const trigger = new PolledTrigger(service, { output: 'pages', options, ...more });
		await trigger.poll();
		const end = (pages: number) => {
			const { id } = service.crawls.add({ pages, pageBytes: 1_000 });
			service.crawls.end(id);
			return id;
		};
		return { trigger, end };
	};
	const numberOf = ({ url }: IDataObject) => Number(/\d+$/.exec(String(url))?.[0] ?? 0);

	it('gives the pages of each crawl once, in files, an item each with what it holds', async () => {
		service.set({ chunkBytes: 2_500 });
		const { trigger, end } = await begun(FILES);
		const id = end(5);
		const items = (await trigger.poll())!;
		const crawl = expect.objectContaining({
			id,
			status: 'completed',
			event: 'completed',
			total: 5,
		});
		expect(items.map(({ json }) => json)).toEqual([
			{ file: 1, pages: 2, firstPage: 1, crawl },
			{ file: 2, pages: 2, firstPage: 3, crawl },
			{ file: 3, pages: 1, firstPage: 5, crawl },
		]);
		expect(items.map(({ binary }) => binary!.data.fileName)).toEqual(
			[1, 2, 3].map((file) => `crawl-${id}-${file}.json`),
		);
		expect(pagesOf(items).map(numberOf)).toEqual([0, 1, 2, 3, 4]);
		expect(pagesOf(items)[0]).not.toHaveProperty('metadata');
		expect(await trigger.poll()).toBeNull();
	});

	it('gives all files later, once, when a chunk fails', async () => {
		service.set({ chunkBytes: 2_500 });
		const { trigger, end } = await begun(FILES);
		const id = end(5);
		const isLast = ({ query }: { query: unknown }) => (query as IDataObject).skip === '4';
		service.fail({ path: new RegExp(id), when: isLast, status: 418, body: { error: 'teapot' } });
		expect(await trigger.poll()).toBeNull();
		service.clearFaults();
		expect(pagesOf((await trigger.poll())!).map(numberOf)).toEqual([0, 1, 2, 3, 4]);
		expect(await trigger.poll()).toBeNull();
	});

	it('gives one item for a crawl without pages', async () => {
		const { trigger, end } = await begun(FILES);
		const id = end(0);
		const items = (await trigger.poll())!;
		expect(items).toEqual([{ json: { crawl: expect.objectContaining({ id }) } }]);
	});
});

describe('a job of more pages than n8n takes as items', () => {
	const parameters = { operation: 'startAndWait', url: 'https://a.example', maxPages: 100_001 };

	it('is not started', async () => {
		const { error } = await run(crawl, parameters, { items: itemsOf({}) });
		expect(error?.message).toBe(
			'Max Pages asks for 100001 pages, but n8n accepts at most 100000 as items',
		);
		expect(error?.description).toContain('Set Return Pages As to JSON Files');
		expect(service.requests).toEqual([]);
	});

	it('is started where files are asked for, or one item with all pages', async () => {
		for (const options of [{ pagesAs: 'files' }, { splitIntoItems: false }]) {
			service.requests.length = 0;
			// Nothing is waited for.
			service.fail({ method: 'POST', status: 402 });
			await run(crawl, { ...parameters, options });
			expect(service.requests).toHaveLength(1);
		}
	});

	it('is an error with its job ID where it has ended', async () => {
		const pages = Array.from({ length: 100_001 }, (_, number) => ({ markdown: `${number}` }));
		const body = { success: true, status: 'completed', data: pages };
		service.fail({ method: 'GET', path: /\/v2\/crawl\/[^/]+$/, status: 200, body });
		const { id, parameters } = getPages(1, 10, {});
		const { error } = await run(crawl, parameters);
		expect(error?.message).toBe('There are 100001 items, more than n8n accepts for one input item');
		expect(error?.description).toContain(
			`Use "Get Pages of Crawl" with the job ID ${id} and Return Pages As set to JSON Files`,
		);
	});
});
