/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import { callService } from '../../../nodes/shared/client/call';
import type { CallSettings, ServiceCall } from '../../../nodes/shared/client/types';
import type { ServiceError } from '../../../nodes/shared/client/errors/serviceError';
import type { Verdict } from '../../../nodes/shared/limiter/types';
import { type Script, ScriptedTask } from '../../support/task';

const GET: ServiceCall = { method: 'GET', path: '/v2/crawl/active' };
const POST: ServiceCall = { method: 'POST', path: '/v2/search', body: { query: 'x' } };

let start: number;

beforeEach(() => {
	// Reading a response's body needs the real versions of these.
	jest.useFakeTimers({
		now: 1_700_000_000_000,
		doNotFake: ['nextTick', 'setImmediate', 'performance'],
	});
	// The code under test must follow the fake clock.
	jest.spyOn(performance, 'now').mockImplementation(() => Date.now());
	// A deadline that ends after its test, by the real clock, would fail another test.
	jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
	// The longest wait if the service names none.
	jest.spyOn(Math, 'random').mockReturnValue(1);
	start = Date.now();
});

afterEach(() => {
	jest.useRealTimers();
	jest.restoreAllMocks();
});

async function after(ms: number): Promise<void> {
	await settled();
	for (const end = Date.now() + ms; Date.now() < end;) {
		await jest.advanceTimersByTimeAsync(Math.min(50, end - Date.now()));
		await settled();
	}
}

/** Waits until bodies are read, which takes a few turns of the event loop. */
async function settled(): Promise<void> {
	for (let turns = 0; turns < 5; turns++) await new Promise((done) => setImmediate(done));
}

/** Calls a service that takes 100 ms for each response; what comes of it is in `ended`. */
function calling(responses: Script[], call: ServiceCall, settings: CallSettings = {}) {
	const ended: unknown[] = [];
	const task = new ScriptedTask(responses.map((response) => ({ ms: 100, ...response })));
	const { run, account, context } = task;
	const again = () =>
		void callService({ run, account, context }, call, settings).then(
			({ status }) => ended.push({ status }),
			(error: ServiceError) => ended.push(error),
		);
	again();
	const times = () => task.requests.map(({ at }) => at - start);
	return { task, ended, again, times };
}

const always = (response: Script) => Array<Script>(20).fill(response);

describe('a rate limit', () => {
	it('shows in the log, also where it was the 429 of another', async () => {
		const { task, again } = calling([{ statusCode: 429, retryAfter: '2' }], POST);
		await after(500);
		again();
		again();
		await after(10_000);
		expect(task.debugged.sort()).toEqual([
			'POST search waited 2 s for its turn',
			'POST search waited 2 s for its turn',
			'POST search waited 2 s for the rate limit',
		]);
		task.debugged.length = 0;
		again();
		await after(1_000);
		expect(task.debugged).toEqual([]);
	});

	it.each([
		['five minutes in all', undefined, '120', [0, 120_100, 240_200]],
		['Rate Limit Wait in all', 5_000, '2', [0, 2_100, 4_200]],
		['Rate Limit Wait of nothing', 0, '0.5', [0]],
	])('is waited for no longer than %s', async (_name, maxWaitMs, retryAfter, times) => {
		const limited = always({ statusCode: 429, retryAfter });
		const { ended, ...made } = calling(limited, POST, { maxWaitMs });
		await after(400_000);
		expect(made.times()).toEqual(times);
		const waited = (times.length - 1) * Number(retryAfter);
		const said = waited > 0 ? `${waited} s` : '';
		expect(ended).toMatchObject([{ status: 429, description: expect.stringContaining(said) }]);
	});

	it('may last as long as Rate Limit Wait, also where it is told as a date', async () => {
		const retryAfter = new Date(start + 2_000).toUTCString();
		const { ended } = calling([{ statusCode: 429, retryAfter }], POST, { maxWaitMs: 2_000 });
		await after(10_000);
		expect(ended).toEqual([{ status: 200 }]);
	});
});

describe('a retry where a minute has passed', () => {
	const QUEUED = { statusCode: 408, code: 'CONCURRENCY_QUEUE_TIMEOUT', ms: 60_000 };
	const FAILED = { statusCode: 500, ms: 60_000 };

	it.each<[string, Script, CallSettings, number[]]>([
		['in the service’s queue comes within Rate Limit Wait', QUEUED, {}, [0, 61, 123, 187, 255]],
		['in the queue comes no later', QUEUED, { maxWaitMs: 60_000 }, [0, 61]],
		['in the queue is left to the next poll', QUEUED, { isPoll: true }, [0]],
		['otherwise comes as well', FAILED, { maxWaitMs: 5_000 }, [0, 60.5, 121.5, 183.5, 247.5]],
		['otherwise comes in a poll, too', FAILED, { isPoll: true }, [0, 60.5, 121.5, 183.5, 247.5]],
	])('%s', async (_what, response, settings, seconds) => {
		const { ended, times } = calling(always(response), GET, settings);
		await after(320_000);
		expect(times()).toEqual(seconds.map((at) => at * 1_000));
		expect(ended).toHaveLength(1);
	});
});

describe('a permit', () => {
	const accepted: Verdict = { kind: 'accepted' };
	const full = { statusCode: 408, code: 'CONCURRENCY_QUEUE_TIMEOUT' };

	it.each<[string, Script, Verdict]>([
		['a good response', {}, accepted],
		['a rejection that is no overload', { statusCode: 400 }, accepted],
		['a response that can’t be read', { statusCode: 204 }, accepted],
		['an error of the page', { statusCode: 500, code: 'SCRAPE_SITE_ERROR' }, accepted],
		['an error of a proxy', { statusCode: 502 }, accepted],
		['an error page of a proxy', { statusCode: 500, html: '<p>Oops' }, accepted],
		['a time-out at the service', { statusCode: 408 }, accepted],
		['an error of the service', { statusCode: 500 }, accepted],
		['a broken connection', { fails: 'ECONNRESET' }, { kind: 'failed' }],
		['no connection', { fails: 'ECONNREFUSED' }, { kind: 'overloaded' }],
		['no response in time', { fails: 'TIMEOUT' }, { kind: 'failed' }],
		['a 503', { statusCode: 503 }, { kind: 'overloaded' }],
		['a full queue', full, { kind: 'overloaded' }],
		['a 429', { statusCode: 429 }, { kind: 'limited' }],
	])('is given back with what came of the call: %s', async (_name, response, verdict) => {
		const { task } = calling(always(response), POST, { maxWaitMs: 0 });
		const release = jest.spyOn(task.account.limiter, 'release');
		await after(200);
		expect(release.mock.calls[0][1]).toMatchObject(verdict);
	});
});

it.each<[ServiceCall, string]>([
	[{ method: 'POST', path: '/v2/search' }, 'POST search'],
	[{ method: 'GET', path: '/v2/crawl/active' }, 'GET crawl'],
	[{ method: 'GET', path: '/v1/crawl/a-b?skip=10' }, 'GET crawl'],
	[{ method: 'DELETE', path: '/v2/agent/a' }, 'DELETE agent'],
	[{ method: 'GET', path: '/v2/team?x=1' }, 'GET team'],
	[{ method: 'POST', path: '/v2/scrape/a/interact' }, 'POST interact'],
])('the service counts %j with all %s', async (call, group) => {
	const { task, again } = calling([], call);
	const acquire = jest.spyOn(task.account.limiter, 'acquire');
	again();
	await after(200);
	expect(acquire.mock.calls[0][0].group).toBe(group);
});
