import { exists, writtenDay } from './timeFilter';

/** Maximum length of a string, in characters, that is read as a date. */
const LONGEST_DATE = 40;

const DAY_MS = 86_400_000;

/** Number of days ago that a word stands for. */
const DAYS: Record<string, number> = { today: 0, yesterday: 1 };

/** Milliseconds of the units whose length is always the same. */
const UNITS: Record<string, number> = {
	...{ second: 1_000, sec: 1_000, minute: 60_000, min: 60_000 },
	...{ hour: 3_600_000, hr: 3_600_000, day: DAY_MS, week: 7 * DAY_MS },
};

/** Length of the longer units, in months. */
const MONTHS: Record<string, number> = { month: 1, year: 12 };

/**
 * Returns the day (UTC, as YYYY-MM-DD) that the service's words for a date, e.g. `3 days ago` or `Nov 18, 2026`, refer
 * to at the time `now` (ms); undefined for unknown words. It is only as exact as the words: "a month ago" may be five
 * weeks.
 */
export function publishedOn(date: unknown, now: number): string | undefined {
	if (typeof date !== 'string' || date.length > LONGEST_DATE) return undefined;
	const text = date.trim().toLowerCase();
	if (Object.hasOwn(DAYS, text)) return dayOf(now - DAYS[text] * DAY_MS);
	const [, many, unit] = /^(\d{1,3}|an?) ([a-z]+?)s? ago$/.exec(text) ?? [];
	const count = many?.startsWith('a') ? 1 : Number(many);
	if (unit !== undefined && Object.hasOwn(UNITS, unit)) return dayOf(now - count * UNITS[unit]);
	if (unit !== undefined && Object.hasOwn(MONTHS, unit))
		return monthsBefore(now, count * MONTHS[unit]);
	const written = writtenDay(date.trim());
	return written !== undefined && exists(written) ? written : undefined;
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Returns the same day some months earlier, or the last day of a shorter month. */
function monthsBefore(now: number, months: number): string {
	const day = new Date(now);
	const dayOfMonth = day.getUTCDate();
	day.setUTCDate(1);
	day.setUTCMonth(day.getUTCMonth() - months);
	const last = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate();
	day.setUTCDate(Math.min(dayOfMonth, last));
	return dayOf(day.getTime());
}
