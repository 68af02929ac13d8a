/**
 * Every promise about several items, with Settings → Request Options → Batching: n8n then starts items batch by batch.
 */
import { RoutingNode } from 'n8n-core';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { type LocalService, startService } from '../../mock-service';
import { type RunResult, detailsOf, itemsOf } from '../support/engine';
import { random } from '../support/keptState';
import { type MoreOptions, served } from '../support/served';
import { until } from '../support/until';
import { scrape, search } from '../support/nodes';

let service: LocalService;
const runWith = served({ crawlMs: 1 }, (started) => (service = started));

/** Items, items of a batch, and the ms between batches. */
type Batching = [count: number, size: number, ms: number];

const BATCHINGS: Batching[] = [
	[5, 2, 1],
	[3, 1, 100],
	[60, 50, 100],
];

const numbered = (count: number, more: (n: number) => IDataObject = () => ({})) =>
	itemsOf(...Array.from({ length: count }, (_, n) => ({ n, ...more(n) })));

const run = async (
	parameters: INodeParameters,
	[count, batchSize, batchInterval]: Batching,
	more: MoreOptions = {},
): Promise<RunResult> =>
	await runWith(
		scrape,
		{ ...parameters, requestOptions: { batching: { batch: { batchSize, batchInterval } } } },
		{ items: numbered(count), ...more },
	);

const posts = () => service.requests.filter(({ method }) => method === 'POST');
const billed = () => service.ledger.reduce((sum, { credits }) => sum + credits, 0);
const rounds = ([count, size]: Batching) => Math.ceil(count / size);

/** Returns the indexes of the input items that results are paired with, in order and each once. */
const paired = (items: INodeExecutionData[]) => [
	...new Set(
		items
			.flatMap(({ pairedItem }) => pairedItem as { item: number })
			.map(({ item }) => item)
			.sort((a, b) => a - b),
	),
];
const all = (count: number) => Array.from({ length: count }, (_, index) => index);

const EACH = { operation: 'scrape', url: '=https://a.example/{{ $json.n }}' };
const URLS = { urls: '=https://a.example/{{ $json.n }}' };

/** Makes the scrape of a URL fail. */
const failing = (n: number, more: IDataObject = {}) =>
	service.fail({
		path: '/v2/scrape',
		when: ({ body }) => (body as IDataObject).url === `https://a.example/${n}`,
		status: 500,
		body: { success: false, error: 'No', code: 'UNKNOWN_ERROR' },
		...more,
	});

