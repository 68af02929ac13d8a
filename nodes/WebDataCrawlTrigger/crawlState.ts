import { type Memory, having, isDate, isText, listOf, maybe } from '../shared/trigger/memory';

/** Describes the stored state; one of any other version is a new start. */
export const STATE = {
	version: 1,
	isSound: having({
		tracked: listOf(
			having({
				...{ id: isText, url: maybe(isText), createdAt: maybe(isDate) },
				...{ doubtedSince: maybe(isDate), tries: maybe(isDate) },
			}),
		),
		done: listOf((one) => Array.isArray(one) && isText(one[0]) && isDate(one[1])),
		knownUntil: maybe(isDate),
	}),
};

/** Holds a crawl as the service's lists show it. Dates are in ms since 1970. */
export interface SeenCrawl {
	id: string;
	url?: string;
	createdAt?: number;
}

/** Holds a crawl under watch that hasn't been reported yet. */
export interface TrackedCrawl extends SeenCrawl {
	/** Says that the first activity list had it but not the active one: it is reported only if it is seen running. */
	mayBeOver?: true;
	/** Notes when the service first called it completed, too early to be believed. */
	doubtedSince?: number;
	/** Counts the polls in a row that could not find out how it is. */
	tries?: number;
}

export interface WatchState extends Memory {
	tracked: TrackedCrawl[];
	/** Lists crawls that are never reported again, each with a date after which no list shows it. */
	done: Array<[id: string, date: number]>;
	/** Notes up to which creation date all crawls of the activity list are known. */
	knownUntil?: number;
}
