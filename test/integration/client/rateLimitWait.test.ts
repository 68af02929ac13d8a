/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';

import { AccountLimiter } from '../../../nodes/shared/limiter/accountLimiter';
import { WebDataScrape } from '../../../nodes/WebDataScrape/WebDataScrape.node';
import { itemsOf, runNode } from '../../support/engine';
import { freshLimiters } from '../../support/limiters';
import { replaceSleep } from '../../support/n8nSleep';
import { until } from '../../support/until';

/** The pause between n8n's batches (ms), by which n8n's wait for it is known. */
const INTERVAL_MS = 401;

const LIMIT_SECONDS = 2;
/** What a run may take on a busy machine: far less than the wait that a 429 names. */
const SOON_MS = 60_000;

let server: Server;
let baseUrl: string;
/** The requested paths, in order. */
const asked: string[] = [];
/** How many responses the nodes have learned from. */
let learned = 0;
/** How many of them were 429s. */
let limited = 0;
let letGo: () => void;
let held: Promise<void>;

/** Each path says what the response is, and after how many ms: `/429-50`; `/200-held` waits for `letGo`, `/200-late` for a 429. */
beforeAll(async () => {
	server = createServer((request, response) => {
		let text = '';
		request.on('data', (chunk: Buffer) => (text += String(chunk)));
		request.on('end', () => {
			const { url } = JSON.parse(text) as { url: string };
			const [path, query] = url.slice('https://site.example/'.length).split('?');
			asked.push(path);
			const [status, when] = path.split('-');
			const headers = { 'content-type': 'application/json', 'retry-after': query ?? '3600' };
			const body = {
				success: status === '200',
				data: { markdown: 'Hi', metadata: { creditsUsed: 1 } },
			};
			const due = when === 'held' ? held : when === 'late' ? untilLimited() : sleep(Number(when));
			void due.then(() => response.writeHead(Number(status), headers).end(JSON.stringify(body)));
		});
	});
	await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
	baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

beforeEach(() => {
	freshLimiters();
	asked.length = 0;
	learned = 0;
	limited = 0;
	held = new Promise((resolve) => (letGo = resolve));
});

// n8n's own wait between batches ends once the limiter has learned of three calls.
replaceSleep(async (ms, sleep) => await (ms === INTERVAL_MS ? untilLearned(3) : sleep(ms)));

const { release } = AccountLimiter.prototype;
jest.spyOn(AccountLimiter.prototype, 'release').mockImplementation(function (
	this: AccountLimiter,
	...given
) {
	release.apply(this, given);
	learned++;
	if (given[1].kind === 'limited') limited++;
});

const untilLearned = async (count: number) =>
	await until(`${count} responses`, () => learned >= count, SOON_MS, 10);

async function untilLimited(): Promise<void> {
	await until('a 429', () => limited > 0, SOON_MS, 10);
	await sleep(50);
}

afterAll(() => server.close());

async function scrape(
	paths: string[],
	more: { options?: IDataObject; requestOptions?: IDataObject },
) {
	const started = Date.now();
	const { options, requestOptions = {} } = more;
	const { output } = await runNode({
		nodeType: new WebDataScrape(),
		parameters: {
			operation: 'scrape',
			url: '={{ $json.url }}',
			options: { maxWait: LIMIT_SECONDS, ...options },
			requestOptions,
		} as never,
		items: itemsOf(...paths.map((path) => ({ url: `https://site.example/${path}` }))),
		credentials: { baseUrl, apiKey: 'key-0123456789' },
		onError: 'continueErrorOutput',
	});
	return { ms: Date.now() - started, good: output[0].length, failed: output[1] ?? [] };
}

const batching = { batching: { batch: { batchSize: 3, batchInterval: INTERVAL_MS } } };

describe('no item waits longer than Rate Limit Wait, though a late good response follows a 429 of an hour', () => {
	it.each<[string, string[], Parameters<typeof scrape>[1], number]>([
		['in the same batch', ['429-50', '200-late', '200-late', '200-0'], {}, 3],
		[
			'in the next of n8n’s batches',
			['429-50', '200-late', '200-late', '200-1', '200-2', '200-3'],
			{ requestOptions: batching },
			2,
		],
		[
			'in the turns of Credit Budget',
			['200-0', '429-50', '200-late', '200-4', '200-5', '200-6', '200-7'],
			{ options: { creditBudget: 100, maxConcurrent: 2 } },
			2,
		],
		['one at a time', ['200-0', '429-50', '200-1', '200-2'], { options: { maxConcurrent: 1 } }, 1],
	])('%s', async (_name, paths, more, good) => {
		const result = await scrape(paths, more);
		expect(result.ms).toBeLessThan(SOON_MS);
		expect(result.good).toBe(good);
		expect(result.failed).toHaveLength(paths.length - good);
		for (const { json } of result.failed)
			expect(json.message).toMatch(/rate limit|longer than allowed/i);
		// What was held up was not sent.
		expect(asked).toHaveLength(good + 1);
	});

	it('in a second run of the account', async () => {
		const first = scrape(['429-50', '200-late', '200-held'], {});
		await untilLearned(2);
		const second = await scrape(['200-1', '200-2'], {});
		expect(second).toMatchObject({ good: 0, failed: [{}, {}] });
		letGo();
		expect((await first).good).toBe(2);
		expect(asked).toEqual(['429-50', '200-late', '200-held']);
	});

	it('in all tries of an item together, though others succeed in between', async () => {
		const others = Array.from({ length: 6 }, (_, n) => `200-${n * 500 + 700}`);
		const { failed, good } = await scrape(['429-0?1', ...others], {});
		expect(good).toBe(others.length);
		expect(failed).toHaveLength(1);
		expect(asked.filter((path) => path.startsWith('429')).length).toBeLessThanOrEqual(3);
	});
});
