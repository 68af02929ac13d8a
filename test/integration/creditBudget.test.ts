import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';

import type { LocalService } from '../../mock-service';
import { type RunResult, detailsOf, itemsOf } from '../support/engine';
import { type MoreOptions, served } from '../support/served';
import { agent, crawl, extract, scrape, search } from '../support/nodes';

const DETAILED = { options: { includeRunDetails: true } };
const EACH = { operation: 'scrape', url: '=https://a.example/{{ $json.n }}' };
/** Tasks that may spend 30 each, so that the budget has room for one and a part of another at a time. */
const TASKS = {
	operation: 'startAndWait',
	prompt: '=Find {{ $json.n }}',
	maxCredits: 30,
	options: { creditBudget: 45 },
};

let service: LocalService;
const runWith = served({ jobMs: 1, crawlMs: 1 }, (started) => (service = started));
const run = async (nodeType: INodeType, parameters: INodeParameters, more?: MoreOptions) =>
	await runWith(nodeType, parameters, { onError: 'continueErrorOutput', ...more });

/** Scrapes this many pages, an item each. */
const scrapes = async (count: number, options: INodeParameters, form: INodeParameters = {}) =>
	await run(scrape, { ...EACH, ...form, options }, { items: numbered(count) });

const numbered = (count: number) => itemsOf(...Array.from({ length: count }, (_, n) => ({ n })));
const billed = () => service.ledger.reduce((sum, { credits }) => sum + credits, 0);

const messages = ({ output }: RunResult) => [...new Set(output[1].map(({ json }) => json.message))];

/** Responds to each scrape with what it cost, or without saying so. */
const respond = (creditsUsed?: number, more: IDataObject = {}) =>
	service.fail({
		path: '/v2/scrape',
		status: 200,
		body: { success: true, data: { markdown: 'x', metadata: { url: 'https://a', creditsUsed } } },
		...more,
	});
const sent = () => service.requests.filter(({ path }) => path === '/v2/scrape').length;

