/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import type { IDataObject, INodeExecutionData, INodeParameters, INodeType } from 'n8n-workflow';

import type { LocalService } from '../../mock-service';
import { itemsOf } from '../support/engine';
import { random } from '../support/keptState';
import { passAtEachGet } from '../support/passingTime';
import type * as QuickTime from '../support/quickTime';
import { type MoreOptions, served } from '../support/served';
import { seeds } from '../support/seeds';
import { crawl, scrape } from '../support/nodes';

jest.mock('../../nodes/shared/base/time', () =>
	jest.requireActual<typeof QuickTime>('../support/quickTime').quickTime(),
);

let service: LocalService;
const runWith = served({ crawlMs: 1 }, (started) => (service = started));
const run = async (parameters: INodeParameters, more?: MoreOptions) =>
	await runWith(scrape, parameters, more);

/** Time (ms) after which a batch that misses URLs is believed to have ended. */
const STILL_MS = 61_000;

const perItem = { operation: 'batchStartAndWait', urls: '={{ $json.url }}' };
const rows = (...urls: unknown[]) => itemsOf(...urls.map((url) => ({ url }) as IDataObject));
/** Returns the URL of each page with the item it is paired with. */
const pairs = (items: INodeExecutionData[]) =>
	items.map(({ json, pairedItem }) => [json.url, (pairedItem as { item: number }).item]);
const starts = () =>
	service.requests.filter(({ method }) => method === 'POST').map(({ body }) => body as IDataObject);
/** Returns the URLs of each started job; any of them may be sent first. */
const startedUrls = () =>
	starts()
		.map(({ urls }) => urls as string[])
		.sort(([a], [b]) => a.localeCompare(b));

