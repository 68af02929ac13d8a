/* eslint-disable @n8n/community-nodes/no-restricted-imports */
/** How each item ended when one of them ends the run: what was sent, what goes on, and how to get it. */
import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import type { INodeParameters, INodeType } from 'n8n-workflow';

import type { LocalService } from '../../mock-service';
import { itemsOf } from '../support/engine';
import { served } from '../support/served';
import { until } from '../support/until';
import { agent, crawl, extract, scrape } from '../support/nodes';

let service: LocalService;
const run = served({ crawlMs: 60_000, jobMs: 60_000 }, (started) => (service = started));

const numbered = (count: number) => itemsOf(...Array.from({ length: count }, (_, n) => ({ n })));
const posts = () => service.requests.filter(({ method }) => method === 'POST');
const isItem = (n: number) => (request: { body?: unknown }) =>
	JSON.stringify(request.body).includes(`number-${n}`);
const url = '=https://a.example/number-{{ $json.n }}';

const JOBS: Array<[string, INodeType, INodeParameters]> = [
	['Agent', agent, { operation: 'startAndWait', prompt: '=number-{{ $json.n }}', maxCredits: 500 }],
	['Crawl', crawl, { operation: 'startAndWait', url, maxPages: 3 }],
	['Extract', extract, { operation: 'startAndWait', urls: url, prompt: 'Name' }],
	['Batch', scrape, { operation: 'batchStartAndWait', urls: url, options: { jobPerItem: true } }],
];

describe.each(JOBS)('%s: Start and Wait', (_name, node, parameters) => {
	it('names the jobs that go on where another item is rejected', async () => {
		// The others have been started by then.
		const late = { delayMs: 500, status: 402, body: { error: 'No credits' } };
		service.fail({ method: 'POST', when: isItem(3), ...late });
		const { error } = await run(node, parameters as never, { items: numbered(4) });
		const ids = service.requests
			.filter(({ method }) => method === 'GET')
			.map(({ path }) => path.split('/').at(-1)!);
		expect(error?.description).toContain(
			'Of 4 items, 0 had finished, 1 failed and 3 go on at the service.',
		);
		expect(error?.description).toMatch(
			/“Get (Agent Task|Extraction|Pages of (Crawl|Batch))” gives the results of the other jobs/,
		);
		expect(new Set(ids).size).toBe(3);
		for (const id of ids) expect(error?.description).toContain(id);
	});
});

