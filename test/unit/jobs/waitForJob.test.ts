import type { IDataObject, NodeApiError } from 'n8n-workflow';

import type { Done } from '../../../nodes/shared/run/nodeRun';
import { crawlJob } from '../../../nodes/shared/jobs/crawlJob';
import type { Job } from '../../../nodes/shared/jobs/job';
import { pagesOf } from '../../../nodes/shared/jobs/jobPages';
import { startAndWaitFor, waitForEnd } from '../../../nodes/shared/jobs/waitForJob';
import { freshLimiters } from '../../support/limiters';
import { ScriptedTask, untilDone } from '../../support/task';

const JOB: Job = { what: 'agent task', paths: ['/v2/agent/'], getBy: 'Get', mayEndAtOnce: true };
const START = { success: true, id: 'job-1', invalidURLs: ['x'] };
const COMPLETED = { status: 'completed', data: { a: 1 } };
const RUNNING = { success: true, status: 'processing', completed: 1, total: 4 };

beforeEach(() => {
	jest.useFakeTimers({ now: 0, doNotFake: ['nextTick', 'setImmediate', 'performance'] });
	jest.spyOn(performance, 'now').mockImplementation(() => Date.now());
	freshLimiters();
});

afterEach(() => {
	jest.useRealTimers();
	jest.restoreAllMocks();
});

/** Returns the result of startAndWaitFor for these responses, and its task. */
async function waited(responses: IDataObject[], values: IDataObject = {}) {
	const task = new ScriptedTask(responses, { values });
	const result = await untilDone(startAndWaitFor(JOB)!(task, undefined));
	// On a busy machine, a poll that is still on its way would go on beside the next test.
	task.controller.abort();
	const { items, credits } = result as Done;
	return { task, items, credits, error: result as NodeApiError };
}

