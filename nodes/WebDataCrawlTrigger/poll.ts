import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { ServiceError } from '../shared/errors/serviceError';
import { messageOf, textOf } from '../shared/text';
import { save } from '../shared/trigger/memory';
import { type PollTools, sayEndedEarly, sayNewStart } from '../shared/trigger/pollTools';
import { workThrough } from '../shared/trigger/workThrough';
import { isReadEnough, wantsActivity } from './activity';
import {
	type Activity,
	type CrawlOutcome,
	type Report,
	type SeenCrawl,
	type Sighting,
	type WatchSettings,
	type WatchState,
	readWatch,
} from './crawlState';
import { commit, eventOf, isDone, isWanted, leftTheList, observe } from './crawlWatch';

/** Crawls looked up at the same time; each response may carry 10 MB of pages. */
const MAX_LOOKUPS_AT_ONCE = 8;

/** With pages, no further crawl is begun in a poll that holds this many pages, or files of pages, already. */
const MAX_ITEMS_IN_HAND = 2_000;

/** No crawl is begun later than this (ms) into a poll, however long the poll may take. */
const MAX_BEGIN_MS = 30_000;

/** A poll spends no longer than this (ms), and this share of its time, on the activity list. */
const MAX_ACTIVITY_MS = 15_000;
const ACTIVITY_SHARE = 0.4;

const LATE = 'Fetching it takes longer than a poll may: set a Limit, or output the status only';

/** Once a request has failed like that, the others have this long (ms) to end: they cost nothing, and can be sent again. */
const GRACE_MS = 5_000;

/** The statuses that concern every request alike: the poll ends there, as no single crawl is to blame. */
const STOPPING_STATUSES = [401, 402, 429];

/** The requests a poll needs; each throws when the service can't be asked, or not by `finishBy` (ms since 1970). */
export interface CrawlService {
	/** GET /v2/crawl/active */
	listActive(finishBy: number): Promise<SeenCrawl[]>;
	/**
	 * The crawls started lately, newest first, page by page until one is the last that is needed or the time is up.
	 * `missing` where the service has no such endpoint, undefined when it couldn't be read this time.
	 */
	activity(
		isEnough: (read: SeenCrawl[], page: SeenCrawl[]) => boolean,
		finishBy: number,
	): Promise<Activity | 'missing' | undefined>;
	/** GET /v1/crawl/{id}; undefined: the service doesn't know it. */
	status(id: string, finishBy: number): Promise<IDataObject | undefined>;
	/** The pages of a response of `status`, through `next`: an item each, or an item for each file of them. */
	pages(id: string, response: IDataObject, finishBy: number): Promise<INodeExecutionData[]>;
}

export interface PollTask extends PollTools {
	service: CrawlService;
	settings: WatchSettings;
	/** Whether the pages of a crawl belong to what is reported. */
	withPages: boolean;
	/** How many crawls one poll reports at most. */
	maxReports?: number;
}

/** Whether an error is about the key, the plan or the rate rather than about one crawl or list. */
export function stopsPoll(error: unknown): boolean {
	return error instanceof ServiceError && STOPPING_STATUSES.includes(error.status ?? 0);
}

/**
 * One poll: the lists, the look-ups and, at the end and at once, the state. Returns what is to be
 * emitted. Throws what a request threw when there is nothing to emit; the state is then as before.
 */
export async function pollOnce(task: PollTask): Promise<Report[]> {
	const { settings, store, log } = task;
	const begun = task.now();
	const { state: known, newStart } = readWatch(store.read(), settings.scope);
	sayNewStart(newStart, log);
	if (isDone(known, settings)) return [];

	const seen = await readLists(task, known, begun);
	const observed = observe(known, seen, settings);
	const { outcomes, stop } = await lookUpAll(task, leftTheList(observed, seen), begun);

	const { maxReports } = task;
	const result = commit(observed, outcomes, { now: seen.now, settings, maxReports });
	if (stop !== undefined) {
		if (result.reports.length === 0) throw stop.error;
		sayEndedEarly(stop.error, log);
	}
	for (const { id, reason } of result.dropped) log.info(`Crawl ${id} is dropped: ${reason}`);
	save(store, result.state);
	return result.reports;
}

