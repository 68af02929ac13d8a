import type { IDataObject, INodeExecutionData, INodeParameters, INodeType } from 'n8n-workflow';

import type { LocalService } from '../../mock-service';
import { itemsOf } from '../support/engine';
import { type MoreOptions, served } from '../support/served';
import { crawl, scrape, search, usage } from '../support/nodes';

const JOB = '0190a8a0-0000-7000-8000-000000000001';
const MAP = { operation: 'map', siteUrl: 'https://a.example' };
const ID = { __rl: true, mode: 'id', value: JOB };
const FAIL = { options: { failedPages: 'errors' } };

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
	const scraped = { operation: 'scrape', url: 'https://a.example/1' };
	const respond = (data: IDataObject) =>
		service.fail({ status: 200, body: { success: true, data }, times: 1 });

	it('goes to the error branch if there is one, and is a result otherwise', async () => {
		const url = 'https://a.example/2';
		const message = 'The page answered with status 404: Not Found';
		const failures = { reason: 'Not Found', message };
		for (const [options, onError, counts, said] of [
			[{}, 'continueErrorOutput', [0, 1], { error: { url, reason: 'Not Found' }, message }],
			[{}, 'continueRegularOutput', [1], { url, statusCode: 404, pageError: 'Not Found' }],
			[{ failedPages: 'items' }, 'continueErrorOutput', [1, 0], { pageError: 'Not Found' }],
			[FAIL.options, 'continueRegularOutput', [1], { url, error: { data: gone }, ...failures }],
		] as const) {
			respond(gone);
			const { output } = await run(scrape, { ...scraped, options }, { onError });
			expect(output.map((items) => items.length)).toEqual(counts);
			expect(output.flat()[0].json).toMatchObject(said);
		}
	});

	it.each(['continueErrorOutput', 'continueRegularOutput'] as const)(
		'has its address and the reason also where the service reports it as an error: %s',
		async (onError) => {
			const body = { success: false, error: 'All engines failed' };
			service.fail({ status: 500, body, times: 1 });
			const { output } = await run(scrape, scraped, { onError });
			const { json } = output.at(-1)![0];
			const { message, error } = json as { message: string; error: IDataObject };
			expect(error).toMatchObject({ url: scraped.url, reason: message });
			expect(json.url).toBe(onError === 'continueRegularOutput' ? scraped.url : undefined);
		},
	);

	it.each([
		{ metadata: good.metadata },
		{ metadata: good.metadata, screenshot: null, warning: 'No screenshot could be taken' },
	])('is one that came without anything, although it succeeded: %j', async (data) => {
		const why = 'warning' in data ? `: ${data.warning}` : '';
		const pageError = `The service returned no content for this page${why}`;
		const parameters = { ...scraped, simplify: true, formats: ['screenshot'] };
		respond(data as IDataObject);
		const { output } = await run(scrape, parameters, { onError: 'stopWorkflow' });
		expect(output[0][0].json).toMatchObject({ pageError });
		respond(data as IDataObject);
		const failing = await run(scrape, { ...parameters, ...FAIL });
		expect(failing.output.map((items) => items.length)).toEqual([0, 1]);
		const batch = { ...parameters, operation: 'batchStartAndWait', urls: 'https://a.example/1' };
		service.fail({ method: 'GET', status: 200, body: { status: 'completed', data: [data] } });
		const inBatch = await run(scrape, batch, { onError: 'continueRegularOutput' });
		expect(inBatch.output[0][0].json).toMatchObject({ pageError });
	});

	it('is a result of a search that was scraped without getting anything', async () => {
		const found = { url: 'https://a.example/1', title: 'One', description: 'x', category: 'pdf' };
		const web = [{ ...found, metadata: good.metadata }, found];
		service.fail({ status: 200, body: { success: true, data: { web } } });
		const parameters = { operation: 'searchAndScrape', query: 'tea', simplify: true };
		const { output } = await run(search, parameters, { onError: 'stopWorkflow' });
		expect(output[0].map(({ json }) => json.pageError)).toEqual([
			'The service returned no content for this page; Only Main Content may be the cause',
			'The service returned no content for this page; Only Main Content may be the cause',
		]);
	});

	it.each<IDataObject>([{ links: [] }, { newFormat: 1 }])(
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
			{ ...scraped, url: '=https://a.example/{{ $json.n }}', ...FAIL },
			{ onError: 'continueErrorOutput', items: itemsOf({ n: 1 }, { n: 2 }, { n: 3 }) },
		);
		const [results, failures] = output;
		expect(results.map(({ json }) => json.markdown)).toEqual(['Page 1']);
		expect(messages(failures)).toEqual([
			'The page answered with status 404: Not Found',
			'The page could not be scraped: The connection was reset',
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
		const { error } = await run(scrape, { ...scraped, ...FAIL }, { items: itemsOf({ n: 2 }) });
		expect(error?.message).toBe(`The page answered with status 404: ${told}`);
		expect(error?.description).toContain('Page: https://a.example/2.');
		expect(error?.description).toContain('On Error');
	});

	it('of a search fails alone', async () => {
		const web = [good, gone].map((data) => ({ url: 'https://a.example', ...data }));
		const data = { web, images: [{ url: 'https://a.example/x' }] };
		service.fail({ status: 200, body: { success: true, data } });
		const parameters = { operation: 'searchAndScrape', query: 'tea', ...FAIL };
		const { output } = await run(search, parameters);
		expect(output.map((items) => items.length)).toEqual([2, 1]);
		expect(held(output[1])).toEqual([expect.objectContaining(gone)]);
	});
});