describe('waiting for a job', () => {
	const noneListed = { errors: [], robotsBlocked: [] };

	it.each<[IDataObject, number]>([
		[{ completed: 0, total: 0 }, 60],
		[{ completed: 3, total: 4 }, 60],
		[{ completed: 4, total: 4 }, 0],
		[{}, 0],
	])('believes an end with %j after %i seconds, if its counts stand still', async (counts, s) => {
		const end = { status: 'completed', ...counts };
		const { task, items } = await waited([
			START,
			...Array<IDataObject[]>(20).fill([end, noneListed]).flat(),
		]);
		const last = task.requests.at(-1)!.at / 1_000;
		expect(last).toBeGreaterThanOrEqual(s);
		expect(last).toBeLessThan(s + 20);
		expect(items).toMatchObject([{ json: end }]);
	});

	const pagesTo = (count: number) => ({
		...{ status: 'completed', completed: count, total: count },
		data: Array.from({ length: count }, (_, n) => ({
			markdown: 'x',
			metadata: { sourceURL: `https://a.example/${n}` },
		})),
	});

	it.each<[string, number[], number]>([
		['goes on', [2, 3, 5, 8, 8, 8], 8],
		['goes on once', [2, 3, 3, 3], 3],
		['seems to go back', [2, 3, 2, 3], 3],
		['stands still', [2, 2], 2],
	])('reads the pages of a job that has ended and %s: %j', async (_how, counts, count) => {
		const task = new ScriptedTask(counts.map(pagesTo), {
			values: { ifRunning: 'wait' },
			call: { method: 'GET', path: '/v2/crawl/job-1' },
		});
		const read = async () => {
			const end = await waitForEnd({ task, job: crawlJob, id: 'job-1' });
			return await pagesOf({ task, job: crawlJob, id: 'job-1' }, { end });
		};
		const { items } = (await untilDone(read())) as Done;
		expect(items).toHaveLength(count);
		expect(task.requests).toHaveLength(counts.length);
	});

	it('believes an end at once where the URLs without a page are listed', async () => {
		const end = { status: 'completed', completed: 3, total: 5 };
		const errors = [{ url: 'https://a.example/1', error: 'Gone' }];
		const listed = { errors, robotsBlocked: ['https://a.example/2'] };
		const { task, items } = await waited([START, end, listed]);
		expect(items).toMatchObject([{ json: end }]);
		expect(task.requests.map(({ path }) => path)).toEqual([
			...['/v2/agent', '/v2/agent/job-1', '/v2/agent/job-1/errors'],
		]);
	});

	it.each([401, 402, 403])(
		'says after a %i that the job goes on, and how to get it',
		async (code) => {
			const { error } = await waited([START, RUNNING, { statusCode: code, error: 'No' }]);
			expect(error.description).toContain(
				'Job job-1 continues at the service: once that is solved, use "Get" with this ID, at no cost.',
			);
			expect(error.description).not.toMatch(/smaller|billed/);
		},
	);

	it.each([
		['GET', 404, / Job: job-1\.$/],
		['GET', 410, / Job: job-1\.$/],
		['POST', 410, / Job job-1 continues at the service: /],
	] as const)('says whether a job goes on: %s, then %i', async (method, statusCode, said) => {
		const gone = Array<IDataObject>(2).fill({ statusCode, error: 'Job expired' });
		const task = new ScriptedTask(gone, { call: { method, path: '/v2/crawl/job-1' } });
		const waiting = waitForEnd({ task, job: crawlJob, id: 'job-1' });
		expect(((await untilDone(waiting)) as NodeApiError).description).toMatch(said);
	});

	it('takes a result under a word that nobody has heard of, once its counts stand still', async () => {
		const closed = { status: 'closed', completed: 1, total: 1, data: { found: 'x' } };
		const { items } = await waited([START, ...Array<IDataObject>(20).fill(closed)]);
		expect(items).toMatchObject([{ json: closed }]);
		const failed = { ...closed, error: 'No' };
		const { error } = await waited([START, ...Array<IDataObject>(20).fill(failed)]);
		expect(error?.message).toMatch(/ ended as “closed”: No$/);
	});

	it('polls in growing intervals of 2 to 15 seconds', async () => {
		const { task } = await waited([START, ...Array<IDataObject>(10).fill(RUNNING), COMPLETED]);
		const [started, ...polls] = task.requests.map(({ at }) => at);
		expect(polls[0] - started).toBeLessThan(100);
		const gaps = polls.slice(1).map((at, index) => at - polls[index]);
		expect(gaps).toEqual(
			[2_000, 3_000, 4_500, 6_750, 10_125, 15_000, 15_000, 15_000, 15_000, 15_000].map(
				(ms) => expect.closeTo(ms, -1.3) as number,
			),
		);
	});

	it('says in the log which job it waits for, and how far that is', async () => {
		const { task } = await waited([START, RUNNING, COMPLETED]);
		expect(task.logged).toEqual([
			// As soon as it is started: if n8n is killed, nothing else names the job.
			['Started agent task job-1', undefined],
			['Waiting for agent task job-1', { status: 'processing', completed: 1, total: 4 }],
		]);
	});

	it.each<[string, IDataObject, string]>([
		['failed', { error: 'no luck' }, 'The agent task failed: no luck'],
		['failed', { error: 'connect ECONNREFUSED' }, 'The agent task failed: connect ECONNREFUSED'],
		['failed', {}, 'The agent task failed'],
		['timed_out', {}, 'The agent task failed: timed_out'],
		['cancelled', {}, 'The agent task was cancelled'],
		['failed', { error: { message: 'no' } }, 'The agent task failed: {"message":"no"}'],
		['failed', { stopReason: 'max_steps' }, 'The agent task failed (max_steps)'],
		['failed', { error: 'no', stopReason: 'x' }, 'The agent task failed: no (x)'],
	])('fails with the job ID when it %s %j', async (status, more, message) => {
		const { error } = await waited([START, ...Array(5).fill({ status, ...more })]);
		expect(error.message).toBe(message);
		expect(error.description).toBe(
			'Its job ID is job-1. Starting it again costs credits again, so check the input first.',
		);
		expect(error.context).toMatchObject({
			itemIndex: 2,
			service: { jobId: 'job-1', data: { status, ...more } },
		});
	});

	it('does not say that another start costs again where this one cost nothing', async () => {
		const { error } = await waited([START, { status: 'failed', error: 'Blocked', creditsUsed: 0 }]);
		expect(error.description).toBe(
			'Its job ID is job-1. Before starting it again, check the input.',
		);
	});

	it.each([
		[1, 'minute', { maxWaitMinutes: 1 }],
		[30, 'minutes', {}],
	])('ends after %i %s, with a last poll just then', async (minutes, unit, values) => {
		const { error, task } = await waited([START, ...Array<IDataObject>(199).fill(RUNNING)], values);
		expect(error.message).toBe(`The agent task did not end within ${minutes} ${unit}`);
		expect(error.description).toBe(
			'It continues at the service (status: processing). Its job ID is job-1: use "Get" with it later, as starting it again costs credits again. To wait longer, raise "Max Wait for Result (Minutes)".',
		);
		expect(error.context).toMatchObject({ itemIndex: 2, service: { jobId: 'job-1' } });
		expect(Math.abs(task.requests.at(-1)!.at - minutes * 60_000)).toBeLessThan(500);
	});

	it.each([
		[28_000, 45_000],
		[9_000, 20_000],
	])(
		"ends before the workflow's timeout and two more tries, with a last poll after %i of %i ms",
		async (ms, timesOutAt) => {
			const task = new ScriptedTask([START, ...Array<IDataObject>(199).fill(RUNNING)], {
				values: { maxWaitMinutes: 1 },
				timesOutAt,
			});
			const error = await untilDone(startAndWaitFor(JOB)!(task, undefined) as Promise<unknown>);
			expect(error).toMatchObject({
				message: `The agent task did not end before the workflow's timeout`,
				description: `It continues at the service (status: processing). Its job ID is job-1: use "Get" with it later, as starting it again costs credits again. To wait longer, raise "Timeout After" in the workflow's settings.`,
				context: { service: { jobId: 'job-1' } },
			});
			expect(Math.abs(task.requests.at(-1)!.at - ms)).toBeLessThan(500);
		},
	);

	/** Returns the responses of a poll that fails, with its retries. */
	const failing = (statusCode: number) => Array<IDataObject>(5).fill({ statusCode });

	it.each([500, 503, 408])(
		'goes on when a poll fails with %i, and says so in the log',
		async (code) => {
			const { items, task } = await waited([START, RUNNING, ...failing(code), COMPLETED]);
			expect(items[0].json.status).toBe('completed');
			expect(task.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
			expect(task.logged[2]).toEqual([
				expect.stringMatching(/^Waiting for agent task job-1\. The last poll failed: The \w+ \w+ /),
				{ status: 'processing', completed: 1, total: 4 },
			]);
		},
	);

	it('goes on when polls meet the rate limit', async () => {
		const limited = Array<IDataObject>(3).fill({ statusCode: 429, error: 'retry after 400s' });
		const { items } = await waited([START, ...limited, COMPLETED]);
		expect(items[0].json.status).toBe('completed');
	});

	it.each<[string, IDataObject[], string]>([
		[
			'gave no status',
			Array(20).fill(failing(502)).flat(),
			'It may continue at the service, which gave no status. Its job ID is job-1: use "Get" with it later, as starting it again costs credits again. To wait longer, raise "Max Wait for Result (Minutes)". The last poll failed: The service failed while processing the request.',
		],
		[
			'sends a web page each time',
			Array<IDataObject>(99).fill({ html: '<html>Maintenance</html>' }),
			'The last poll failed: The service sent a web page',
		],
		[
			'calls it completed too early',
			Array.from({ length: 20 }, (_, n) => [
				{ status: 'completed', completed: n, total: 200 },
				noneListed,
			]).flat(),
			"It seems to continue at the service: its status is completed, but its counts don't add up (8 of 200). Its job ID is job-1",
		],
	])('says what is known at last where the service %s', async (_what, polls, description) => {
		const { error } = await waited([START, ...polls], { maxWaitMinutes: 1 });
		expect(error.message).toBe('The agent task did not end within 1 minute');
		expect(error.description).toContain(description);
	});

	it('waits for a job that it has just started and that the service does not know yet', async () => {
		await jest.advanceTimersByTimeAsync(60_000);
		const unknown = { statusCode: 404, error: 'Job not found' };
		const { items } = await waited([START, ...Array<IDataObject>(5).fill(unknown), COMPLETED]);
		expect(items[0].json.status).toBe('completed');
	});

	const LOST: IDataObject[] = [
		{ statusCode: 404, error: 'Job not found' },
		{ statusCode: 404, html: 'Cannot GET /v2/agent/job-1' },
		{ statusCode: 500, error: 'Cannot read properties of undefined' },
		{ success: false, error: 'Job not found or expired' },
	];

	it.each([...LOST.map((one) => [one]), LOST])(
		'gives a job up as lost after two minutes of nothing but %j',
		async (...odd) => {
			const twice = Array(99).fill(odd).flat() as IDataObject[];
			for (const before of [[START], [START, RUNNING]]) {
				const { error, task } = await waited([...before, ...twice]);
				expect(error.message).toBe('The service may have lost the agent task');
				expect(error.description).toContain('job ID job-1');
				const took = task.requests.at(-1)!.at - task.requests[0].at;
				expect(took).toBeGreaterThan(115_000);
				expect(took).toBeLessThan(200_000);
			}
			const some = twice.slice(0, 2);
			const { items } = await waited([START, RUNNING, ...some, RUNNING, ...some, COMPLETED]);
			expect(items[0].json.status).toBe('completed');
		},
	);

	it('does not wait for a rate limit that lasts longer than is left', async () => {
		const limited = Array<IDataObject>(99).fill({ statusCode: 429, error: 'retry after 200s' });
		const { error } = await waited([START, ...limited], { maxWaitMinutes: 1 });
		expect(error.message).toMatch(/^The agent task did not end within/);
		expect(error.description).toMatch(/The last poll failed: The rate limit .*\.$/);
		expect(Date.now()).toBeLessThan(75_000);
	});
});
