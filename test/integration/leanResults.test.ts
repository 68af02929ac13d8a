import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';

import type { LocalService } from '../../mock-service';
import { itemsOf, runNode, toolOf } from '../support/engine';
import { served } from '../support/served';
import { agent, crawl, scrape, search } from '../support/nodes';

const JOB = '5f3b2c1a-8d4e-4f6a-9b0c-1d2e3f4a5b6c';

let service: LocalService;
const run = served({ crawlMs: 0, jobMs: 1 }, (started) => (service = started));

async function jsons(...args: Parameters<typeof run>): Promise<IDataObject[]> {
	const { output, error } = await run(...args);
	expect(error).toBeUndefined();
	return output[0].map(({ json }) => json);
}

const metadata = {
	title: 'Tea',
	description: 'All about tea',
	url: 'https://a.example/tea/',
	sourceURL: 'https://a.example/tea',
	statusCode: 200,
	cacheState: 'hit',
	cachedAt: '2026-11-20T10:00:00.000Z',
	creditsUsed: 1,
	proxyUsed: 'basic',
	'og:site_name': 'A',
};
const page = { markdown: '# Tea', html: null, metadata };
const { url } = metadata;
const scraped = { operation: 'scrape', url: 'https://a.example/tea' };
const respond = (data: unknown) => service.fail({ body: { success: true, data }, status: 200 });

