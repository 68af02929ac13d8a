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

const ALL = ['GET', 'POST', 'DELETE'] as const;
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
	retries: Partial<Record<FailureKind, number>>;
	waitedMs: number;
}

/**
 * Returns how long (ms) to wait before retrying a call, or undefined to give up. Adds the retry to `attempts`.
 * Retry-After is obeyed unless it is 0; otherwise the wait grows exponentially with full jitter (`random` from 0 to 1).
 * The waits the service asks for may total `maxWaitMs`.
 */
export function nextDelay(
	outcome: Outcome,
	method: ServiceCall['method'],
	attempts: Attempts,
	maxWaitMs: number,
	random: () => number = Math.random,
): number | undefined {
	const kind = failureKindOf(outcome);
	if (kind === undefined) return undefined;
	const rule = retryPolicy[kind];
	const retries = attempts.retries[kind] ?? 0;
	if (!rule.methods.includes(method) || retries >= rule.retries) return undefined;
	// Retrying "now" would use up all retries in no time, so a wait of 0 doesn't count.
	const asked = (outcome.kind === 'rejected' && outcome.retryAfterMs) || undefined;
	const backoff = random() * Math.min(rule.capMs, rule.baseMs * 2 ** retries);
	const delay = Math.max(SHORTEST_WAIT_MS, Math.round(asked ?? backoff));
	if (asked !== undefined) {
		if (attempts.waitedMs + delay > maxWaitMs) return undefined;
		attempts.waitedMs += delay;
	}
	attempts.retries[kind] = retries + 1;
	return delay;
}