describe('Credit Budget', () => {
	it('of 50 lets 50 of 200 items through, and says so with the others', async () => {
		const result = await scrapes(200, { creditBudget: 50 });
		expect(billed()).toBe(50);
		expect(result.output.map((items) => items.length)).toEqual([50, 150]);
		expect(messages(result)).toEqual(['Not enough Credit Budget left for this item']);
		const { error } = result.output[1][0].json as { error: IDataObject };
		expect(error.description).toContain(
			'has used up to 50 of 50 credits, and this request may cost 1',
		);
		// Which ones are sent depends on their order, but each item is on one branch.
		const items = result.output.flat().map(({ pairedItem }) => pairedItem as { item: number });
		expect(items.map(({ item }) => item).sort((a, b) => a - b)).toEqual(
			Array.from({ length: 200 }, (_, item) => item),
		);
	});

	it('counts what responses say, and takes the dearest for those to come', async () => {
		respond(5);
		const result = await scrapes(9, { creditBudget: 12 });
		expect(sent()).toBe(2);
		expect(result.output[0]).toHaveLength(2);
		expect(messages(result)).toEqual(['Not enough Credit Budget left for this item']);
	});

	it('counts the highest price where a response does not say or does not know what a page cost', async () => {
		for (const unknown of [undefined, -1]) {
			service.clearFaults();
			service.requests.length = 0;
			respond(unknown);
			await scrapes(6, { creditBudget: 13 });
			// 5 each, with Proxy Auto.
			expect(sent()).toBe(3);
			service.requests.length = 0;
			await scrapes(6, { browserOptions: { proxy: 'basic' }, creditBudget: 3 });
			expect(sent()).toBe(3);
		}
	});

	it('leaves room for others again where less was used than set aside, and lets a task spend no more than is left', async () => {
		await run(agent, TASKS, { items: numbered(8) });
		const starts = service.requests.filter(({ method }) => method === 'POST');
		// Each may spend 30 and spends 10: one after the other, until nothing is left.
		const allowed = starts.map(({ body }) => (body as IDataObject).maxCredits);
		expect(allowed).toEqual([30, 30, 25, 15, 5]);
		expect(billed()).toBe(45);
	});

	it('counts a job that was only started with its highest price, whatever the start says', async () => {
		const start = { ...TASKS, operation: 'start', maxCredits: 5, options: { creditBudget: 20 } };
		const fault = { method: 'POST', path: /agent/, times: 99 } as const;
		for (const [status, more] of [
			[200, { success: true }],
			[409, { success: false, error: 'Begun' }],
			[500, { success: false, error: 'Broken' }],
		] as const) {
			service.clearFaults();
			service.requests.length = 0;
			service.fail({ ...fault, status, body: { ...more, id: 'job-1', creditsUsed: 0 } });
			await run(agent, start, { items: numbered(12) });
			expect(service.requests).toHaveLength(4);
		}
		service.clearFaults();
		service.requests.length = 0;
		const body = { success: true, id: 'job-1', creditsUsed: 0 };
		service.fail({ method: 'POST', path: /batch/, status: 200, body, times: 99 });
		const batch = {
			operation: 'batchStart',
			urls: EACH.url,
			options: { jobPerItem: true, creditBudget: 20 },
		};
		await run(scrape, batch, { items: numbered(12) });
		expect(service.requests).toHaveLength(4);
	});

	it('lets items wait for an exhausted rate limit together', async () => {
		const fault = { path: '/v2/scrape', status: 429, headers: { 'retry-after': '1' } };
		service.fail({ ...fault, body: { error: 'Rate limit exceeded' }, times: 99 });
		const options = { creditBudget: 100, maxWait: 1 };
		const result = await scrapes(20, options);
		expect(result.output[1]).toHaveLength(20);
		expect(sent()).toBeLessThan(5);
	}, 15_000);

	it('does not count what the service rejected', async () => {
		const body = { error: 'No', code: 'SCRAPE_NO_CACHED_DATA' };
		respond(undefined, { status: 404, body, times: 4 });
		const result = await scrapes(7, { creditBudget: 3, maxConcurrent: 1 });
		expect(result.output.map((items) => items.length)).toEqual([3, 4]);
		expect(billed()).toBe(3);
	});

	it.each([200, 500])(
		'counts what a failed page cost by its own response, with status %i',
		async (status) => {
			const code = 'SCRAPE_ALL_ENGINES_FAILED';
			const body = { success: false, error: 'x', code, creditsUsed: 5 };
			service.fail({ path: '/v2/scrape', status, body });
			const result = await scrapes(30, { creditBudget: 20 });
			expect(service.requests.length).toBeLessThanOrEqual(4);
			expect(JSON.stringify(result.output)).not.toContain('is not billed');
		},
	);

	it('counts a job that was started, also when it can’t be waited for', async () => {
		service.fail({ method: 'GET', path: /agent/, status: 403 });
		const tasks = { ...TASKS, options: { creditBudget: 30 } };
		const result = await run(agent, tasks, { items: numbered(2) });
		expect(service.ledger).toHaveLength(1);
		expect(messages(result)).toEqual([
			'The service does not allow this request: Failure with status 403',
			'Not enough Credit Budget left for this item',
		]);
	});

	it('covers a batch of all items as a whole', async () => {
		const parameters = { operation: 'batchStartAndWait', urls: '=https://a.example/{{ $json.n }}' };
		const options = { creditBudget: 4 };
		const result = await run(scrape, { ...parameters, options }, { items: numbered(5) });
		expect(messages(result)).toEqual(['Not enough Credit Budget left for this item']);
		expect(service.requests).toEqual([]);
		await run(scrape, { ...parameters, options: { creditBudget: 5 } }, { items: numbered(5) });
		expect(billed()).toBe(5);
	});

	it.each<[string, INodeType, INodeParameters, number | undefined]>([
		['a batch', scrape, { operation: 'batchStartAndWait', urls: 'https://a.example' }, -1],
		['a crawl', crawl, { operation: 'startAndWait', url: 'https://a.example' }, -1],
		['a crawl', crawl, { operation: 'startAndWait', url: 'https://a.example' }, undefined],
	])(
		'counts what the pages of %s say where the job does not know: %s',
		async (_name, node, parameters, creditsUsed) => {
			const page = (path: string, used?: number) => ({
				markdown: 'x',
				metadata: { sourceURL: `https://a.example/${path}`, creditsUsed: used },
			});
			const priced = [page('1', 1), page('2', 5)];
			for (const [data, sum] of [
				[priced, 6],
				[[...priced, page('3')], undefined],
				[[...priced, page('4', -1)], undefined],
			] as const) {
				service.clearFaults();
				const [total, status] = [data.length, 'completed'];
				const body = { success: true, status, total, completed: total, creditsUsed, data };
				service.fail({ method: 'GET', path: /^(?!.*errors)/, status: 200, body, times: 99 });
				const { output } = await run(node, { ...parameters, ...DETAILED, maxPages: 50 });
				expect(detailsOf(output[0][0]).runCreditsUsed).toBe(sum);
			}
		},
	);

	it('holds for extractions whose answers are lost, and for searches whose service names no credits', async () => {
		service.fail({ method: 'POST', status: 504, body: { error: 'Late' }, times: 1 });
		const urls = '=https://a.example/{{ $json.n }}';
		const each = { operation: 'start', urls, prompt: 'x', options: { creditBudget: 30 } };
		await run(extract, each, { items: numbered(4) });
		const sentNow = () => service.requests.filter(({ method }) => method === 'POST').length;
		expect(sentNow()).toBe(1);
		service.requests.length = 0;
		const body = { success: true, data: { web: [{ url: 'https://a.example' }] } };
		service.fail({ path: '/v2/search', status: 200, body });
		const form = { operation: 'searchAndScrape', query: 'x', limit: 10 };
		await run(search, { ...form, options: { creditBudget: 60 } }, { items: numbered(4) });
		expect(sentNow()).toBe(1);
	});

	it('counts what an interaction that failed has cost', async () => {
		const body = { success: true, exitCode: 1, error: 'No', creditsUsed: 14 };
		service.fail({ path: /interact/, status: 200, body });
		const act = {
			operation: 'interact',
			scrapeId: '0190a8a0-0000-7000-8000-000000000000',
			instructions: 'prompt',
			prompt: 'Click',
		};
		const { output } = await run(
			scrape,
			{ ...act, options: { creditBudget: 20 } },
			{ items: numbered(3) },
		);
		expect(service.requests).toHaveLength(1);
		const { error } = output[1][1].json as { error: IDataObject };
		expect(error.description).toContain(
			'has used up to 14 of 20 credits, and this request may cost 14,',
		);
	});

	it('lasts over the tries of Retry On Fail, and is not used again by what is known', async () => {
		service.fail({
			path: '/v2/scrape',
			status: 400,
			body: { error: 'No' },
			times: 1,
			when: ({ body }) => (body as IDataObject).url === 'https://a.example/3',
		});
		const result = await run(
			scrape,
			{ ...EACH, options: { creditBudget: 4 } },
			{
				items: numbered(4),
				onError: 'stopWorkflow',
				retryOnFail: true,
				maxTries: 2,
				waitBetweenTries: 1,
			},
		);
		expect(result.error).toBeUndefined();
		expect(billed()).toBe(4);
	});
});

describe('the credits that a run has used', () => {
	it('stand in the run details of each result', async () => {
		const { output } = await scrapes(3, DETAILED.options);
		expect(output[0].map(detailsOf)).toMatchObject(
			Array(3).fill({ creditsUsed: 1, runCreditsUsed: 3 }),
		);
	});

	it('do not stand in raw data, nor in what failed', async () => {
		const raw = { ...EACH, ...DETAILED, simplify: false };
		const { output } = await run(scrape, raw, { items: numbered(1) });
		expect(output[0][0].json).not.toHaveProperty('run');
		respond(undefined, { status: 500, times: 1 });
		const failing = await scrapes(2, DETAILED.options);
		expect(failing.output.map((items) => items.length)).toEqual([1, 1]);
		expect(failing.output[1][0].json).not.toHaveProperty('run');
		// A 500 may have been billed, so nobody knows the sum.
		expect(detailsOf(failing.output[0][0])).not.toHaveProperty('runCreditsUsed');
	});
});