describe('Simplify', () => {
	it('gives the useful fields of a page, flat, with where the content came from', async () => {
		respond(page);
		expect(await jsons(scrape, scraped)).toEqual([
			{
				url: 'https://a.example/tea/',
				requestedUrl: 'https://a.example/tea',
				title: 'Tea',
				description: 'All about tea',
				markdown: '# Tea',
				cachedAt: '2026-11-20T10:00:00.000Z',
			},
		]);
	});

	it('gives IDs, credits and states beside them where Run Details are included', async () => {
		respond(page);
		const [result] = await jsons(scrape, { ...scraped, options: { includeRunDetails: true } });
		expect(result.run).toEqual({
			statusCode: 200,
			cacheState: 'hit',
			creditsUsed: 1,
			runCreditsUsed: 1,
		});
	});

	const priced = { ...page, json: { name: 'Lamp', price: 9, title: 'Own' } };

	it.each<[string, IDataObject, IDataObject]>([
		['beside the address, and take the place of ours', priced, { title: 'Own', price: 9 }],
		['in json if one of them is called error', { ...page, json: { error: 'x' } }, { json: {} }],
		['in json if they are a list', { ...page, json: [1] }, { json: [1] }],
		['and give way where they are empty', { ...page, json: { url: null, price: 9 } }, { price: 9 }],
		['of a product, too', { ...page, product: { title: 'Lamp', price: 9 } }, { title: 'Lamp' }],
	])('has the fields of a page %s', async (_where, data, expected) => {
		respond(data);
		const [result] = await jsons(scrape, scraped);
		expect(result).toMatchObject({ url: metadata.url, ...expected });
		expect('json' in result).toBe('json' in expected);
	});

	it('has the page’s own title beside fields only if it is chosen', async () => {
		const asked = { ...page, json: { price: 9 } };
		const titleWith = async (options: INodeParameters) => {
			respond(asked);
			return (await jsons(scrape, { ...scraped, options }))[0].title;
		};
		expect(await titleWith({})).toBeUndefined();
		expect(await titleWith({ fieldsToReturn: ['title', 'json'] })).toBe('Tea');
	});

	it('gives the page as it came when off', async () => {
		respond(page);
		expect(await jsons(scrape, { ...scraped, simplify: false })).toEqual([page]);
	});

	it('tells content from the cache from fresh content', async () => {
		const request = { ...scraped, url: 'https://fresh.example/news' };
		const [fresh] = await jsons(scrape, request);
		expect(fresh).not.toHaveProperty('cachedAt');
		const [again] = await jsons(scrape, request);
		expect(again).toMatchObject({ cachedAt: expect.stringMatching(/^\d{4}-/) });
		const [forced] = await jsons(scrape, { ...request, options: { cacheOptions: { maxAge: 0 } } });
		expect(forced).not.toHaveProperty('cachedAt');
	});

	it('keeps every format that was asked for', async () => {
		const formats = ['markdown', 'html', 'links', 'summary', 'question', 'screenshot'];
		const [result] = await jsons(scrape, { ...scraped, formats, question: 'What is it?' });
		expect(Object.keys(result)).toEqual(
			expect.arrayContaining(['markdown', 'html', 'links', 'summary', 'answer', 'screenshot']),
		);
	});

	const videos = [{ url: 'https://cdn.example/1.m3u8', title: 'Tea', mimeType: 'video/mp4' }];
	const crawled = (parameters: INodeParameters, pages: IDataObject[]) => {
		service.fail({ body: { success: true, status: 'completed', data: pages }, status: 200 });
		const crawlId = { __rl: true, mode: 'id', value: JOB };
		return jsons(crawl, { operation: 'getPages', crawlId, ...parameters });
	};

	it.each([true, false])(
		'keeps that list where the field Video was chosen (simplified: %s)',
		async (simplify) => {
			const options = { fieldsToReturn: ['video'] };
			const [result] = await crawled({ simplify, options }, [{ videos, ...page }]);
			expect(result).toMatchObject({ videos });
			expect(result).not.toHaveProperty('markdown');
		},
	);

	it.each([{}, { options: { fieldsToReturn: ['json'] } }])(
		'gives what a crawl with the format "extract" of v1 has extracted as JSON: %j',
		async (parameters) => {
			const results = await crawled(parameters, [{ extract: { price: 9 }, metadata }]);
			expect(results).toMatchObject([{ price: 9 }]);
		},
	);

	it('gives no more than ten fields of a default request', async () => {
		const { id } = service.crawls.add({ pages: 1, status: 'completed' });
		const crawlId = { __rl: true, mode: 'id', value: id };
		const running = service.crawls.add({ pages: 3 });
		for (const [node, parameters] of [
			[scrape, scraped],
			[search, { operation: 'search', query: 'tea' }],
			[crawl, { operation: 'getPages', crawlId }],
			[crawl, { operation: 'getStatus', crawlId }],
			[crawl, { operation: 'listActive' }],
		] as Array<[INodeType, INodeParameters]>) {
			for (const json of await jsons(node, parameters)) {
				expect(Object.keys(json).length).toBeLessThanOrEqual(10);
				for (const value of Object.values(json)) expect(value).not.toBeNull();
			}
		}
		service.crawls.remove(running.id);
	});

	const graph = { nodes: [1], edges: [] };
	const newer = { ...page, knowledgeGraph: graph, error: 'slow', none: null };
	const known = { url: metadata.url, markdown: '# Tea', pageError: 'slow' };

	it.each<[string, INodeType, INodeParameters, unknown]>([
		['a scrape', scrape, scraped, newer],
		[
			'a search',
			search,
			{ operation: 'searchAndScrape', query: 'tea' },
			{ web: [{ url: metadata.url, title: 'Tea', ...newer }] },
		],
		['a batch', scrape, { operation: 'batchGetPages', jobId: JOB }, [newer]],
	])('keeps what %s gives in a format nobody knows yet', async (_of, node, parameters, data) => {
		service.fail({ body: { success: true, status: 'completed', data }, status: 200 });
		const [result] = await jsons(node, parameters);
		expect(result).toMatchObject({ ...known, knowledgeGraph: graph });
		for (const name of ['metadata', 'error', 'none']) expect(result).not.toHaveProperty(name);
	});

	it('keeps that of a crawl, unless the fields to return are chosen', async () => {
		const [result] = await crawled({}, [newer]);
		expect(result).toMatchObject({ ...known, knowledgeGraph: graph });
		const [chosen] = await crawled({ options: { fieldsToReturn: ['markdown'] } }, [newer]);
		expect(chosen).not.toHaveProperty('knowledgeGraph');
	});

	it('loses nothing of a kind of result nobody knows yet', async () => {
		respond({ web: [], research: [{ paperId: 'p1', abstract: 'Tea and health' }] });
		expect(await jsons(search, { operation: 'search', query: 'tea' })).toMatchObject([
			{ source: 'research', paperId: 'p1', abstract: 'Tea and health' },
		]);
	});
});