it('what an earlier try has started is not called unsent', async () => {
	service.fail({ method: 'POST', when: isItem(0), status: 500, body: { error: 'Odd' } });
	const { error } = await run(
		agent,
		{
			operation: 'start',
			prompt: '=number-{{ $json.n }}',
			maxCredits: 30,
			requestOptions: { batching: { batch: { batchSize: 1, batchInterval: 30 } } },
		},
		{ items: numbered(4), retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
	);
	const started = posts().length - 1;
	const counts =
		/(\d+) had finished, (\d+) failed(?:,| and) (\d+) may have been billed(?: and (\d+) w)?/.exec(
			String(error?.description),
		);
	expect(counts?.slice(1).map((count) => Number(count ?? 0))).toEqual([started, 0, 1, 3 - started]);
});

it('what may have been billed is not called failed', async () => {
	service.fail({
		method: 'POST',
		when: isItem(0),
		status: 400,
		body: { error: 'Bad' },
		delayMs: 50,
	});
	service.fail({ method: 'POST', status: 504, body: { error: 'Late' } });
	const { error } = await run(scrape, { operation: 'scrape', url }, { items: numbered(5) });
	expect(error?.description).toMatch(/\d may have been billed( and \d (was|were) not sent)?\./);
});

describe('a workflow that is about to time out', () => {
	const soon = (ms: number) => ({ timesOutAt: Date.now() + ms });

	it('sends nothing more, and says so, where a result might come too late', async () => {
		const parameters = { operation: 'scrape', url };
		const { error } = await run(scrape, parameters, { items: numbered(3), ...soon(3_000) });
		expect(posts()).toEqual([]);
		expect(error?.message).toBe("Too little time is left before the workflow's timeout");
		expect(error?.description).toMatch(/“Timeout After”.*0 failed and 3 were not sent/);
	});

	it.each(JOBS)(
		'%s: starts no job that no error could name after all tries',
		async (_name, node, parameters) => {
			const tries = { retryOnFail: true, maxTries: 5, waitBetweenTries: 5_000 };
			const { timesOutAt } = soon(22_000);
			await run(node, parameters, {
				items: numbered(1),
				timesOutAt,
				...tries,
				signal: AbortSignal.timeout(300),
			});
			expect(posts()).toEqual([]);
		},
	);

	it('passes on what came, where On Error continues, before n8n drops it', async () => {
		const timesOutAt = Date.now() + 11_000;
		// Each request takes 400 ms.
		let passed = 0;
		for (const clock of [Date, performance]) {
			const now = clock.now.bind(clock);
			jest.spyOn(clock, 'now').mockImplementation(() => now() + passed);
		}
		const pass = () => {
			passed += 400;
			return false;
		};
		service.fail({ method: 'POST', when: pass, status: 500 });
		const { output } = await run(
			scrape,
			{ operation: 'scrape', url, options: { maxConcurrent: 1 } },
			{ items: numbered(40), timesOutAt, onError: 'continueErrorOutput' },
		);
		expect(Date.now()).toBeLessThan(timesOutAt);
		jest.restoreAllMocks();
		expect(output[0].length).toBeGreaterThan(3);
		expect(output[0].length).toBe(posts().length);
		expect(output[0].length + output[1].length).toBe(40);
	});

	it('does not wait for a rate limit that outlasts it, and names the timeout', async () => {
		service.fail({ status: 429, headers: { 'retry-after': '57' }, body: { error: 'Slow down' } });
		const parameters = { operation: 'scrape', url };
		const began = Date.now();
		const { error } = await run(scrape, parameters, { items: numbered(1), ...soon(9_000) });
		expect(Date.now() - began).toBeLessThan(2_000);
		expect(error?.description).toContain('“Timeout After”');
	});
});

it('items that share a batch end as it does, also those that n8n gets to when it has ended', async () => {
	const { error } = await (async () => {
		service.fail({ method: 'POST', status: 504, body: { error: 'Late' } });
		// Time flies, so that n8n gets a break before each item.
		const began = performance.now();
		let reads = 0;
		jest.spyOn(performance, 'now').mockImplementation(() => began + 20 * reads++);
		return await run(
			scrape,
			{ operation: 'batchStartAndWait', urls: url },
			{ items: numbered(300) },
		);
	})().finally(() => jest.restoreAllMocks());
	expect(error?.description).toContain('and 300 may have been billed.');
});

describe('an execution that is stopped while the start of a job is on its way', () => {
	/** Stops a run once the service has the request; returns the warnings in n8n's log by the time `isSaid` is met. */
	const stopped = async (
		node: INodeType,
		parameters: INodeParameters,
		isSaid: (text: string) => boolean,
	): Promise<string> => {
		const warned: string[] = [];
		const warn = jest.spyOn(Container.get(Logger), 'warn');
		warn.mockImplementation((text) => void warned.push(text));
		const stop = new AbortController();
		const running = run(node, parameters, { items: numbered(1), signal: stop.signal });
		await until('the request', () => posts().length > 0, 60_000, 10);
		stop.abort();
		expect((await running).status).toBe('canceled');
		await until('the warning', () => isSaid(warned.join()), 30_000, 50).finally(() =>
			warn.mockRestore(),
		);
		return warned.join();
	};
	const [first] = JOBS;
	const start = ['Start', agent, { ...first[2], operation: 'start' }] as typeof first;

	it.each([...JOBS, start])(
		'%s: names in n8n’s log the job that it started',
		async (_name, node, parameters) => {
			service.fail({ method: 'POST', delayMs: 300 });
			const said = await stopped(node, parameters, (text) => text.includes('“Get '));
			const [id] = /[\da-f]{8}-[\da-f-]{27}/.exec(said)!;
			const found = await fetch(`${service.url}${posts()[0].path}/${id}`, {
				headers: { authorization: `Bearer ${service.apiKey}` },
			});
			expect(found.status).toBe(200);
		},
	);

	it.each([first, start])(
		'%s: says how to find the job where the response is lost, or names it in an error',
		async (_name, node, parameters) => {
			service.fail({ method: 'POST', delayMs: 300, status: 500, body: { error: 'Odd' }, times: 1 });
			const lost = await stopped(node, parameters, (text) =>
				text.includes('may have been started'),
			);
			expect(lost).toContain('List Recent Activity');
			service.requests.length = 0;
			const body = { error: 'Odd', id: 'job-of-an-error' };
			service.fail({ method: 'POST', delayMs: 300, status: 500, body });
			await stopped(node, parameters, (text) => text.includes('job-of-an-error'));
		},
	);
});
