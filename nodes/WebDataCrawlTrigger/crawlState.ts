import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { type Memory, type Recalled, recall } from '../shared/trigger/memory';

/** The version of the state's shape; a state of any other version is a new start. */
export const STATE_VERSION = 1;

export const MAX_TRACKED = 5_000;

/** What can be reported of a crawl: how it ended. */
export type CrawlEvent = 'completed' | 'failed' | 'other';

export interface WatchSettings {
	/** Watch mode and credential: where it changes, the next poll sets a new baseline. */
	scope: string;
	/** The crawls to watch; without it, any crawl of the team. */
	ids?: string[];
	/** Part of the URL, or the whole URL with `*` for any characters; none: every crawl. */
	urlPatterns: string[];
	events: CrawlEvent[];
}

/** A crawl that hasn't been reported yet. Times in ms since 1970. */
export interface TrackedCrawl {
	url?: string;
	createdAt?: number;
	/** The activity list has it without a date that can be believed. */
	undated?: true;
	/** Not active when the trigger began: most likely over by then, and reported only if it wasn't. */
	unsure?: true;
	/** The activity list hid its URL, which has to fit a pattern: reported only if one that fits comes to light. */
	hidden?: true;
	/** How many polls in a row couldn't find out what became of it, and since when. */
	tries?: number;
	failingSince?: number;
}

/**
 * [id, created at or, where that isn't known, settled at (ms), settled at (ms)]; created at 0 is for crawls that the
 * activity list has without a date.
 */
export type SettledCrawl = [string, number, number];

export interface WatchState extends Memory {
	tracked: Record<string, TrackedCrawl>;
	/** Oldest first. */
	settled: SettledCrawl[];
	/** The newest creation date (ms, the service's clock) up to which activity has been read. */
	coveredUntil?: number;
	/** The activity list has crawls behind that date for which there was no room or time yet. */
	isBehind?: true;
	/** No activity endpoint here: don't ask before (ms). */
	askActivityAfter?: number;
}

export interface SeenCrawl {
	id: string;
	url?: string;
	/** None where the service gives no date, or none that can be believed. */
	createdAt?: number;
}

/** Crawls started lately, newest first, and whether the list was read as far back as was wanted. */
export interface Activity {
	crawls: SeenCrawl[];
	isComplete: boolean;
}

/** What the service's lists said in one poll. */
export interface Sighting {
	now: number;
	active: SeenCrawl[];
	/** `missing` where the service has no such endpoint, none: not read. */
	activity?: Activity | 'missing';
}

/** What looking up one crawl has shown. */
export type CrawlOutcome =
	| { kind: 'running' }
	/** `pages` has an item for each page, or for each file of pages. */
	| { kind: 'ended'; event: CrawlEvent; response: IDataObject; pages?: INodeExecutionData[] }
	/** Of a crawl that isn't reported as far as is known, and whose pages nobody needs. */
	| { kind: 'over' }
	/** The service doesn't know it, or says that it is past its date. */
	| { kind: 'gone'; reason: string }
	/** Not active, and in a state nobody has heard of. */
	| { kind: 'unknown'; response: IDataObject }
	/** It couldn't be fetched; `response` where at least its status is known. */
	| { kind: 'unreachable'; reason: string; response?: IDataObject };

export interface Report {
	crawl: SeenCrawl;
	outcome: Extract<CrawlOutcome, { kind: 'ended' | 'unreachable' }>;
}

/** The stored state where it is ours and sound, without values that aren't; else why the trigger starts over. */
export function readWatch(stored: unknown, scope: string): Recalled<WatchState> {
	const recalled = recall<WatchState>(
		stored,
		{ version: STATE_VERSION, scope },
		({ tracked, settled }) =>
			typeof tracked === 'object' && tracked !== null && Array.isArray(settled),
	);
	const { state } = recalled;
	if (state === undefined) return recalled;
	const tracked = Object.entries(state.tracked).map(([id, crawl]) => [id, soundCrawl(crawl)]);
	return {
		state: {
			version: STATE_VERSION,
			scope,
			tracked: Object.fromEntries(tracked),
			settled: state.settled.filter(isSettled),
			...numbersOf(state, ['coveredUntil', 'askActivityAfter']),
			...(state.isBehind === true && { isBehind: true }),
		},
	};
}

/** A tracked crawl without values that can't be: of one that was spoilt, the id is enough to find out more. */
function soundCrawl(stored: unknown): TrackedCrawl {
	const crawl = (typeof stored === 'object' && stored !== null ? stored : {}) as TrackedCrawl;
	return {
		...(typeof crawl.url === 'string' && { url: crawl.url }),
		...(crawl.undated === true && { undated: true }),
		...(crawl.unsure === true && { unsure: true }),
		...(crawl.hidden === true && { hidden: true }),
		...numbersOf(crawl, ['createdAt', 'tries', 'failingSince']),
	};
}

/** Those of the values that are numbers. */
function numbersOf<K extends string>(
	source: Partial<Record<K, unknown>>,
	keys: K[],
): Partial<Record<K, number>> {
	const sound = keys.filter((key) => Number.isFinite(source[key]));
	return Object.fromEntries(sound.map((key) => [key, source[key]])) as Partial<Record<K, number>>;
}

function isSettled(entry: unknown): entry is SettledCrawl {
	if (!Array.isArray(entry)) return false;
	const [id, ...times] = entry as unknown[];
	return typeof id === 'string' && times.length === 2 && times.every(Number.isFinite);
}

/** Whether the crawl is tracked; its id may be the name of something every object has. */
export function tracks(state: WatchState, id: string): boolean {
	return Object.hasOwn(state.tracked, id);
}
