import type { Standstill } from '../shared/jobs/jobEnd';
import { type Memory, having, isDate, isText, listOf, maybe } from '../shared/trigger/memory';

/** Shape of the stored state; the trigger starts over from a state of any other version. */
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
	/** Crawls that are never reported again, each with a date after which no list shows it. */
	done: Array<[id: string, date: number]>;
	/** Creation date up to which all crawls in the activity list are known or had ended before the first poll. */
	knownUntil?: number;
	/**
	 * The latest `knownUntil` ever, which doesn't go back with the clock; used from the second page of the activity list
	 * on.
	 */
	furthest?: number;
	/**
	 * Creation date before which a crawl may have ended unnoticed, because the first poll couldn't read the activity list
	 * any further.
	 */
	unreadBefore?: number;
	/**
	 * IDs on the first page of the activity list that were not new, kept so that they don't look new when a clock is set
	 * back.
	 */
	listed?: string[];
}
