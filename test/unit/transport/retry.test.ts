import type { Outcome, ResponseProblem } from '../../../nodes/shared/transport/outcome';
import {
	nextDelay,
	retryAfterMs,
	troubleOf,
	type Trouble,
} from '../../../nodes/shared/transport/retry';

const rejected = (status: number, retryAfter?: number): Outcome => ({
	kind: 'rejected',
	status,
	excerpt: '',
	retryAfterMs: retryAfter,
});
const noResponse = (code: string): Outcome => ({ kind: 'noResponse', code, reason: '' });
const unreadable = (problem: ResponseProblem): Outcome => ({
	kind: 'unreadable',
	status: 200,
	problem,
	contentType: '',
	excerpt: '',
});
const fresh = () => ({ repeats: {}, waitedMs: 0 });
const MAX = 300_000;

describe('what is repeated', () => {
	it.each([
		['429', rejected(429), true, true],
		['refused connection', noResponse('ECONNREFUSED'), true, true],
		['unknown host', noResponse('ENOTFOUND'), true, true],
		['DNS in trouble', noResponse('EAI_AGAIN'), true, true],
		['408', rejected(408), true, false],
		['500', rejected(500), true, false],
		['502', rejected(502), true, false],
		['503', rejected(503), true, false],
		['503 with Retry-After', rejected(503, 1_000), true, false],
		['reset', noResponse('ECONNRESET'), true, false],
		['timeout', noResponse('TIMEOUT'), true, false],
		['broken pipe', noResponse('EPIPE'), true, false],
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
	])('%s', (_name, outcome, get, post) => {
		expect(nextDelay(outcome, 'GET', fresh(), MAX) !== undefined).toBe(get);
		expect(nextDelay(outcome, 'DELETE', fresh(), MAX) !== undefined).toBe(get);
		expect(nextDelay(outcome, 'POST', fresh(), MAX) !== undefined).toBe(post);
	});
});

describe('how long is waited', () => {
	it('obeys Retry-After', () => {
		expect(nextDelay(rejected(429, 7_000), 'POST', fresh(), MAX)).toBe(7_000);
	});

	it('else grows exponentially with full jitter up to the cap', () => {
		const at = (repeats: number, random: number) =>
			nextDelay(
				rejected(429),
				'POST',
				{ repeats: { limited: repeats }, waitedMs: 0 },
				MAX,
				() => random,
			);
		expect([at(0, 1), at(1, 1), at(2, 1), at(3, 0.5), at(20, 1)]).toEqual([
			1_000, 2_000, 4_000, 4_000, 60_000,
		]);
		expect(at(5, 0)).toBe(50);
		expect(nextDelay(rejected(429, 0), 'POST', fresh(), MAX)).toBe(50);
	});

	it('gives up when the waits of a call would pass the maximum', () => {
		const attempts = { repeats: {}, waitedMs: 299_000 };
		expect(nextDelay(rejected(429, 1_000), 'POST', attempts, MAX)).toBe(1_000);
		expect(nextDelay(rejected(429, 1_001), 'POST', attempts, MAX)).toBeUndefined();
		expect(nextDelay(rejected(503, 400_000), 'GET', fresh(), MAX)).toBeUndefined();
	});

	it.each<[Trouble, Outcome, number[]]>([
		['neverSent', noResponse('ECONNREFUSED'), [500, 1_000, 2_000]],
		['overloaded', rejected(503), [1_000, 2_000, 4_000, 8_000]],
		['serverError', rejected(500), [500, 1_000, 2_000, 4_000]],
		['broken', noResponse('ECONNRESET'), [500, 1_000, 2_000, 4_000]],
		['timeout', noResponse('TIMEOUT'), [500]],
	])('repeats %s so often, after at most these waits', (trouble, outcome, waits) => {
		const longest = (repeats: number) =>
			nextDelay(outcome, 'GET', { repeats: { [trouble]: repeats }, waitedMs: 0 }, MAX, () => 1);
		expect(waits.map((_, repeats) => longest(repeats))).toEqual(waits);
		expect(longest(waits.length)).toBeUndefined();
	});

	it('bounds only the waits that the service asks for', () => {
		const attempts = { repeats: {}, waitedMs: MAX };
		expect(nextDelay(rejected(500), 'GET', attempts, MAX)).toBeDefined();
		expect(nextDelay(rejected(500, 1_000), 'GET', attempts, MAX)).toBeUndefined();
		expect(nextDelay(rejected(429), 'GET', attempts, MAX)).toBeUndefined();
	});

	it('gives up after a few repeats of anything but a rate limit', () => {
		const attempts = { repeats: { serverError: 4, limited: 1_000 }, waitedMs: 0 };
		expect(nextDelay(rejected(500), 'GET', attempts, MAX)).toBeUndefined();
		expect(nextDelay(rejected(429), 'GET', attempts, MAX)).toBeDefined();
	});
});

describe('Retry-After', () => {
	const now = Date.parse('2026-01-01T00:00:00Z');
	it.each([
		['3', undefined, 3_000],
		['0', undefined, 0],
		['1.5', undefined, 1_500],
		['Thu, 01 Jan 2026 00:00:09 GMT', undefined, 9_000],
		['Wed, 31 Dec 2025 00:00:00 GMT', undefined, 0],
		// The service's clock is an hour ahead.
		['Thu, 01 Jan 2026 01:00:05 GMT', 'Thu, 01 Jan 2026 01:00:00 GMT', 5_000],
		['Thu, 01 Jan 2026 00:00:09 GMT', 'no date', 9_000],
		['Thu, 01 Jan 2026 00:00:09 GMT', 7, 9_000],
		[' 3 ', undefined, 3_000],
		[3, undefined, 3_000],
		['12', undefined, 12_000],
		['1.25', undefined, 1_250],
		['soon', undefined, undefined],
		['3 seconds', undefined, undefined],
		[{}, undefined, undefined],
		[['3'], undefined, undefined],
		[undefined, undefined, undefined],
		['-5', undefined, 0],
	])('%j, answered at %j', (header, date, expected) => {
		expect(retryAfterMs(header, date, now)).toBe(expected);
	});
});

it('knows no trouble in an answer', () => {
	expect(troubleOf({ kind: 'response', status: 200, body: {} })).toBeUndefined();
});
