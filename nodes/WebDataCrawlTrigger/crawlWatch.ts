import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Standstill } from '../shared/jobs/jobEnd';
import { without } from '../shared/base/json';
import { urlFitterOf } from '../shared/trigger/pattern';
import type { Memory } from '../shared/trigger/memory';

/** An empty state; the trigger starts over from a state of any other version. */
export const STATE = { version: 3, tracked: [], done: [] };

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
	/**
	 * All crawls on the first page of the activity list when it was last read as far as needed, by key; unset until then.
	 */
	listed?: string[];
	/**
	 * Creation date of the newest crawl at the first poll, 0 if there was none; the time of that poll if it could not read
	 * the list.
	 */
	begunAt: number;
}

/** Maximum number of crawls tracked at once; others stay in the activity list until there is room. */
const MAX_TRACKED = 5_000;

/**
 * Number of crawls remembered as done, and the maximum while crawls of the activity list are left unread: the next poll
 * then reads them all again.
 */
const LAST_DONE = 2_000;
const MAX_DONE = 20_000;

/** Maximum delay (ms) for the lists: a crawl may appear this late. */
const MARGIN_MS = 15 * 60_000;

/** Number of consecutive failed look-ups after which a crawl is abandoned. */
export const MAX_TRIES = 10;

export type CrawlEvent = 'completed' | 'failed' | 'other';

export interface WatchSettings {
	/** Hash of watch mode and credential: if either changes, the next poll counts as the first. */
	scope: string;
	/** The crawls to watch; without it, any crawl of the team. */
	ids?: string[];
	/** Parts of URLs, or whole URLs with `*` as a wildcard; if empty, every crawl matches. */
	urlPatterns: string[];
	events: CrawlEvent[];
}

/** How a crawl ended, or why that is unknown, with the service's own information. */
export interface CrawlEnding {
	event: CrawlEvent | 'unreachable';
	response: IDataObject;
	fetchError?: string;
	/** An item for each page, or for each file of pages. */
	pages?: INodeExecutionData[];
}

/** The result of looking one crawl up. */
export interface CrawlOutcome {
	state: 'running' | 'ended' | 'unclear';
	/** How it ended, or what is reported if it stays unclear. */
	ending?: CrawlEnding;
	/** The counts of a crawl that the service called completed too early to be plausible. */
	standstill?: Standstill;
}

/**
 * The crawl trigger's state machine: what it remembers between polls, and what it concludes from each of them. Pure: it
 * makes no requests, reads no clock and doesn't depend on n8n; it takes and returns its state as plain data.
 */
export class CrawlWatch {
	private readonly tracked: Map<string, TrackedCrawl>;
	private readonly done: Set<string>;
	private readonly active = new Set<string>();
	private readonly ids?: Set<string>;
	private readonly fits: (crawl: SeenCrawl) => boolean;
	private readonly listed?: Set<string>;
	private firstPage: string[] = [];
	private newest = 0;
	/** The `begunAt` of the state before, or now if the clock was set back since; unset at the first poll. */
	private readonly begunAt?: number;

	/** Starts from the state `before` the poll; there is none at the first poll, or if it was lost (`isLost`). */
	constructor(
		before: WatchState | undefined,
		private readonly settings: WatchSettings,
		private readonly now: number,
		isLost = false,
	) {
		if (settings.ids) this.ids = new Set(settings.ids.map(keyOf));
		this.fits = crawlFitterOf(settings.urlPatterns);
		if (before?.listed) this.listed = new Set(before.listed);
		if (before) this.begunAt = Math.min(before.begunAt, now);
		const tracked = (before?.tracked ?? []).filter((crawl) => this.isWatched(crawl));
		this.tracked = new Map(tracked.map((crawl) => [keyOf(crawl.id), crawl]));
		this.done = new Set(before?.done);
		const open = (settings.ids ?? []).filter((id) => !this.done.has(keyOf(id)));
		for (const id of open) this.add({ id, ...(isLost && { mayBeOver: true }) });
	}

	/** Whether all specific crawls are done, so that there is nothing left to request. */
	get isOver(): boolean {
		return this.ids !== undefined && this.tracked.size === 0;
	}

