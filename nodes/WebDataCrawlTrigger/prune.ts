import { ACTIVITY_MARGIN_MS, activityHorizon } from './activity';
import type { SettledCrawl, WatchSettings, WatchState } from './crawlState';

/** A settled crawl is remembered at least this long (ms), should a stale list still show it. */
export const SETTLED_FOR_MS = 60 * 60_000;

/** One without a date is remembered as long (ms) as the activity list, which goes back 24 hours, may show it. */
export const UNDATED_FOR_MS = 25 * 60 * 60_000;

export const MAX_SETTLED = 5_000;

/** While there is more activity to come to, more are remembered: forgetting them would hide older crawls. */
const MAX_SETTLED_BEHIND = 20_000;

/** The state without the settled crawls that nothing can bring back. */
export function pruned(state: WatchState, now: number, settings: WatchSettings): WatchState {
	if (settings.ids) {
		const settled = state.settled.filter(([id]) => settings.ids!.includes(id));
		return { ...state, settled };
	}
	const horizon = activityHorizon(state, Infinity);
	const isKept = ([, createdAt, settledAt]: SettledCrawl) =>
		createdAt >= horizon || now - settledAt < (createdAt === 0 ? UNDATED_FOR_MS : SETTLED_FOR_MS);
	const kept = state.settled.filter(isKept);
	const most = state.isBehind ? MAX_SETTLED_BEHIND : MAX_SETTLED;
	if (kept.length <= most) return { ...state, settled: kept };
	const evicted = kept.splice(0, kept.length - most);
	if (state.coveredUntil === undefined) return { ...state, settled: kept };
	// What isn't remembered any more must not look new: the date moves past it.
	const newest = evicted.reduce((date, [, createdAt]) => Math.max(date, createdAt), 0);
	const coveredUntil = Math.max(state.coveredUntil, newest + ACTIVITY_MARGIN_MS + 1);
	return { ...state, settled: kept, coveredUntil };
}
