import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { isEmptyEnd, jobStateOf } from '../shared/jobs/jobState';
import { without } from '../shared/json';
import { fitsAnyUrl } from '../shared/trigger/pattern';
import { STATE, type SeenCrawl, type TrackedCrawl, type WatchState } from './crawlState';

/** Limits the crawls under watch; others wait in the activity list until there is room. */
const MAX_TRACKED = 5_000;

/** Limits the crawls that are remembered as done. */
const MAX_DONE = 20_000;

/** Allows the lists to be this far (ms) behind: they show a crawl later than its date, or still when it has ended. */
const MARGIN_MS = 15 * 60_000;

/** Gives a crawl up at so many polls in a row that could not find out how it is. */
const MAX_TRIES = 10;

/** Doubts a crawl younger than this (ms) that has completed with too little, for so long (ms). */
const YOUNG_MS = 2 * 60_000;
const DOUBT_MS = 30_000;

/** Says how a crawl ended. */
export type CrawlEvent = 'completed' | 'failed' | 'other';

export interface WatchSettings {
	/** Names watch mode and credential: if either changes, the next poll is a first one again. */
	scope: string;
	/** Names the crawls to watch; without it, any crawl of the team. */
	ids?: string[];
	/** Holds parts of the URL, or whole URLs with `*` for any characters; none: every crawl. */
	urlPatterns: string[];
	events: CrawlEvent[];
}

/** Says how a crawl ended, or why that can't be found out, with the service's own information. */
export interface Ending {
	event: CrawlEvent | 'unreachable';
	response: IDataObject;
	fetchError?: string;
	/** Holds an item for each page, or for each file of pages. */
	pages?: INodeExecutionData[];
}

/** Holds the result of looking one crawl up. */
export interface CrawlOutcome {
	state: 'running' | 'ended' | 'unclear';
	/** Notes when it was asked (ms). */
	at: number;
	/** Says how it ended or, of an unclear one, what is reported if it stays so; without it the crawl is dropped then. */
	ending?: Ending;
	reason?: string;
}

/**
 * Tells what the crawl trigger remembers between two polls, and what follows from what a poll has
 * seen: its state machine. Pure: no request, no clock, no n8n; its state goes in and comes out as plain data.
 *
 * The promise: a crawl that ends after the first poll, and that the trigger has seen in a state n8n
 * kept or finds in the service's activity list, is emitted exactly once, as long as the service
 * still knows the crawl at the next successful poll and n8n keeps the execution it was handed.
 *
 * It rests on two sets and one date. `tracked` crawls haven't been reported yet, `done` crawls never
 * will be again, and crawls created well before `knownUntil` are in one of the two or were over before
 * the trigger began. A state that n8n lost (it doesn't save after empty polls) is only an older such
 * state: what it misses is found again from the same date on.
 */
export class CrawlWatch {
	private readonly tracked: Map<string, TrackedCrawl>;
	private readonly done: Map<string, number>;
	private readonly active = new Set<string>();
	/** Notes up to which date all crawls are known once the activity has been read to its end. */
	private reached?: number;
	private isRead = false;

	/** Begins with the state `before` the poll, none at the first poll or when it is lost (`isLost`). */
	constructor(
		private readonly before: WatchState | undefined,
		private readonly settings: WatchSettings,
		private readonly now: number,
		isLost = false,
	) {
		const tracked = (before?.tracked ?? []).filter((crawl) => isWatched(crawl, settings));
		this.tracked = new Map(tracked.map((crawl) => [crawl.id, crawl]));
		this.done = new Map(before?.done);
		const open = (settings.ids ?? []).filter((id) => !this.done.has(id));
		for (const id of open) this.add({ id, ...(isLost && { mayBeOver: true }) });
	}

	/** Tells whether all specific crawls are done, so that nothing is left to ask. */
	get isOver(): boolean {
		return this.settings.ids !== undefined && this.tracked.size === 0;
	}

	/** Takes in a page of the activity list, newest first; tells whether it is the last that is needed. */
	seeActivity(page: SeenCrawl[]): boolean {
		const { knownUntil } = this.before ?? {};
		const newest = page.reduce((date, { createdAt = 0 }) => Math.max(date, createdAt), 0);
		// A date ahead of the clock would make all later crawls look old.
		this.reached ??= Math.max(knownUntil ?? 0, Math.min(newest, this.now));
		const horizon = (knownUntil ?? this.reached) - MARGIN_MS;
		let hasNews = false;
		for (const crawl of page) {
			const { id, createdAt = -Infinity } = crawl;
			const known = this.tracked.get(id);
			const doneAt = this.done.get(id);
			// This list may hide a URL that was known before.
			if (known) this.add({ ...crawl, ...known });
			// By the service's clock it may have been done before it was created.
			else if (doneAt !== undefined) this.done.set(id, Math.max(doneAt, createdAt));
			else if (createdAt >= horizon && isWatched(crawl, this.settings)) {
				hasNews = true;
				this.add({ ...crawl, ...(knownUntil === undefined && { mayBeOver: true }) });
			}
		}
		const { createdAt: oldest = Infinity } = page.at(-1) ?? {};
		// Crawls after that date may be known from the active list alone, which says nothing of those further back.
		return oldest < horizon || (!hasNews && oldest <= (knownUntil ?? -Infinity));
	}

