/**
 * The wait that a 429 or 503 names, in ms: Retry-After in whole seconds or as a date, else a wait in the error's text
 * ("please retry after 57s"). Dates are compared with the response's own Date, since clocks differ. Undefined where
 * none is named, and for nonsense.
 */
export function retryAfterMs(
	header: unknown,
	dateHeader: unknown,
	text = '',
	now: number = Date.now(),
): number | undefined {
	const serviceNow = dateOf(dateHeader) ?? now;
	return (
		secondsMs(header) ??
		untilMs(dateOf(header), serviceNow) ??
		waitIn(text) ??
		untilMs(
			dateOf(/\bresets? at (.+?\d\d:\d\d:\d\d(?:Z| GMT(?:[+-]\d{4})?)?)/i.exec(text)?.[1]),
			serviceNow,
		)
	);
}

const UNIT_MS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** A wait in words: "retry after 57s", "try again in 2 minutes", "wait 500 ms". */
function waitIn(text: string): number | undefined {
	const found =
		/\b(?:retry|try again|wait)(?: after| in| for)? (\d+(?:\.\d+)?) ?(ms|s|m|h|milliseconds?|sec(?:ond)?s?|min(?:ute)?s?|hours?)\b/i.exec(
			text,
		);
	if (found === null) return undefined;
	const unit = found[2].toLowerCase();
	const isMs = unit === 'ms' || unit.startsWith('milli');
	return Number(found[1]) * UNIT_MS[isMs ? 'ms' : unit[0]];
}

function secondsMs(header: unknown): number | undefined {
	const text = typeof header === 'number' ? String(header) : header;
	if (typeof text !== 'string') return undefined;
	return /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) * 1_000 : undefined;
}

/** A date that begins with its day or year: Date.parse alone reads "retry in 5" as one in 2001. */
function dateOf(text: unknown): number | undefined {
	if (typeof text !== 'string' || !/^(?:mon|tue|wed|thu|fri|sat|sun|\d{4}-)/i.test(text.trim())) {
		return undefined;
	}
	const time = Date.parse(text.trim());
	return Number.isNaN(time) ? undefined : time;
}

function untilMs(until: number | undefined, now: number): number | undefined {
	return until === undefined ? undefined : Math.max(0, until - now);
}
