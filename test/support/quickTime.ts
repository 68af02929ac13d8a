import type * as Time from '../../nodes/shared/base/time';

/** How many times as fast the nodes' own pauses pass unless a test says otherwise. */
export const QUICK = 50;

/** How many times as fast the nodes' own pauses go by; 1 for what depends on the time of others. */
export const pace = { factor: QUICK };

/** From this length (ms) on, a pause is the time that others are given, and isn't as quick: a busy machine needs it. */
const LONG_MS = 20_000;
const LONG_FACTOR = 5;

/** The pause that ended last: when it was due, and when it ended (ms). */
let last = { due: 0, ended: 0 };

/**
 * Returns the nodes' clock with short pauses, for tests of what happens around them; timeouts keep their length. After
 * a standstill of the machine, pauses end as far apart as they would have without it, not all at once.
 * @public a factory for jest.mock
 */
export function quickTime(): typeof Time {
	const actual = jest.requireActual<typeof Time>('../../nodes/shared/base/time');
	const wait: typeof Time.wait = async (ms, signal) => {
		const quickMs = ms / (ms < LONG_MS ? pace.factor : Math.min(pace.factor, LONG_FACTOR));
		const begun = performance.now();
		const due = begun + quickMs;
		await actual.wait(quickMs, signal);
		const apart = due - Math.max(last.due, begun);
		await actual.wait(last.ended + apart - performance.now(), signal);
		last = { due, ended: performance.now() };
	};
	return { ...actual, wait };
}