describe('An Item per Entry', () => {
	const lamps = [{ name: 'Desk' }, { name: 'Floor', url: 'https://a.example/floor' }];
	const asked = {
		...scraped,
		formats: ['markdown', 'json'],
		schemaFrom: 'json',
		schemaJson: '{ "type": "object", "properties": { "lamps": { "type": "array" } } }',
	};
	it.each<[string, unknown, IDataObject[]]>([
		['its only list', { lamps }, [{ url, name: 'Desk' }, lamps[1]]],
		['a result that is one', lamps, [{ url, name: 'Desk' }, lamps[1]]],
		[
			'its only list of objects, with what stands beside it',
			{ lamps, shop: 'A', tags: ['x'] },
			[
				{ name: 'Desk', shop: 'A', tags: ['x'] },
				{ name: 'Floor', shop: 'A' },
			],
		],
		['a list of texts', { tags: ['a', 'b'] }, [{ tags: 'a' }, { tags: 'b' }]],
	])('makes items of %s', async (_what, json, expected) => {
		respond({ ...page, json });
		const { output } = await run(scrape, { ...asked, eachEntry: true });
		expect(output[0].map((item) => item.json)).toMatchObject(expected);
		for (const item of output[0]) {
			expect(item).toMatchObject({ pairedItem: { item: 0 } });
			expect(item.json).not.toHaveProperty('markdown');
		}
	});

	it.each([
		{ lamps, chairs: lamps },
		{ lamps: [], name: 'Shop' },
		{ lamps: [], tags: ['a', 'b'] },
	])('leaves a page as it is whose fields have no single list: %j', async (json) => {
		respond({ ...page, json });
		expect(await jsons(scrape, { ...asked, eachEntry: true })).toMatchObject([
			{ ...json, markdown: '# Tea' },
		]);
	});

	it('is what ready-made lists of entries do by themselves, with their own list alone', async () => {
		const ready = { ...asked, schemaFrom: 'products' };
		for (const [json, count] of [
			[{ products: lamps, shops: lamps }, 2],
			[{ products: null, tags: ['a', 'b'] }, 1],
		] as const) {
			service.clearFaults();
			respond({ ...page, json });
			expect(await jsons(scrape, ready)).toHaveLength(count);
		}
		service.clearFaults();
		respond({ ...page, json: { lamps } });
		expect(await jsons(scrape, asked)).toMatchObject([{ lamps }]);
	});

	it('splits the result of an agent task', async () => {
		const body = { success: true, status: 'completed', data: { companies: lamps } };
		service.fail({ method: 'GET', status: 200, body });
		const task = { operation: 'startAndWait', prompt: 'Lamps', schemaFrom: 'example' };
		const schemaExample = '{ "companies": [{ "name": "A" }] }';
		expect(await jsons(agent, { ...task, schemaExample, eachEntry: true })).toMatchObject(lamps);
	});
});

describe('Include Other Input Fields', () => {
	const items = itemsOf({ sku: 7, title: 'Row' }, { sku: 8 });
	const parameters = { ...scraped, options: { includeOtherFields: true } };

	it('puts the fields of its input item beside each result, which come first', async () => {
		const { output } = await run(scrape, parameters, { items });
		expect(output[0].map(({ json }) => [json.sku, json.title])).toEqual([
			[7, expect.stringMatching(/^(?!Row)/)],
			[8, expect.any(String)],
		]);
	});

	it('gives the pages of one job those of their own items, also where Simplify is off', async () => {
		service.set({ crawlMs: 1 });
		const batch = {
			...parameters,
			operation: 'batchStartAndWait',
			urls: '=a.example/{{ $json.sku }}',
		};
		const { output } = await run(scrape, { ...batch, simplify: false }, { items });
		expect(output[0].map(({ json }) => [json.sku, json.metadata])).toEqual([
			[7, expect.objectContaining({ sourceURL: 'https://a.example/7' })],
			[8, expect.objectContaining({ sourceURL: 'https://a.example/8' })],
		]);
	});

	it.each(['continueErrorOutput', 'continueRegularOutput'] as const)(
		'has them beside what failed, too: %s',
		async (onError) => {
			respond({ ...page, metadata: { ...metadata, statusCode: 404 } });
			const options = { ...parameters.options, failedPages: 'errors' };
			const { output } = await run(scrape, { ...parameters, options }, { items, onError });
			expect(output.at(-1)).toHaveLength(2);
			const error = { url: 'https://a.example/tea' };
			expect(output.at(-1)![0].json).toMatchObject({ sku: 7, title: 'Row', error });
		},
	);

	it('has them beside an item that sent nothing, too', async () => {
		const rows = itemsOf({ sku: 7, url: 'no page' }, { sku: 8, url: 'https://a.example/8' });
		const { output } = await run(
			scrape,
			{ ...parameters, url: '={{ $json.url }}' },
			{ items: rows, onError: 'continueRegularOutput' },
		);
		expect(output[0].map(({ json }) => json.sku)).toEqual([7, 8]);
		expect(output[0][0].json).toHaveProperty('error');
	});

	it('leaves out those that were asked for: the page has none of their values', async () => {
		respond({ ...page, json: { name: 'Lamp' } });
		const schemaExample = '{ "name": "A", "price": 1 }';
		const { output } = await run(
			scrape,
			{ ...parameters, formats: ['json'], schemaFrom: 'example', schemaExample },
			{ items: itemsOf({ sku: 7, name: 'Old', price: 99 }) },
		);
		expect(output[0][0].json).toMatchObject({ sku: 7, url: metadata.url, name: 'Lamp' });
		expect(output[0][0].json).not.toHaveProperty('price');
	});

	it('leaves out an earlier failure, for which n8n would take this item', async () => {
		respond(page);
		const row = { sku: 7, error: { message: 'Gone' }, message: 'Gone', requestedUrl: 'x' };
		const { output } = await run(scrape, parameters, { items: itemsOf(row) });
		expect(output[0][0].json).toMatchObject({ sku: 7 });
		expect(output[0][0].json.requestedUrl).not.toBe('x');
		for (const name of ['error', 'message']) expect(output[0][0].json).not.toHaveProperty(name);
	});

	it('takes nothing that an earlier node says of its own result', async () => {
		respond(page);
		const row = { pageError: 'Gone', statusCode: 404, warning: 'Old', run: {}, sku: 1 };
		const { output } = await run(scrape, parameters, { items: itemsOf(row) });
		expect(output[0][0].json).toMatchObject({ sku: 1 });
		for (const name of ['pageError', 'statusCode', 'warning', 'run'])
			expect(output[0][0].json).not.toHaveProperty(name);
	});
});

