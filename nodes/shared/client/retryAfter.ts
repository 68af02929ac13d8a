// In the simulation behind docs/rate-limits.md, these values cost the least. Dates are truncated to whole seconds, so
// they may be up to one second early; a wait given in words is rounded.
const DATE_CUT_MS = 750;
const WORDS_ROUNDED_MS = 500;

/** Maximum time (ms) added to the wait that a service asks for. */
export const LONGEST_ADDED_MS = DATE_CUT_MS;

/**
 * Returns the wait that a 429 or 503 states, in ms: Retry-After in seconds or as a date, or else a wait in the error's
 * text ("please retry after 57s, resets at Thu Jan 01 2026 12:00:57 GMT+0000"). Dates are compared with the response's
 * own Date, since clocks differ. Undefined if no wait is stated, or if it makes no sense.
 */
export function retryAfterMs(
	header: unknown,
	dateHeader: unknown,
	text = '',
	now: number = Date.now(),
): number | undefined {
	const serviceNow = fullDateOf(dateHeader) ?? now;
	const until = (date: number | undefined) =>
		date === undefined ? undefined : Math.max(0, date - serviceNow) + DATE_CUT_MS;
	return secondsMs(header) ?? until(fullDateOf(header)) ?? waitIn(text) ?? until(resetIn(text));
}

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];
const UNIT_MS: Record<string, number> = {
	...{ ms: 1, millisecond: 1, s: SECOND, sec: SECOND, second: SECOND },
	...{ m: MINUTE, min: MINUTE, minute: MINUTE, h: HOUR, hour: HOUR },
};

// A number with more digits makes no sense, and might become infinite.
const WAIT = /\b(?:retry|try again|wait)(?: after| in| for)? (\d{1,12}(?:\.\d+)?) ?([a-z]+)/i;

const RESET = /\bresets? at (.+?\d\d:\d\d:\d\d(?:Z| GMT(?:[+-]\d{4})?)?)/i;

/** Returns a wait written in words, in ms: "retry after 57s", "try again in 2 minutes", "wait 500 ms". */
function waitIn(text: string): number | undefined {
	const found = WAIT.exec(text);
	if (found === null) return undefined;
	const unit = found[2].toLowerCase();
	const unitMs = UNIT_MS[unit] ?? UNIT_MS[unit.replace(/s$/, '')];
	if (typeof unitMs !== 'number') return undefined;
	return Number(found[1]) * unitMs + (unitMs === 1 ? 0 : WORDS_ROUNDED_MS);
}

function resetIn(text: string): number | undefined {
	return fullDateOf(RESET.exec(text)?.[1]);
}

/** Returns a header given in seconds as ms. A whole number of ten or more digits is a point in time, not a wait. */
function secondsMs(header: unknown): number | undefined {
	const text = typeof header === 'number' ? String(header) : header;
	if (typeof text !== 'string') return undefined;
	return /^\d{1,9}(\.\d+)?$/.test(text.trim()) ? Number(text) * 1_000 : undefined;
}

/**
 * Returns the time of a date that begins with its day or year; by itself, Date.parse reads "retry in 5" as a date in
 * 2001.
 */
function fullDateOf(text: unknown): number | undefined {
	if (typeof text !== 'string' || !/^\s*(?:mon|tue|wed|thu|fri|sat|sun|\d{4}-)/i.test(text)) {
		return undefined;
	}
	const time = Date.parse(text);
	return Number.isNaN(time) ? undefined : time;
}
