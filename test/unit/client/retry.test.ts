import type { FailureKind } from '../../../nodes/shared/client/errors/connections';
import {
	type Outcome,
	failureKindOf,
	mayBeBilled,
} from '../../../nodes/shared/client/errors/outcome';
import type { ResponseProblem } from '../../../nodes/shared/client/errors/texts';
import { nextRetry } from '../../../nodes/shared/client/retry';

const rejected = (status: number, retryAfter?: number): Outcome => ({
	kind: 'rejected',
	status,
	excerpt: '',
	retryAfterMs: retryAfter,
});
const pageFailure = (code: string, status = 404): Outcome => ({
	kind: 'rejected',
	status,
	body: { code },
	excerpt: '',
});
const noResponse = (code: string): Outcome => ({ kind: 'noResponse', code, reason: '' });
const unreadable = (problem: ResponseProblem): Outcome => ({
	kind: 'unreadable',
	status: 200,
	problem,
	contentType: '',
	excerpt: '',
});
const fresh = (waitedMs = 0) => ({ retries: {}, waitedMs });
const MAX = 300_000;

/** Returns the wait before the next retry, and notes it in `attempts`. */
function nextDelay(...[outcome, method, attempts, ...rest]: Parameters<typeof nextRetry>) {
	const next = nextRetry(outcome, method, attempts, ...rest);
	Object.assign(attempts, next?.attempts);
	return next?.delay;
}

/** Returns the outcome that a text stands for: a status, perhaps with the code of a page; a code; or a problem. */
function outcomeOf(text: string): Outcome {
	const [start, code] = text.split(':');
	if (Number(start) > 0) return code ? pageFailure(code, Number(start)) : rejected(Number(start));
	return /^[A-Z]/.test(text) || text === ''
		? noResponse(text)
		: unreadable(text as ResponseProblem);
}

describe('what is retried', () => {
	it.each<[string, boolean, boolean, string]>([
		// The limiter waits for a 429; who answers 501 lacks that part.
		['nothing', false, false, '429 501 400 401 402 404 200 html empty notAnObject tooLarge'],
		['nothing', false, false, 'CERT_HAS_EXPIRED ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'],
		['nothing', false, false, '200:CONCURRENCY_QUEUE_TIMEOUT'],
		['what is free', true, false, '408 500 502 503 504:CONCURRENCY_QUEUE_TIMEOUT cut notJson'],
		['what is free', true, false, 'ECONNRESET TIMEOUT EPIPE EHOSTUNREACH ENETUNREACH ETIMEDOUT'],
		['what is free', true, false, 'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC ECONNABORTED'],
		['what is free', true, false, 'ERR_STREAM_PREMATURE_CLOSE'],
		['everything', true, true, 'ECONNREFUSED ENOTFOUND EAI_AGAIN PROXY_CLOSED'],
		['everything', true, true, '408:CONCURRENCY_QUEUE_TIMEOUT'],
	])('%s (free: %s, paid: %s): %s', (_what, get, post, outcomes) => {
		for (const outcome of outcomes.split(' ').map(outcomeOf)) {
			expect(nextDelay(outcome, 'GET', fresh(), MAX) !== undefined).toBe(get);
			expect(nextDelay(outcome, 'DELETE', fresh(), MAX) !== undefined).toBe(get);
			expect(nextDelay(outcome, 'POST', fresh(), MAX) !== undefined).toBe(post);
		}
	});
});