describe('a page whose content is empty', () => {
	const FORMATS = ['markdown', 'summary', 'html', 'rawHtml', 'json', 'question'] as const;
	const empty = (format: string, content: string | null = ''): IDataObject => ({
		[format === 'question' ? 'answer' : format]: content,
		metadata: { sourceURL: 'https://a.example/1', statusCode: 200 },
	});
	const scraped = {
		operation: 'scrape',
		url: 'https://a.example/1',
		simplify: true,
		jsonPrompt: 'x',
		question: 'x',
	};
	const respond = (data: IDataObject) =>
		service.fail({ status: 200, body: { success: true, data }, times: 1 });

	it.each<IDataObject>([
		{ markdown: '' },
		{ markdown: null },
		{ json: {} },
		{ markdown: '', metadata: null },
	])('has its pageError also where nothing else is known of the page: %j', async (data) => {
		const parameters = { ...scraped, formats: Object.keys(data).slice(0, 1) };
		respond(data);
		const { output } = await run(scrape, parameters, { onError: 'continueRegularOutput' });
		expect(JSON.stringify(output[0][0].json)).toContain('The service returned no content');
		respond(data);
		const failing = await run(scrape, parameters, { onError: 'continueErrorOutput' });
		expect(failing.output.map((items) => items.length)).toEqual([0, 1]);
	});

	it.each(FORMATS)('has it as it came, and its pageError says why: %s', async (format) => {
		respond(empty(format));
		const parameters = {
			...scraped,
			formats: [format],
			options: { contentOptions: { includeTags: '.x' } },
		};
		const { output } = await run(scrape, parameters, { onError: 'continueRegularOutput' });
		expect(output[0][0].json).toMatchObject({
			[format === 'question' ? 'answer' : format]: '',
			pageError:
				'The service returned no content for this page; Include Tags or Only Main Content may be the cause',
		});
		expect(Object.keys(output[0][0].json).slice(0, 2)).toEqual(['url', 'pageError']);
	});

	it.each(FORMATS)('is an error where On Error has an output for it: %s', async (format) => {
		for (const content of ['', ' \n', null]) {
			respond(empty(format, content));
			const { output } = await run(scrape, { ...scraped, formats: [format] });
			expect(output.map((items) => items.length)).toEqual([0, 1]);
			expect(held(output[1])).toEqual([{ ...empty(format, content), metadata: expect.anything() }]);
		}
	});

	it.each<[IDataObject, string]>([
		[{ onlyMainContent: false, contentOptions: { redactPII: true } }, 'Redact Personal Data'],
		[{ contentOptions: { excludeTags: 'div' } }, 'Exclude Tags or Only Main Content'],
		[{ onlyMainContent: false }, ''],
	])('names only options that are in the form and on: %j', async (more, options) => {
		respond(empty('markdown'));
		const { output } = await run(scrape, { ...scraped, options: more as INodeParameters });
		const cause = options && `; ${options} may be the cause`;
		expect(output[1][0].json.message).toMatch(new RegExp(`no content for this page${cause}$`));
	});

	it('goes to the error branch of a batch, a crawl and a file, too, if nothing else was chosen', async () => {
		const data = [empty('markdown'), good];
		service.fail({ method: 'GET', status: 200, body: { status: 'completed', data } });
		const { id } = service.crawls.add({ status: 'completed' });
		const pages = { operation: 'getPages', crawlId: { __rl: true, mode: 'id', value: id } };
		const counts = async (more: INodeParameters, onError: MoreOptions['onError']) =>
			(await run(crawl, { ...pages, ...more }, { onError })).output.map(({ length }) => length);
		expect(await counts({}, 'continueErrorOutput')).toEqual([1, 1]);
		expect(await counts({ options: { failedPages: 'items' } }, 'continueErrorOutput')).toEqual([
			2, 0,
		]);
		expect(await counts({}, 'continueRegularOutput')).toEqual([2]);
		const urls = 'https://a.example/1\nhttps://a.example/2';
		const { output } = await run(scrape, { operation: 'batchStartAndWait', urls, simplify: true });
		// Both pages are of the first URL; the second one has none.
		expect(output.map(({ length }) => length)).toEqual([1, 2]);
	});
});

