import type { Standstill } from '../shared/jobs/jobEnd';
import { type Memory, having, isDate, isText, listOf, maybe } from '../shared/trigger/memory';

/** Shape of the stored state; the trigger starts over from a state of any other version. */
export const STATE = {
	version: 2,
	isSound: having({
		tracked: listOf(having({ id: isText, url: maybe(isText), createdAt: maybe(isDate) })),
		...{ done: listOf(isText), listed: maybe(listOf(isText)) },
		...{ knownUntil: maybe(isDate), begunAt: maybe(isDate) },
	}),
};

/** Returns an ID in canonical form, since letter case may differ between the service's lists. */
export const keyOf = (id: string): string => id.toLowerCase();

/** A crawl as the service's lists show it. Dates are in ms since 1970. */
export interface SeenCrawl {
	id: string;
	url?: string;
	createdAt?: number;
}

/** A crawl under watch that hasn't been reported yet. */
export interface TrackedCrawl extends SeenCrawl {
	/** Whether it may have ended before the first poll. If so, it is only reported once it has been seen running. */
	mayBeOver?: true;
	/** Its counts when the service called it completed too early to be plausible. */
	standstill?: Standstill;
	/** Number of polls in a row that could not find out its state. */
	tries?: number;
}

export interface WatchState extends Memory {
	tracked: TrackedCrawl[];
	/** Crawls that are never reported again, by key; the latest comes last. */
	done: string[];
	/** All crawls on the first page of the activity list when it was last read as far as needed, by key. */
	listed?: string[];
	/** Creation date of the newest of them, or the time of that poll if that is earlier. */
	knownUntil?: number;
	/** Time of the first poll, until the activity list has been read as far as needed. */
	begunAt?: number;
}