describe('how long is waited', () => {
	it('obeys Retry-After', () => {
		expect(nextDelay(rejected(503, 7_000), 'GET', fresh(), MAX)).toBe(7_000);
	});

	it('else grows exponentially with full jitter up to the cap', () => {
		const at = (retries: number, random: number) => {
			const attempts = { retries: { overloaded: retries }, waitedMs: 0 };
			return nextDelay(rejected(503), 'GET', attempts, MAX, () => random);
		};
		expect([at(0, 1), at(1, 1), at(2, 0.5), at(3, 1)]).toEqual([1_000, 2_000, 2_000, 8_000]);
		expect(at(3, 0)).toBe(50);
		const attempts = fresh();
		expect(nextDelay(rejected(503, 0), 'GET', attempts, 0, () => 0.5)).toBe(500);
		expect(attempts.waitedMs).toBe(0);
	});

	it('gives up when what the service asked for would pass the maximum in all', () => {
		expect(nextDelay(rejected(503, 1_000), 'GET', fresh(299_000), MAX)).toBe(1_000);
		expect(nextDelay(rejected(503, 1_001), 'GET', fresh(299_000), MAX)).toBeUndefined();
		const attempts = fresh();
		const waits = Array.from({ length: 3 }, () =>
			nextDelay(rejected(503, 900), 'GET', attempts, 2_000),
		);
		expect(waits).toEqual([900, 900, undefined]);
		expect(attempts).toEqual({ retries: { overloaded: 2 }, waitedMs: 1_800 });
	});

	it.each<[FailureKind, Outcome, number[]]>([
		['neverSent', noResponse('ECONNREFUSED'), [500, 1_000, 2_000]],
		[
			'queued',
			pageFailure('CONCURRENCY_QUEUE_TIMEOUT', 408),
			[1_000, 2_000, 4_000, ...Array<number>(9).fill(8_000)],
		],
		['overloaded', rejected(503), [1_000, 2_000, 4_000, 8_000]],
		['serverError', rejected(500), [500, 1_000, 2_000, 4_000]],
		['broken', noResponse('ECONNRESET'), [500, 1_000, 2_000, 4_000]],
		['timeout', noResponse('TIMEOUT'), [500]],
	])('retries %s so often, after at most these waits', (_kind, outcome, waits) => {
		const attempts = fresh();
		for (const wait of [...waits, undefined]) {
			expect(nextDelay(outcome, 'GET', attempts, MAX, () => 1)).toBe(wait);
		}
		expect(attempts.waitedMs).toBe(0);
	});

	it('bounds only the waits that the service asks for', () => {
		expect(nextDelay(rejected(500), 'GET', fresh(MAX), MAX)).toBeDefined();
		expect(nextDelay(rejected(500, 1_000), 'GET', fresh(MAX), MAX)).toBeUndefined();
	});
});

describe('what may have been billed', () => {
	// For connections and most statuses, see errors/describe.test.ts.
	it.each<[boolean, string]>([
		[true, 'cut 200 101 304 408 500 503 408:SCRAPE_TIMEOUT 500:CONCURRENCY_QUEUE_TIMEOUT'],
		[true, 'TIMEOUT HPE_INVALID_CONSTANT EWHATEVER ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC'],
		[true, '404:SCRAPE_LOCKDOWN_CACHE_MISS 403:SCRAPE_PROMPT_INJECTION_DETECTED'],
		[true, '404:SCRAPE_DNS_RESOLUTION_ERROR 500:UNSUPPORTED_SITE'],
		[false, '429 402 300 301 499 501 408:CONCURRENCY_QUEUE_TIMEOUT 200:SCRAPE_SSL_ERROR'],
		[false, '404:SCRAPE_NO_CACHED_DATA 500:SCRAPE_ALL_ENGINES_FAILED 500:CRAWL_DENIAL'],
		[false, 'ERR_INVALID_ARG_VALUE EPROTO PROXY_CLOSED'],
	])('%s: %s', (expected, outcomes) => {
		for (const outcome of outcomes.split(' '))
			expect(mayBeBilled(outcomeOf(outcome))).toBe(expected);
		// n8n did not send it, and does not say why.
		expect(mayBeBilled(noResponse(''))).toBe(false);
		expect(mayBeBilled({ kind: 'response', status: 200, body: {} })).toBe(true);
	});
});

it('knows no failure in a response', () => {
	expect(failureKindOf({ kind: 'response', status: 200, body: {} })).toBeUndefined();
});
