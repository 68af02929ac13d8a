import { fitsAnyUrl } from '../shared/trigger/pattern';
import { jobStateOf } from '../shared/jobs/jobState';
import {
	ACTIVITY_RETRY_MS,
	activityHorizon,
	latest,
	newestOf,
	withCredibleDates,
} from './activity';
import {
	type Activity,
	type CrawlEvent,
	type CrawlOutcome,
	MAX_TRACKED,
	type Report,
	STATE_VERSION,
	type SeenCrawl,
	type SettledCrawl,
	type Sighting,
	type TrackedCrawl,
	type WatchSettings,
	type WatchState,
	tracks,
} from './crawlState';
import { pruned } from './prune';

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

/** What can't be found out of a crawl is taken for its end after this many polls and this long (ms). */
export const MAX_TRIES = 5;
export const MAX_FAILING_MS = 10 * 60_000;

/** A longer URL isn't remembered; its pattern has been matched by then. */
const MAX_URL_LENGTH = 1_000;

/**
 * What a crawl's `status` means for one that isn't in the list of active crawls. A status nobody has heard of may be
 * an end or not: it counts as one when it stays.
 */
export function eventOf(status: unknown): CrawlEvent | 'running' | 'unknown' {
	const state = jobStateOf(status);
	return state === 'cancelled' ? 'other' : state;
}

/** Whether a crawl's URL fits one of the patterns; without patterns every crawl does. */
export function matchesUrl(url: string | undefined, patterns: string[]): boolean {
	return patterns.length === 0 || (url !== undefined && fitsAnyUrl(url, patterns));
}

/** Whether a tracked crawl is reported when it ends, as far as is known. */
export function isWanted(
	{ unsure, hidden, url }: Pick<TrackedCrawl, 'unsure' | 'hidden' | 'url'>,
	{ urlPatterns }: WatchSettings,
): boolean {
	return !unsure && (!hidden || matchesUrl(url, urlPatterns));
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
	const { coveredUntil, askActivityAfter, isBehind } = before ?? {};
	const state: WatchState = {
		version: STATE_VERSION,
		scope: settings.scope,
		tracked: {},
		settled: [],
		...(coveredUntil !== undefined && { coveredUntil }),
		...(askActivityAfter !== undefined && { askActivityAfter }),
		...(isBehind && { isBehind }),
	};
	const settled = new Map(before?.settled.map((entry) => [entry[0], entry]));
	const track = trackerOf(state);
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
		cover({ state, before, settled, track, settings }, seen, seen.activity);
	}
	state.settled = [...settled.values()];
	return state;
}

type Track = (id: string, crawl: TrackedCrawl) => boolean;

/** Adds to the crawls that a state tracks what is known of one; false where there is no room for it. */
function trackerOf(state: WatchState): Track {
	let count = 0;
	return (id, crawl) => {
		const known = tracks(state, id) ? state.tracked[id] : undefined;
		if (!known && count >= MAX_TRACKED) return false;
		if (!known) count++;
		const { url = known?.url, createdAt = known?.createdAt, ...more } = crawl;
		state.tracked[id] = {
			...known,
			...more,
			...(url !== undefined && url.length <= MAX_URL_LENGTH && { url }),
			...(createdAt !== undefined && { createdAt }),
		};
		return true;
	};
}

/** Brings the activity into the state: what is new is tracked, and the date moves on over what is covered. */
function cover(
	{
		state,
		before,
		settled,
		track,
		settings,
	}: {
		state: WatchState;
		before: WatchState | undefined;
		settled: Map<string, SettledCrawl>;
		track: Track;
		settings: WatchSettings;
	},
	seen: Sighting,
	{ crawls, isComplete }: Activity,
): void {
	const active = new Set(seen.active.map(({ id }) => id));
	const isStart = before?.coveredUntil === undefined;
	const credible = withCredibleDates(crawls, latest(before, seen.now));
	const newest = Math.max(before?.coveredUntil ?? 0, newestOf(credible));
	const horizon = activityHorizon(before, newest);
	const [unsure, hidden] = [{ unsure: true as const }, { hidden: true as const }];
	let firstLeftOut: number | undefined;
	// Oldest first: what there is no room for is then all newer than what is covered.
	for (const { id, url, createdAt } of sortedByDate(credible)) {
		if (settled.has(id)) continue;
		const known = { url, createdAt, ...(createdAt === undefined && { undated: true as const }) };
		const fits = matchesUrl(url, settings.urlPatterns);
		// This list may hide a URL that is known.
		if (tracks(state, id)) track(id, { ...known, url: state.tracked[id].url ?? url });
		else if (active.has(id) || (createdAt !== undefined && createdAt < horizon)) continue;
		else if ((url !== undefined && !fits) || (isStart && createdAt === undefined)) {
			// An undated crawl that isn't active at the start counts as over.
			settled.set(id, [id, createdAt ?? 0, seen.now]);
		} else if (!track(id, { ...known, ...(isStart && unsure), ...(!fits && hidden) })) {
			// So does one that there is no room to look up.
			if (isStart) settled.set(id, [id, createdAt ?? 0, seen.now]);
			else firstLeftOut ??= createdAt ?? before?.coveredUntil ?? 0;
		}
	}
	const isBehind = firstLeftOut !== undefined || (!isComplete && !isStart);
	if (isBehind) state.isBehind = true;
	else delete state.isBehind;
	if (!isBehind) state.coveredUntil = newest;
	else if (isComplete && firstLeftOut !== undefined) {
		state.coveredUntil = Math.max(before?.coveredUntil ?? 0, firstLeftOut - 1);
	}
}