describe('Scrape Many Pages and Wait', () => {
	it('scrapes the URLs of all items in one job and gives each item its own pages', async () => {
		const { output, error } = await run(perItem, {
			items: rows('https://a.example/1', 'https://b.example/2', 'https://c.example/3'),
		});
		expect(error).toBeUndefined();
		expect(starts()).toEqual([
			{
				urls: ['https://a.example/1', 'https://b.example/2', 'https://c.example/3'],
				ignoreInvalidURLs: true,
			},
		]);
		// The stand-in finishes the last URL first.
		expect(pairs(output[0])).toEqual([
			['https://a.example/1', 0],
			['https://b.example/2', 1],
			['https://c.example/3', 2],
		]);
		expect(output[0][0].json).toMatchObject({
			title: expect.any(String),
			markdown: expect.any(String),
		});
		expect(output[0][0].json).not.toHaveProperty('batchWarning');
		expect(service.ledger.map(({ credits }) => credits)).toEqual([3]);
		// Nobody asks why pages are missing if none is.
		expect(service.requests.filter(({ path }) => path.endsWith('/errors'))).toEqual([]);
	});

	it('adds no warning to the log of n8n, however many accounts and calls an execution has', async () => {
		const warned = jest.spyOn(process, 'emitWarning');
		await run(
			{ operation: 'scrape', url: 'https://a.example' },
			{
				credentials: { baseUrl: service.url, apiKey: '={{ $json.key }}' },
				items: itemsOf(...Array.from({ length: 30 }, (_, n) => ({ key: `key-${n}` }))),
				onError: 'continueErrorOutput',
				signal: new AbortController().signal,
			},
		);
		expect(warned).not.toHaveBeenCalled();
		warned.mockRestore();
	});

	describe('where an expression in the credential gives each item its own account', () => {
		const byItem = async (parameters: INodeParameters) =>
			await run(
				{ ...perItem, ...parameters },
				{
					credentials: { baseUrl: '={{ $json.base }}', apiKey: '={{ $json.key }}' },
					items: itemsOf(
						{ url: 'https://a.example/1', base: service.url, key: service.apiKey },
						{ url: 'https://b.example/secret', base: `${service.url}/`, key: 'revoked' },
						{ url: 'https://a.example/2', base: service.url, key: service.apiKey },
						{ url: 'https://c.example/', base: '', key: '' },
					),
					onError: 'continueErrorOutput',
				},
			);

		it.each(['batchStart', 'batchStartAndWait'])(
			'%s sends none the URLs of another, and fails only whose account is wrong',
			async (operation) => {
				const { output } = await byItem({ operation });
				expect(startedUrls()).toEqual([
					['https://a.example/1', 'https://a.example/2'],
					['https://b.example/secret'],
				]);
				expect(service.ledger.map(({ credits }) => credits)).toEqual([2]);
				expect(output[0]).toHaveLength(operation === 'batchStart' ? 1 : 2);
				expect(
					output[1].map(({ json }) => (json.error as IDataObject).message ?? json.error),
				).toEqual([expect.stringContaining('API key'), expect.stringContaining('Base URL')]);
			},
		);
	});

	const strict = { options: { ignoreInvalidURLs: false } };
	const late = {
		requestOptions: { timeout: '={{ $json.timeout }}' },
	} as unknown as INodeParameters;

	it.each<[string, IDataObject, INodeParameters]>([
		['URLs', { url: 'https://a.example and a.example/2' }, { operation: 'batchStart', ...strict }],
		[
			'URLs',
			{ url: 'https://a.example and a.example/2' },
			{ options: { pagesAs: 'files', ...strict.options } },
		],
		['timeout', { url: 'a.example/1', timeout: 'soon' }, { operation: 'batchStart', ...late }],
		['timeout', { url: 'a.example/1', timeout: 'soon' }, late],
	])(
		'leaves out a first item with wrong %s, and loses nothing of the others',
		async (_what, wrong, more) => {
			const { output } = await run(
				{ ...perItem, ...more },
				{ items: itemsOf(wrong, { url: 'https://b.example/1' }), onError: 'continueErrorOutput' },
			);
			expect(startedUrls()).toEqual([['https://b.example/1']]);
			expect(output.map((items) => items.length)).toEqual([1, 1]);
			expect(JSON.stringify(output[1][0].json)).toContain('Nothing was sent for item 1');
		},
	);

	it('pairs pages that were redirected, and URLs written in other ways', async () => {
		const { output } = await run(perItem, {
			items: rows('shop.example', 'https://a.example/moved', 'https://B.example'),
		});
		expect(pairs(output[0])).toEqual([
			['https://shop.example/', 0],
			['https://a.example/new/moved', 1],
			['https://b.example/', 2],
		]);
	});

	it('pays once for a page that several items ask for, and gives it to each', async () => {
		const { output } = await run(perItem, {
			items: rows('https://a.example/1', 'https://a.example/2', 'https://a.example/1'),
		});
		expect(service.ledger.map(({ credits }) => credits)).toEqual([2]);
		expect(pairs(output[0])).toEqual([
			['https://a.example/1', 0],
			['https://a.example/2', 1],
			['https://a.example/1', 2],
		]);
	});

	it('gives each of several items a file that is embedded in a page they share', async () => {
		const pdf = Buffer.from('%PDF-1.7 a document').toString('base64');
		const urls = ['https://a.example/2', 'https://a.example/1'];
		const data = urls.map((url) => ({
			actions: { pdfs: [pdf] },
			metadata: { url, sourceURL: url, statusCode: 200 },
		}));
		const status = { status: 'completed', total: 2, completed: 2 };
		service.fail({ method: 'GET', status: 200, body: { success: true, ...status, data } });
		const { output } = await run(
			{ ...perItem, options: { downloadFiles: true } },
			// The second item gets to the shared page when the first one is done with it.
			{ items: rows(urls[1], urls) },
		);
		expect(output[0].map(({ binary }) => binary?.pdf_0?.data)).toEqual([pdf, pdf, pdf]);
	});

	it('says how to get its pages without paying again where they can’t be read', async () => {
		jest.spyOn(Math, 'random').mockReturnValue(0);
		service.set({ chunkBytes: 1 });
		const isLater = ({ query }: { query: unknown }) => (query as IDataObject).skip !== undefined;
		service.fail({ status: 500, when: isLater });
		const { error } = await run(perItem, {
			items: rows('https://a.example/1', 'https://a.example/2'),
		});
		jest.restoreAllMocks();
		expect(error?.message).toBe('The service failed while processing the request');
		expect(error?.description).toMatch(
			/^The batch has ended: use "Get Pages of Batch" with its job ID, as reading its pages costs nothing\. /,
		);
		expect(service.ledger).toHaveLength(1);
	});

	it('starts a job for each item, or for each way to scrape, where that is asked for', async () => {
		const items = rows('https://a.example/1', 'https://a.example/2', 'https://a.example/3');
		await run({ ...perItem, options: { jobPerItem: true } }, { items });
		expect(starts()).toHaveLength(3);
		service.requests.length = 0;
		const { output } = await run(
			{ ...perItem, options: { browserOptions: { mobile: '={{ $itemIndex === 1 }}' } } },
			{ items },
		);
		expect(startedUrls()).toEqual([
			['https://a.example/1', 'https://a.example/3'],
			['https://a.example/2'],
		]);
		expect(pairs(output[0]).map(([, item]) => item)).toEqual([0, 1, 2]);
	});

	const mixed = rows(
		'https://a.example/1',
		'not a url',
		'https://a.example/fail',
		'https://a.example/robots',
		'https://a.example/gone',
	);

	it('gives every URL an item that says why it has no page', async () => {
		const { output } = await run(perItem, { items: mixed });
		expect(output[0].map(({ json }) => json.pageError)).toEqual([
			undefined,
			'This is not a URL, so it was not sent',
			'The page did not answer in time',
			'robots.txt of the site forbids this page',
			'Not Found',
		]);
		expect(pairs(output[0]).map(([, item]) => item)).toEqual([0, 1, 2, 3, 4]);
	});

	const odd = [
		'mailto:?body=See https://a.example/1',
		null,
		5,
		'',
		'#top',
		'/docs',
		{ id: 7 },
		'ftp://a.example',
	];
	const NOT_SENT = /^This is .*, so it was not sent$/;

	it('scrapes the others of an array in which some are no URLs, and pays for none of those', async () => {
		const items = rows(
			['https://a.example/1', ...odd],
			['https://a.example/2', 'mailto:x@a.example'],
			['tel:0123'],
		);
		const { output, error } = await run(perItem, { items });
		expect(error).toBeUndefined();
		expect(starts().map(({ urls }) => urls)).toEqual([
			['https://a.example/1', 'https://a.example/2'],
		]);
		expect(service.ledger.map(({ credits }) => credits)).toEqual([2]);
		expect(pairs(output[0])).toEqual([
			['https://a.example/1', 0],
			['mailto:?body=See https://a.example/1', 0],
			['null', 0],
			['5', 0],
			[undefined, 0],
			['#top', 0],
			['/docs', 0],
			['{"id":7}', 0],
			['ftp://a.example', 0],
			['https://a.example/2', 1],
			['mailto:x@a.example', 1],
			['tel:0123', 2],
		]);
		const reasons = output[0].map(({ json }) => json.pageError);
		expect(reasons.filter((reason) => NOT_SENT.test(String(reason)))).toHaveLength(10);
		expect(reasons.filter((reason) => reason === undefined)).toHaveLength(2);
	});

	it('starts nothing where no entry is a URL, and says so of each', async () => {
		const { output, error } = await run(perItem, { items: rows(odd) });
		expect(error).toBeUndefined();
		expect(output[0].map(({ json }) => json.pageError)).toEqual(
			odd.map(() => expect.stringMatching(NOT_SENT)),
		);
		expect(service.requests).toEqual([]);
		const started = await run({ ...perItem, operation: 'batchStart' }, { items: rows(odd) });
		expect(started.error?.message).toMatch(/^URLs has "mailto:.*which is not a URL$/);
		expect(service.requests).toEqual([]);
	});

	it('sends URLs without a page to the error branch by choice', async () => {
		const { output } = await run(
			{ ...perItem, options: { failedPages: 'errors' } },
			{ items: mixed, onError: 'continueErrorOutput' },
		);
		expect(pairs(output[0])).toEqual([['https://a.example/1', 0]]);
		expect(output[1].map(({ pairedItem }) => (pairedItem as { item: number }).item)).toEqual([
			1, 2, 3, 4,
		]);
		expect(output[1][3].json).toMatchObject({
			url: 'https://a.example/gone',
			message: 'The page answered with status 404: Not Found',
			error: { data: { markdown: expect.any(String) } },
		});
	});

	const gone = 'https://a.example/gone';
	it.each<[string, INodeType, INodeParameters, string]>([
		['a batch', scrape, { ...perItem, urls: `https://a.example/1, ${gone}` }, 'Batch'],
		['a batch of one page', scrape, { ...perItem, urls: gone }, 'Batch'],
		['a crawl', crawl, { operation: 'startAndWait', url: gone }, 'Crawl'],
	])(
		'names the way to the other pages where one stops the workflow: in %s',
		async (_name, node, parameters, kind) => {
			const data = [pageOf(1), { metadata: { sourceURL: gone, error: 'Reset' } }];
			service.fail({ method: 'GET', status: 200, body: { status: 'completed', data } });
			const failing = { ...parameters, options: { failedPages: 'errors' } };
			const [input, other] = [rows('x'), { onError: 'continueErrorOutput' as const }];
			const { error } = await runWith(node, failing, { items: input });
			expect(error?.message).toBe('The page could not be scraped: Reset');
			expect(error?.description).toMatch(
				new RegExp(
					`"Get Pages of ${kind}" with the job ID gets all pages of the job at no cost.* Job: \\S+\\.$`,
				),
			);
			const going = await runWith(node, failing, { items: input, ...other });
			expect(JSON.stringify(going.output[1])).toContain('The page could not be scraped');
			expect(JSON.stringify(going.output[1])).not.toContain('at no cost');
		},
	);

	it('says that the reasons could not be read, and keeps the pages', async () => {
		const urls = ['https://a.example/1', 'https://a.example/fail'];
		const warning =
			/^The reasons why URLs failed could not be read: The service does not allow this request: Failure with status 403\.$/;
		passAtEachGet(service, STILL_MS);
		service.fail({ path: /\/errors$/, status: 403 });
		const detailed = { ...perItem, options: { includeRunDetails: true } };
		const { output } = await run(detailed, { items: rows(...urls) });
		expect(output[0].map(({ json }) => [json.url, json.batchWarning])).toEqual(
			urls.map((url) => [url, expect.stringMatching(warning)]),
		);
		const { batchId } = output[0][0].json.run as IDataObject;
		const later = { operation: 'batchGetPages', jobId: batchId as string };
		expect((await run(later)).output[0].map(({ json }) => [json.url, json.batchWarning])).toEqual([
			[urls[0], expect.stringMatching(warning)],
		]);
	});

	const statusIs = (body: IDataObject) => {
		passAtEachGet(service, STILL_MS);
		service.fail({ method: 'GET', path: /\/v2\/batch\/scrape\/[^/]+$/, status: 200, body });
	};

	const pageOf = (number: number) => ({
		markdown: `Page ${number}`,
		metadata: { scrapeId: `scrape-${number}`, sourceURL: `https://a.example/${number}` },
	});

	it('loses no page that fits no URL', async () => {
		const stray = { markdown: 'x', metadata: { sourceURL: 'https://stray.example/' } };
		service.fail({
			method: 'GET',
			path: /\/v2\/batch\/scrape\/[^/]+$/,
			status: 200,
			body: { success: true, status: 'completed', data: [stray] },
		});
		const asked = ['https://a.example/1', 'https://a.example/2'];
		const { output } = await run(perItem, { items: rows(...asked) });
		expect(output[0].map(({ json, pairedItem }) => [json.url, pairedItem])).toEqual([
			['https://a.example/1', { item: 0 }],
			// It may belong to any item.
			['https://stray.example/', [{ item: 0 }, { item: 1 }]],
			['https://a.example/2', { item: 1 }],
		]);
		expect(output[0][2].json.pageError).toBe(
			'The service returned no page for this URL; 1 page came under URLs that nobody asked for',
		);
		expect(output[0][0].json.batchWarning).toContain(
			'1 page came under URLs that nobody asked for, and may be theirs.',
		);
	});

	it('takes a page under another spelling before the reason of an earlier try', async () => {
		const [url, failed] = ['https://a.example/1/', 'https://b.example/2'];
		const data = [{ markdown: 'x', metadata: { sourceURL: 'https://a.example/1' } }];
		const errors = [
			{ url, error: 'Slow' },
			{ url: failed, error: 'Gone' },
		];
		service.fail({ path: /\/errors$/, status: 200, body: { success: true, errors } });
		const ended = { success: true, status: 'completed', completed: 1, total: 2, data };
		service.fail({ method: 'GET', status: 200, body: ended });
		const { output } = await run(perItem, { items: rows(url, failed) });
		expect(output[0].map(({ json, pairedItem }) => [json.pageError, pairedItem])).toEqual([
			[undefined, { item: 0 }],
			['Gone', { item: 1 }],
		]);
	});

	it.each([
		['another page', { sourceURL: 'https://a.example/1' }],
		['a page that led there', { sourceURL: 'https://a.example/1', url: 'https://a.example/2' }],
	])('says why a URL has no page, also where %s came in its place', async (_, metadata) => {
		const [url, failed] = ['https://a.example/1', 'https://a.example/2'];
		const stray = { markdown: 'x', metadata: { sourceURL: 'https://stray.example/' } };
		const data = [{ markdown: 'x', metadata }, stray];
		const errors = [{ url: failed, error: 'boom' }];
		service.fail({ path: /\/errors$/, status: 200, body: { success: true, errors } });
		const ended = { success: true, status: 'completed', completed: 2, total: 2, data };
		service.fail({ method: 'GET', status: 200, body: ended });
		const { output } = await run(perItem, { items: rows(url, failed) });
		const of = output[0].map(({ json, pairedItem }) => [json.pageError, pairedItem]);
		expect(of).toContainEqual(['boom', { item: 1 }]);
		expect(output[0][0].json.batchWarning).toBeUndefined();
	});

	const metadata = (sourceURL: string) => ({ metadata: { sourceURL } });

	it.each<[string, (url: string) => IDataObject]>([
		['at the top', (url) => ({ url })],
		['at the top as the source', (sourceURL) => ({ sourceURL })],
		['with a slash at the end', (url) => metadata(url.replace('?', '/?'))],
		['with its query in another order', (url) => metadata(url.replace('a=1&b=2', 'b=2&a=1'))],
		['with another scheme', (url) => metadata(url.replace('https', 'http'))],
		['with www.', (url) => metadata(url.replace('//', '//www.'))],
		['with a fragment', (url) => metadata(`${url}#top`)],
		['as the last one alone', (url) => ({ metadata: { url: `${url}#top` } })],
	])('gives each item its page where the service writes its URL %s', async (_name, pageOfUrl) => {
		const asked = ['https://a.example/one?a=1&b=2', 'https://a.example/two?a=1&b=2'];
		for (const fieldsToReturn of [undefined, ['markdown']]) {
			const data = asked.map((url) => ({ markdown: url, ...pageOfUrl(url) })).reverse();
			statusIs({ status: 'completed', data });
			const options = fieldsToReturn ? { fieldsToReturn } : {};
			const { output } = await run({ ...perItem, options }, { items: rows(...asked) });
			expect(output[0].map(({ json, pairedItem }) => [json.markdown, pairedItem])).toEqual(
				asked.map((url, item) => [url, { item }]),
			);
		}
	});

	it('says of no URL that it has no page where its page is in a file', async () => {
		statusIs({
			status: 'completed',
			data: [{ markdown: 'x', ...metadata('http://a.example/1/') }],
		});
		const options = { pagesAs: 'files' };
		const { output } = await run({ ...perItem, options }, { items: rows('https://a.example/1') });
		expect(output[0].map(({ json }) => json.pages)).toEqual([1]);
	});

	it.each(seeds(1))(
		'loses no page and gives none to an item that did not ask for it, whatever becomes of URLs: seed %i',
		async (seed) => {
			const { below, chance } = random(seed);
			const pick = (...texts: string[]) => texts[below(texts.length)];
			const spelled = () =>
				`${pick('http://', 'https://')}${pick('', 'www.')}a.example/${pick('~a', '%7Ea', 'b', 'c')}${pick('', '/')}`;
			const asked = [...new Set(Array.from({ length: 1 + below(6) }, spelled))];
			const data = asked
				.filter(() => chance(0.8))
				.map((url) => ({
					markdown: url,
					...metadata(chance(0.5) ? url : url.replace(/^https?/, 'http').replace('%7E', '~')),
				}))
				.sort(() => below(3) - 1);
			statusIs({ status: 'completed', data });
			const { output, error } = await run(perItem, { items: rows(...asked) });
			expect(error).toBeUndefined();
			const pages = output[0].filter(({ json }) => json.markdown !== undefined);
			expect(pages.map(({ json }) => json.markdown).sort()).toEqual(
				data.map(({ markdown }) => markdown).sort(),
			);
			const bare = (url: string) =>
				url.replace(/^https?:\/\/(www\.)?|\/$/g, '').replace('%7E', '~');
			for (const { json, pairedItem } of pages) {
				const items = [pairedItem].flat() as Array<{ item: number }>;
				const mine = items.map(({ item }) => bare(asked[item]));
				expect(mine).toContain(bare(json.markdown as string));
			}
		},
	);

	it('fails with what the service says where it failed without a page', async () => {
		const status = { success: false, status: 'failed', error: 'Insufficient credits', data: [] };
		statusIs(status);
		const { output } = await run(perItem, {
			items: rows('https://a.example/1', 'https://a.example/2'),
			onError: 'continueErrorOutput',
		});
		expect(output.map((items) => items.length)).toEqual([0, 2]);
		expect(output[1][0].json).toMatchObject({
			message: 'The batch failed: Insufficient credits',
			error: { jobId: expect.any(String), data: { status: 'failed', error: status.error } },
		});
	});

	it.each([
		[[1, 2, 1], 'The service sent 1 page twice; each is included once.'],
		[[1], 'The service counted 2 pages, but sent 1: the others may follow'],
	])('gives each page once, and says what is odd about them: %j', async (sent, warning) => {
		statusIs({ status: 'completed', completed: 2, warning: 'Slow', data: sent.map(pageOf) });
		const urls = [1, 2].map((number) => `https://a.example/${number}`);
		const { output } = await run(perItem, { items: rows(...urls) });
		expect(output[0].map(({ json }) => [json.url, json.batchWarning])).toEqual(
			urls.map((url) => [url, expect.stringContaining(`Slow ${warning}`)]),
		);
		const options = { pagesAs: 'files' };
		const filed = await run({ ...perItem, options }, { items: rows(...urls) });
		expect(filed.output[0].find(({ binary }) => binary)?.json).toMatchObject({
			batchWarning: expect.stringContaining(`Slow ${warning}`),
			pages: new Set(sent).size,
		});
	});

	it.each<[string, IDataObject, number, string | undefined]>([
		[
			'counts only what came',
			{ completed: 2, total: 2 },
			5,
			'Of 5 URLs, 3 came back with neither a page nor a reason: https://a.example/3, https://a.example/4, https://a.example/5. If they follow, "Get Pages of Batch" with the job ID ID gets them at no cost.',
		],
		['counts nothing', {}, 3, 'Of 3 URLs, 1 came back with neither a page nor a reason: '],
		['misses many', {}, 9, ': https://a.example/3, https://a.example/4, https://a.example/5 and 4'],
		['calls it done', { status: 'done' }, 3, ': https://a.example/3. If they follow, '],
		[
			'counts more than it sends',
			{ completed: 3, total: 3 },
			3,
			' gets them at no cost. Of 3 URLs, 1 came back with neither a page nor a reason: https://a.example/3.',
		],
		['sends all', { completed: 2, total: 2 }, 2, undefined],
	])(
		'says how many URLs are missing, and which, where the service %s',
		async (_name, counts, asked, warning) => {
			statusIs({ status: 'completed', ...counts, data: [1, 2].map(pageOf) });
			const urls = Array.from({ length: asked }, (_, n) => `https://a.example/${n + 1}`);
			const { output } = await run(perItem, { items: rows(...urls) });
			expect(output[0].map(({ json }) => json.pageError)).toEqual(
				urls.map((_, n) => (n < 2 ? undefined : 'The service returned no page for this URL')),
			);
			const { batchWarning } = output[0][0].json;
			const said = (batchWarning as string | undefined)?.replace(/job ID \S+/, 'job ID ID');
			if (warning === undefined) expect(said).toBeUndefined();
			else expect(said).toContain(warning);
		},
	);

	it.each<[string, string, IDataObject]>([
		['it counts', 'completed', { completed: 1, total: 1 }],
		['it has none', 'completed', { completed: 0, total: 0 }],
		['it counts, and says it failed', 'failed', { completed: 1, total: 3 }],
	])('waits for all URLs, even if an end is told too early: %s', async (_name, status, counts) => {
		service.fail({
			method: 'GET',
			path: /\/v2\/batch\/scrape\/[^/]+$/,
			times: 2,
			status: 200,
			body: { success: true, status, ...counts, data: [1].map(pageOf) },
		});
		const urls = [1, 2, 3].map((number) => `https://a.example/${number}`);
		const { output } = await run(perItem, { items: rows(...urls) });
		expect(output[0].map(({ json }) => [json.url, json.pageError, json.batchWarning])).toEqual(
			urls.map((url) => [url, undefined, undefined]),
		);
	});

	it('lets n8n serve others while many items take their pages', async () => {
		const urls = Array.from({ length: 500 }, (_, n) => `https://a.example/${n}`);
		let requests = 0;
		let turns = 0;
		const timer = setInterval(() => {
			// Those after the last request count.
			turns = requests === service.requests.length ? turns + 1 : 0;
			requests = service.requests.length;
		}, 1);
		const items = rows(...Array<string>(100).fill(''));
		const { output } = await run({ ...perItem, urls: urls.join('\n') }, { items });
		clearInterval(timer);
		expect(output[0]).toHaveLength(50_000);
		// Without them there is one.
		expect(turns).toBeGreaterThanOrEqual(10);
	});
});

describe('a batch that is started and fetched later', () => {
	const started = async (...urls: string[]): Promise<INodeExecutionData[]> =>
		(await run({ ...perItem, operation: 'batchStart' }, { items: rows(...urls) })).output[0];

	it('lists what it did not send beside what the service did not accept', async () => {
		const [{ json }] = (
			await run(
				{ ...perItem, operation: 'batchStart' },
				{ items: rows(['https://a.example/1', 'mailto:x@a.example'], 'no url') },
			)
		).output[0];
		expect(json).toMatchObject({ invalidURLs: ['mailto:x@a.example', 'no url'], urls: 1 });
	});

	it('gives its pages and why others are missing, up to the limit; these fail by choice', async () => {
		const [{ json }] = await started('https://a.example/1', 'https://a.example/fail');
		const parameters = { operation: 'batchGetPages', jobId: json.id as string };
		const { output } = await run(parameters);
		expect(output[0].map((item) => item.json)).toEqual([
			expect.objectContaining({ url: 'https://a.example/1' }),
			{ url: 'https://a.example/fail', pageError: 'The page did not answer in time' },
		]);
		service.requests.length = 0;
		for (const less of [{ limit: 1 }, { options: { splitIntoItems: false } }]) {
			expect((await run({ ...parameters, ...less })).output[0]).toHaveLength(1);
		}
		expect(service.requests).toHaveLength(2);
		const failing = await run(
			{ ...parameters, options: { failedPages: 'errors' } },
			{ onError: 'continueErrorOutput' },
		);
		expect(failing.output.map((items) => items.length)).toEqual([1, 1]);
	});

	it.each(['batchGetPages', 'batchStartAndWait'])(
		'says of each URL that a cancelled one left that it was cancelled: %s',
		async (operation) => {
			const urls = ['https://a.example/1', 'https://a.example/2', 'https://a.example/3'];
			const [left, failed, page] = urls;
			const unexpected = 'An unexpected internal error occurred';
			const errors = [
				{ url: left, error: unexpected },
				{ url: failed, code: 'SCRAPE_SSL_ERROR', error: 'No certificate' },
			];
			const data = [{ markdown: 'x', metadata: { sourceURL: page } }];
			service.fail({ path: /\/errors$/, status: 200, body: { success: true, errors } });
			service.fail({ method: 'GET', status: 200, body: { status: 'cancelled', data } });
			const jobId = '5f3b2c1a-8d4e-4f6a-9b0c-1d2e3f4a5b6c';
			const { output } = await run({ ...perItem, operation, jobId }, { items: rows(urls) });
			expect(Object.fromEntries(output[0].map(({ json }) => [json.url, json.pageError]))).toEqual({
				[left]: 'Not scraped: the batch was cancelled',
				[failed]: 'No certificate',
				[page]: undefined,
			});
		},
	);
});
