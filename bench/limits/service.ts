import { type Counter, type RateLimit, waitNamed } from '../../mock-service/rateLimit';
import { retryAfterMs } from '../../nodes/shared/transport/limits/retryAfter';

/** Where a 429 names the wait. */
export type Hint = NonNullable<RateLimit['retryAfter']>;

/** When a client that knows the limit and needs no time has `items` calls accepted. */
export function perfectMs(counter: Counter, items: number): number {
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
	const { header, text } = waitNamed(hint, waitMs, now);
	return retryAfterMs(header, new Date(now).toUTCString(), text);
}
