import type { IDataObject } from 'n8n-workflow';

import { jobStateOf } from '../shared/jobs/jobState';

/**
 * The crawl trigger's state machine: what it remembers between two polls and what follows from what
 * a poll has seen. Pure: no request, no clock, no n8n.
 *
 * The promise: a crawl that ends after the first poll, and that the trigger has seen in a state n8n
 * kept or finds in the service's activity list, is emitted exactly once, as long as the service
 * still knows the crawl at the next successful poll and n8n keeps the execution it was handed.
 *
 * It rests on two sets and one date. `tracked` crawls haven't been reported yet, `settled` crawls
 * never will be again, and crawls created well before `coveredUntil` are in one of the two or were
 * over before the trigger began. A state that n8n lost (it doesn't save after empty polls) is
 * only an older such state: what it misses is found again from the same date on.
 */

/** The version of the state's shape; a state of any other version is a new start. */
export const STATE_VERSION = 1;

/** Activity is read again this far (ms) behind `coveredUntil`: entries may arrive late or unsorted. */
export const ACTIVITY_MARGIN_MS = 15 * 60_000;

/** A settled crawl is remembered at least this long (ms), should a stale list still show it. */
export const SETTLED_FOR_MS = 60 * 60_000;

/** Without an activity endpoint, ask for it again after this time (ms). */
export const ACTIVITY_RETRY_MS = 60 * 60_000;

export const MAX_TRACKED = 5_000;
export const MAX_SETTLED = 5_000;

/** A crawl that can't be fetched is reported as such after this many polls and this long (ms). */
export const MAX_TRIES = 5;
export const MAX_FAILING_MS = 10 * 60_000;

/** A longer URL isn't remembered; its pattern has been matched by then. */
const MAX_URL_LENGTH = 1_000;

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
	/** Not active when the trigger began: most likely over by then, and reported only if it wasn't. */
	unsure?: true;
	/** How many polls in a row couldn't fetch it, and since when. */
	tries?: number;
	failingSince?: number;
}

/** [id, created at or, where that isn't known, settled at (ms), settled at (ms)] */
export type SettledCrawl = [string, number, number];

export interface WatchState {
	version: typeof STATE_VERSION;
	scope: string;
	tracked: Record<string, TrackedCrawl>;
	/** Oldest first. */
	settled: SettledCrawl[];
	/** The newest creation date (ms, the service's clock) up to which activity has been read. */
	coveredUntil?: number;
	/** No activity endpoint here: don't ask before (ms). */
	askActivityAfter?: number;
}

export interface SeenCrawl {
	id: string;
	url?: string;
	createdAt?: number;
}

/** What the service's lists said in one poll. */
export interface Sighting {
	now: number;
	active: SeenCrawl[];
	/** Crawls started lately; `missing` where the service has no such endpoint, none: not read. */
	activity?: SeenCrawl[] | 'missing';
}

/** What looking up one crawl has shown. */
export type Outcome =
	| { kind: 'running' }
	| { kind: 'ended'; event: CrawlEvent; answer: IDataObject; pages?: IDataObject[] }
	/** Of an unsure crawl, whose pages nobody needs: it was over before the trigger began. */
	| { kind: 'over' }
	| { kind: 'gone'; reason: string }
	/** It couldn't be fetched; `answer` where at least its status is known. */
	| { kind: 'unreachable'; reason: string; answer?: IDataObject };

export interface Report {
	crawl: SeenCrawl;
	outcome: Extract<Outcome, { kind: 'ended' | 'unreachable' }>;
}

/** What a crawl's `status` means once it left the active list: there an unknown one is an end of another kind. */
export function eventOf(status: unknown): CrawlEvent | 'running' {
	const state = jobStateOf(status);
	return state === 'cancelled' || state === 'unknown' ? 'other' : state;
}

/** Whether one pattern fits a URL, in any case: with `*` the whole URL, without it a part of it. */
function fitsPattern(url: string, pattern: string): boolean {
	const [first, ...rest] = pattern.toLowerCase().split('*');
	const text = url.toLowerCase();
	if (rest.length === 0) return text.includes(first);
	const last = rest.pop()!;
	if (!text.startsWith(first)) return false;
	let position = first.length;
	for (const part of rest) {
		const found = text.indexOf(part, position);
		if (found < 0) return false;
		position = found + part.length;
	}
	return text.length - position >= last.length && text.endsWith(last);
}

/** Whether a crawl's URL fits one of the patterns; without patterns every crawl does. */
export function matchesUrl(url: string | undefined, patterns: string[]): boolean {
	if (patterns.length === 0) return true;
	return url !== undefined && patterns.some((pattern) => fitsPattern(url, pattern));
}

