import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { MAX_HELD_BYTES } from '../shared/base/limits';
import { owedBy, standstillOf, phaseOf } from '../shared/jobs/jobEnd';
import { jobStateOf } from '../shared/jobs/jobState';
import { numberOf, sizeOf, without } from '../shared/base/json';
import { messageOf, withoutStop } from '../shared/base/text';
import { ServiceError } from '../shared/client/errors/serviceError';
import { hasBegun, recalled, save } from '../shared/trigger/memory';
import { type PollTools, sayEndedEarly } from '../shared/trigger/runPoll';
import { workThrough } from '../shared/trigger/workThrough';
import {
	STATE,
	type SeenCrawl,
	type TrackedCrawl,
	type WatchState,
	type CrawlOutcome,
	CrawlWatch,
	type CrawlEnding,
	MAX_TRIES,
	type WatchSettings,
	isReported,
} from './crawlWatch';
import { type CrawlRequests, stopsPoll } from './requests';

/** Maximum number of crawls looked up at once; fewer with pages, because each response may carry 10 MB of them. */
const LOOKUPS_AT_ONCE = 8;
const LOOKUPS_WITH_PAGES = 2;

/** Number of items after which a poll looks up no more crawls; it also stops once the items hold too many bytes. */
const MAX_EMITTED = 2_000;

/** Shares of a poll's time after which it stops reading the activity list, and stops starting look-ups. */
const ACTIVITY_SHARE = 0.4;
const FIRST_ACTIVITY_SHARE = 0.93;
const LOOKUPS_SHARE = 0.75;

const TOO_MANY =
	'The service reports more crawls than one poll can read: those further back follow in later polls, as far as there is time';

const FIRST_UNREAD =
	'Crawls that began before this first poll are emitted only if a poll sees them running';

/** Number of consecutive failed look-ups after which a poll fails because of them; a single failure may be a fluke. */
const REPORTED_TRIES = 2;

/** Maximum number of crawls remembered as reported; beyond that, all of them may be reported again. */
const MOST_REPORTED = 1_000;

/**
 * Crawls that have already made a poll fail, by trigger and ID. Kept in memory, because durable mode doesn't save the
 * state of a failed poll, and the next poll must go on regardless.
 */
const reported = new Set<string>();

/** Returns whether a crawl hasn't made a poll fail before; from then on, it has. */
export function isFirstFailure(crawl: string): boolean {
	if (reported.has(crawl)) return false;
	if (reported.size >= MOST_REPORTED) reported.clear();
	return reported.add(crawl).size > 0;
}

const UNKNOWN = 'The service does not know it (any more)';
const LATE = 'Fetching it takes longer than a poll may: set a Limit, or output the status only';

export interface PollTask extends PollTools {
	requests: CrawlRequests;
	settings: WatchSettings;
	withPages: boolean;
	/** Whether a poll emits at most one crawl. */
	oneAtATime: boolean;
	/** Returns whether a crawl hasn't made a poll fail before; from then on, it has. */
	isFirstFailure(id: string): boolean;
}

/**
 * Polls once: reads the lists, looks crawls up, then saves the state in one go. Returns the items to emit. Throws a
 * request's error if there is nothing to emit; the state is then unchanged. Also throws for a crawl that can't be read
 * if there is nothing to emit, except in a poll whose error would keep the workflow from being published.
 */
export async function pollOnce(task: PollTask): Promise<INodeExecutionData[]> {
	const { settings, store, log } = task;
	const state = recalled<WatchState>(task, STATE, settings.scope);
	const begun = task.now();
	const isFirst = state === undefined;
	const after = (share: number) => begun + share * task.budgetMs;
	const isLost = isFirst && hasBegun(store, settings.scope);
	const watch = new CrawlWatch(state, settings, begun, isLost);
	if (watch.isOver) return [];

	const finishBy = after(isFirst ? FIRST_ACTIVITY_SHARE : ACTIVITY_SHARE);
	const isRead = settings.ids === undefined && (await readActivity(task, watch, finishBy, isFirst));
	// Read after the activity list, so that a crawl that started in between is seen running and not looked up.
	watch.seeActive(await task.requests.active(isFirst));

	const items: INodeExecutionData[] = [];
	let bytes = 0;
	const unread: Array<{ id: string; reason: string }> = [];
	const take = (crawl: TrackedCrawl, outcome: CrawlOutcome) => {
		const { state: found, ending } = outcome;
		const { id, tries = 0, mayBeOver } = crawl;
		const reason = ending?.fetchError ?? 'its state is unknown';
		if (found === 'unclear') log.warn(`Crawl ${id}: ${reason}`);
		const isUnread = ending?.event === 'unreachable' && tries + 1 >= REPORTED_TRIES;
		if (isUnread && !mayBeOver) unread.push({ id, reason });
		// The items are created first, because a crawl whose items can't be emitted must not count as done.
		const made = ending ? crawlItems(crawl, ending, task.withPages) : [];
		if (!watch.follow(crawl, outcome)) return;
		for (const item of made) {
			items.push(item);
			bytes += sizeOf(item.json);
		}
	};
	const mayBegin = () =>
		items.length < (task.oneAtATime ? 1 : MAX_EMITTED) && bytes < MAX_HELD_BYTES;
	const { late, failure } = await workThrough(
		{
			jobs: watch.candidates,
			work: async (crawl) => await lookUp(task, crawl),
			take,
			atOnce: task.oneAtATime ? 1 : task.withPages ? LOOKUPS_WITH_PAGES : LOOKUPS_AT_ONCE,
			mayBegin,
			beginBy: after(LOOKUPS_SHARE),
			finishBy: after(1),
		},
		task,
	);
	if (failure) {
		// If the service can't be reached, the crawls aren't to blame for being late.
		if (items.length === 0) throw failure.error;
		sayEndedEarly(failure.error, log);
	} else for (const crawl of late) take(crawl, unreachable(LATE));
	save(store, watch.stateAfter(isRead));
	const [first] =
		items.length > 0 || task.begin ? [] : unread.filter(({ id }) => task.isFirstFailure(id));
	if (first === undefined) return items;
	throw new ServiceError(`Crawl ${first.id} can’t be read: ${withoutStop(first.reason)}`, {
		description: `Several polls in a row have tried. The next ones try again and emit other crawls as usual; a crawl that can’t be read ${MAX_TRIES} times in a row is emitted with the event “unreachable”.`,
	});
}