describe('a place without results', () => {
	const places: Array<[string, INodeType, IDataObject, IDataObject]> = [
		['a map', scrape, MAP, { links: [] }],
		['a map of empty links', scrape, MAP, { links: [{ url: '' }, {}, { url: null, title: '' }] }],
		['a map with a warning', scrape, MAP, { links: [], warning: 'Blocked' }],
		[
			'a crawl',
			crawl,
			{ operation: 'getPages', crawlId: ID },
			{ status: 'completed', total: 0, completed: 0, data: [] },
		],
		[
			'a batch',
			scrape,
			{ operation: 'batchGetPages', jobId: ID },
			{ status: 'completed', data: [] },
		],
	];
	const search1 = { operation: 'search', query: 'x', options: { includeRunDetails: true } };

	it.each([
		...places,
		['a search', search, search1, { data: { web: [] }, creditsUsed: 2 }] as const,
	])(
		'gives no item that looks like one, so that later nodes go on: %s',
		async (_name, node, parameters, body) => {
			service.fail({ status: 200, body: { success: true, ...body } });
			const { output, error } = await run(node, parameters as INodeParameters, {});
			expect([output[0], error]).toEqual([[], undefined]);
		},
	);

	it.each<[string, INodeType, IDataObject, IDataObject, IDataObject[]]>([
		[
			'links without an address',
			scrape,
			MAP,
			{ links: [{ url: '' }, { url: null, title: 'A' }, { url: ' ' }, 'https://a.example/1', ''] },
			[{ url: 'https://a.example/1' }],
		],
		[
			'results of a search without a word',
			search,
			{ operation: 'search', query: 'x' },
			{ data: { web: [{ url: '', title: ' ', position: 1 }, { url: null }, { title: 'A' }] } },
			[{ title: 'A' }],
		],
	])('leaves out %s', async (_what, node, parameters, body, expected) => {
		service.fail({ status: 200, body: { success: true, ...body } });
		const { output } = await run(node, parameters as INodeParameters);
		expect(output[0]).toHaveLength(expected.length);
		expect(output[0]).toMatchObject(expected.map((json) => ({ json })));
	});

	it.each(places)('is told on the error branch: %s', async (_name, node, parameters, body) => {
		service.fail({ status: 200, body: { success: true, ...body } });
		const { output } = await run(node, parameters as INodeParameters);
		expect(output.map(({ length }) => length)).toEqual([0, 1]);
		expect(output[1][0].json.message).toMatch(/has no page|found no page/);
	});
});

