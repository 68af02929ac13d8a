import { isObject } from '../shared/json';
import { type Memory, type Recalled, recall } from '../shared/trigger/memory';

/** Names the state's shape; a state of any other version is a new start. */
export const STATE_VERSION = 1;

const MAX_ID_LENGTH = 200;
const MAX_URL_LENGTH = 2_000;

/** Limits dates (ms) to those that JavaScript can write as a text. */
const MAX_DATE = 8.64e15;

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
	/** Counts the polls in a row that had no activity list. */
	missed?: number;
}

/** Gives the stored state if it is ours and sound in all its parts; otherwise the reason to start over. */
export function readState(stored: unknown, scope: string): Recalled<WatchState> {
	return recall<WatchState>(stored, { version: STATE_VERSION, scope }, (state) => {
		const { tracked, done, knownUntil = 0, missed = 0 } = state as Record<string, unknown>;
		const areSound = Array.isArray(tracked) && tracked.every(isTracked);
		return (
			areSound && Array.isArray(done) && done.every(isDone) && isDate(knownUntil) && isDate(missed)
		);
	});
}

function isTracked(entry: unknown): boolean {
	if (!isObject(entry)) return false;
	const { id, url, ...more } = entry;
	const areSound = Object.values(more).every((value) => value === true || isDate(value));
	return isId(id) && (url === undefined || isUrl(url)) && areSound;
}

function isDone(entry: unknown): boolean {
	return Array.isArray(entry) && isId(entry[0]) && isDate(entry[1]);
}

function isId(value: unknown): boolean {
	return typeof value === 'string' && value.length <= MAX_ID_LENGTH;
}

/** Tells whether a value is a URL that is not too long to be remembered. */
export function isUrl(value: unknown): value is string {
	return typeof value === 'string' && value !== '' && value.length <= MAX_URL_LENGTH;
}

/** Tells whether a value is a date in ms since 1970 that can be written as a text; counts are such numbers, too. */
export function isDate(value: unknown): value is number {
	return typeof value === 'number' && value >= 0 && value <= MAX_DATE;
}