/**
 * Reads the activity list as far back as there may be new crawls, and as far as time allows. Returns whether it was read
 * as far as needed.
 */
async function readActivity(
	{ requests, log, now }: PollTask,
	watch: CrawlWatch,
	finishBy: number,
	isFirst: boolean,
): Promise<boolean> {
	let unread = '';
	try {
		for await (const page of requests.activity(finishBy, isFirst)) {
			if (watch.seeActivity(page)) break;
			if (now() < finishBy) continue;
			unread = TOO_MANY;
			break;
		}
	} catch (error) {
		unread = `The activity list could not be read: ${withoutStop(messageOf(error))}`;
	}
	if (unread !== '') log.warn(isFirst ? `${unread}. ${FIRST_UNREAD}` : unread);
	return unread === '';
}

const unreachable = (fetchError: string, response: IDataObject = {}): CrawlOutcome => ({
	state: 'unclear',
	ending: { event: 'unreachable', response, fetchError },
});

/** Looks up the state of one crawl. Throws only errors that would affect every other crawl, too. */
export async function lookUp(task: PollTask, crawl: TrackedCrawl): Promise<CrawlOutcome> {
	const { requests, settings, withPages } = task;
	const at = task.now();
	let summary: IDataObject | undefined;
	try {
		const found = await requests.status(crawl.id);
		if (!found) return unreachable(UNKNOWN);
		const { body } = found;
		// Without its pages, which may be 10 MB, and without fields that only serve the protocol.
		summary = without(body, 'success', 'data', 'next');
		const state = jobStateOf(body.status);
		if (state === 'running') return { state };
		const isOwing = owedBy(body) > 0 && state === 'completed';
		const withoutPage = isOwing ? await requests.countFailed(found, crawl.id) : 0;
		const standstill = standstillOf(crawl.standstill, body, at);
		const phase = phaseOf(body, { withoutPage }, standstill, at);
		const event = state === 'completed' || state === 'failed' ? state : 'other';
		const ending: CrawlEnding = { event, response: summary };
		if (phase === 'running') {
			return { state: state === 'completed' ? 'running' : 'unclear', standstill, ending };
		}
		if (phase === 'short') {
			const crawlWarning = `The service says that the crawl is complete, but counts ${numberOf(body.completed)} of ${numberOf(body.total)} pages: the others may follow, and Web Data Crawl → Get Pages of Crawl gets them at no cost.`;
			ending.response = { ...summary, crawlWarning };
		}
		if (withPages && isReported(crawl, ending, settings)) {
			ending.pages = await requests.pages(crawl.id, found, withoutPage);
		}
		return { state: 'ended', ending };
	} catch (error) {
		const failure = error as Error;
		if (stopsPoll(failure)) throw failure;
		return unreachable(messageOf(failure), summary);
	}
}

/**
 * Returns the items for a crawl's end: the service's status response with the crawl's ID, URL, creation date (if known)
 * and `event`, or the pages with all this in `crawl`. A crawl without pages is still one item, so that no end goes
 * unnoticed. `fetchError` is not named `error`, because n8n takes an item with a truthy `error` for a failed one.
 */
export function crawlItems(
	crawl: SeenCrawl,
	ending: CrawlEnding,
	withPages: boolean,
): INodeExecutionData[] {
	const { id, url, createdAt: seenAt } = crawl;
	const { response, event, fetchError, pages = [] } = ending;
	const createdAt = response.createdAt ?? (seenAt && new Date(seenAt).toISOString());
	const json: IDataObject = {
		...response,
		id,
		...(url !== undefined && { url }),
		status: response.status ?? 'unknown',
		...(createdAt !== undefined && { createdAt }),
		event,
		...(fetchError !== undefined && { fetchError }),
	};
	if (!withPages) return [{ json }];
	if (pages.length === 0) return [{ json: { crawl: json } }];
	return pages.map((page) => ({ ...page, json: { ...page.json, crawl: json } }));
}
