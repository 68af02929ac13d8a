import { messageOf } from '../shared/base/text';
import { mayPass } from '../shared/client/errors/texts';
import { failureOf } from '../shared/client/errors/nodeErrors';
import { type Memory, recalled, save } from '../shared/trigger/memory';
import { type PollTools, sayEndedEarly } from '../shared/trigger/runPoll';
import { workThrough } from '../shared/trigger/workThrough';
import {
	type PageReading,
	type PageReport,
	type PageSettings,
	type PagesState,
	STATE,
	commitReadings,
	recounted,
} from './pageState';

const PAGES_AT_ONCE = 10;

/** Maximum number of readings of a page in its first poll, and the pause (ms) before each repetition. */
const FIRST_READINGS = 3;
const PAUSE_MS = 5_000;

const LATE = 'It took longer than a poll may take';

export interface PagesTask extends PollTools {
	settings: PageSettings;
	/**
	 * Scrapes one page afresh; the first time (`isFirst`), it waits for a rate limit as long as the poll has time.
	 * Throws only for problems that affect all pages, such as a wrong key.
	 */
	read(url: string, isFirst: boolean): Promise<PageReading>;
	/** Shortest time (ms) that a page needs; with less time left, none is started. */
	leastMs: number;
	/** Returns the error of a poll in which no page could be read and no event reports that. */
	nothingRead(reason: string): Error;
	/** Returns a number from 0 to 1 that decides where in the list of pages the poll starts. */
	random(): number;
}

/**
 * Polls once: reads the pages, then saves the state in one go. Returns the reports to emit, changed pages with their
 * current content. A page's first poll tries several times, because n8n saves the first versions of a published
 * workflow, but doesn't save later versions until something is emitted. If the service only allows some of the pages,
 * later polls read the rest. Throws a request's error if there is nothing to emit and either no page was read or later
 * polls would fare no better. Pages that were read are kept in any case.
 */
export async function pollPages(task: PagesTask): Promise<PageReport[]> {
	const { settings, store, log } = task;
	const begun = task.now();
	const known = recalled<PagesState>(task, STATE, settings.scope);
	const isNew = (url: string) => known?.pages[url] === undefined;
	const { budgetMs } = task;
	const finishBy = begun + budgetMs;
	const readings = new Map<string, PageReading>();
	const isOpen = (url: string) => {
		const page = readings.get(url);
		return page === undefined || (isNew(url) && page.kind === 'failed' && page.mayPass === true);
	};
	const round = async () =>
		await workThrough(
			{
				// If there isn't time for all pages, each one still gets its turn sooner or later.
				jobs: rotated(settings.urls, task.random()).filter(isOpen),
				work: async (url) => await task.read(url, isNew(url)),
				take: (url, page) => readings.set(url, page),
				atOnce: PAGES_AT_ONCE,
				beginBy: begun + Math.min(budgetMs * 0.75, budgetMs - task.leastMs),
				finishBy,
			},
			task,
		);
	let { late, failure } = await round();
	for (let turn = 1; turn < FIRST_READINGS; turn++) {
		const isLasting = failure && !mayPass(failureOf(failure.error).cause);
		const pauseMs = Math.max(PAUSE_MS, (failure && failureOf(failure.error).retryAfterMs) ?? 0);
		const hasTime = task.now() + pauseMs < begun + budgetMs * 0.75;
		if (isLasting || !hasTime || !settings.urls.some((url) => isNew(url) && isOpen(url))) break;
		await task.wait(pauseMs);
		({ late, failure } = await round());
	}
	// If the service can't be reached, the pages are not to blame.
	if (!failure) for (const url of late) readings.set(url, { kind: 'failed', reason: LATE });
	const isAnyRead = [...readings.values()].some(({ kind }) => kind === 'read');
	// If other pages can be read, the problem lies with this page.
	if (failure && isAnyRead && failureOf(failure.error).cause === 'temporarily-unavailable') {
		readings.set(failure.job, { kind: 'failed', reason: messageOf(failure.error) });
	}

	const before = task.begin ? recounted(known) : known;
	const { state, reports } = await commitReadings(before, readings, settings);
	const results = [...readings.values()];
	const rejection = rejectionOf(results);
	if (rejection) throw rejection;
	const reportsFailures = settings.reportFailures && known !== undefined;
	if (!isAnyRead && !reportsFailures) {
		if (failure) throw failure.error;
		for (const page of results) if (page.kind === 'failed') throw task.nothingRead(page.reason);
	}
	// Saved even if the poll fails, because the pages that were read have been paid for.
	save(store, state);
	const unread = settings.urls.filter((url) => isNew(url) && readings.get(url)?.kind !== 'read');
	const said = `Pages that could not be read in their first poll: ${unread.join(', ')}. Their first version is what a later poll reads`;
	if (unread.length > 0) log.warn(said);
	const isLasting = !isAnyRead || (failure && !mayPass(failureOf(failure.error).cause));
	if (failure && isLasting && reports.length === 0) throw failure.error;
	if (failure) sayEndedEarly(failure.error, log);
	return reports;
}

/**
 * Polls these pages as if those that aren't known had been empty until now. Returns the reports and what is known then.
 * Throws as `pollPages` does.
 */
export async function pollAsNew(
	task: PagesTask,
	urls: string[],
	known: PagesState['pages'] = {},
): Promise<{ reports: PageReport[]; pages: PagesState['pages'] }> {
	const before = urls.map((url) => [url, { hash: '', text: '', ...known[url] }]);
	const settings = { ...task.settings, urls };
	let state = { ...STATE, ...settings, pages: Object.fromEntries(before) } as PagesState;
	const store = { read: () => state, write: (next: Memory) => void (state = next as PagesState) };
	const reports = await pollPages({ ...task, settings, store, begin: undefined });
	return { reports, pages: state.pages };
}

/** Returns the service's objection to the request; undefined if any page was read, or failed for another reason. */
function rejectionOf(results: PageReading[]): Error | undefined {
	const rejections = results.map((page) => (page.kind === 'failed' ? page.rejection : undefined));
	return rejections.includes(undefined) ? undefined : rejections[0];
}

function rotated<T>(list: T[], random: number): T[] {
	const start = Math.floor(random * list.length);
	return [...list.slice(start), ...list.slice(0, start)];
}
