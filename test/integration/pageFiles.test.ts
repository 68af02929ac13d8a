import type { IDataObject, INodeExecutionData, INodeParameters, INodeType } from 'n8n-workflow';

import { WebDataCrawl } from '../../nodes/WebDataCrawl/WebDataCrawl.node';
import { WebDataScrape } from '../../nodes/WebDataScrape/WebDataScrape.node';
import { startService, type LocalService } from '../../mock-service';
import { itemsOf, runNode, type NodeRun, type NodeRunOptions } from '../support/engine';

const [crawl, scrape] = [new WebDataCrawl(), new WebDataScrape()];

let service: LocalService;
beforeAll(async () => {
	service = await startService({ crawlMs: 1 });
});
afterAll(async () => {
	expect(service.violations).toEqual([]);
	await service.close();
});
beforeEach(() => {
	service.clearFaults();
	service.set({ chunkBytes: 10 * 1024 * 1024 });
});

const run = async (
	nodeType: INodeType,
	parameters: INodeParameters,
	more: Partial<NodeRunOptions> = {},
): Promise<NodeRun> =>
	await runNode({
		nodeType,
		parameters,
		credentials: { baseUrl: service.url, apiKey: service.apiKey },
		...more,
	});

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
		expect(pagesOf(output[0]).map(({ url }) => /\d+$/.exec(String(url))?.[0])).toEqual([
			'1',
			'2',
			'3',
			'4',
			'5',
			'6',
			'7',
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
		expect(await keys({})).toEqual([
			'url',
			'title',
			'description',
			'markdown',
			'statusCode',
			'creditsUsed',
		]);
		expect(await keys({}, { fieldsToReturn: ['title', 'language'] })).toEqual([
			'url',
			'title',
			'language',
		]);
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
		service.fail({
			path: new RegExp(id),
			status: 200,
			body: { status: 'completed', data: pages },
		});
		const { output } = await run(crawl, parameters);
		expect(output[0].map(({ json }) => json.answer)).toEqual(['Yes', 'No']);
		expect(output[0][0].json).not.toHaveProperty('html');
	});

	it('keeps only these of each page, and what is said of the job', async () => {
		const { id, parameters } = getPages(2, 0, { fieldsToReturn: ['title', 'language'] });
		for (const more of [{}, { simplify: false }]) {
			const { output } = await run(crawl, { ...parameters, ...more });
			expect(output[0][0].json).toEqual({
				url: expect.stringMatching(/page-1$/),
				title: 'Page 1 of docs.northwind.example',
				language: 'en',
				crawlId: id,
				crawlStatus: 'completed',
			});
		}
	});
});