/** The stored state where it is ours, of this version and of these settings; else undefined. */
export function readState(stored: unknown, scope: string): WatchState | undefined {
	const state = stored as WatchState | null | undefined;
	if (typeof state !== 'object' || state === null) return undefined;
	if (state.version !== STATE_VERSION || state.scope !== scope) return undefined;
	if (typeof state.tracked !== 'object' || state.tracked === null) return undefined;
	return Array.isArray(state.settled) ? state : undefined;
}

/** Activity entries created before this date (ms) are no news. */
function activityHorizon(state: WatchState | undefined, newest = 0): number {
	return (state?.coveredUntil ?? newest) - ACTIVITY_MARGIN_MS;
}

/**
 * Whether the activity has been read far enough back, newest first: to the horizon, or to a page that
 * holds only what is known. `read` is all that was read, with its last page `page`.
 */
export function isReadEnough(
	state: WatchState | undefined,
	read: SeenCrawl[],
	page: SeenCrawl[],
): boolean {
	const dateOf = ({ createdAt = Infinity }: SeenCrawl) => createdAt;
	const newest = Math.max(0, ...read.map(({ createdAt = 0 }) => createdAt));
	if (page.some((crawl) => dateOf(crawl) < activityHorizon(state, newest))) return true;
	if (state?.coveredUntil === undefined) return false;
	const settled = new Set(state.settled.map(([id]) => id));
	return page.every(
		(crawl) =>
			dateOf(crawl) <= state.coveredUntil! && (settled.has(crawl.id) || tracks(state, crawl.id)),
	);
}

/** Whether this poll should read the activity list. Specific crawls need none: their ids are known. */
export function wantsActivity(
	state: WatchState | undefined,
	settings: WatchSettings,
	now: number,
): boolean {
	return settings.ids === undefined && !(now < (state?.askActivityAfter ?? 0));
}

/** Whether every specific crawl is settled, so that a poll has nothing to ask. */
export function isDone(state: WatchState | undefined, settings: WatchSettings): boolean {
	if (!settings.ids) return false;
	const settled = new Set(state?.settled.map(([id]) => id));
	return settings.ids.every((id) => settled.has(id));
}

/** The state after a poll's lists; without a state before, the baseline. */
export function observe(
	before: WatchState | undefined,
	seen: Sighting,
	settings: WatchSettings,
): WatchState {
	const settled = new Map(before?.settled.map((entry) => [entry[0], entry]));
	const state: WatchState = {
		version: STATE_VERSION,
		scope: settings.scope,
		tracked: {},
		settled: [],
		...(before?.coveredUntil !== undefined && { coveredUntil: before.coveredUntil }),
		...(before?.askActivityAfter !== undefined && { askActivityAfter: before.askActivityAfter }),
	};
	let trackedCount = 0;
	const track = (id: string, crawl: TrackedCrawl): boolean => {
		const known = tracks(state, id) ? state.tracked[id] : undefined;
		if (!known && trackedCount++ >= MAX_TRACKED) return false;
		const { url = known?.url, createdAt = known?.createdAt, ...trouble } = crawl;
		state.tracked[id] = {
			...known,
			...trouble,
			...(url !== undefined && url.length <= MAX_URL_LENGTH && { url }),
			...(createdAt !== undefined && { createdAt }),
		};
		return true;
	};

	for (const [id, crawl] of Object.entries(before?.tracked ?? {})) {
		const dropped = settings.ids
			? !settings.ids.includes(id)
			: crawl.url !== undefined && !matchesUrl(crawl.url, settings.urlPatterns);
		if (!dropped) track(id, crawl);
	}
	for (const id of settings.ids ?? []) if (!settled.has(id)) track(id, {});
	for (const { id, url } of seen.active) {
		if (settled.has(id)) continue;
		if (settings.ids ? settings.ids.includes(id) : matchesUrl(url, settings.urlPatterns)) {
			track(id, { url });
			if (tracks(state, id)) delete state.tracked[id].unsure;
		}
	}
	if (seen.activity === 'missing') {
		state.askActivityAfter = seen.now + ACTIVITY_RETRY_MS;
	} else if (seen.activity) {
		delete state.askActivityAfter;
		cover(seen.activity);
	}
	state.settled = [...settled.values()];
	return state;

	function cover(activity: SeenCrawl[]): void {
		const active = new Set(seen.active.map(({ id }) => id));
		const dates = activity.map(({ createdAt = seen.now }) => createdAt);
		const newest = Math.max(before?.coveredUntil ?? 0, ...dates);
		const isStart = before?.coveredUntil === undefined;
		const horizon = activityHorizon(before, newest);
		let fits = true;
		for (const { id, url, createdAt = seen.now } of activity) {
			if (settled.has(id)) continue;
			if (tracks(state, id)) {
				track(id, { url, createdAt });
			} else if (active.has(id) || createdAt < horizon) {
				continue;
			} else if (matchesUrl(url, settings.urlPatterns)) {
				fits = track(id, { url, createdAt, ...(isStart && { unsure: true }) }) && fits;
			} else {
				settled.set(id, [id, createdAt, seen.now]);
			}
		}
		// What didn't fit must be found again, so the date stays where it was.
		if (fits) state.coveredUntil = newest;
	}
}

