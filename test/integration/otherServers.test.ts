import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';

import type { LocalService } from '../../mock-service';
import { served } from '../support/served';
import { agent, crawl, scrape, search } from '../support/nodes';

let service: LocalService;
const runWith = served({ crawlMs: 0 }, (started) => (service = started));
const url = 'https://a.example/x';
const metadata = { statusCode: 200, sourceURL: url };

/** Runs a node against one response, and returns its results and its error. */
async function run(node: INodeType, parameters: INodeParameters, body: IDataObject) {
	service.fail({ status: 200, body: { success: true, ...body } });
	const { output, error } = await runWith(node, { simplify: true, ...parameters }, {});
	return { items: (output[0] ?? []).map(({ json }) => json), error };
}

describe('what is missing of a page is told', () => {
	const page = { operation: 'scrape', url };
	const MODEL = 'Failed to extract JSON: no model is set up';
	it.each<[formats: string[], data: IDataObject, warning: RegExp | undefined]>([
		[['markdown', 'summary'], { markdown: 'x' }, /^The service returned no summary[.;]/],
		[['markdown', 'summary'], { markdown: 'x', summary: 'y' }, undefined],
		[['markdown', 'menu', 'product'], { markdown: 'x' }, /returned no product, menu[.;]/],
		[
			['markdown', 'summary'],
			{ markdown: 'x', warning: MODEL },
			/^Failed .*returned no summary\.$/,
		],
		[['markdown', 'links', 'images'], { markdown: 'x', links: [], images: [] }, undefined],
		[['markdown', 'video'], { markdown: 'x', videos: [{ url }] }, undefined],
		[['markdown'], { markdown: 'x', html: null, summary: null }, undefined],
		[
			['markdown', 'html'],
			{ markdown: 'x', html: '<html><body><div></div></body></html>' },
			/no html/,
		],
		[['rawHtml', 'screenshot'], { rawBase64: 'JVBERi0=' }, undefined],
	])('%j: %j', async (formats, data, warning) => {
		const { items } = await run(scrape, { ...page, formats }, { data: { metadata, ...data } });
		if (warning === undefined) expect(items[0]).not.toHaveProperty('warning');
		else expect(items[0].warning).toMatch(warning);
		expect(items[0]).not.toHaveProperty('pageError');
	});

	it('the reason may stand beside the page', async () => {
		const asked = { ...page, formats: ['markdown', 'summary'] };
		const answer = { warning: MODEL, data: { markdown: 'x', metadata } };
		const { items } = await run(scrape, asked, answer);
		expect(items[0].warning).toBe(`${MODEL} The service returned no summary.`);
		service.clearFaults();
		const { items: empty } = await run(scrape, page, { warning: MODEL, data: { metadata } });
		expect(empty[0].pageError).toContain(MODEL);
	});

	it.each<[data: IDataObject, pageError: RegExp]>([
		[{ warning: MODEL }, /no content for this page: Failed to extract JSON: no model is set up$/],
		[{ markdown: null }, /no content for this page; Only Main Content may be the cause$/],
		[{ html: '<!DOCTYPE html><html><head></head><body><div></div></body></html>' }, /no content/],
		[{ attributes: [{ selector: 'a', attribute: 'href', values: [] }] }, /no content/],
		[{ json: [{}] }, /no content/],
	])('if it is everything, it is the error of the page: %j', async (data, pageError) => {
		const { items } = await run(scrape, page, { data: { metadata, ...data } });
		expect(items[0].pageError).toMatch(pageError);
	});
});

describe('hits', () => {
	const hit = { url, title: 'One', description: 'About' };
	it.each<IDataObject>([{ markdown: null }, { summary: null, metadata: {} }, {}])(
		'of a plain search did not fail: %j',
		async (more) => {
			const { items } = await run(
				search,
				{ operation: 'search', query: 'tea' },
				{ data: [{ ...hit, ...more }] },
			);
			expect(items[0]).not.toHaveProperty('pageError');
		},
	);

	it('that should have come with their pages and come without are told, images apart', async () => {
		const parameters = { operation: 'searchAndScrape', query: 'tea' };
		const data = { web: [hit], images: [{ ...hit, imageUrl: url }] };
		const { items } = await run(search, parameters, { data });
		expect(items.map(({ pageError }) => pageError !== undefined)).toEqual([true, false]);
	});
});

describe('other shapes are read', () => {
	it.each<[links: IDataObject]>([
		[{ data: [{ url }] }],
		[{ data: { links: [url] } }],
		[{ links: [url], id: 'm' }],
	])('of a map: %j', async (body) => {
		expect((await run(scrape, { operation: 'map', siteUrl: url }, body)).items).toEqual([{ url }]);
	});

	it('of a list of crawls that is empty', async () => {
		const { items, error } = await run(crawl, { operation: 'listActive' }, { data: [] });
		expect([items, error]).toEqual([[], undefined]);
	});

	it('of a page without its address', async () => {
		const data = { markdown: 'x', metadata: { title: 'One', robots: 'none' } };
		const { items } = await run(scrape, { operation: 'scrape', url }, { data });
		expect(items).toEqual([{ url, title: 'One', markdown: 'x' }]);
	});

	it('of credits', async () => {
		const body = { status: 'completed', data: { a: 1 }, credits_used: 7 };
		const get = { operation: 'get', jobId: { __rl: true, mode: 'id', value: 'a-1' } };
		expect((await run(agent, get, body)).items).toMatchObject([{ creditsUsed: 7 }]);
	});

	it('of a crawl that ended in part', async () => {
		const data = [1, 2].map((n) => ({ markdown: 'x', metadata: { sourceURL: `${url}${n}` } }));
		const body = { status: 'partial', completed: 2, total: 2, data };
		const options = { ifRunning: 'wait' };
		const crawlId = { __rl: true, mode: 'id', value: '5f3b2c1a-8d4e-4f6a-9b0c-1d2e3f4a5b6c' };
		const { items } = await run(
			crawl,
			{ operation: 'getPages', crawlId, options } as unknown as INodeParameters,
			body,
		);
		expect(items).toHaveLength(2);
	});
});

it('a service without the part that a page needs is not blamed on the page', async () => {
	const error = 'All scraping engines failed! -- Engines tried: []';
	service.fail({ status: 500, body: { success: false, code: 'SCRAPE_ALL_ENGINES_FAILED', error } });
	const { error: told } = await runWith(scrape, { operation: 'scrape', url }, {});
	expect(told?.message).toContain('no part that can do what was asked for');
	expect(told?.description).toContain('Or install the part.');
});
