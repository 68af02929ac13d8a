import { type FailureKind, type Outcome, failureKindOf } from './errors/outcome';
import type { ServiceCall } from './types';

interface Rule {
	methods: ReadonlyArray<ServiceCall['method']>;
	/** Limits the retries of one call; limits on waiting apply besides. */
	retries: number;
	/** Waits so long before the first retry if the service names no wait; doubles each time up to `capMs`. */
	baseMs: number;
	capMs: number;
}

const ALL = ['GET', 'POST', 'DELETE'] as const;
// Retrying these costs nothing; a POST may have been processed and billed even if its response never came.
const FREE = ['GET', 'DELETE'] as const;

/**
 * Says which failures are retried for which methods. A POST is retried only if it can't have been processed, because no
 * connection came about or the service says that it never began. A 503 is not that sure: a proxy may send it, also with
 * Retry-After, after the service behind it took the request and died.
 */
const retryPolicy: Record<FailureKind, Rule> = {
	neverSent: { methods: ALL, retries: 3, baseMs: 500, capMs: 8_000 },
	queued: { methods: ALL, retries: 12, baseMs: 1_000, capMs: 8_000 },
	overloaded: { methods: FREE, retries: 4, baseMs: 1_000, capMs: 16_000 },
	serverError: { methods: FREE, retries: 4, baseMs: 500, capMs: 8_000 },
	broken: { methods: FREE, retries: 4, baseMs: 500, capMs: 8_000 },
	timeout: { methods: FREE, retries: 1, baseMs: 500, capMs: 8_000 },
};

const SHORTEST_WAIT_MS = 50;

/** Counts a call's retries per kind of failure, and the ms it waited as the service asked for. */
export interface Attempts {
	retries: Partial<Record<FailureKind, number>>;
	waitedMs: number;
}

/**
 * Says how long to wait before retrying a call, in ms; undefined to give up. Counts the retry in `attempts`. Retry-After
 * is obeyed unless it is 0; otherwise the wait grows exponentially with full jitter (`random` from 0 to 1). The service's
 * waits are limited by `maxWaitMs` in all.
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
	// "Now" would use up all retries in no time, so it counts as no wait.
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
