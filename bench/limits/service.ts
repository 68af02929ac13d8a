import { retryAfterMs } from '../../nodes/shared/transport/limits/retryAfter';

/** How a service limits calls: `count` each `perMs`. */
export interface Limit {
	kind: 'fixed' | 'clock' | 'sliding' | 'bucket';
	count: number;
	perMs: number;
	/** Of a bucket: so many at once. */
	burst?: number;
}

/** How a 429 names the wait. */
export type Hint = 'seconds' | 'date' | 'text' | 'none';

/** Counts calls the way a service does. Times in ms. */
export interface Counter {
	/** Takes a call if the limit allows it; otherwise gives how long until one is allowed. */
	take(now: number): number | undefined;
}

/** `phase`: how far the clock is into a window when time begins. */
export function counterOf({ kind, count, perMs, burst = count }: Limit, phase = 0): Counter {
	switch (kind) {
		case 'fixed':
		case 'clock': {
			let from = -Infinity;
			let used = 0;
			return {
				take(now) {
					const start =
						kind === 'clock'
							? Math.floor((now + phase) / perMs) * perMs - phase
							: now >= from + perMs
								? now
								: from;
					if (start !== from) used = 0;
					from = start;
					if (used >= count) return from + perMs - now;
					used++;
					return undefined;
				},
			};
		}
		case 'sliding': {
			const taken: number[] = [];
			return {
				take(now) {
					while (taken.length > 0 && taken[0] <= now - perMs) taken.shift();
					if (taken.length >= count) return taken[0] + perMs - now;
					taken.push(now);
					return undefined;
				},
			};
		}
		case 'bucket': {
			let tokens = burst;
			let at = 0;
			return {
				take(now) {
					tokens = Math.min(burst, tokens + ((now - at) * count) / perMs);
					at = now;
					if (tokens < 1 - 1e-9) return ((1 - tokens) * perMs) / count;
					tokens--;
					return undefined;
				},
			};
		}
	}
}

/** When a client that knows the limit and needs no time has `items` calls accepted. */
export function perfectMs(limit: Limit, phase: number, items: number): number {
	const counter = counterOf(limit, phase);
	let now = 0;
	for (let n = 0; n < items; n++) {
		for (let wait = counter.take(now); wait !== undefined; wait = counter.take(now)) {
			now += Math.max(wait, 1e-6);
		}
	}
	return now;
}

/** The wait that a 429 names, in ms, as the package reads it; `now`: the service's time. */
export function hintOf(hint: Hint, waitMs: number, now: number): number | undefined {
	const date = (ms: number) => new Date(ms).toUTCString();
	switch (hint) {
		case 'none':
			return undefined;
		case 'seconds':
			return retryAfterMs(String(Math.ceil(waitMs / 1_000)), date(now));
		case 'date':
			return retryAfterMs(date(now + waitMs), date(now));
		case 'text': {
			const seconds = Math.max(1, Math.round(waitMs / 1_000));
			return retryAfterMs(
				undefined,
				date(now),
				`Rate limit exceeded, please retry after ${seconds}s`,
			);
		}
	}
}
