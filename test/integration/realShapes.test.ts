import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';

import type { LocalService } from '../../mock-service';
import { agent, crawl, extract, scrape, search, usage } from '../support/nodes';
import { passAtEachGet } from '../support/passingTime';
import { type MoreOptions, served } from '../support/served';

let service: LocalService;
const runWith = served({ crawlMs: 0, jobMs: 1 }, (started) => (service = started));
// The contract has not all of these IDs.
afterEach(() => void service.violations.splice(0));

async function run(nodeType: INodeType, parameters: INodeParameters, more?: MoreOptions) {
	const { output, error } = await runWith(nodeType, parameters, more);
	const [items, failed] = [output[0] ?? [], output[1] ?? []];
	return { items: items.map(({ json }) => json), failed: failed.map(({ json }) => json), error };
}

/** Has the service respond with this. */
function respond(body: IDataObject): void {
	service.clearFaults();
	service.fail({ status: 200, body: { success: true, ...body } });
}

const SCRAPE = { operation: 'scrape', url: 'https://a.example' };
const ERROR_OUTPUT = { onError: 'continueErrorOutput' } as const;
const locator = (value: string) => ({ __rl: true, mode: 'id', value });
const JOB = '0190a8a0-0000-7000-8000-000000000001';
const pagesOf = (id: string, options: INodeParameters = {}) => ({
	operation: 'getPages',
	crawlId: locator(id),
	returnAll: true,
	options,
});

