import type { Standstill } from '../shared/jobs/jobEnd';
import { type Memory, having, isDate, isText, listOf, maybe } from '../shared/trigger/memory';

/** Describes the stored state; one of any other version is a new start. */
export const STATE = {
	version: 1,
	isSound: having({
		tracked: listOf(
			having({
				standstill: maybe(having({ counts: isText, since: isDate })),
				...{ id: isText, url: maybe(isText), createdAt: maybe(isDate) },
				...{ tries: maybe(isDate) },
			}),
		),
		done: listOf((one) => Array.isArray(one) && isText(one[0]) && isDate(one[1])),
		...{ knownUntil: maybe(isDate), unreadBefore: maybe(isDate) },
		listed: maybe(listOf(isText)),
	}),
};

/** Returns what is the same in all ways of writing an ID: the service's lists may differ in letter case. */
export const keyOf = (id: string): string => id.toLowerCase();

/** Holds a crawl as the service's lists show it. Dates are in ms since 1970. */
export interface SeenCrawl {
	id: string;
	url?: string;
	createdAt?: number;
}

/** Holds a crawl under watch that hasn't been reported yet. */
export interface TrackedCrawl extends SeenCrawl {
	/** Whether it may have been over before the first poll: it is reported only if it is seen running. */
	mayBeOver?: true;
	/** Its counts when the service called it over too early to be believed. */
	standstill?: Standstill;
	/** Counts the polls in a row that could not find out how it is. */
	tries?: number;
}

export interface WatchState extends Memory {
	tracked: TrackedCrawl[];
	/** Lists crawls that are never reported again, each with a date after which no list shows it. */
	done: Array<[id: string, date: number]>;
	/** Creation date up to which all crawls of the activity list are known, or were over before the first poll. */
	knownUntil?: number;
	/** Creation date before which a crawl that the first poll couldn't read of in the activity list may have been over. */
	unreadBefore?: number;
	/** IDs on the first page of the activity list that were no news: they stay so when a clock is set back. */
	listed?: string[];
}