async function readLists(
	{ service, settings, budgetMs }: PollTask,
	known: WatchState | undefined,
	begun: number,
): Promise<Sighting> {
	const activity = wantsActivity(known, settings, begun)
		? await service.activity(
				(read, page) => isReadEnough(known, read, page, begun),
				begun + Math.min(MAX_ACTIVITY_MS, ACTIVITY_SHARE * budgetMs),
			)
		: undefined;
	// Read after the activity: what has started in between is then seen running, not looked up.
	const active = await service.listActive(begun + budgetMs);
	return { now: begun, active, activity };
}

/** Looks up as many crawls as the poll has time for; `stop` is an error that ended it early. */
async function lookUpAll(
	task: PollTask,
	candidates: ReturnType<typeof leftTheList>,
	begun: number,
): Promise<{ outcomes: Map<string, CrawlOutcome>; stop?: { error: unknown } }> {
	const { maxReports = Infinity, settings } = task;
	const finishBy = begun + task.budgetMs;
	let reports = 0;
	let itemsInHand = 0;
	const { done, late, failure } = await workThrough(
		{
			jobs: candidates,
			work: async (crawl): Promise<CrawlOutcome> => {
				const isReported = isWanted(crawl, settings);
				const withPages = task.withPages && isReported;
				const outcome = await lookUp({ ...task, withPages }, crawl.id, finishBy);
				if (outcome.kind !== 'ended') return outcome;
				if (!isReported) return { kind: 'over' };
				if (settings.events.includes(outcome.event)) reports++;
				itemsInHand += outcome.pages?.length ?? 0;
				return outcome;
			},
			atOnce: maxReports === 1 ? 1 : task.withPages ? 2 : MAX_LOOKUPS_AT_ONCE,
			mayBegin: () => reports < maxReports && itemsInHand < MAX_ITEMS_IN_HAND,
			beginBy: begun + Math.min(MAX_BEGIN_MS, task.budgetMs * 0.75),
			finishBy,
			graceMs: GRACE_MS,
		},
		task,
	);
	const outcomes = new Map<string, CrawlOutcome>();
	for (const [{ id }, outcome] of done) {
		outcomes.set(id, outcome);
		if (outcome.kind === 'unreachable') task.log.warn(`Crawl ${id}: ${outcome.reason}`);
	}
	// Where the service can't be asked, it isn't the crawls' fault that they were late.
	if (!failure) for (const { id } of late) outcomes.set(id, { kind: 'unreachable', reason: LATE });
	return { outcomes, ...(failure && { stop: failure }) };
}

/** What one crawl's status says. Throws only what concerns every other crawl as well. */
export async function lookUp(
	task: Pick<PollTask, 'service' | 'settings' | 'withPages' | 'now'>,
	id: string,
	finishBy: number,
): Promise<Exclude<CrawlOutcome, { kind: 'over' }>> {
	const { service, settings, withPages } = task;
	let summary: IDataObject | undefined;
	try {
		const response = await service.status(id, finishBy);
		if (!response) return { kind: 'gone', reason: 'the service does not know it (any more)' };
		if (typeof response.status !== 'string') {
			return { kind: 'unreachable', reason: 'The response of the service has no status' };
		}
		const event = eventOf(response.status);
		summary = summaryOf(response);
		if (event === 'unknown') return { kind: 'unknown', response: summary };
		if (event === 'running') {
			const expired = Date.parse(textOf(response.expiresAt)) < task.now();
			return expired ? { kind: 'gone', reason: 'it has expired' } : { kind: 'running' };
		}
		if (!withPages || !settings.events.includes(event)) {
			return { kind: 'ended', event, response: summary };
		}
		const pages = await service.pages(id, response, finishBy);
		return { kind: 'ended', event, response: summary, pages };
	} catch (error) {
		const failure = error as Error;
		if (stopsPoll(failure)) throw failure;
		return { kind: 'unreachable', reason: messageOf(failure), response: summary };
	}
}

/** A status response without its pages, which may be 10 MB, and without what only serves the wire. */
function summaryOf(response: IDataObject): IDataObject {
	const summary = { ...response };
	for (const key of ['success', 'data', 'next']) delete summary[key];
	return summary;
}