/** Oldest first; the list comes newest first, and undated crawls stay between their neighbors. */
function sortedByDate(crawls: SeenCrawl[]): SeenCrawl[] {
	let last = -Infinity;
	const places = [...crawls].reverse().map((crawl) => {
		last = crawl.createdAt ?? last;
		return { crawl, date: last };
	});
	return places.sort((a, b) => a.date - b.date || 0).map(({ crawl }) => crawl);
}

/** The crawls to look up: tracked and no longer active, the least troublesome and oldest first. */
export function leftTheList(
	state: WatchState,
	seen: Sighting,
): Array<SeenCrawl & Pick<TrackedCrawl, 'unsure' | 'hidden'>> {
	const active = new Set(seen.active.map(({ id }) => id));
	return Object.entries(state.tracked)
		.filter(([id]) => !active.has(id))
		.sort(
			([, a], [, b]) => (a.tries ?? 0) - (b.tries ?? 0) || (a.createdAt ?? 0) - (b.createdAt ?? 0),
		)
		.map(([id, { url, createdAt, unsure, hidden }]) => ({ id, url, createdAt, unsure, hidden }));
}

/** What follows from a poll. */
export interface Committed {
	state: WatchState;
	reports: Report[];
	dropped: Array<{ id: string; reason: string }>;
}

interface PollBounds {
	now: number;
	settings: WatchSettings;
	maxReports?: number;
}

/**
 * Brings what the look-ups have shown into the state that `observe` has made for them. At most `maxReports` crawls are
 * reported; the rest stays for the next poll.
 */
export function commit(
	state: WatchState,
	outcomes: Map<string, CrawlOutcome>,
	poll: PollBounds,
): Committed {
	const result: Committed = { state, reports: [], dropped: [] };
	for (const [id, outcome] of outcomes) follow(result, id, outcome, poll);
	return { ...result, state: pruned(state, poll.now, poll.settings) };
}

/** Brings what looking up one crawl has shown into the result. */
function follow(
	{ state, reports, dropped }: Committed,
	id: string,
	outcome: CrawlOutcome,
	{ now, settings, maxReports = Infinity }: PollBounds,
): void {
	const crawl = state.tracked[id];
	const settle = () => {
		// A crawl is never created after it has been settled: the bound holds without its date.
		state.settled.push([id, crawl.undated ? 0 : (crawl.createdAt ?? now), now]);
		delete state.tracked[id];
	};
	const report = (ending: Report['outcome']) => {
		if (ending.kind === 'ended' && !settings.events.includes(ending.event)) return settle();
		if (reports.length >= maxReports) return;
		const { url, createdAt } = crawl;
		reports.push({ crawl: { id, url, createdAt }, outcome: ending });
		settle();
	};
	if (outcome.kind === 'running') {
		delete crawl.unsure;
		delete crawl.tries;
		delete crawl.failingSince;
	} else if (outcome.kind === 'over') {
		settle();
	} else if (outcome.kind === 'ended') {
		report(outcome);
	} else if (isGivenUp(crawl, now)) {
		if (outcome.kind === 'gone') dropped.push({ id, reason: outcome.reason });
		if (!isWanted(crawl, settings) || outcome.kind === 'gone') settle();
		else if (outcome.kind === 'unreachable') report(outcome);
		else report({ kind: 'ended', event: 'other', response: outcome.response });
	}
}

/** Counts one more poll that couldn't find out about the crawl; whether that was the last one. */
function isGivenUp(crawl: TrackedCrawl, now: number): boolean {
	crawl.tries = Math.min((crawl.tries ?? 0) + 1, MAX_TRIES);
	// A date ahead of the clock was set while the clock was ahead.
	crawl.failingSince = Math.min(crawl.failingSince ?? now, now);
	return crawl.tries >= MAX_TRIES && now - crawl.failingSince >= MAX_FAILING_MS;
}