describe('Output of a tool', () => {
	const tool = toolOf(scrape);

	it('is simplified unless said otherwise', async () => {
		respond(page);
		const [result] = await jsons(tool, scraped);
		expect(result).toMatchObject({ url: 'https://a.example/tea/', title: 'Tea' });
		expect(result).not.toHaveProperty('metadata');
	});

	it('comes with the files of fields that were not chosen', async () => {
		const { output } = await runNode({
			nodeType: tool,
			parameters: {
				...scraped,
				formats: ['markdown', 'screenshot'],
				output: 'selected',
				outputFields: ['title'],
				options: { downloadFiles: true },
			},
			credentials: { baseUrl: service.url, apiKey: service.apiKey },
		});
		expect(output[0]).toMatchObject([
			{ json: { title: expect.any(String) }, binary: { screenshot: {} } },
		]);
		expect(output[0][0].json).not.toHaveProperty('screenshot');
	});

	it('is raw, or only what was chosen with the address', async () => {
		respond(page);
		expect(await jsons(tool, { ...scraped, output: 'raw' })).toEqual([page]);
		const chosen = { ...scraped, output: 'selected', outputFields: ['title', 'proxyUsed'] };
		expect(await jsons(tool, chosen)).toEqual([
			{ url: 'https://a.example/tea/', title: 'Tea', proxyUsed: 'basic' },
		]);
		const videos = [{ url: 'https://cdn.example/1.m3u8' }];
		service.clearFaults();
		respond({ ...page, videos });
		expect(await jsons(tool, { ...chosen, outputFields: ['video'] })).toEqual([
			{ url: 'https://a.example/tea/', videos },
		]);
	});

	it('of Selected Fields without a field is an error before anything is paid for', async () => {
		service.requests.length = 0;
		const { error } = await run(tool, { ...scraped, output: 'selected', outputFields: [] });
		expect(error?.message).toMatch(
			/^Output is Selected Fields, but Fields is empty\. Choose at least one field, or set Output to Simplified\./,
		);
		expect(service.requests).toEqual([]);
	});

	const pages = () => {
		const { id } = service.crawls.add({ pages: 40, pageBytes: 5_000, status: 'completed' });
		const crawlId = { __rl: true, mode: 'id', value: id };
		return { operation: 'getPages', crawlId, returnAll: true };
	};

	it('stays within 60,000 characters and tells the model what was shortened or left out', async () => {
		const results = await jsons(toolOf(crawl), pages());
		const length = JSON.stringify(results).length;
		expect(length).toBeLessThanOrEqual(60_000);
		expect(length).toBeGreaterThan(50_000);
		const note = results.pop()!;
		for (const { markdown } of results)
			expect(markdown).toMatch(/… \(shortened, \d+ characters in all\)$/);
		expect(note).toEqual({
			note: expect.stringContaining(`${40 - results.length} of 40 results were left out`),
		});
	});
});