describe('a warning of the service', () => {
	const said = { warning: 'Old data' };
	/** Operations with Split Into Items. */
	const SPLIT = /^(map|search|listActive|getErrors|getCredits|getHistorical)$/;
	const scrapeId = '0190a8a0-0000-7000-8000-000000000000';
	const cases: Array<[INodeType, IDataObject, IDataObject]> = [
		[scrape, MAP, { links: ['https://a.example/1'] }],
		[
			scrape,
			{ operation: 'interact', scrapeId, instructions: 'prompt', prompt: 'x' },
			{ output: 'Done' },
		],
		[crawl, { operation: 'listActive' }, { crawls: [{ id: 'c', url: 'https://a.example' }] }],
		[
			crawl,
			{ operation: 'getErrors', crawlId: ID },
			{ errors: [{ url: 'https://a.example/1', error: 'x' }], robotsBlocked: [] },
		],
		[
			crawl,
			{ operation: 'previewSettings', url: 'https://a.example', prompt: 'x' },
			{ data: { limit: 5 } },
		],
		[usage, { operation: 'getCredits' }, { data: { remainingCredits: 5 } }],
		[usage, { operation: 'getHistorical' }, { periods: [{ creditsUsed: 5 }] }],
		[usage, { operation: 'getQueueStatus' }, { jobsInQueue: 5 }],
		[usage, { operation: 'listActivity', returnAll: true }, { data: [{ id: 'c' }] }],
		[
			search,
			{ operation: 'search', query: 'x' },
			{ data: { web: [{ url: 'https://a.example' }] } },
		],
		[scrape, { operation: 'scrape', url: 'https://a.example' }, { data: { markdown: 'x' } }],
		[scrape, { operation: 'getScrape', scrapeId }, { data: { markdown: 'x' } }],
		[scrape, { operation: 'parseFile' }, { data: { markdown: 'x' } }],
	];

	it.each([true, false])(
		'reaches the person in every operation, with Simplify: %s',
		async (simplify) => {
			for (const [node, parameters, body] of cases) {
				service.clearFaults();
				service.fail({ status: 200, body: { success: true, ...body, ...said } });
				const { output } = await run(node, { ...(parameters as INodeParameters), simplify });
				expect([parameters.operation, JSON.stringify(output[0][0]?.json)]).toEqual([
					parameters.operation,
					expect.stringContaining('Old data'),
				]);
			}
		},
	);

	it('comes with what else a response says where Simplify is off or missing, and in whole without splitting', async () => {
		for (const [node, parameters, body] of cases) {
			const whole = { success: true, ...body, ...said, added: { tomorrow: 1 }, message: 'Said' };
			service.clearFaults();
			service.fail({ status: 200, body: whole });
			const plain = { ...(parameters as INodeParameters), simplify: false };
			const { output } = await run(node, plain);
			const { response = output[0][0].json } = output[0][0].json as { response?: IDataObject };
			expect([parameters.operation, response]).toEqual([
				parameters.operation,
				expect.objectContaining({ added: { tomorrow: 1 }, message: 'Said' }),
			]);
			if (!SPLIT.test(String(parameters.operation))) continue;
			const unsplit = await run(node, { ...plain, options: { splitIntoItems: false } });
			expect(unsplit.output[0][0].json).toEqual(whole);
		}
	});

	it('stands with the pages of jobs, with all other fields of their status', async () => {
		const body = { status: 'completed', data: [good], added: 1, ...said };
		service.fail({ method: 'GET', status: 200, body });
		const { output } = await run(crawl, { operation: 'getPages', crawlId: ID, simplify: false });
		expect(output[0][0].json).toMatchObject({ crawlWarning: 'Old data', response: { added: 1 } });
	});
});

describe('what a result says of its request', () => {
	it.each([
		['http://a.example/x', 'https://www.a.example/x', 'http://a.example/x'],
		['https://a.example/x', 'https://a.example/x', undefined],
	])('is the URL that was asked for, where the page has another: %s', async (asked, url, told) => {
		const data = { markdown: 'x', metadata: { sourceURL: asked, url, statusCode: 200 } };
		service.fail({ status: 200, body: { success: true, data } });
		const parameters = { operation: 'scrape', url: asked, simplify: true };
		const { json } = (await run(scrape, parameters)).output[0][0];
		expect([json.url, json.requestedUrl]).toEqual([url, told]);
	});

	it('is when a job began, however the service writes it', async () => {
		const times = ['2026-11-25 19:59:13.895069+00', '2026-11-25T19:59:13.895Z', 'soon', null];
		const data = times.map((time, n) => ({ id: `${n}`, created_at: time }));
		service.fail({ status: 200, body: { success: true, data } });
		const { output } = await run(usage, { operation: 'listActivity', returnAll: true });
		expect(output[0].map(({ json }) => json.createdAt)).toEqual([
			'2026-11-25T19:59:13.895Z',
			'2026-11-25T19:59:13.895Z',
			'soon',
			null,
		]);
	});
});
