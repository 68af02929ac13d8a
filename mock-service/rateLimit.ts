import type { Entry } from './entry';
import { failure, type ServiceResponse } from './response';

/** How a service limits requests: `requests` per `perMs`. */
export interface Limit {
	/**
	 * A window that starts with a request (the default) or is aligned to the clock, a sliding window, or a token
	 * bucket.
	 */
	kind?: 'fixed' | 'clock' | 'sliding' | 'bucket';
	requests: number;
	perMs: number;
	/** Size of a token bucket: the most requests at once. */
	burst?: number;
}

/** A limit, and where a 429 says how long to wait. */
export interface RateLimit extends Limit {
	/**
	 * Place of the wait: the error's text (the default), the Retry-After header, the body as for requests without a key,
	 * or nowhere.
	 */
	retryAfter?: 'text' | 'seconds' | 'date' | 'body' | 'none';
}

/** A counter of calls that works like a service's. Times in ms. */
export interface Counter {
	/** Counts a call if the limit allows it; otherwise returns how long until one is allowed. */
	take(now: number): number | undefined;
}

/** Returns a counter for a limit. `phase` is how far the clock is into a window at time 0. */
export function counterOf(limit: Limit, phase = 0): Counter {
	const { kind = 'fixed', perMs } = limit;
	switch (kind) {
		case 'fixed':
			return windowCounter(limit, (now, from) => (now >= from + perMs ? now : from));
		case 'clock':
			return windowCounter(limit, (now) => Math.floor((now + phase) / perMs) * perMs - phase);
		case 'sliding':
			return slidingCounter(limit);
		case 'bucket':
			return bucketCounter(limit);
	}
}

/**
 * Returns a counter of calls per window. `startOf` returns when the current window began, given when the previous one
 * did (`from`).
 */
function windowCounter(
	{ requests, perMs }: Limit,
	startOf: (now: number, from: number) => number,
): Counter {
	let from = -Infinity;
	let used = 0;
	return {
		take(now) {
			const start = startOf(now, from);
			if (start !== from) used = 0;
			from = start;
			if (used >= requests) return from + perMs - now;
			used++;
			return undefined;
		},
	};
}

function slidingCounter({ requests, perMs }: Limit): Counter {
	const taken: number[] = [];
	return {
		take(now) {
			while (taken.length > 0 && taken[0] <= now - perMs) taken.shift();
			if (taken.length >= requests) return taken[0] + perMs - now;
			taken.push(now);
			return undefined;
		},
	};
}

function bucketCounter({ requests, perMs, burst = requests }: Limit): Counter {
	let tokens = burst;
	let at = 0;
	return {
		take(now) {
			tokens = Math.min(burst, tokens + ((now - at) * requests) / perMs);
			at = now;
			if (tokens < 1 - 1e-9) return ((1 - tokens) * perMs) / requests;
			tokens--;
			return undefined;
		},
	};
}

/** The rate limit of the service. Rejected requests don't lengthen the wait. */
export class RateLimiter {
	private counter?: Counter;

	/** Counts a request; returns the 429 if the limit doesn't allow it. */
	take(limit: RateLimit | undefined): ServiceResponse | undefined {
		if (!limit) return undefined;
		this.counter ??= counterOf(limit);
		const now = Date.now();
		const waitMs = this.counter.take(now);
		return waitMs === undefined ? undefined : this.rejection(limit, now + waitMs);
	}

	/** Resets the counter, as when the limit changes. */
	reset(): void {
		this.counter = undefined;
	}

	private rejection({ requests, retryAfter = 'text' }: RateLimit, until: number): ServiceResponse {
		const { header, text, body } = waitNamed(retryAfter, until - Date.now(), Date.now());
		const consumed = `Consumed (req/min): ${requests + 1}, Remaining (req/min): 0.`;
		const error = `Rate limit exceeded. ${consumed} Upgrade your plan for a higher rate limit or ${text}`;
		const headers: Record<string, string> = header === undefined ? {} : { 'retry-after': header };
		return { ...failure(429, error, body), headers };
	}
}

/** Returns how a 429 states a wait of `waitMs`: its Retry-After, its text, and further fields of its body. */
export function waitNamed(
	where: RateLimit['retryAfter'],
	waitMs: number,
	now: number,
): { header?: string; text: string; body?: Entry } {
	const until = new Date(now + waitMs);
	const shortly = 'please retry after a short delay';
	switch (where) {
		case 'seconds':
			return { header: String(Math.ceil(waitMs / 1_000)), text: shortly };
		case 'date':
			return { header: until.toUTCString(), text: shortly };
		case 'body':
			return { text: shortly, body: { retry_after_seconds: Math.ceil(waitMs / 1_000) } };
		case 'text': {
			const seconds = Math.max(1, Math.round(waitMs / 1_000));
			return { text: `please retry after ${seconds}s, resets at ${String(until)}` };
		}
		default:
			return { text: shortly };
	}
}
