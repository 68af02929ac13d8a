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

describe('what is retried', () => {
	it.each([
		['429, which the limiter waits for', rejected(429), false, false],
		['refused connection', noResponse('ECONNREFUSED'), true, true],
		['unknown host', noResponse('ENOTFOUND'), true, true],
		['DNS in trouble', noResponse('EAI_AGAIN'), true, true],
		['proxy that hangs up', noResponse('PROXY_CLOSED'), true, true],
		['408', rejected(408), true, false],
		['500', rejected(500), true, false],
		['502', rejected(502), true, false],
		['503', rejected(503), true, false],
		['503 with Retry-After', rejected(503, 1_000), true, false],
		['501, as the service lacks that part', rejected(501), false, false],
		['a time-out in the queue', pageFailure('CONCURRENCY_QUEUE_TIMEOUT', 408), true, true],
		['its code with a result', pageFailure('CONCURRENCY_QUEUE_TIMEOUT', 200), false, false],
		['its code with a 504', pageFailure('CONCURRENCY_QUEUE_TIMEOUT', 504), true, false],
		['reset', noResponse('ECONNRESET'), true, false],
		['timeout', noResponse('TIMEOUT'), true, false],
		['broken pipe', noResponse('EPIPE'), true, false],
		['broken TLS', noResponse('ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC'), true, false],
		['early end', noResponse('ERR_STREAM_PREMATURE_CLOSE'), true, false],
		['host out of reach', noResponse('EHOSTUNREACH'), true, false],
		['network out of reach', noResponse('ENETUNREACH'), true, false],
		["the system's timeout", noResponse('ETIMEDOUT'), true, false],
		['aborted', noResponse('ECONNABORTED'), true, false],
		['cut body', unreadable('cut'), true, false],
		['cut JSON', unreadable('notJson'), true, false],
		['web page', unreadable('html'), false, false],
		['nothing', unreadable('empty'), false, false],
		['list', unreadable('notAnObject'), false, false],
		['too much', unreadable('tooLarge'), false, false],
		['400', rejected(400), false, false],
		['401', rejected(401), false, false],
		['402', rejected(402), false, false],
		['404', rejected(404), false, false],
		['success: false', rejected(200), false, false],
		['bad certificate', noResponse('CERT_HAS_EXPIRED'), false, false],
		['missing certificate', noResponse('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'), false, false],
	])('%s', (_name, outcome, get, post) => {
		expect(nextDelay(outcome, 'GET', fresh(), MAX) !== undefined).toBe(get);
		expect(nextDelay(outcome, 'DELETE', fresh(), MAX) !== undefined).toBe(get);
		expect(nextDelay(outcome, 'POST', fresh(), MAX) !== undefined).toBe(post);
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
	it.each([
		['a response', { kind: 'response', status: 200, body: {} } as Outcome, true],
		['a cut response', unreadable('cut'), true],
		['success: false', rejected(200), true],
		['a timeout', noResponse('TIMEOUT'), true],
		['a broken connection', noResponse('ECONNRESET'), true],
		['malformed HTTP', noResponse('HPE_INVALID_CONSTANT'), true],
		['something unknown', noResponse('EWHATEVER'), true],
		['408', rejected(408), true],
		['500', rejected(500), true],
		['503', rejected(503), true],
		['429', rejected(429), false],
		['402', rejected(402), false],
		['101', rejected(101), true],
		['304', rejected(304), true],
		['300', rejected(300), false],
		['301', rejected(301), false],
		['499', rejected(499), false],
		['a refused connection', noResponse('ECONNREFUSED'), false],
		['an unknown host', noResponse('ENOTFOUND'), false],
		['a bad certificate', noResponse('CERT_HAS_EXPIRED'), false],
		['a self-signed certificate', noResponse('DEPTH_ZERO_SELF_SIGNED_CERT'), false],
		['another name', noResponse('ERR_TLS_CERT_ALTNAME_INVALID'), false],
		['an unknown authority', noResponse('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), false],
		['no TLS', noResponse('EPROTO'), false],
		[
			'a missing client certificate',
			noResponse('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'),
			false,
		],
		['broken TLS', noResponse('ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC'), true],
		['no TLS in the response', noResponse('ERR_SSL_WRONG_VERSION_NUMBER'), true],
		['a header that cannot be sent', noResponse('ERR_INVALID_CHAR'), false],
		['an IP address that TLS does not take', noResponse('ERR_INVALID_ARG_VALUE'), false],
		['what n8n did not send', noResponse(''), false],
		['what the credential is not for', noResponse('DOMAIN_NOT_ALLOWED'), false],
		['what n8n is set up not to send', noResponse('ADDRESS_NOT_ALLOWED'), false],
		['a proxy that hung up', noResponse('PROXY_CLOSED'), false],
		['a page whose failure is billed', pageFailure('SCRAPE_LOCKDOWN_CACHE_MISS'), true],
		['a page that instructs AI', pageFailure('SCRAPE_PROMPT_INJECTION_DETECTED', 403), true],
		['a host that older services bill', pageFailure('SCRAPE_DNS_RESOLUTION_ERROR'), true],
		['a page without a cached copy', pageFailure('SCRAPE_NO_CACHED_DATA'), false],
		['a page whose failure is not', pageFailure('SCRAPE_ALL_ENGINES_FAILED', 500), false],
		['one that comes with success: false', pageFailure('SCRAPE_SSL_ERROR', 200), false],
		['a page that timed out', pageFailure('SCRAPE_TIMEOUT', 408), true],
		['a time-out in the queue', pageFailure('CONCURRENCY_QUEUE_TIMEOUT', 408), false],
		['its code with another status', pageFailure('CONCURRENCY_QUEUE_TIMEOUT', 500), true],
		['a page that robots.txt forbids', pageFailure('CRAWL_DENIAL', 500), false],
		['a page of which nobody knows', pageFailure('UNSUPPORTED_SITE', 500), true],
		['501', rejected(501), false],
	])('%s', (_name, outcome, expected) => {
		expect(mayBeBilled(outcome)).toBe(expected);
	});
});

it('knows no failure in a response', () => {
	expect(failureKindOf({ kind: 'response', status: 200, body: {} })).toBeUndefined();
});