describe.each(BATCHINGS)('with %i items in batches of %i every %i ms', (...batching) => {
	const [count, size] = batching;

	it('Start Scraping Many Pages starts a job for each of n8n’s batches, and each item is paired with its own', async () => {
		const { output, error } = await run({ operation: 'batchStart', ...URLS }, batching);
		expect(error).toBeUndefined();
		expect(output[0]).toHaveLength(rounds(batching));
		expect(paired(output[0])).toEqual(all(count));
		const urls = posts().map(({ body }) => (body as { urls: string[] }).urls);
		expect(urls.flat().sort()).toEqual(
			all(count)
				.map((n) => `https://a.example/${n}`)
				.sort(),
		);
		expect(Math.max(...urls.map((list) => list.length))).toBe(Math.min(size, count));
		expect(new Set(output[0].map(({ json }) => json.id)).size).toBe(rounds(batching));
	});

	it('Scrape Many Pages and Wait gives each item its page, billed once', async () => {
		const { output, error } = await run({ operation: 'batchStartAndWait', ...URLS }, batching);
		expect(error).toBeUndefined();
		expect(output[0].map(({ json, pairedItem }) => [json.url, pairedItem])).toEqual(
			all(count).map((n) => [`https://a.example/${n}`, { item: n }]),
		);
		expect(billed()).toBe(count);
		expect(posts()).toHaveLength(rounds(batching));
	});

	it('a tried-again node starts none of its jobs again', async () => {
		// The last page of the last job is missing at first, which fails that item alone.
		service.fail({ method: 'GET', path: /\/v2\/batch\/scrape\//, status: 400, times: 1 });
		const { output, error } = await run({ operation: 'batchStartAndWait', ...URLS }, batching, {
			retryOnFail: true,
			maxTries: 2,
			waitBetweenTries: 1,
		});
		expect(error).toBeUndefined();
		expect(paired(output[0])).toEqual(all(count));
		expect(billed()).toBe(count);
	});

	it('Scrape pairs results, and sums up what all of them cost', async () => {
		const options = { includeRunDetails: true };
		const { output, error } = await run({ ...EACH, options }, batching);
		expect(error).toBeUndefined();
		expect(output[0].map(({ json, pairedItem }) => [json.url, pairedItem])).toEqual(
			all(count).map((n) => [`https://a.example/${n}`, { item: n }]),
		);
		expect([...new Set(output[0].map((item) => detailsOf(item).runCreditsUsed))]).toEqual([count]);
	});

	it('the sum is that of all tries', async () => {
		const isLast = ({ body }: { body?: unknown }) => (body as IDataObject).query === `${count - 1}`;
		service.fail({
			path: '/v2/search',
			when: isLast,
			status: 402,
			body: { error: 'No' },
			times: 1,
		});
		const parameters = {
			operation: 'search',
			query: '={{ $json.n }}',
			options: { includeRunDetails: true },
		};
		const { output, error } = await run(parameters, batching, {
			nodeType: search,
			retryOnFail: true,
			maxTries: 2,
			waitBetweenTries: 1,
		});
		expect(error).toBeUndefined();
		const sums = new Set(output[0].map((item) => detailsOf(item).runCreditsUsed));
		expect([...sums]).toEqual([2 * count]);
	});

	it('a mistake in an item sends nothing of its own batch, nor of those after it', async () => {
		const wrong = Math.min(size, count - 1);
		const items = numbered(count, (n) => ({ url: n === wrong ? '' : `https://a.example/${n}` }));
		const { error } = await run({ operation: 'scrape', url: '={{ $json.url }}' }, batching, {
			items,
		});
		expect(error?.message).toBe('URL: {{ $json.url }} gives nothing');
		const sent = posts().map(({ body }) => (body as IDataObject).url);
		for (const url of sent) expect(Number(String(url).split('/').pop())).toBeLessThan(size);
	});

	it('Credit Budget holds over all batches', async () => {
		const budget = count - 1;
		const { output } = await run({ ...EACH, options: { creditBudget: budget } }, batching, {
			onError: 'continueErrorOutput',
		});
		expect(billed()).toBe(budget);
		expect(output.map((items) => items.length)).toEqual([budget, 1]);
		expect(paired(output.flat())).toEqual(all(count));
	});

	it('Download Files puts each file on its own item', async () => {
		const parameters = { ...EACH, formats: ['screenshot'], options: { downloadFiles: true } };
		const { output, error } = await run(parameters, batching);
		expect(error).toBeUndefined();
		expect(
			output[0].map(({ binary, pairedItem }) => [Object.keys(binary ?? {}), pairedItem]),
		).toEqual(all(count).map((item) => [['screenshot'], { item }]));
	});
});

it('each of three accounts gets its own jobs, and none twice where that of another is tried again', async () => {
	const services = [service, await startService(), await startService()];
	const { below } = random(1);
	for (let round = 0; round < 6; round++) {
		for (const one of services) {
			one.set({ crawlMs: 1 });
			one.ledger.length = 0;
		}
		services[round % 3].fail({ path: '/v2/batch/scrape', status: 402, body: {}, times: 1 });
		const items = numbered(9, (n) => ({ base: services[n % 3].url }));
		const { output, error } = await run({ operation: 'batchStartAndWait', ...URLS }, [9, 5, 1], {
			credentials: { baseUrl: '={{ $json.base }}', apiKey: service.apiKey },
			credentialMs: () => below(8),
			items,
			retryOnFail: true,
			maxTries: 3,
			waitBetweenTries: 1,
		});
		expect(error).toBeUndefined();
		expect(paired(output[0])).toEqual(all(9));
		const costs = services.map(({ ledger }) => ledger.reduce((sum, each) => sum + each.credits, 0));
		expect(costs).toEqual([3, 3, 3]);
	}
	await Promise.all(services.slice(1).map(async (one) => await one.close()));
});

describe('a run that ends while n8n pauses between two batches', () => {
	/** Records what n8n has begun and what has failed by then, which nobody handles before n8n has begun all. */
	const watched = () => {
		const log: string[] = [];
		const prototype = RoutingNode.prototype as unknown as { makeRequest: Promised };
		const { makeRequest } = prototype;
		jest.spyOn(prototype, 'makeRequest').mockImplementation(async function (
			this: unknown,
			...given
		) {
			const item = given[2] as number;
			log.push(`begins ${item}`);
			return await makeRequest.apply(this, given).catch((error: unknown) => {
				log.push(`fails ${item}`);
				throw error;
			});
		});
		return log;
	};
	type Promised = (...given: unknown[]) => Promise<unknown>;
	afterEach(() => jest.restoreAllMocks());

	it.each<[string, INodeParameters, () => MoreOptions]>([
		[
			'is stopped',
			EACH,
			() => {
				const stop = new AbortController();
				void until('the first request', () => posts().length > 0, 60_000, 5).then(() =>
					stop.abort(),
				);
				return { signal: stop.signal };
			},
		],
		[
			'fails',
			EACH,
			() => {
				failing(0);
				return {};
			},
		],
		['is wrong', { ...EACH, url: '=not a URL {{ $json.n }}' }, () => ({})],
	])(
		'fails for n8n only once all items have begun, where it %s',
		async (_how, parameters, more) => {
			service.set({ latencyMs: 50 });
			const log = watched();
			await run(parameters, [3, 1, 300], more());
			await until(
				'the end of n8n’s loop',
				() => log.includes('begins 2') && log.includes('fails 0'),
			);
			expect(log.indexOf('fails 0')).toBeGreaterThan(log.indexOf('begins 2'));
		},
	);
});
