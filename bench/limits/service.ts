import type { Limit } from '../../mock-service/rateLimit';
import { counterOf } from '../../mock-service/rateLimit';
import { retryAfterMs } from '../../nodes/shared/transport/limits/retryAfter';

/** How a 429 names the wait. */
export type Hint = 'seconds' | 'date' | 'text' | 'none';

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
