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

/** When the next single call leaves in a pause: at `windowEnd` if that is still to come. */
export function nextProbe({ since, sentAt }: Pause, now: number, windowEnd: number): number {
	if (windowEnd > now) return windowEnd;
	// The first one at once, so to speak, however long the 429 was under way.
	if (now === since) return now + FIRST_WAIT_MS;
	const after = PROBES_MS.find((ms) => sentAt + ms >= now);
	return after === undefined ? now + PROBES_MS.at(-1)! : sentAt + after;
}