/** The crawls to look up: tracked and no longer active, the least troublesome and oldest first. */
export function leftTheList(
	state: WatchState,
	seen: Sighting,
): Array<SeenCrawl & Pick<TrackedCrawl, 'unsure'>> {
	const active = new Set(seen.active.map(({ id }) => id));
	return Object.entries(state.tracked)
		.filter(([id]) => !active.has(id))
		.sort(
			([, a], [, b]) => (a.tries ?? 0) - (b.tries ?? 0) || (a.createdAt ?? 0) - (b.createdAt ?? 0),
		)
		.map(([id, { url, createdAt, unsure }]) => ({ id, url, createdAt, unsure }));
}

/**
 * Brings a poll's findings into the state as it is now, which an overlapping poll may have changed
 * since this one read it as `base`. A crawl that another poll has settled isn't reported again.
 * At most `maxReports` crawls are reported; the rest stays for the next poll.
 * Without a result the findings are void: the node's settings have changed in the meantime.
 */
export function commit(
	stored: { base: unknown; now: unknown },
	seen: Sighting,
	outcomes: Map<string, Outcome>,
	settings: WatchSettings,
	maxReports = Infinity,
):
	| { state: WatchState; reports: Report[]; dropped: Array<{ id: string; reason: string }> }
	| undefined {
	const current = readState(stored.now, settings.scope);
	const base = readState(stored.base, settings.scope);
	const scopeOf = (value: unknown) => (value as WatchState | undefined)?.scope;
	if (!current && scopeOf(stored.now) !== scopeOf(stored.base)) return undefined;

	// Active for this poll, but gone from the state since: another poll has settled it.
	const active = seen.active.filter(
		({ id }) => !current || !base || !tracks(base, id) || tracks(current, id),
	);
	const state = observe(current, { ...seen, active }, settings);
	const reports: Report[] = [];
	const dropped: Array<{ id: string; reason: string }> = [];
	const settle = (id: string) => {
		// A crawl is never created after it has been settled: the bound holds without its date.
		state.settled.push([id, state.tracked[id].createdAt ?? seen.now, seen.now]);
		delete state.tracked[id];
	};
	const report = (id: string, outcome: Report['outcome']) => {
		const { url, createdAt } = state.tracked[id];
		reports.push({ crawl: { id, url, createdAt }, outcome });
		settle(id);
	};

	for (const [id, outcome] of outcomes) {
		if (!tracks(state, id)) continue;
		const crawl = state.tracked[id];
		const full = reports.length >= maxReports;
		if (outcome.kind === 'running') {
			delete crawl.unsure;
			delete crawl.tries;
			delete crawl.failingSince;
		} else if (outcome.kind === 'over') {
			// Another poll may have seen it running since: then it is reported after a look of its own.
			if (crawl.unsure) settle(id);
		} else if (outcome.kind === 'gone') {
			dropped.push({ id, reason: outcome.reason });
			settle(id);
		} else if (outcome.kind === 'ended') {
			if (!settings.events.includes(outcome.event)) settle(id);
			else if (!full) report(id, outcome);
		} else {
			crawl.tries = Math.min((crawl.tries ?? 0) + 1, MAX_TRIES);
			crawl.failingSince ??= seen.now;
			const overdue = seen.now - crawl.failingSince >= MAX_FAILING_MS;
			if (crawl.tries < MAX_TRIES || !overdue) continue;
			if (crawl.unsure) settle(id);
			else if (!full) report(id, outcome);
		}
	}
	return { state: pruned(state, seen.now, settings), reports, dropped };
}

/** The state without the settled crawls that nothing can bring back. */
function pruned(state: WatchState, now: number, settings: WatchSettings): WatchState {
	if (settings.ids) {
		const settled = state.settled.filter(([id]) => settings.ids!.includes(id));
		return { ...state, settled };
	}
	const horizon = activityHorizon(state, Infinity);
	const kept = state.settled.filter(
		([, createdAt, settledAt]) => createdAt >= horizon || now - settledAt < SETTLED_FOR_MS,
	);
	const evicted = kept.splice(0, Math.max(0, kept.length - MAX_SETTLED));
	if (evicted.length === 0 || state.coveredUntil === undefined) return { ...state, settled: kept };
	// What isn't remembered any more must not look new: the date moves past it.
	const newest = Math.max(...evicted.map(([, createdAt]) => createdAt));
	const coveredUntil = Math.max(state.coveredUntil, newest + ACTIVITY_MARGIN_MS + 1);
	return { ...state, settled: kept, coveredUntil };
}

function tracks(state: WatchState, id: string): boolean {
	return Object.hasOwn(state.tracked, id);
}
