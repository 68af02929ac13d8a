/** The first wait where the service names none, or one of no time, in ms. */
export const FIRST_WAIT_MS = 100;

/** Alone, one call finds out so long after the first rejected one whether the limit is over: limits are per round times. */
const PROBES_MS = [250, 500, 1_000, 2_000, 3_000, 5_000, 10_000, 20_000, 30_000]
	.concat([60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000])
	.map((ms) => 1.02 * ms);

/** A time in which nothing leaves, or single calls to find out whether it is over. Times in ms. */
export interface Pause {
	/** When the first 429 came. */
	readonly since: number;
	/** When the call left that got it. */
	readonly sentAt: number;
	/** The wait that it named, 0 for none. */
	readonly waitMs: number;
	until: number;
	isProbing: boolean;
	/** How many accepted calls left after the rejected one, as where a limit is refilled all the time. */
	passed: number;
}

/**
 * When the next single call leaves in a pause. Where a window of `windowMs` goes on until `windowEnd`: then, but if it may
 * be shorter than it seemed, after half of it already.
 */
export function nextProbe(pause: Pause, now: number, windowEnd: number, windowMs: number): number {
	if (windowEnd > now) return Math.min(windowEnd, roundTime(pause, now, windowMs / 2));
	// The first one at once, so to speak, however long the 429 was under way.
	return now === pause.since ? now + FIRST_WAIT_MS : roundTime(pause, now, 0);
}

/** The next time from `now` on that is a round one after the rejected call, and at least `leastMs` after it. */
function roundTime({ sentAt }: Pause, now: number, leastMs: number): number {
	const afterMs = PROBES_MS.find((ms) => ms >= leastMs && sentAt + ms >= now);
	return afterMs === undefined ? now + PROBES_MS.at(-1)! : sentAt + afterMs;
}