	/** Notes that all of the activity list has been read that is needed. */
	endActivity(): void {
		this.isRead = true;
	}

	/** Takes in the list of active crawls. */
	seeActive(crawls: SeenCrawl[]): void {
		for (const crawl of crawls) {
			this.active.add(crawl.id);
			if (this.done.has(crawl.id) || !isWatched(crawl, this.settings)) continue;
			delete this.add(crawl).mayBeOver;
		}
	}

	/** Gives the crawls to look up: tracked and not active, the least troublesome and oldest first. */
	get candidates(): TrackedCrawl[] {
		return [...this.tracked.values()]
			.filter(({ id }) => !this.active.has(id))
			.sort((a, b) => (a.tries ?? 0) - (b.tries ?? 0) || (a.createdAt ?? 0) - (b.createdAt ?? 0));
	}

	/** Takes in the result of looking a crawl up; tells whether its end is to be emitted now. */
	follow(crawl: TrackedCrawl, { state, at, ending }: CrawlOutcome): boolean {
		const { id, createdAt = 0, doubtedSince = at, tries = 0 } = crawl;
		const seen = without(crawl, 'mayBeOver', 'doubtedSince', 'tries');
		if (state === 'running') this.tracked.set(id, seen);
		else if (state === 'unclear' && tries + 1 < MAX_TRIES) {
			this.tracked.set(id, { ...crawl, tries: tries + 1 });
		} else if (state === 'ended' && !isCredible(crawl, ending?.response ?? {}, at)) {
			this.tracked.set(id, { ...crawl, doubtedSince });
		} else {
			this.tracked.delete(id);
			// The clock may have been set back since.
			this.done.set(id, Math.max(createdAt, this.now, this.before?.knownUntil ?? 0));
			return ending !== undefined && isReported(crawl, ending, this.settings);
		}
		return false;
	}

	/** Gives the state after the poll. */
	get state(): WatchState {
		const { ids, scope } = this.settings;
		// Those without room are found again later, from the same date on.
		const hasRoom = this.tracked.size <= MAX_TRACKED;
		const knownUntil = this.isRead && hasRoom ? this.reached : this.before?.knownUntil;
		const horizon = (knownUntil ?? this.now) - MARGIN_MS;
		const isKept = ([id, date]: [string, number]) => ids?.includes(id) ?? date >= horizon;
		return {
			version: STATE.version,
			scope,
			tracked: [...this.tracked.values()].slice(0, MAX_TRACKED),
			done: [...this.done].filter(isKept).slice(-MAX_DONE),
			...(knownUntil !== undefined && { knownUntil }),
		};
	}

	/** Adds to what is known of a crawl under watch, or puts it there. */
	private add(crawl: TrackedCrawl): TrackedCrawl {
		const known = { ...this.tracked.get(crawl.id), ...crawl };
		this.tracked.set(crawl.id, known);
		return known;
	}
}

/** Tells whether a crawl is one of those to watch. */
export function isWatched({ id, url }: SeenCrawl, { ids, urlPatterns }: WatchSettings): boolean {
	if (ids) return ids.includes(id);
	return urlPatterns.length === 0 || (url !== undefined && fitsAnyUrl(url, urlPatterns));
}

/** Tells whether this end of a crawl is emitted. */
export function isReported(
	crawl: TrackedCrawl,
	{ event }: Ending,
	settings: WatchSettings,
): boolean {
	return !crawl.mayBeOver && (event === 'unreachable' || settings.events.includes(event));
}

/**
 * Tells whether a crawl that has ended is believed to have. A service may say that one has completed that has just begun,
 * before it has queued its pages: then with less than was asked for.
 */
export function isCredible(crawl: TrackedCrawl, response: IDataObject, now: number): boolean {
	const isEmpty = isEmptyEnd(response);
	const isShort = isEmpty || Number(response.completed) < Number(response.total);
	if (jobStateOf(response.status) !== 'completed' || !isShort) return true;
	const { createdAt, doubtedSince } = crawl;
	// One without a date may be of any age, so it is doubted only where it has no page at all.
	const age = createdAt === undefined ? (isEmpty ? 0 : YOUNG_MS) : Math.abs(now - createdAt);
	// The clock may have been set back since.
	const isStill = doubtedSince !== undefined && Math.abs(now - doubtedSince) >= DOUBT_MS;
	return age >= YOUNG_MS || isStill;
}
