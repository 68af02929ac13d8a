/** The first wait, in ms, if the service names none or a shorter one. */
export const FIRST_WAIT_MS = 100;

/** How long (ms) after the rejected call a single one probes whether the limit is over: limits are per round times. */
const PROBES_MS = [250, 500, 1_000, 2_000, 3_000].map(late);

/** The same for longer limits, and also after the first call that counted: their window may have begun with it. */
const LONG_PROBES_MS = [5_000, 10_000, 20_000, 30_000, 60_000].map(late);

/** How long (ms) after the one before each further probe comes, once these times are over. */
const LAST_PROBES_MS = LONG_PROBES_MS.at(-1)!;

/**
 * Before a limit is known, and where calls take a second or more, a probe leaves every so many ms, for so long or until one
 * is rejected: a limit per second would long be over by the time the first is answered.
 */
export const MANY_PROBES = { everyMs: 33, forMs: 500 };

/** A little more than a round time, so that a call doesn't arrive just before a window ends. */
function late(ms: number): number {
	return 1.02 * ms;
}

/** A time in which nothing leaves, or only single calls that probe whether it is over. Times in ms. */
export interface Pause {
	/** When the first 429 came. */
	readonly since: number;
	/** When the call that got it left. */
	readonly sentAt: number;
	/** When the first call left that may have counted together with it. */
	readonly from: number;
	/** The wait that it named, 0 for none. */
	readonly waitMs: number;
	until: number;
	isProbing: boolean;
	/** Whether the first probe comes before the end of a long window, which may be none; false once it was rejected. */
	isEarly: boolean;
	/** Until when many probes leave; in the past if none do. */
	manyUntil: number;
	/** When the last probe left; if no call was there to leave for long, when one could have. */
	probedAt: number;
	/** How many accepted calls left after the rejected one: many where a limit refills all the time. */
	passed: number;
}

/** Whether the next probe comes early: only the first one does. */
export function isEarlyNext({ isEarly, probedAt }: Pause): boolean {
	return isEarly && probedAt === Infinity;
}

/**
 * When the next single call probes in a pause. If a window lasts until `windowEnd`: then, or at the first round time more
 * than `leastWaitMs` after the rejected call, if that is sooner.
 */
export function nextProbe(
	pause: Pause,
	now: number,
	windowEnd: number,
	leastWaitMs: number,
): number {
	if (now < pause.manyUntil) return now + MANY_PROBES.everyMs;
	if (windowEnd > now) return Math.min(windowEnd, roundTime(pause, now, leastWaitMs));
	// The first one comes almost at once, however long the 429 took to arrive.
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