describe('pages that exist are never dropped', () => {
	it.each(['soFar', 'wait'])('by a cancelled crawl (%s)', async (ifRunning) => {
		const { id } = service.crawls.add({ pages: 9 });
		service.crawls.progress(id, 3);
		service.crawls.end(id, 'cancelled');
		const { items, error } = await run(crawl, pagesOf(id, { ifRunning }));
		expect(error).toBeUndefined();
		expect(items).toHaveLength(3);
		expect(items[0]).toMatchObject({
			crawlStatus: 'cancelled',
			crawlWarning: 'The crawl was cancelled. It sent 3 of 9 pages.',
		});
	});

	it.each(['failed', 'resting'])('by one that is %s', async (status) => {
		const { id } = service.crawls.add({ pages: 9 });
		service.crawls.progress(id, 2);
		service.crawls.end(id, status);
		const { items } = await run(crawl, pagesOf(id));
		expect(items.map(({ crawlStatus }) => crawlStatus)).toEqual([status, status]);
	});

	const started = { operation: 'startAndWait', url: 'https://a.example' };
	const found = (number: number) => ({ metadata: { url: `https://a.example/${number}` } });
	const statusOnceThen = (first: IDataObject, then: IDataObject) => {
		service.fail({ path: /^\/v2\/crawl\//, status: 200, body: first, times: 1 });
		service.fail({ path: /^\/v2\/crawl\//, status: 200, body: then });
	};

	it.each([
		['scraping, none yet', { status: 'scraping', completed: 0, data: [] }],
		['no counts', { success: true }],
		['no list', { status: 'completed', data: { 0: found(1) } }],
	])(
		'without a word where the service says “%s” after a crawl has ended',
		async (_name, response) => {
			statusOnceThen({ status: 'completed', completed: 3, data: [found(1)] }, response);
			const { error } = await run(crawl, started);
			expect(error?.message).toBe('The service counted 3 pages, but sent 0');
			const jobId = service.requests[1].path.split('/').pop()!;
			expect(error?.description).toContain(jobId);
		},
	);

	it('but a crawl that was started and cancelled before its first page is an error', async () => {
		const body = { status: 'cancelled', completed: 0, data: [] };
		service.fail({ path: /^\/v2\/crawl\//, status: 200, body });
		service.fail({ path: /^\/v2\/crawl\/./, status: 404, body: {} });
		const { items, failed } = await run(crawl, started, ERROR_OUTPUT);
		expect(items).toEqual([]);
		expect(failed).toMatchObject([{ message: 'The crawl was cancelled' }]);
	});

	it('but a crawl that failed before its first page is an error with its reason', async () => {
		service.fail({
			method: 'GET',
			status: 200,
			body: { success: false, status: 'failed', error: 'No such site', completed: 0, data: [] },
		});
		const { error } = await run(crawl, pagesOf('5f3b2c1a-8d4e-4f6a-9b0c-1d2e3f4a5b6c'));
		expect(error?.message).toBe('The crawl failed: No such site');
	});

	it('but a response without a list of them says that a crawl that was started may have been billed', async () => {
		service.fail({ method: 'GET', status: 200, body: { status: 'completed', result: { a: 1 } } });
		const { error } = await run(crawl, { operation: 'startAndWait', url: 'https://a.example' });
		expect(error?.message).toBe("The service's response has no list of pages");
		expect(error?.description).toMatch(/^This item may have been billed\. .* Job: [\w-]+\.$/);
	});

	it.each<[INodeType, INodeParameters]>([
		[crawl, pagesOf('c-1')],
		[scrape, { operation: 'batchGetPages', jobId: 'c-1' }],
	])('but a response without a list of them is an error: %#', async (node, form) => {
		service.fail({ status: 200, body: { success: true } });
		const { error } = await run(node, form);
		expect(error?.message).toBe("The service's response has no list of pages");
		service.clearFaults();
		// A page that is just a text is not lost.
		service.fail({ status: 200, body: { status: 'completed', data: ['# Page'] } });
		expect((await run(node, form)).items).toMatchObject([{ result: '# Page' }]);
		service.clearFaults();
		service.fail({ status: 200, body: { status: 'scraping', errors: [] } });
		expect((await run(node, form)).error).toBeUndefined();
	});
});

it.each(['crawl:1', 'Übersicht'])('all pages are there of a crawl whose ID is “%s”', async (id) => {
	const chunk = (url: string, next?: string) => ({
		status: 'completed',
		completed: 2,
		data: [{ metadata: { url } }],
		next,
	});
	const next = `${service.url}/v2/crawl/${id}?skip=1`;
	service.fail({
		status: 200,
		body: chunk('https://a.example/2'),
		when: ({ query }) => (query as IDataObject).skip === '1',
	});
	service.fail({ status: 200, body: chunk('https://a.example/1', next) });
	const { items, error } = await run(crawl, pagesOf(id, { ifRunning: 'wait' }));
	expect(error).toBeUndefined();
	expect(items).toMatchObject([{ url: 'https://a.example/1' }, { url: 'https://a.example/2' }]);
	const paths = new Set(service.requests.map(({ path }) => path));
	expect(paths).toEqual(new Set([`/v2/crawl/${encodeURIComponent(id)}`]));
});

describe('an agent task that ran out of credits', () => {
	const ended = {
		success: true,
		status: 'failed',
		error: 'Agent reached max credits',
		stopReason: 'credit_limit_reached',
		partial: { companies: [{ name: 'Acme' }] },
		partialSchemaValid: false,
		creditsUsed: 500,
	};
	const end = (body: IDataObject) => service.fail({ method: 'GET', status: 200, body });

	it('fails with what it had found', async () => {
		end(ended);
		const parameters = { operation: 'startAndWait', prompt: 'Find' };
		const { failed } = await run(agent, parameters, ERROR_OUTPUT);
		const message = 'The agent task failed: Agent reached max credits (credit_limit_reached)';
		expect(failed).toMatchObject([
			{ message, error: { jobId: expect.any(String), data: { ...ended } } },
		]);
		const { error } = await run(agent, parameters);
		expect(error?.description).toMatch(
			/"Get Agent Task" with this ID returns it without paying again/,
		);
	});

	it.each<[IDataObject, string]>([
		[{}, 'Starting it again costs credits again, so raise Max Credits'],
		[{ error: null, creditsUsed: 0 }, 'Before starting it again, raise Max Credits'],
		[{ stopReason: null }, 'Starting it again costs credits again, so raise Max Credits'],
		[{ error: 'No such site', stopReason: 'error' }, 'so check the input first.'],
	])('says to raise what it ran out of: %j', async (more, advice) => {
		end({ ...ended, ...more });
		const { error } = await run(agent, { operation: 'startAndWait', prompt: 'Find' });
		expect(error?.description).toContain(advice);
	});
});

describe('a warning of the service', () => {
	const warning = 'Only 1 result(s) found';
	const page = { operation: 'scrape', url: 'https://a.example/x', simplify: false };
	const link = { url: 'https://a.example/x' };

	it('stands beside those of a list', async () => {
		respond({ data: { markdown: 'x' }, warning, warnings: ['Other', warning] });
		const [{ warning: said }] = (await run(scrape, page)).items;
		expect(said).toBe(`${warning} Other`);
	});

	it.each<[string, INodeType, INodeParameters, string]>([
		['a crawl', crawl, { operation: 'startAndWait', url: link.url }, 'crawlWarning'],
		['a batch', scrape, { operation: 'batchStartAndWait', urls: link.url }, 'batchWarning'],
		['extraction', extract, { operation: 'startAndWait', urls: link.url, prompt: 'x' }, 'warning'],
		['an agent task', agent, { operation: 'startAndWait', prompt: 'x' }, 'warning'],
	])('of the start of %s is there when it has ended', async (_name, node, parameters, name) => {
		service.fail({
			method: 'POST',
			status: 200,
			body: { success: true, id: 'j-1', warning: 'At first.' },
		});
		const data =
			node === extract || node === agent
				? { a: 1 }
				: [{ markdown: 'x', metadata: { sourceURL: link.url, statusCode: 200 } }];
		const end = {
			success: true,
			status: 'completed',
			completed: 1,
			total: 1,
			data,
			warning: 'At last.',
		};
		service.fail({ method: 'GET', status: 200, body: end });
		const { items } = await run(node, parameters);
		expect(String(items[0][name])).toMatch(/^At first\. At last\./);
	});

	describe('about a crawl', () => {
		const ended = (pages: number, { status = 'completed', host = 'a' } = {}) => {
			service.clearFaults();
			service.requests.length = 0;
			const { id } = service.crawls.add({ url: `https://${host}.example`, pages });
			service.crawls.end(id, status);
			return id;
		};
		const noErrors = () =>
			service.fail({ path: /\/errors$/, status: 200, body: { errors: [], robotsBlocked: [] } });
		const cannotTell = () => service.fail({ path: /\/errors$/, status: 404, body: {} });

		it.each(['completed', 'cancelled'])('says why one that was %s has no page', async (status) => {
			for (const isSilent of [noErrors, cannotTell]) {
				const id = ended(0, { status });
				isSilent();
				const told = await run(crawl, pagesOf(id), ERROR_OUTPUT);
				expect(JSON.stringify(told.failed)).toMatch(/The crawl has no page.*robots\.txt/);
			}
		});

		it('stands in the pages there are', async () => {
			const id = ended(1, { host: 'robots' });
			noErrors();
			const { items } = await run(crawl, { ...pagesOf(id), simplify: false });
			const crawlWarning = expect.stringMatching(/robots\.txt/) as string;
			expect(items).toMatchObject([{ crawlWarning }]);
			const larger = ended(2);
			const first = { ...pagesOf(larger), returnAll: false, limit: 1 };
			expect((await run(crawl, first)).items).toHaveLength(1);
			expect(service.requests.map(({ path }) => path)).toEqual([`/v2/crawl/${larger}`]);
		});
	});

	describe('a crawl without a page fails with the reason', () => {
		const unreachable = 'https://dns-error.example';

		it('counts a page that is listed as failed and as forbidden once', async () => {
			const { id } = service.crawls.add({ pages: 0, status: 'completed' });
			const errors = [{ url: unreachable, code: 'CRAWL_DENIAL', error: 'Blocked by robots.txt.' }];
			const body = { errors, robotsBlocked: [unreachable] };
			service.fail({ path: /\/errors$/, status: 200, body });
			const { error } = await run(crawl, pagesOf(id));
			expect(error?.message).toBe(
				'The crawl gave no page: robots.txt of the site forbids this page',
			);
			expect(error?.description).toMatch(/^1 URL failed\./);
		});
	});
});

it('links among the attributes are whole, by the address that the page has in the end', async () => {
	const values = [
		'/x',
		'y?z=1',
		'#top',
		'https://b.example',
		'mailto:a@b.example',
		'',
		null,
		'http://[',
	];
	const read = ['href', 'SRC', 'action', 'data-action'].map((attribute) => ({
		selector: 'a',
		attribute,
		values,
	}));
	const metadata = { url: 'https://www.a.example/shop/', sourceURL: 'https://a.example' };
	const data = { attributes: [...read, 'odd', { attribute: 'href' }], metadata };
	service.fail({ status: 200, body: { success: true, data } });
	const { items } = await run(scrape, SCRAPE);
	const whole = [
		'https://www.a.example/x',
		'https://www.a.example/shop/y?z=1',
		'https://www.a.example/shop/#top',
		...values.slice(3),
	];
	expect(items[0].attributes).toEqual([
		...read.slice(0, 3).map((one) => ({ ...one, values: whole })),
		...data.attributes.slice(3),
	]);
});

it('the character U+0000, which databases refuse, is left out of texts, and nothing like it', async () => {
	const text = String.raw`{"success":true,"data":{"markdown":"a\u0000b\\u0000c\\\u0000d\n\u0001","metadata":{"url":"https://a.example"}}}`;
	service.fail({ raw: { status: 200, text } });
	const { items } = await run(scrape, SCRAPE);
	expect(items[0].markdown).toBe('ab\\u0000c\\d\n\u0001');
});

it.each<[INodeType, INodeParameters]>([
	[agent, { operation: 'get', jobId: 'j' }],
	[agent, { operation: 'cancel', jobId: 'j' }],
	[extract, { operation: 'get', jobId: 'j' }],
	[crawl, { operation: 'getStatus', crawlId: locator('j') }],
	[crawl, { operation: 'cancel', crawlId: locator('j') }],
	[scrape, { operation: 'batchCancel', jobId: 'j' }],
])(
	'a job has the ID that it was asked for by, whatever its status says: %#',
	async (node, form) => {
		passAtEachGet(service, 10_000);
		service.fail({ method: 'POST', status: 200, body: { id: 'j' } });
		service.fail({ status: 200, body: { id: null, status: 'completed' } });
		expect((await run(node, form)).items).toMatchObject([{ id: 'j' }]);
	},
);

it('an extraction keeps what the service said when it started', async () => {
	const form = {
		operation: 'startAndWait',
		prompt: 'Prices',
		options: { ignoreInvalidURLs: true },
	};
	const { items } = await run(extract, { ...form, urls: 'https://a.example\nhttps://not a url' });
	expect(items[0]).toMatchObject({
		invalidURLs: ['https://not a url'],
		warning: [expect.any(String)],
	});
});

describe('a 400 names the control', () => {
	const scrapeWith = (body: IDataObject) => ({
		operation: 'scrape',
		url: 'https://a.example',
		options: { additionalBodyFields: JSON.stringify(body) },
	});

	it('of an unknown key', async () => {
		const { error } = await run(
			scrape,
			scrapeWith({ threatProtection: { mode: 'off', town: 'Ulm' } }),
		);
		expect(error?.description).toMatch(/^Threat Protection: the service does not know “town”/);
	});

	it('of an entry with alternatives', async () => {
		const formats = ['markdown', { type: 'screenshot', quality: 500 }];
		const { error } = await run(scrape, scrapeWith({ formats }));
		expect(error?.description).toMatch(/^Screenshot Options → Quality: .*100/);
		expect(error?.description).not.toContain('Invalid input.');
	});
});

describe('a response without the list that was asked for', () => {
	const forms: Record<string, [INodeType, INodeParameters]> = {
		results: [search, { operation: 'search', query: 'tea' }],
		links: [scrape, { operation: 'map', siteUrl: 'https://a.example' }],
		crawls: [crawl, { operation: 'listActive' }],
		errors: [crawl, { operation: 'getErrors', crawlId: locator('c-1') }],
		robotsBlocked: [crawl, { operation: 'getErrors', crawlId: locator('c-1') }],
		periods: [usage, { operation: 'getHistorical' }],
		jobs: [usage, { operation: 'listActivity' }],
	};

	it.each<[string, IDataObject]>([
		['results', { creditsUsed: 2, data: null }],
		['results', {}],
		['results', { creditsUsed: 2, data: 'x' }],
		['results', { creditsUsed: 2, data: { web: { results: [{ url: 'https://a.example' }] } } }],
		['results', { data: { web: [], news: { 0: { url: 'https://b' } } } }],
		['results', { data: { items: [], web: { results: [{ url: 'https://a.example' }] } } }],
		['links', { data: { pages: ['https://a.example'] } }],
		['links', { links: [null, 5, ['https://a.example']] }],
		['crawls', { crawls: [5] }],
		['errors', { errors: {} }],
		['robotsBlocked', { errors: [], robotsBlocked: 'https://a.example' }],
		['periods', { data: { periods: [] } }],
		['periods', { periods: ['2026-08'] }],
		['jobs', { data: [['j-1']] }],
	])('of %s is an error that has it: %j', async (what, given) => {
		const body = { success: true, ...given };
		service.fail({ status: 200, body });
		const [node, parameters] = forms[what];
		const { failed } = await run(node, parameters, ERROR_OUTPUT);
		const message = `The service's response has no list of ${what}`;
		expect(failed).toMatchObject([{ message, error: { data: body } }]);
		expect(service.requests).toHaveLength(1);
	});

	it.each<[string, unknown]>([
		['crawls', { crawls: ['c-1', '', 'c-2'] }],
		['jobs', { data: ['c-1', 'c-2'] }],
		...['crawls', 'jobs'].flatMap((what): Array<[string, unknown]> =>
			[
				{ success: true, ids: ['c-1', 'c-2'] },
				{ data: ['c-1', 'c-2'] },
				{ success: true, jobs: [{ id: 'c-1' }, { id: 'c-2' }] },
				['c-1', 'c-2'],
				[{ id: 'c-1' }, { id: 'c-2' }],
			].map((body) => [what, body]),
		),
	])('is read where %s are IDs alone, or have no name or another one: %j', async (what, body) => {
		service.fail({ status: 200, body });
		const { items } = await run(...forms[what]);
		expect(items.map(({ id }) => id)).toEqual(['c-1', 'c-2']);
	});

	it('but with a failure is that failure', async () => {
		service.fail({ status: 200, body: { success: false, status: 'error', error: 'No database' } });
		const { error } = await run(...forms.crawls);
		expect(error?.message).toBe('The service reported that the request failed: No database');
	});
});

describe('a response without a result', () => {
	const jobId = '5f3b2c1a-8d4e-4f6a-9b0c-1d2e3f4a5b6c';

	it.each<[INodeType, INodeParameters, IDataObject]>([
		[scrape, SCRAPE, {}],
		[agent, { operation: 'start', prompt: 'x' }, { message: 'No', data: null }],
		[usage, { operation: 'getQueueStatus' }, { success: null, code: 'E', details: [] }],
	])('but the text of an error is a failure: %#', async (node, parameters, more) => {
		service.fail({ status: 200, body: { error: 'Insufficient credits', ...more } });
		const { error } = await run(node, parameters);
		expect(error?.message).toMatch(/^The service reported .*Insufficient credits/);
	});

	it.each<[string, INodeType, INodeParameters]>([
		['page', scrape, SCRAPE],
		['result', usage, { operation: 'getCredits' }],
		['result', usage, { operation: 'getQueueStatus' }],
		['result', agent, { operation: 'get', jobId }],
		['result', extract, { operation: 'get', jobId }],
		['result', crawl, { operation: 'getStatus', crawlId: jobId }],
	])('is an error, no %s: %#', async (what, node, parameters) => {
		for (const body of [{}, { success: true }, { success: true, data: null }]) {
			service.clearFaults();
			service.fail({ status: 200, body });
			const { items, error } = await run(node, parameters);
			expect(items).toEqual([]);
			expect(error?.message).toBe(`The service's response has no ${what}`);
		}
	});
});

it.each([400, 404, 500])('an error of status %i need be no text', async (status) => {
	const odd = { toString: 1, valueOf: 1 };
	const details = [{ path: [odd], message: odd }];
	service.fail({ status, body: { success: false, error: odd, code: odd, details } });
	const retry = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
	const { error } = await run(scrape, SCRAPE, retry);
	expect(`${error?.message} ${error?.description}`).toContain(JSON.stringify(odd));
});

it.each([
	[500, { code: 'SCRAPE_ALL_ENGINES_FAILED' }, 2],
	[500, { code: 'SCRAPE_ALL_ENGINES_FAILED', creditsUsed: 1 }, 1],
	[500, { code: 'SCRAPE_DNS_RESOLUTION_ERROR' }, 1],
	[422, { creditsUsed: 0 }, 2],
	[422, { creditsUsed: 5 }, 1],
	[402, { creditsUsed: 5 }, 2],
])(
	'Retry On Fail sends a page again only if it cost nothing: %i %j',
	async (status, said, sent) => {
		service.fail({ status, body: { success: false, error: 'No', ...said }, times: 1 });
		await run(scrape, SCRAPE, { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 });
		expect(service.requests).toHaveLength(sent);
	},
);

it.each([
	[undefined, /^This item may have been billed\. It is not a valid link/],
	[0, /^It is not a valid link/],
])('a page that cost %s and whose file cannot be had says so', async (creditsUsed, said) => {
	respond({ data: { screenshot: 'ftp://a.example/shot.png', metadata: { creditsUsed } } });
	const { error } = await run(scrape, { ...SCRAPE, options: { downloadFiles: true } });
	expect(error?.description).toMatch(said);
});

describe('nothing that a response has is lost in silence', () => {
	const metadata = [{ title: 'T' }];

	it('beside the results of a search', async () => {
		respond({ data: { web: [{ url: 'https://a.example' }], answer: 'Tea', knowledge: {} } });
		const { items } = await run(search, { operation: 'search', query: 'tea', simplify: false });
		expect(items).toMatchObject([{ response: { data: { answer: 'Tea' } } }]);
	});

	it.each([['all of it'], [metadata]])('as metadata of another type: %j', async (odd) => {
		respond({ status: 'completed', completed: 1, total: 1, data: [{ metadata: odd }] });
		const { items } = await run(crawl, { ...pagesOf(JOB), simplify: false });
		expect(items).toMatchObject([{ metadata: { result: odd } }]);
	});

	it('beside an empty list', async () => {
		respond({ links: [], error: 'The sitemap is closed.' });
		const map = { operation: 'map', siteUrl: 'https://a.example' };
		const { failed } = await run(scrape, map, ERROR_OUTPUT);
		const { error } = failed[0] as { error: IDataObject };
		expect(error.description).toMatch(/^The sitemap is closed\. Check /);
	});

	it('in place of a page', async () => {
		respond({ detail: 'Not yet' });
		const { error } = await run(scrape, SCRAPE);
		expect(`${error?.message} ${error?.description}`).toMatch(/has no page .*Not yet/);
	});

	it('behind a `next` that is no address', async () => {
		const data = [{ markdown: 'x', metadata: { sourceURL: 'https://a.example' } }];
		respond({ status: 'completed', data, next: { url: 'https://a.example/v2' } });
		const { error } = await run(crawl, pagesOf(JOB));
		expect(error?.message).toMatch(/link to further pages/);
	});
});