	/** Records a page of the activity list, newest first; returns true if no further page is needed. */
	seeActivity(page: SeenCrawl[]): boolean {
		if (this.firstPage.length === 0) this.firstPage = page.map(({ id }) => keyOf(id));
		const newsFrom = (this.begunAt ?? this.now) - MARGIN_MS;
		for (const crawl of page) {
			const { id, createdAt = -Infinity } = crawl;
			const key = keyOf(id);
			const tracked = this.tracked.get(key);
			this.newest = Math.max(this.newest, createdAt);
			// The list may lack a URL that an earlier list had.
			if (tracked) this.add({ ...crawl, ...tracked });
			else if (createdAt < newsFrom || this.listed?.has(key) || this.done.has(key)) continue;
			else if (this.isWatched(crawl)) {
				const mayBeOver = !this.listed && createdAt <= (this.begunAt ?? Infinity);
				this.add({ ...crawl, ...(mayBeOver && { mayBeOver }) });
			}
		}
		const { createdAt: oldest = Infinity } = page.at(-1) ?? {};
		return oldest < newsFrom || page.some(({ id }) => this.listed?.has(keyOf(id)));
	}

	seeActive(crawls: SeenCrawl[]): void {
		for (const crawl of crawls) {
			this.active.add(keyOf(crawl.id));
			if (this.done.has(keyOf(crawl.id)) || !this.isWatched(crawl)) continue;
			delete this.add(crawl).mayBeOver;
		}
	}

	/** The crawls to look up: tracked and not active, those with the fewest failed tries first, then the oldest. */
	get candidates(): TrackedCrawl[] {
		return [...this.tracked.values()]
			.filter(({ id }) => !this.active.has(keyOf(id)))
			.sort((a, b) => (a.tries ?? 0) - (b.tries ?? 0) || (a.createdAt ?? 0) - (b.createdAt ?? 0));
	}

	/** Records the result of looking a crawl up; returns whether its end is to be emitted now. */
	follow(crawl: TrackedCrawl, { state, ending, standstill }: CrawlOutcome): boolean {
		const id = keyOf(crawl.id);
		const tries = state === 'unclear' ? (crawl.tries ?? 0) + 1 : 0;
		if (state === 'ended' || tries >= MAX_TRIES) {
			this.tracked.delete(id);
			this.done.add(id);
			return ending !== undefined && isReported(crawl, ending, this.settings);
		}
		const counted = standstill && { standstill };
		// While its end is in doubt, it may still have ended before the first poll.
		if (state === 'unclear') this.tracked.set(id, { ...crawl, ...counted, tries });
		else if (counted) this.tracked.set(id, { ...without(crawl, 'tries'), ...counted });
		else this.tracked.set(id, without(crawl, 'tries', 'standstill', 'mayBeOver'));
		return false;
	}

	/** Returns the state after the poll; `isRead` is whether it read the activity list as far as needed. */
	stateAfter(isRead: boolean): WatchState {
		const { ids, now, newest } = this;
		// Crawls for which there is no room are found again, because what is known of the list stays the same.
		const isKnown = isRead && this.tracked.size <= MAX_TRACKED;
		const done = [...this.done];
		return {
			version: STATE.version,
			scope: this.settings.scope,
			tracked: [...this.tracked.values()].slice(0, MAX_TRACKED),
			done: ids ? done.filter((id) => ids.has(id)) : done.slice(isKnown ? -LAST_DONE : -MAX_DONE),
			// A list that is empty for once takes back nothing.
			listed:
				isKnown && this.firstPage.length > 0 ? this.firstPage : this.listed && [...this.listed],
			begunAt: this.begunAt ?? (isRead ? Math.min(newest, now) : now),
		};
	}

	private isWatched(crawl: SeenCrawl): boolean {
		return this.ids?.has(keyOf(crawl.id)) ?? this.fits(crawl);
	}

	/** Adds a crawl to those being tracked, or adds to what is known about it. */
	private add(crawl: TrackedCrawl): TrackedCrawl {
		const key = keyOf(crawl.id);
		const before = this.tracked.get(key);
		const known = { ...before, ...crawl, id: before?.id ?? crawl.id };
		this.tracked.set(key, known);
		return known;
	}
}

/** Returns a function that says whether a crawl's URL is among those to watch; without patterns, every crawl is. */
export function crawlFitterOf(urlPatterns: string[]): (crawl: SeenCrawl) => boolean {
	const fits = urlFitterOf(urlPatterns);
	return ({ url }) => urlPatterns.length === 0 || (url !== undefined && fits(url));
}

/** Whether a crawl's ending is to be emitted. */
export function isReported(
	crawl: TrackedCrawl,
	{ event }: CrawlEnding,
	settings: WatchSettings,
): boolean {
	return !crawl.mayBeOver && (event === 'unreachable' || settings.events.includes(event));
}
