/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import { LoadOptionsContext } from 'n8n-core';
import {
	Workflow,
	type IDataObject,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
} from 'n8n-workflow';

import { cases } from '../contract/nodes';
import { requiredParameters } from '../contract/controls';
import type { Fault, LocalService } from '../../mock-service';
import { engine, itemsOf, nodeOf, toolOf } from '../support/engine';
import type * as QuickTime from '../support/quickTime';
import { addSamples } from '../support/samples';
import { type MoreOptions, served } from '../support/served';
import { agent, crawl, extract, scrape, search, usage } from '../support/nodes';

jest.mock('../../nodes/shared/base/time', () =>
	jest.requireActual<typeof QuickTime>('../support/quickTime').quickTime(),
);

const PDF = { data: 'JVBERi0xLjQ=', mimeType: 'application/pdf', fileName: 'a.pdf' };
/** Each also has a file, for the operation that parses one. */
const THREE = itemsOf({ n: 0 }, { n: 1 }, { n: 2 }).map((item) => ({
	...item,
	binary: { data: PDF },
}));

let service: LocalService;
const run = served({ credits: 1_000_000, jobMs: 1, crawlMs: 0 }, (started) => (service = started));
beforeEach(() => {
	for (const { id } of service.crawls.list() as Array<{ id: string }>) service.crawls.remove(id);
});

/** Returns the items of a run that must succeed. */
async function items(
	nodeType: INodeType,
	parameters: INodeParameters,
	more?: MoreOptions,
): Promise<INodeExecutionData[]> {
	const { output, error } = await run(nodeType, parameters, more);
	expect(error).toBeUndefined();
	return output[0];
}

const jsons = async (...given: Parameters<typeof items>) =>
	(await items(...given)).map(({ json }) => json);

const pairs = (list: INodeExecutionData[]) =>
	list.map(({ pairedItem }) => (pairedItem as { item: number }).item);

const locator = (value: string, mode = 'id') => ({ __rl: true, mode, value });
const sent = () => service.requests.map(({ method, path }) => `${method} ${path}`);

