import { type SeenCrawl, type WatchSettings, type WatchState, tracks } from './crawlState';

/** Activity is read again this far (ms) behind `coveredUntil`: entries may arrive late or unsorted. */
export const ACTIVITY_MARGIN_MS = 15 * 60_000;

/** Without an activity endpoint, ask for it again after this time (ms). */
export const ACTIVITY_RETRY_MS = 60 * 60_000;

/** The latest date that there can be: now, or the latest one so far, if n8n's clock was set back since. */
export function latest(state: WatchState | undefined, now: number): number {
	return Math.max(now, state?.coveredUntil ?? 0);
}

/**
 * The crawls without the dates that can't be believed: those further ahead of `until` than the margin. Taken
 * at its word, one such date would make every crawl after it look old.
 */
export function withCredibleDates(crawls: SeenCrawl[], until: number): SeenCrawl[] {
	return crawls.map((crawl) => {
		if ((crawl.createdAt ?? 0) <= until + ACTIVITY_MARGIN_MS) return crawl;
		return { ...crawl, createdAt: undefined };
	});
}

/** The newest date of these crawls; 0 without any. There may be more than Math.max takes as arguments. */
export function newestOf(crawls: SeenCrawl[]): number {
	return crawls.reduce((newest, { createdAt = 0 }) => Math.max(newest, createdAt), 0);
}

/** Activity entries created before this date (ms) are no news. */
export function activityHorizon(state: WatchState | undefined, newest = 0): number {
	return (state?.coveredUntil ?? newest) - ACTIVITY_MARGIN_MS;
}

/**
 * Whether the activity has been read far enough back, newest first: to the horizon, or to a page that
 * holds only what is known and reaches back to what was read before, as long as nothing further back had to be
 * left for later. `read` is all that was read, with its last page `page`.
 */
export function isReadEnough(
	state: WatchState | undefined,
	read: SeenCrawl[],
	page: SeenCrawl[],
	now: number,
): boolean {
	const until = latest(state, now);
	const dated = withCredibleDates(page, until).filter(({ createdAt }) => createdAt !== undefined);
	const newest = newestOf(withCredibleDates(read, until));
	const oldest = dated.at(-1)?.createdAt ?? Infinity;
	if (oldest < activityHorizon(state, newest)) return true;
	// At the start there is nothing to compare undated crawls with, neither in this page nor in those behind it.
	if (state?.coveredUntil === undefined) return dated.length === 0;
	if (state.isBehind) return false;
	// What the active list alone has shown says nothing of the crawls behind it.
	if (dated.length > 0 && oldest > state.coveredUntil) return false;
	const settled = new Set(state.settled.map(([id]) => id));
	return page.every(({ id }) => settled.has(id) || tracks(state, id));
}

/** Whether this poll should read the activity list. Specific crawls need none: their ids are known. */
export function wantsActivity(
	state: WatchState | undefined,
	settings: WatchSettings,
	now: number,
): boolean {
	if (settings.ids !== undefined) return false;
	const wait = (state?.askActivityAfter ?? 0) - now;
	// A longer wait was set by a clock that was ahead.
	return wait <= 0 || wait > ACTIVITY_RETRY_MS;
}
