/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import { Readable } from 'node:stream';
import type { IDataObject, IHttpRequestOptions, INode, NodeApiError } from 'n8n-workflow';

import { nodeErrorOf } from '../../../nodes/shared/client/errors/nodeErrors';
import {
	type Account,
	type CallSettings,
	type Caller,
	type ServiceCall,
	callService,
} from '../../../nodes/shared/client';
import { AccountLimiter } from '../../../nodes/shared/limiter/accountLimiter';
import type { Verdict } from '../../../nodes/shared/limiter/types';
import { redactor } from '../../../nodes/shared/client/redact';

const NODE = { name: 'Search', type: 'webDataSearch', parameters: {} } as unknown as INode;
const GET: ServiceCall = { method: 'GET', path: '/v2/crawl/active' };
const POST: ServiceCall = { method: 'POST', path: '/v2/search', body: { query: 'x' } };
const BASE_URL = 'https://api.example.com';

/** A response, or the code of a connection error. */
interface Script {
	status?: number;
	retryAfter?: string;
	code?: string;
	/** The service's reason for a rejection. */
	reason?: string;
	/** Whether it is a web page. */
	isPage?: boolean;
	/** How long it takes, in ms. */
	ms?: number;
}

/** A request as it was sent. */
interface Sent {
	/** In ms since the test began. */
	at: number;
	item: number;
	options: IHttpRequestOptions;
	key: unknown;
}

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

/** A node's execution against a service that responds as scripted. */
class Execution {
	readonly controller = new AbortController();

	readonly sent: Sent[] = [];

	/** n8n's log at a level that its administrator may have set. */
	readonly logged: string[] = [];

	readonly credential = { baseUrl: BASE_URL, apiKey: 'key-0123456789' };

	/** The result of each item: a response's status or an error. */
	readonly ended: Array<{ item: number; at: number; status?: number; error?: NodeApiError }> = [];

	constructor(private readonly script: (item: number, before: number) => Script) {}

	private readonly account: Account = {
		credential: this.credential,
		root: BASE_URL,
		redact: redactor(this.credential.apiKey),
		limiter: new AccountLimiter(),
		lacks: new Set(),
	};

	get limiter(): AccountLimiter {
		return this.account.limiter;
	}

	readonly stop = new AbortController();

	private readonly run = {
		cancelled: this.controller.signal,
		stopped: AbortSignal.any([this.controller.signal, this.stop.signal]),
	};

	/** Returns the caller for an item of the one node run. */
	caller(item: number): Caller {
		const context = {
			logger: { debug: (text: string) => this.logged.push(text) },
			helpers: {
				httpRequestWithAuthentication: async (
					_type: string,
					options: IHttpRequestOptions,
					more: { credentialsDecrypted: { data: IDataObject } },
				) => await this.respond(item, options, more.credentialsDecrypted.data.apiKey),
			},
		} as unknown as Caller['context'];
		return { run: this.run, account: this.account, context };
	}

	private async respond(item: number, options: IHttpRequestOptions, key: unknown) {
		const before = this.sent.filter((other) => other.item === item).length;
		this.sent.push({ at: Date.now() - start, item, options, key });
		const { status = 200, retryAfter, code, reason, isPage, ms = 100 } = this.script(item, before);
		await new Promise<void>((resolve, reject) => {
			setTimeout(resolve, ms);
			options.abortSignal?.addEventListener?.('abort', () => reject(new Error('aborted')));
		});
		if (code !== undefined) throw Object.assign(new Error(`connect ${code}`), { code });
		const body = JSON.stringify({ success: status < 300, error: 'Because', code: reason });
		return {
			statusCode: status,
			headers: { 'content-type': 'application/json', 'retry-after': retryAfter },
			body: Readable.from([Buffer.from(isPage ? '<p>Oops' : body)]),
		};
	}

	/** Calls the service for an item. */
	async call(call: ServiceCall, settings: CallSettings = {}, item = 0) {
		const end: Execution['ended'][number] = { item, at: 0 };
		try {
			end.status = (await callService(this.caller(item), call, settings)).status;
		} catch (error) {
			end.error = nodeErrorOf(error, { node: NODE, itemIndex: item }) as NodeApiError;
		}
		end.at = Date.now() - start;
		this.ended.push(end);
	}

	/** Calls the service for several items at once. */
	callAll(count: number, call: ServiceCall, settings: CallSettings = {}): void {
		for (let item = 0; item < count; item++) void this.call(call, settings, item);
	}

	/** Returns when requests were sent, in ms since the test began. */
	times(item?: number): number[] {
		return this.sent.filter((sent) => sent.item === (item ?? sent.item)).map(({ at }) => at);
	}
}

