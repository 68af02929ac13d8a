/** The first wait where the service names none, or one of no time, in ms. */
export const FIRST_WAIT_MS = 100;

/** Alone, one call finds out so long after the first rejected one whether the limit is over: limits are per round times. */
const PROBES_MS = [250, 500, 1_000, 2_000, 3_000].map(late);

/** The same for longer limits, also after the first call that counted: their time may have begun with it. */
const LONG_PROBES_MS = [5_000, 10_000, 20_000, 30_000, 60_000].map(late);

/** So long after the one before, in the end. */
const LAST_PROBES_MS = LONG_PROBES_MS.at(-1)!;

function late(ms: number): number {
	return 1.02 * ms;
}

/** A time in which nothing leaves, or single calls to find out whether it is over. Times in ms. */
export interface Pause {
	/** When the first 429 came. */
	readonly since: number;
	/** When the call left that got it, and the first one that counted together with it. */
	readonly sentAt: number;
	readonly from: number;
	/** The wait that it named, 0 for none. */
	readonly waitMs: number;
	until: number;
	isProbing: boolean;
	/** How many accepted calls left after the rejected one, as where a limit is refilled all the time. */
	passed: number;
}

/**
 * When the next single call leaves in a pause. Where a window goes on until `windowEnd`: then, but after `leastWaitMs`
 * already if that is sooner.
 */
export function nextProbe(
	pause: Pause,
	now: number,
	windowEnd: number,
	leastWaitMs: number,
): number {
	if (windowEnd > now) return Math.min(windowEnd, roundTime(pause, now, leastWaitMs));
	// The first one at once, so to speak, however long the 429 was under way.
	return now === pause.since ? now + FIRST_WAIT_MS : roundTime(pause, now, 0);
}

/** The next round time after the rejected call or the first one: from `now` on, more than `leastMs` after the rejected call. */
function roundTime({ sentAt, from }: Pause, now: number, leastMs: number): number {
	const least = sentAt + leastMs;
	const times = [
		...PROBES_MS.map((ms) => sentAt + ms),
		...LONG_PROBES_MS.flatMap((ms) => [sentAt + ms, from + ms]),
	].filter((at) => at >= now && at > least);
	return times.length > 0 ? Math.min(...times) : Math.max(now + LAST_PROBES_MS, least);
}