describe('an operation that the node does not have', () => {
	const wrong = { operation: 'getRemainingCredits' };
	const message = 'Operation is "getRemainingCredits", which is not one of its choices';

	it('is said to be none, with those there are, and nothing is sent', async () => {
		const { error } = await run(usage, wrong);
		expect(error).toMatchObject({ message });
		expect(error!.description).toMatch(/^Use one of: .+getCredits.+ Nothing was sent \(field/);
		expect(service.requests).toEqual([]);
	});
});

describe('every operation', () => {
	it.each(cases)(
		'$name: $operation gives items paired with their input',
		async ({ node, operation }) => {
			// A job can only be cancelled once.
			const inputs = addSamples(service, operation) ? THREE.slice(0, 1) : THREE;
			const output = await items(node, requiredParameters(node, operation), { items: inputs });
			const paired = output.flatMap(({ pairedItem }) => pairedItem as { item: number });
			const each = paired.length / inputs.length;
			expect(each).toBeGreaterThanOrEqual(1);
			expect(paired.map(({ item }) => item)).toEqual(
				inputs.flatMap((_, n) => Array<number>(each).fill(n)),
			);
			for (const { json } of output) {
				expect(Object.keys(json).length).toBeGreaterThan(0);
				expect(json).not.toHaveProperty('error');
			}
		},
	);
});

describe('search', () => {
	const sources = ['web', 'images', 'news'];
	const parameters = ({ limit, ...options }: INodeParameters) => ({
		operation: 'search',
		query: '=tea {{ $json.n }}',
		...(limit === undefined ? {} : { limit }),
		options,
	});

	it('gives an item per result, each with its source', async () => {
		const output = await items(search, parameters({ sources, limit: 2 }), { items: THREE });
		expect(output.map(({ json }) => json.source)).toEqual(
			[0, 1, 2].flatMap(() => sources.flatMap((source) => [source, source])),
		);
		expect(pairs(output)).toEqual([0, 1, 2].flatMap((n) => Array<number>(6).fill(n)));
		expect(output[0].json).toMatchObject({ title: expect.any(String), url: expect.any(String) });
		expect(service.requests.map(({ body }) => (body as IDataObject).query).sort()).toEqual([
			'tea 0',
			'tea 1',
			'tea 2',
		]);
	});

	it('says with each result what was sent', async () => {
		const [first] = await jsons(search, {
			operation: 'search',
			query: 'tea',
			simplify: false,
			limit: 1,
			published: 'qdr:d',
			options: { queryOperators: { site: 'a.example' }, newestFirst: true },
		});
		expect(first).toMatchObject({ query: 'tea site:a.example', tbs: 'sbd:1,qdr:d' });
	});

	it('gives the response as it came when not split', async () => {
		const [answer, ...others] = await jsons(search, {
			...parameters({ sources, limit: 2, splitIntoItems: false }),
			query: 'tea',
		});
		expect(others).toEqual([]);
		expect(answer).toMatchObject({ success: true, creditsUsed: 2 });
		expect(Object.keys(answer.data as IDataObject)).toEqual(sources);
	});

	it('gives what the service says of the search, also simplified, and no item where nothing was found', async () => {
		const asked = { ...parameters({ limit: 1, includeRunDetails: true }), query: 'tea' };
		const [found] = await jsons(search, asked);
		const run = { search: { id: expect.any(String), creditsUsed: 2, results: 1 }, query: 'tea' };
		expect(found).toMatchObject({ source: 'web', url: expect.any(String), run });
		const body = { success: true, id: 'search-1', creditsUsed: 0, warning: 'None', data: {} };
		service.fail({ status: 200, body });
		expect(await jsons(search, asked)).toEqual([]);
	});

	it('keeps a warning and what it does not know', async () => {
		const data = { web: [{ url: 'u', newField: { a: 1 } }], maps: [{ place: 'x' }] };
		service.fail({ status: 200, body: { success: true, data, warning: 'Slow', id: 'i' } });
		const parameters = { operation: 'search', query: 'tea', simplify: false };
		const all = { query: 'tea', searchWarning: 'Slow', response: { id: 'i' } };
		expect(await jsons(search, parameters)).toEqual([
			{ source: 'web', url: 'u', newField: { a: 1 }, ...all },
			{ source: 'maps', place: 'x', ...all },
		]);
	});

	it('fails only the item whose file is gone, and keeps its paid content', async () => {
		service.fail({ path: /^\/files\//, times: 1, status: 404, body: 'gone' });
		const { output } = await run(
			search,
			{
				operation: 'searchAndScrape',
				query: 'tea',
				formats: ['markdown', 'screenshot'],
				limit: 2,
				options: { downloadFiles: true },
			},
			{ onError: 'continueErrorOutput' },
		);
		const [[good], [failed]] = output;
		expect(good.binary).toBeDefined();
		expect(failed.json.error).toMatchObject({
			message: expect.any(String),
			data: { source: 'web', markdown: expect.any(String) },
		});
		expect([good, failed].map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 0 }]);
	});

	it('scrapes the results and downloads their files', async () => {
		const [first] = await items(search, {
			operation: 'searchAndScrape',
			query: 'tea',
			formats: ['markdown', 'screenshot'],
			limit: 1,
			options: { downloadFiles: true },
		});
		expect(first.json).toMatchObject({ source: 'web', markdown: expect.any(String) });
		expect(Object.values(first.binary ?? {})).toEqual([
			expect.objectContaining({ mimeType: 'image/png' }),
		]);
	});
});

describe('crawl', () => {
	const pages = (id: string, more: INodeParameters = {}) => ({
		operation: 'getPages',
		crawlId: locator(id),
		...more,
	});

	it('lists active crawls in the shape of v2 or v1', async () => {
		const { id } = service.crawls.add({ url: 'https://a.example' });
		const raw = { operation: 'listActive', simplify: false };
		const [v2] = await jsons(crawl, raw);
		expect(v2).toMatchObject({ id, options: { scrapeOptions: { parsers: [{ type: 'pdf' }] } } });
		const [v1] = await jsons(crawl, { ...raw, options: { apiVersion: 'v1' } });
		expect(v1).toMatchObject({ id, options: { scrapeOptions: { parsePDF: true } } });
		expect(sent()).toEqual(['GET /v2/crawl/active', 'GET /v1/crawl/active']);
		const [whole] = await jsons(crawl, {
			operation: 'listActive',
			options: { splitIntoItems: false },
		});
		expect(whole).toMatchObject({ success: true, crawls: [{ id }] });
		service.crawls.remove(id);
		expect(await jsons(crawl, { operation: 'listActive' })).toEqual([]);
	});

	const listFor = async (filter?: string, credential: IDataObject = {}) => {
		const credentials = { baseUrl: service.url, apiKey: service.apiKey, ...credential };
		const { additionalData, nodeTypes } = engine(crawl, credentials);
		const node = nodeOf({ nodeType: crawl, parameters: {}, credentials });
		const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
		const context = new LoadOptionsContext(workflow, node, additionalData, 'crawlId');
		const request = jest.spyOn(context.helpers, 'httpRequestWithAuthentication');
		const { results } = await crawl.methods.listSearch.searchActiveCrawls.call(context, filter);
		return { results, asked: request.mock.calls.map(([, options]) => options) };
	};

	it('previews the settings that a prompt gives a crawl, for nothing', async () => {
		const form = { url: 'https://a.example', prompt: 'Only /blog of this year' };
		const [settings] = await jsons(crawl, { operation: 'previewSettings', ...form });
		expect(settings).toMatchObject({ url: 'https://a.example/', includePaths: ['/blog/.*'] });
		expect(sent()).toEqual(['POST /v2/crawl/params-preview']);
		expect(service.ledger).toEqual([]);
	});

	it('lists running crawls to choose from, by any part of their URL or ID, in any case', async () => {
		const id = '5f3b2c1a-8d4e-4f6a-9b0c-1d2e3f4a5b6c';
		const crawls = [
			{ id, url: 'https://a.example/Docs', created_at: '2026-01-15T09:30:12.345Z' },
			{ id: 'c-2', url: 'https://b.example' },
		];
		service.fail({ status: 200, body: { success: true, crawls } });
		const chosen = [{ name: `https://a.example/Docs (2026-01-15 09:30:12 UTC, ${id})`, value: id }];
		expect((await listFor()).results).toEqual([
			...chosen,
			{ name: 'https://b.example (c-2)', value: 'c-2' },
		]);
		expect((await listFor('A.example/dOCS')).results).toEqual(chosen);
		expect((await listFor(id.toUpperCase())).results).toEqual(chosen);
	});

	it('asks for that list only at the domains that the credential allows', async () => {
		const allowed = { allowedHttpRequestDomains: 'domains', allowedDomains: '127.0.0.1' };
		expect((await listFor('', allowed)).asked).toMatchObject([{ allowedDomains: '127.0.0.1' }]);
		await expect(listFor('', { ...allowed, allowedDomains: '' })).rejects.toThrow(
			'The credential allows no domain',
		);
	});

	it('gives the status without pages, or with those that came along', async () => {
		const { id } = service.crawls.add({ pages: 4 });
		service.crawls.progress(id, 3);
		const [status] = await jsons(crawl, { operation: 'getStatus', crawlId: locator(id) });
		const expiresAt = expect.stringMatching(/^\d{4}-/);
		expect(status).toMatchObject({ id, status: 'scraping', total: 4, completed: 3, expiresAt });
		expect(status).not.toHaveProperty('data');
		expect(status).not.toHaveProperty('next');
		const [whole] = await jsons(crawl, {
			operation: 'getStatus',
			crawlId: locator(`${service.url}/v2/crawl/${id}`, 'url'),
			options: { includePages: true },
		});
		expect(whole.data).toHaveLength(3);
		expect(whole.next).toContain(id);
		expect(service.requests.every(({ path }) => path === `/v2/crawl/${id}`)).toBe(true);
	});

	it('gives each page once, over all parts', async () => {
		const { id } = service.crawls.add({ pages: 7, pageBytes: 1000, status: 'completed' });
		service.set({ chunkBytes: 2500 });
		const options = { includeRunDetails: true };
		const output = await jsons(crawl, pages(id, { returnAll: true, options }));
		const urls = output.map(({ url }) => String(url));
		expect(urls.map((url) => Number(/\d+$/.exec(url)?.[0] ?? 0))).toEqual([0, 1, 2, 3, 4, 5, 6]);
		expect(output[0]).toMatchObject({ run: { crawlId: id, crawlStatus: 'completed' } });
		expect(service.requests).toHaveLength(4);
	});

	it.each<[INodeParameters, RegExp, number]>([
		[{ includePaths: '/docs' }, /\/docs\//, 4],
		[{ includePaths: '^/blog/post-[12]$' }, /\/blog\//, 2],
		[{ options: { excludePaths: '/page-.*\n/shop/.*' } }, /example\/$|\/(blog|docs)\//, 9],
	])('gives the pages on its paths: %j', async (paths, expected, count) => {
		service.set({ crawlMs: 1 });
		const form = { operation: 'startAndWait', url: 'https://a.example', ...paths };
		const output = await jsons(crawl, form);
		expect(output).toHaveLength(count);
		for (const { url } of output) expect(url).toMatch(expected);
	});

	it('gives one item with all pages when not split', async () => {
		const { id } = service.crawls.add({ pages: 3, status: 'completed' });
		const [whole, ...others] = await jsons(
			crawl,
			pages(id, { options: { splitIntoItems: false } }),
		);
		expect(others).toEqual([]);
		expect(whole).toMatchObject({ id, status: 'completed', total: 3 });
		expect(whole.data).toHaveLength(3);
		expect(whole).not.toHaveProperty('next');
	});

	it('waits for the end of a running crawl if asked to', async () => {
		const { id } = service.crawls.add({ pages: 5 });
		service.crawls.progress(id, 1);
		setTimeout(() => service.crawls.end(id), 300);
		const output = await jsons(
			crawl,
			pages(id, { returnAll: true, options: { ifRunning: 'wait' } }),
		);
		expect(output).toHaveLength(5);
	});

	it('gives all pages of one that says too early that it has completed', async () => {
		service.set({ crawlMs: 1, falseEnd: true });
		const form = { operation: 'startAndWait', url: 'https://a.example', maxPages: 3 };
		expect(await jsons(crawl, form)).toHaveLength(3);
		service.set({ falseEnd: false });
	});

	it('fails or returns what it has when a later part cannot be had', async () => {
		const { id } = service.crawls.add({ pages: 5, pageBytes: 1000, status: 'completed' });
		service.set({ chunkBytes: 2500 });
		const isLater = ({ query }: { query: unknown }) => (query as IDataObject).skip !== undefined;
		service.fail({ status: 402, when: isLater });
		const { error } = await run(crawl, pages(id, { returnAll: true }));
		expect(error?.httpCode).toBe('402');
		expect(error?.description).toMatch(/Add credits/);
		expect(error?.description).toMatch(
			/"Get Pages of Crawl" with If Part of the Result Is Missing set to/,
		);
		expect(error?.description).toMatch(new RegExp(`Job: ${id}\\.$`));
		const output = await jsons(
			crawl,
			pages(id, { returnAll: true, options: { ifPartFails: 'return' } }),
		);
		expect(output).toHaveLength(2);
		for (const { crawlWarning } of output) {
			expect(crawlWarning).toMatch(/^Pages are missing after 2: .*\.$/);
		}
	});

	it('starts, cancels, and gives errors as items', async () => {
		const [started] = await jsons(crawl, { operation: 'start', url: 'https://robots.example' });
		const crawlId = locator(String(started.id));
		expect(service.ledger.map(({ operation }) => operation)).toEqual(['crawlStart']);
		expect(await jsons(crawl, { operation: 'cancel', crawlId })).toEqual([
			{ id: started.id, status: 'cancelled' },
		]);
		const errors = await jsons(crawl, { operation: 'getErrors', crawlId });
		expect(errors).toHaveLength(12 + 1);
		expect(errors[0]).toMatchObject({
			url: 'https://robots.example/',
			reason: 'Not scraped: the crawl was cancelled',
		});
		// It is in both lists of the response.
		expect(errors.at(-1)).toEqual({
			crawlId: started.id,
			url: 'https://robots.example/private',
			reason: 'robots.txt of the site forbids this page',
			robotsBlocked: true,
		});
	});

	it.each([
		['getPages', [{ markdown: 'x', metadata: { sourceURL: 'https://a.example/2' } }]],
		['getPages', []],
		['startAndWait', []],
	])(
		'does not blame the service for pages that a cancelled crawl left: %s %j',
		async (operation, data) => {
			const error = 'It failed oddly';
			const errors = [{ url: 'https://a.example/1', code: 'UNKNOWN_ERROR', error }];
			service.fail({ path: /\/errors$/, status: 200, body: { success: true, errors } });
			service.fail({
				method: 'GET',
				status: 200,
				body: { status: 'cancelled', completed: data.length, data },
			});
			const crawlId = locator('5f3b2c1a-8d4e-4f6a-9b0c-1d2e3f4a5b6c');
			const result = await run(
				crawl,
				{ operation, crawlId, url: 'https://a.example' },
				{ onError: 'continueErrorOutput' },
			);
			const told = JSON.stringify(result.output.flat().map(({ json }) => json));
			expect(told).toContain('The crawl was cancelled');
			expect(told).not.toMatch(/failed/);
		},
	);
});

describe('agent and extract', () => {
	it('start a job and get its result later', async () => {
		service.set({ jobMs: 0 });
		const [{ id }] = await jsons(agent, {
			operation: 'start',
			prompt: 'Find',
			options: { urls: '["https://a.example"]', model: 'spark-1-pro', strictConstrainToURLs: true },
		});
		expect(service.requests[0].body).toEqual({
			prompt: 'Find',
			maxCredits: 500,
			urls: ['https://a.example/'],
			model: 'spark-1-pro',
			strictConstrainToURLs: true,
		});
		const get = { operation: 'get', jobId: String(id) };
		expect(await jsons(agent, get)).toMatchObject([{ id, status: 'processing' }]);
		service.jobs.finish(String(id), { answer: 42 });
		expect(await jsons(agent, get)).toMatchObject([
			{ id, status: 'completed', data: { answer: 42 } },
		]);
	});

	it.each(['start', 'startAndWait'])(
		'%s an extraction of the others in an array in which some are no URLs, and lists those',
		async (operation) => {
			service.set({ jobMs: 1 });
			const odd = ['mailto:x@a.example', null, 7, '', '/docs', { id: 7 }];
			const items = itemsOf({ urls: ['https://a.example', ...odd] });
			const parameters = { operation, urls: '={{ $json.urls }}', prompt: 'Find' };
			const options = { ignoreInvalidURLs: true };
			const [json] = await jsons(extract, { ...parameters, options }, { items });
			expect(service.requests[0].body).toMatchObject({ urls: ['https://a.example/'] });
			expect(json.invalidURLs).toEqual([
				'mailto:x@a.example',
				'null',
				'7',
				'',
				'/docs',
				'{"id":7}',
			]);
		},
	);

	it('add Additional Body Fields to one item alone, and leave its input as it was', async () => {
		const schema = { type: 'object', properties: { a: { type: 'string' } } };
		const items = itemsOf(
			{ schema, more: { schema: { required: ['a'] } } },
			{ schema, more: { effort: 'low' } },
		);
		await jsons(
			agent,
			{
				operation: 'start',
				prompt: 'Find',
				schemaFrom: 'json',
				schemaJson: '={{ $json.schema }}',
				options: { additionalBodyFields: '={{ $json.more }}' },
			},
			{ items },
		);
		expect(service.requests.map(({ body }) => (body as IDataObject).schema)).toEqual([
			{ ...schema, required: ['a'] },
			schema,
		]);
		expect(schema).toEqual({ type: 'object', properties: { a: { type: 'string' } } });
	});

	it('cancel an agent task', async () => {
		service.set({ jobMs: 0 });
		const [{ id }] = await jsons(agent, { operation: 'start', prompt: 'x' });
		expect(await jsons(agent, { operation: 'cancel', jobId: String(id) })).toEqual([
			{ id, success: true },
		]);
		expect(sent().at(-1)).toBe(`DELETE /v2/agent/${String(id)}`);
		expect(service.jobs.list()).toContainEqual(
			expect.objectContaining({ id, status: 'cancelled' }),
		);
	});

	it('extract, with what was invalid', async () => {
		const urls = 'https://a.example/*\nb.example\nhttps://not a url';
		const [started] = await jsons(
			extract,
			{
				operation: 'start',
				urls: '={{ $json.urls }}',
				prompt: 'Prices',
				options: { ignoreInvalidURLs: true },
			},
			{ items: itemsOf({ urls }) },
		);
		expect(started.invalidURLs).toEqual(['https://not a url']);
		const [result] = await jsons(extract, { operation: 'get', jobId: String(started.id) });
		expect(result).toMatchObject({ id: started.id, status: 'completed' });
		expect(sent()).toEqual(['POST /v1/extract', `GET /v1/extract/${String(started.id)}`]);
	});

	it('wait for the result', async () => {
		const [result] = await jsons(extract, {
			operation: 'startAndWait',
			urls: 'https://a.example',
			prompt: 'Prices',
			options: { showSources: true, includeRunDetails: true },
		});
		expect(result).toMatchObject({
			sources: expect.any(Object),
			run: { id: expect.any(String), status: 'completed' },
		});
		expect(sent()[1]).toMatch(/^GET \/v1\/extract\//);
	});

	it('counts what an extraction that responds at once says it has billed', async () => {
		const billed = { extractId: 'e-1', data: { price: 4 }, creditsBilled: 5 };
		service.fail({ path: '/v1/extract', status: 200, body: { success: true, ...billed } });
		const form = { urls: 'https://a.example', prompt: 'Prices' };
		const options = { includeRunDetails: true };
		const [result] = await jsons(extract, { operation: 'startAndWait', ...form, options });
		expect(result).toMatchObject({ run: { status: 'completed', runCreditsUsed: 5 } });
	});

	it('takes a result that comes at once for one, whatever IDs it has', async () => {
		const data = { job_id: 'R-17', title: 'Engineer' };
		service.fail({ path: '/v1/extract', status: 200, body: { success: true, data } });
		const form = { urls: 'https://a.example', prompt: 'Jobs' };
		expect(await jsons(extract, { operation: 'startAndWait', ...form })).toMatchObject([{ data }]);
	});

	it('say what to extract', async () => {
		const parameters = { operation: 'start', urls: 'https://a.example' };
		const { error } = await run(extract, parameters);
		expect(error?.message).toBe('Prompt and Schema are empty');
		expect(service.requests).toEqual([]);
		const schema = { type: 'object' };
		await jsons(extract, { ...parameters, options: { additionalBodyFields: { schema } } });
		const scrapeOptions = { formats: ['json'], jsonOptions: { prompt: 'Prices' } };
		await jsons(extract, { ...parameters, options: { additionalBodyFields: { scrapeOptions } } });
		expect(service.requests.map(({ body }) => body)).toEqual([
			{ urls: ['https://a.example/'], schema },
			{ urls: ['https://a.example/'], scrapeOptions },
		]);
	});
});

describe('usage', () => {
	const historical = (parameters: INodeParameters) => ({
		operation: 'getHistorical',
		...parameters,
	});
	const raw = { options: { splitIntoItems: false } };
	const period = (startDate: string, endDate: string) => ({
		startDate: `${startDate}T00:00:00.000Z`,
		endDate,
		totalCredits: 1,
	});

	it('gives an item per month, or per month and key', async () => {
		expect(await jsons(usage, historical({}))).toHaveLength(12);
		expect(service.requests[0].query).toEqual({});
		const output = await jsons(usage, historical({ groupBy: 'key' }));
		expect(output).toHaveLength(24);
		expect(output[0]).toMatchObject({ apiKey: expect.any(String) });
		expect(service.requests[1].query).toEqual({ byApiKey: 'true' });
		const [whole] = await jsons(usage, historical(raw));
		expect(whole.periods).toHaveLength(12);
	});

	it.each([
		['midnight of the next month', '2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
		['the last second of the month', '2026-01-31T23:59:59Z', '2026-02-28T23:59:59Z'],
	])(
		'leaves out months outside of the dates, where a month ends at %s',
		async (_, january, february) => {
			const periods = [period('2026-01-01', january), period('2026-02-01', february)];
			service.fail({ status: 200, body: { success: true, periods } });
			const starts = async (days: INodeParameters) =>
				(await jsons(usage, historical({ months: 'range', ...days }))).map(({ startDate }) =>
					String(startDate).slice(0, 7),
				);
			const [whole] = await jsons(
				usage,
				historical({ months: 'range', from: '2026-02-01T00:00:00', ...raw }),
			);
			expect(whole).toEqual({ success: true, periods: [periods[1]] });
			expect(await starts({ from: '2026-01-31T00:00:00' })).toEqual(['2026-01', '2026-02']);
			expect(await starts({ from: '2026-02-01T00:00:00' })).toEqual(['2026-02']);
			expect(await starts({ to: '2026-01-31T00:00:00' })).toEqual(['2026-01']);
			expect(await starts({ to: '2026-02-01T00:00:00' })).toEqual(['2026-01', '2026-02']);
			expect(await starts({ from: '2026-01-10', to: '2026-01-20' })).toEqual(['2026-01']);
		},
	);

	it('keeps a period without dates it can read', async () => {
		const current = { startDate: '2026-02-01', endDate: null, creditsUsed: 3 };
		const periods = [{ totalCredits: 1 }, { startDate: 'x', endDate: 'soon' }, current];
		service.fail({ status: 200, body: { success: true, periods } });
		const output = await jsons(usage, historical({ months: 'range', from: '2026-01-01' }));
		expect(output).toEqual([{ totalCredits: 1, creditsUsed: 1 }, periods[1], current]);
	});

	it('gives the month that has today in it, with its credits under both names', async () => {
		const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString();
		const month = (from: number, to: number, credits: IDataObject) => ({
			startDate: day(from),
			endDate: day(to),
			...credits,
		});
		const now = month(-9, 9, { totalCredits: 7 });
		const periods = [month(-40, -10, { totalCredits: 5 }), now];
		service.fail({ status: 200, body: { success: true, periods } });
		const { startDate, endDate } = now;
		expect(await jsons(usage, historical({ months: 'current' }))).toEqual([
			{ startDate, endDate, totalCredits: 7, creditsUsed: 7 },
		]);
		const unasked = { ...now, apiKey: null };
		service.clearFaults();
		service.fail({ status: 200, body: { success: true, periods: [unasked] } });
		expect(await jsons(usage, historical({}))).toEqual([{ ...now, creditsUsed: 7 }]);
	});

	it.each([[[]], [[{ id: 'a' }]]])(
		'stops listing activity that brings nothing new and never ends (%j)',
		async (data) => {
			for (let n = 0; n < 10; n++) {
				const body = { data, has_more: true, cursor: `c${n}` };
				service.fail({ times: 1, status: 200, body });
			}
			expect(await jsons(usage, { operation: 'listActivity', returnAll: true })).toEqual(data);
			// Three with nothing new in a row.
			expect(service.requests).toHaveLength(3 + data.length);
		},
	);

	it('stops listing activity that never ends before n8n runs out of memory', async () => {
		const text = 'x'.repeat(20 * 1024 * 1024);
		for (let n = 0; n < 10; n++) {
			const body = { data: [{ id: `${n}`, text }], has_more: true, cursor: `c${n}` };
			service.fail({ times: 1, status: 200, body });
		}
		const { error } = await run(usage, { operation: 'listActivity', returnAll: true });
		expect(error?.message).toBe('The list of jobs is too long, or never ends');
		expect(error?.description).toContain('Turn Return All off, and set a Limit.');
		expect(service.requests).toHaveLength(5);
	});

	it('lists activity up to the limit, or all of it', async () => {
		for (let count = 0; count < 120; count++) {
			service.crawls.remove(service.crawls.add().id);
		}
		const list = (more: INodeParameters) => ({
			operation: 'listActivity',
			options: { endpoint: 'crawl' },
			...more,
		});
		expect(await jsons(usage, list({ limit: 7 }))).toHaveLength(7);
		expect(service.requests.map(({ query }) => query)).toEqual([{ limit: '7', endpoint: 'crawl' }]);
		expect(await jsons(usage, list({ limit: 110 }))).toHaveLength(110);
		const all = await jsons(usage, list({ returnAll: true }));
		expect(all.length).toBeGreaterThanOrEqual(120);
		expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
	});
});

it('maps a site, an item per page', async () => {
	const map = (options: INodeParameters) => ({
		operation: 'map',
		siteUrl: 'https://a.example',
		options,
	});
	expect(await jsons(scrape, map({ limit: 3 }))).toHaveLength(3);
	const [whole] = await jsons(scrape, map({ limit: 3, splitIntoItems: false }));
	expect(whole.links).toHaveLength(3);
	service.fail({ status: 200, body: { success: true, links: ['https://a.example/b'] } });
	expect(await jsons(scrape, map({}))).toEqual([{ url: 'https://a.example/b' }]);
});

describe('a job that is waited for', () => {
	const start = (options: INodeParameters = {}, prompt = 'x') => ({
		operation: 'startAndWait',
		prompt,
		options,
	});
	const jobId = () => (service.jobs.list().at(-1) as { id: string }).id;

	it('is an error with its id before the workflow times out, also after the tries of Retry On Fail', async () => {
		service.set({ jobMs: 0 });
		const timesOutAt = Date.now() + 600_000;
		const now = performance.now.bind(performance);
		let passed = 0;
		const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + passed);
		// Each try polls once, and then its time is up.
		const advance = () => {
			passed += 600_000;
			return false;
		};
		service.fail({ method: 'GET', when: advance, status: 500 });
		const tries = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1_000 };
		const { error } = await run(agent, start(), { timesOutAt, ...tries });
		clock.mockRestore();
		expect(error?.message).toBe("The agent task did not end before the workflow's timeout");
		expect(error?.description).toContain(
			`Its job ID is ${jobId()}: use "Get Agent Task" with it later`,
		);
		expect(service.ledger).toHaveLength(1);
	});
});

describe('Retry On Fail', () => {
	const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	const query = { operation: 'search', query: '=q{{ $json.n }}' };
	const paidQueries = () => service.ledger.map(({ body }) => (body as IDataObject).query).sort();

	it('pays for no item twice', async () => {
		const isThird = ({ body }: { body: unknown }) => (body as IDataObject).query === 'q2';
		service.fail({ method: 'POST', when: isThird, status: 402, times: 2 });
		const output = await items(search, query, { items: THREE, ...retry });
		expect(new Set(pairs(output))).toEqual(new Set([0, 1, 2]));
		expect(paidQueries()).toEqual(['q0', 'q1', 'q2']);
	});

	it.each<[string, Fault]>([
		['whose response was lost', { reset: 'after' }],
		['whose response was cut off', { truncate: true }],
		['that came back without a change', { status: 304 }],
		['that ended with a status of the server', { status: 502 }],
	])('sends no POST again %s, also when the form gives another value', async (_name, fault) => {
		service.fail({ method: 'POST', ...fault });
		const changing = { operation: 'search', query: '={{ $json.n + " " + Math.random() }}' };
		const { error } = await run(search, changing, { items: THREE, ...retry });
		expect(error?.description).toContain('so it was not sent again');
		// How many others were sent before the first one failed depends on how busy the machine is.
		const sent = service.requests.map(({ body }) => String((body as IDataObject).query)[0]);
		expect(sent).toHaveLength(new Set(sent).size);
	});

	it('sends the same call once for each item that has it', async () => {
		const same = { operation: 'search', query: 'same' };
		const output = await items(search, same, { items: THREE, ...retry });
		expect(new Set(pairs(output))).toEqual(new Set([0, 1, 2]));
		expect(service.ledger).toHaveLength(3);
	});

	const PDF = Buffer.from('%PDF-1.7 a document').toString('base64');

	it.each<[string, IDataObject, string, string]>([
		['a PDF', { markdown: PDF }, 'pdf', PDF],
		['a screenshot', { screenshot: 'data:image/png;base64,cG5n' }, 'screenshot', 'cG5n'],
		['a PDF of an action', { actions: { pdfs: [PDF] } }, 'pdf_0', PDF],
	])(
		'keeps %s that came embedded beside an item that fails',
		async (_name, page, file, content) => {
			const isSecond = ({ body }: { body: unknown }) =>
				(body as IDataObject).url === 'https://a.example/1';
			service.fail({ method: 'POST', when: isSecond, delayMs: 300, times: 1, status: 402 });
			const data = { ...page, metadata: { url: 'https://a.example', statusCode: 200 } };
			service.fail({ method: 'POST', status: 200, body: { success: true, data } });
			const one = { operation: 'scrape', url: '=https://a.example/{{ $json.n }}' };
			const output = await items(
				scrape,
				{ ...one, options: { downloadFiles: true } },
				{ items: THREE, ...retry },
			);
			expect(output.map(({ binary }) => binary?.[file]?.data)).toEqual([content, content, content]);
		},
	);

	it('waits for the job it has started instead of starting another', async () => {
		service.fail({ method: 'GET', path: /agent/, status: 402, times: 1 });
		const [result] = await jsons(agent, { operation: 'startAndWait', prompt: 'x' }, retry);
		expect(result).not.toHaveProperty('error');
		expect(service.ledger).toHaveLength(1);
	});

	it('does not start a failed job again', async () => {
		const { error } = await run(agent, { operation: 'startAndWait', prompt: 'fail this' }, retry);
		expect(error?.message).toContain('The agent task failed');
		expect(service.ledger).toHaveLength(1);
	});
});

describe('On Error', () => {
	const query = { operation: 'search', query: '=q{{ $json.n }}', limit: 1 };
	const isSecond = ({ body }: { body: unknown }) => (body as IDataObject).query === 'q1';
	const rejection = { success: false, error: 'Insufficient credits', code: 'NO_CREDITS' };

	it('error output: each item on its branch, paired, with message and status', async () => {
		service.fail({ status: 402, body: rejection, when: isSecond });
		const { output, status } = await run(search, query, {
			items: THREE,
			onError: 'continueErrorOutput',
		});
		expect(status).toBe('success');
		const [good, failed] = output;
		expect(pairs(good)).toEqual([0, 2]);
		expect(pairs(failed)).toEqual([1]);
		expect(failed[0].json).toEqual({
			n: 1,
			message: expect.stringMatching(/^Not enough credits/),
			error: {
				message: expect.stringMatching(/^Not enough credits/),
				description: expect.stringMatching(/^Add credits/),
				httpStatus: 402,
				serviceError: 'Insufficient credits',
				code: 'NO_CREDITS',
			},
		});
	});

	it('error output: what the service asks an admin to do, and what it warns of, comes with the error', async () => {
		const kept = {
			code: 'THIRD_PARTY_DATA_TERMS_REQUIRED',
			warnings: ['This version is deprecated'],
			requiresAction: { type: 'accept_terms', url: 'https://service.example/terms/a' },
		};
		service.fail({ status: 403, body: { success: false, error: 'Terms', ...kept } });
		const { output } = await run(search, query, { items: THREE, onError: 'continueErrorOutput' });
		const { error } = output[1][0].json as { error: IDataObject };
		expect(error).toMatchObject(kept);
		expect(error.description).toContain('See https://service.example/terms/a.');
	});

	it('continue: the failed item stands in its place', async () => {
		service.fail({ status: 402, body: rejection, when: isSecond });
		const { output } = await run(search, query, { items: THREE, onError: 'continueRegularOutput' });
		expect(pairs(output[0])).toEqual([0, 1, 2]);
		expect(output[0].map(({ json }) => 'error' in json)).toEqual([false, true, false]);
	});

	it('names the field of a 400 as the form does', async () => {
		const details = [
			{ code: 'x', path: ['scrapeOptions', 'location', 'country'], message: 'Unknown country' },
			{ code: 'x', path: ['limit'], message: 'Too many' },
			{ code: 'x', path: ['brandNew'], message: 'Unknown' },
		];
		service.fail({ status: 400, body: { success: false, error: 'Bad Request', details } });
		const { error } = await run(search, { operation: 'searchAndScrape', query: 'q' });
		expect(error?.description).toContain(
			'Browser → Location → Country Name or ID: Unknown country.',
		);
		expect(error?.description).toContain('Limit: Too many.');
		expect(error?.description).toContain('brandNew: Unknown.');
	});
});

describe('a tool of an AI agent', () => {
	const pages = (options: INodeParameters = {}) => ({
		operation: 'getPages',
		crawlId: locator(service.crawls.add({ pages: 1, pageBytes: 50_000, status: 'completed' }).id),
		options,
	});
	const markdown = async (node: INodeType, options?: INodeParameters) =>
		String((await jsons(node, pages(options)))[0].markdown);

	it('shortens long texts, which others do only if asked to', async () => {
		const whole = await markdown(crawl);
		expect(whole.length).toBeGreaterThan(49_000);
		const short = await markdown(toolOf(crawl));
		const note = `… (shortened, ${whole.length} characters in all)`;
		expect(short).toBe(whole.slice(0, 20_000 - note.length) + note);
		expect(await markdown(crawl, { maxTextLength: 100 })).toMatch(/^.{50,70}… \(shortened/s);
		expect((await markdown(toolOf(crawl), { maxTextLength: 0 })).length).toBe(whole.length);
	});

	it('says all of an error in its message, as the model reads nothing else of it', async () => {
		service.fail({ path: '/v2/scrape', reset: 'after', times: 2 });
		const parameters = { operation: 'scrape', url: 'https://a.example' };
		const [plain, told] = [await run(scrape, parameters), await run(toolOf(scrape), parameters)];
		expect(plain.error?.message).not.toContain('billed');
		expect(told.error?.description).toContain('may have processed and billed the request');
		expect(told.error?.message).toBe(`${plain.error?.message}. ${told.error?.description}`);
	});

	it('has a bound on what it gives where an error is its response, too', async () => {
		const body = { success: false, error: 'half', data: { markdown: 'tea '.repeat(100_000) } };
		service.fail({ path: '/v2/scrape', status: 200, body, times: 1 });
		const parameters = { operation: 'scrape', url: 'https://a.example' };
		const onError = 'continueRegularOutput';
		const [json] = await jsons(toolOf(scrape), parameters, { onError });
		expect(json.message).toBe('The service reported that the request failed: half');
		expect(JSON.stringify(json).length).toBeLessThan(60_000);
	});

	it('says that there are no results, and what the service says of that', async () => {
		const note = 'There are no results.';
		const nothing = { success: true, data: { web: [] }, warning: 'Try other words' };
		service.fail({ path: '/v2/search', status: 200, body: nothing, times: 2 });
		const asked = { operation: 'search', query: 'x' };
		expect(await jsons(toolOf(search), asked)).toEqual([{ note, warning: nothing.warning }]);
		expect(await jsons(search, asked)).toEqual([]);

		expect(await jsons(toolOf(crawl), { operation: 'listActive' })).toEqual([{ note }]);
		const { id } = service.crawls.add({ pages: 9 });
		const pagesOfIt = { operation: 'getPages', crawlId: locator(id) };
		expect(await jsons(toolOf(crawl), pagesOfIt)).toEqual([
			{ note, crawlId: id, crawlStatus: 'scraping' },
		]);
	});
});
