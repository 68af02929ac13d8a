import type { FailureKind } from './errors/connections';
import { type Outcome, failureKindOf } from './errors/outcome';
import type { ServiceCall } from './types';

interface Rule {
	methods: ReadonlyArray<ServiceCall['method']>;
	/** Maximum number of retries of one call; limits on waiting apply as well. */
	retries: number;
	/** Wait (ms) before the first retry if the service states none; it doubles with each retry, up to `capMs`. */
	baseMs: number;
	capMs: number;
}

const ALL = ['GET', 'POST', 'PATCH', 'DELETE'] as const;
// Methods whose retries cost nothing. A POST may have been processed and billed even if its response never came.
const FREE = ['GET', 'DELETE'] as const;

/**
 * Which failures are retried for which methods. A POST is retried only if it can't have been processed: no connection
 * was made, or the service says that it never began. A 503 isn't enough, even with Retry-After: a proxy may send one
 * after the service behind it accepted the request and died.
 */
export const retryPolicy: Record<FailureKind, Rule> = {
	neverSent: { methods: ALL, retries: 3, baseMs: 500, capMs: 8_000 },
	queued: { methods: ALL, retries: 12, baseMs: 1_000, capMs: 8_000 },
	overloaded: { methods: FREE, retries: 4, baseMs: 1_000, capMs: 16_000 },
	serverError: { methods: FREE, retries: 4, baseMs: 500, capMs: 8_000 },
	broken: { methods: FREE, retries: 4, baseMs: 500, capMs: 8_000 },
	timeout: { methods: FREE, retries: 1, baseMs: 500, capMs: 8_000 },
};

/** Maximum number of attempts at a free call before it is given up for lack of a response. */
export const TIMEOUT_TRIES = 1 + retryPolicy.timeout.retries;

const SHORTEST_WAIT_MS = 50;

/** A call's retries by kind of failure, and the time (ms) it waited because the service asked for it. */
export interface Attempts {
	readonly retries: Partial<Record<FailureKind, number>>;
	readonly waitedMs: number;
}

/** What a call has before its first retry. */
export const NO_RETRY: Attempts = { retries: {}, waitedMs: 0 };

/**
 * Returns how long (ms) to wait before retrying a call, and its attempts then; undefined to give up. Retry-After is
 * obeyed unless it is 0; otherwise the wait grows exponentially with full jitter (`random` from 0 to 1). The waits the
 * service asks for may total `maxWaitMs`.
 */
export function nextRetry(
	outcome: Outcome,
	method: ServiceCall['method'],
	{ retries, waitedMs }: Attempts,
	maxWaitMs: number,
	random: () => number = Math.random,
): { delay: number; attempts: Attempts } | undefined {
	const kind = failureKindOf(outcome);
	if (kind === undefined) return undefined;
	const rule = retryPolicy[kind];
	const count = retries[kind] ?? 0;
	if (!rule.methods.includes(method) || count >= rule.retries) return undefined;
	// Retrying "now" would use up all retries in no time, so a wait of 0 doesn't count.
	const asked = (outcome.kind === 'rejected' && outcome.retryAfterMs) || undefined;
	const backoff = random() * Math.min(rule.capMs, rule.baseMs * 2 ** count);
	const delay = Math.max(SHORTEST_WAIT_MS, Math.round(asked ?? backoff));
	const waited = asked === undefined ? waitedMs : waitedMs + delay;
	if (asked !== undefined && waited > maxWaitMs) return undefined;
	return { delay, attempts: { retries: { ...retries, [kind]: count + 1 }, waitedMs: waited } };
}

// In the simulation behind docs/maintainers/rate-limits.md, these values cost the least. Dates are truncated to whole
// seconds, so they may be up to one second early; a wait given in words is rounded.
const DATE_CUT_MS = 750;
const WORDS_ROUNDED_MS = 500;

/** Maximum time (ms) added to the wait that a service asks for. */
export const LONGEST_ADDED_MS = DATE_CUT_MS;

/**
 * Returns the wait that a 429 or 503 states, in ms: Retry-After in seconds or as a date, or else a wait in the error's
 * text ("please retry after 57s, resets at Thu Jan 01 2026 12:00:57 GMT+0000"). Dates are compared with the response's
 * own Date, since clocks differ. Undefined if no wait is stated, or if it makes no sense.
 */
export function retryAfterMs(
	header: unknown,
	dateHeader: unknown,
	text = '',
	now: number = Date.now(),
): number | undefined {
	const serviceNow = fullDateOf(dateHeader) ?? now;
	const until = (date: number | undefined) =>
		date === undefined ? undefined : Math.max(0, date - serviceNow) + DATE_CUT_MS;
	const reset = RESET.exec(text)?.[1];
	return secondsMs(header) ?? until(fullDateOf(header)) ?? waitIn(text) ?? until(fullDateOf(reset));
}

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];
const UNIT_MS: Record<string, number> = {
	...{ ms: 1, millisecond: 1, s: SECOND, sec: SECOND, second: SECOND },
	...{ m: MINUTE, min: MINUTE, minute: MINUTE, h: HOUR, hour: HOUR },
};

// A number with more digits makes no sense, and might become infinite.
const WAIT = /\b(?:retry|try again|wait)(?: after| in| for)? (\d{1,12}(?:\.\d+)?) ?([a-z]+)/i;

const RESET = /\bresets? at (.+?\d\d:\d\d:\d\d(?:Z| GMT(?:[+-]\d{4})?)?)/i;

/** Returns a wait written in words, in ms: "retry after 57s", "try again in 2 minutes", "wait 500 ms". */
function waitIn(text: string): number | undefined {
	const found = WAIT.exec(text);
	if (found === null) return undefined;
	const unit = found[2].toLowerCase();
	const unitMs = UNIT_MS[unit] ?? UNIT_MS[unit.replace(/s$/, '')];
	if (typeof unitMs !== 'number') return undefined;
	return Number(found[1]) * unitMs + (unitMs === 1 ? 0 : WORDS_ROUNDED_MS);
}

/** Returns a header given in seconds as ms. A whole number of ten or more digits is a point in time, not a wait. */
function secondsMs(header: unknown): number | undefined {
	const text = typeof header === 'number' ? String(header) : header;
	if (typeof text !== 'string') return undefined;
	return /^\d{1,9}(\.\d+)?$/.test(text.trim()) ? Number(text) * 1_000 : undefined;
}

/**
 * Returns the time of a date that begins with its day or year; by itself, Date.parse reads "retry in 5" as a date in
 * 2001.
 */
function fullDateOf(text: unknown): number | undefined {
	if (typeof text !== 'string' || !/^\s*(?:mon|tue|wed|thu|fri|sat|sun|\d{4}-)/i.test(text)) {
		return undefined;
	}
	const time = Date.parse(text);
	return Number.isNaN(time) ? undefined : time;
}