describe('a rate limit', () => {
	it('shows in the log, also where it was the 429 of another', async () => {
		const execution = new Execution((item, before) =>
			item === 0 && before === 0 ? { status: 429, retryAfter: '2' } : {},
		);
		void execution.call(POST);
		await after(500);
		execution.callAll(2, POST);
		await after(10_000);
		expect(execution.logged.sort()).toEqual([
			'POST search waited 2 s for its turn',
			'POST search waited 2 s for its turn',
			'POST search waited 2 s for the rate limit',
		]);
		execution.logged.length = 0;
		void execution.call(POST);
		await after(1_000);
		expect(execution.logged).toEqual([]);
	});

	it.each([
		['five minutes in all', undefined, '120', [0, 120_100, 240_200]],
		['Rate Limit Wait in all', 5_000, '2', [0, 2_100, 4_200]],
		['Rate Limit Wait of nothing', 0, '0.5', [0]],
	])('is waited for no longer than %s', async (_name, maxWaitMs, retryAfter, times) => {
		const execution = new Execution(() => ({ status: 429, retryAfter }));
		void execution.call(POST, { maxWaitMs });
		await after(400_000);
		expect(execution.times()).toEqual(times);
		const waited = (times.length - 1) * Number(retryAfter);
		expect(execution.ended).toMatchObject([{ error: { httpCode: '429' } }]);
		if (waited > 0) expect(execution.ended[0].error?.description).toContain(`${waited} s`);
	});

	it('may last as long as Rate Limit Wait, also where it is told as a date', async () => {
		const execution = new Execution((_item, before) =>
			before === 0 ? { status: 429, retryAfter: new Date(Date.now() + 2_000).toUTCString() } : {},
		);
		void execution.call(POST, { maxWaitMs: 2_000 });
		await after(10_000);
		expect(execution.ended).toMatchObject([{ status: 200 }]);
	});
});

describe('a retry', () => {
	describe('where a minute has passed', () => {
		const QUEUED = { status: 408, reason: 'CONCURRENCY_QUEUE_TIMEOUT', ms: 60_000 };
		const FAILED = { status: 500, ms: 60_000 };

		it.each<[string, Script, CallSettings, number[]]>([
			['in the service’s queue comes within Rate Limit Wait', QUEUED, {}, [0, 61, 123, 187, 255]],
			['in the queue comes no later', QUEUED, { maxWaitMs: 60_000 }, [0, 61]],
			['in the queue is left to the next poll', QUEUED, { isPoll: true }, [0]],
			['otherwise comes as well', FAILED, { maxWaitMs: 5_000 }, [0, 60.5, 121.5, 183.5, 247.5]],
			['otherwise comes in a poll, too', FAILED, { isPoll: true }, [0, 60.5, 121.5, 183.5, 247.5]],
		])('%s', async (_what, response, settings, seconds) => {
			const execution = new Execution(() => response);
			void execution.call(GET, settings);
			await after(320_000);
			expect(execution.times()).toEqual(seconds.map((at) => at * 1_000));
			expect(execution.ended).toHaveLength(1);
		});
	});
});

describe('a permit', () => {
	const accepted: Verdict = { kind: 'accepted' };

	it.each<[string, Script, Verdict]>([
		['a good response', {}, accepted],
		['a rejection that is no overload', { status: 400 }, accepted],
		['a response that can’t be read', { status: 204 }, accepted],
		['an error of the page', { status: 500, reason: 'SCRAPE_SITE_ERROR' }, accepted],
		['an error of a proxy', { status: 502 }, accepted],
		['an error page of a proxy', { status: 500, isPage: true }, accepted],
		['a time-out at the service', { status: 408 }, accepted],
		['an error of the service', { status: 500 }, accepted],
		['a broken connection', { code: 'ECONNRESET' }, { kind: 'failed' }],
		['no connection', { code: 'ECONNREFUSED' }, { kind: 'overloaded' }],
		['no response in time', { code: 'TIMEOUT' }, { kind: 'failed' }],
		['a 503', { status: 503 }, { kind: 'overloaded' }],
		['a full queue', { status: 408, reason: 'CONCURRENCY_QUEUE_TIMEOUT' }, { kind: 'overloaded' }],
		['a 429', { status: 429 }, { kind: 'limited' }],
	])('is given back with what came of the call: %s', async (_name, script, verdict) => {
		const execution = new Execution(() => script);
		const verdicts: Verdict[] = [];
		const { limiter } = execution;
		const release = limiter.release.bind(limiter);
		limiter.release = (permit, verdict) => {
			verdicts.push(verdict);
			release(permit, verdict);
		};
		void execution.call(POST, { maxWaitMs: 0 });
		await after(200);
		expect(verdicts[0]).toMatchObject(verdict);
	});
});

describe('calls that the service counts together', () => {
	it.each<[ServiceCall, string]>([
		[{ method: 'POST', path: '/v2/search' }, 'POST search'],
		[{ method: 'GET', path: '/v2/crawl/active' }, 'GET crawl'],
		[{ method: 'GET', path: '/v1/crawl/a-b?skip=10' }, 'GET crawl'],
		[{ method: 'DELETE', path: '/v2/agent/a' }, 'DELETE agent'],
		[{ method: 'GET', path: '/v2/team?x=1' }, 'GET team'],
		[{ method: 'POST', path: '/v2/scrape/a/interact' }, 'POST interact'],
	])('%j', async (call, group) => {
		const execution = new Execution(() => ({}));
		const { limiter } = execution;
		const acquire = jest.spyOn(limiter, 'acquire');
		void execution.call(call);
		await after(200);
		expect(acquire.mock.calls[0][0].group).toBe(group);
	});
});
