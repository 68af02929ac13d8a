import type { IDataObject } from 'n8n-workflow';

import type { Outcome, Report, SeenCrawl, Sighting, WatchSettings } from './crawlWatch';
import {
	commit,
	eventOf,
	isDone,
	isReadEnough,
	leftTheList,
	observe,
	readState,
	wantsActivity,
} from './crawlWatch';

/** Crawls looked up at the same time; each answer may carry 10 MB of pages. */
const MAX_LOOKUPS_AT_ONCE = 8;

/** With pages, no further crawl is begun in a poll that holds this many pages already. */
const MAX_PAGES_IN_HAND = 2_000;

/** No crawl is begun later than this (ms) into a poll, however long the poll may take. */
const MAX_BEGIN_MS = 30_000;

const LATE = 'Fetching it takes longer than a poll may: set a Limit, or output the status only';

/** The statuses that concern every request alike: the poll ends there, no single crawl is to blame. */
const STOPPING_CODES = new Set(['401', '402', '403', '429']);

/** The requests a poll needs; each throws when the service can't be asked. */
export interface CrawlService {
	/** GET /v2/crawl/active */
	listActive(): Promise<SeenCrawl[]>;
	/**
	 * The crawls started lately, newest first, page by page until one is the last that is needed.
	 * `missing` where the service has no such endpoint, undefined when it couldn't be read this time.
	 */
	activity(
		isEnough: (read: SeenCrawl[], page: SeenCrawl[]) => boolean,
	): Promise<SeenCrawl[] | 'missing' | undefined>;
	/** GET /v1/crawl/{id}; undefined: the service doesn't know it. */
	status(id: string, finishBy: number): Promise<IDataObject | undefined>;
	/** The pages of an answer of `status`, through `next`. */
	pages(id: string, answer: IDataObject, finishBy: number): Promise<IDataObject[]>;
}

export interface PollTask {
	service: CrawlService;
	settings: WatchSettings;
	/** Whether the pages of a crawl belong to what is reported. */
	withPages: boolean;
	/** How many crawls one poll reports at most. */
	maxReports?: number;
	/** How long (ms) the poll may take. */
	budgetMs: number;
	/** The stored state; `write` is only called with one that differs. */
	store: { read(): unknown; write(state: unknown): void };
	/** Crawls that a poll of this process is looking up right now. */
	claims: Set<string>;
	now(): number;
	/** Waits (ms), or until the signal is aborted. */
	wait(ms: number, signal: AbortSignal): Promise<void>;
	log: { info(message: string): void; warn(message: string): void };
}

/** Whether an error speaks of the key, the plan or the rate rather than of one crawl. */
function stopsPoll(error: unknown): boolean {
	return STOPPING_CODES.has(String((error as { httpCode?: unknown }).httpCode));
}

/**
 * One poll: the lists, the look-ups and, at the end and at once, the state. Returns what is to be
 * emitted. Throws what a request threw when there is nothing to emit; the state is then as before.
 */
export async function pollOnce(task: PollTask): Promise<Report[]> {
	const { service, settings, store, log } = task;
	const begun = task.now();
	const base = store.read();
	const known = readState(base, settings.scope);
	if (isDone(known, settings)) return [];

	const activity = wantsActivity(known, settings, begun)
		? await service.activity((read, page) => isReadEnough(known, read, page))
		: undefined;
	// Read after the activity: what has started in between is then seen running, not looked up.
	const active = await service.listActive();
	const seen: Sighting = { now: begun, active, activity };

	const candidates = leftTheList(observe(known, seen, settings), seen);
	const { outcomes, stop } = await lookUpAll(task, candidates, begun);

	const stored = store.read();
	const result = commit({ base, now: stored }, seen, outcomes, settings, task.maxReports);
	if (!result) return [];
	if (stop !== undefined && result.reports.length === 0) throw stop;
	for (const { id, reason } of result.dropped) log.info(`Crawl ${id} is dropped: ${reason}`);
	if (JSON.stringify(result.state) !== JSON.stringify(stored)) store.write(result.state);
	return result.reports;
}

/** Looks up as many crawls as the poll has time for; `stop` is an error that ended it early. */
async function lookUpAll(
	task: PollTask,
	candidates: ReturnType<typeof leftTheList>,
	begun: number,
): Promise<{ outcomes: Map<string, Outcome>; stop?: unknown }> {
	const outcomes = new Map<string, Outcome>();
	const { maxReports = Infinity, settings, claims } = task;
	const beginBy = begun + Math.min(MAX_BEGIN_MS, task.budgetMs * 0.75);
	const finishBy = begun + task.budgetMs;
	const begunIds: string[] = [];
	let stop: unknown;
	let reports = 0;
	let pagesInHand = 0;
	let next = 0;

	const worker = async () => {
		while (
			next < candidates.length &&
			stop === undefined &&
			reports < maxReports &&
			pagesInHand < MAX_PAGES_IN_HAND &&
			task.now() < beginBy
		) {
			const { id, unsure } = candidates[next++];
			if (claims.has(id)) continue;
			claims.add(id);
			begunIds.push(id);
			try {
				const withPages = task.withPages && !unsure;
				const outcome = await lookUp({ ...task, withPages }, id, finishBy);
				if (outcome.kind === 'stopped') {
					stop ??= outcome.error;
					return;
				}
				const over = outcome.kind === 'ended' && unsure;
				outcomes.set(id, over ? { kind: 'over' } : outcome);
				if (outcome.kind === 'unreachable') task.log.warn(`Crawl ${id}: ${outcome.reason}`);
				if (outcome.kind === 'ended' && !unsure) {
					if (settings.events.includes(outcome.event)) reports++;
					pagesInHand += outcome.pages?.length ?? 0;
				}
			} finally {
				claims.delete(id);
			}
		}
	};
	const workers = maxReports === 1 ? 1 : task.withPages ? 2 : MAX_LOOKUPS_AT_ONCE;
	const done = new AbortController();
	const all = Promise.all(Array.from({ length: workers }, worker));
	// One that hangs must not take the others with it: durable mode drops a poll that is late.
	await Promise.race([all, task.wait(finishBy - task.now(), done.signal)]);
	done.abort();
	const inTime = new Map(outcomes);
	if (stop === undefined) {
		for (const id of begunIds)
			if (!inTime.has(id)) inTime.set(id, { kind: 'unreachable', reason: LATE });
	}
	return { outcomes: inTime, stop };
}

/** What one crawl's status says; `stopped` is an error that concerns every other crawl as well. */
export async function lookUp(
	task: Pick<PollTask, 'service' | 'settings' | 'withPages' | 'now'>,
	id: string,
	finishBy: number,
): Promise<Exclude<Outcome, { kind: 'over' }> | { kind: 'stopped'; error: unknown }> {
	const { service, settings, withPages } = task;
	let summary: IDataObject | undefined;
	try {
		const answer = await service.status(id, finishBy);
		if (!answer) return { kind: 'gone', reason: 'the service does not know it (any more)' };
		if (typeof answer.status !== 'string') {
			return { kind: 'unreachable', reason: 'The answer of the service has no status' };
		}
		const event = eventOf(answer.status);
		if (event === 'running') {
			const expired = Date.parse(String(answer.expiresAt)) < task.now();
			return expired ? { kind: 'gone', reason: 'it has expired' } : { kind: 'running' };
		}
		summary = summaryOf(answer);
		if (!withPages || !settings.events.includes(event)) {
			return { kind: 'ended', event, answer: summary };
		}
		const pages = await service.pages(id, answer, finishBy);
		return { kind: 'ended', event, answer: summary, pages };
	} catch (error) {
		if (stopsPoll(error)) return { kind: 'stopped', error };
		const reason = error instanceof Error ? error.message : String(error);
		return { kind: 'unreachable', reason, answer: summary };
	}
}

/** A status answer without its pages, which may be 10 MB, and without what only serves the wire. */
function summaryOf(answer: IDataObject): IDataObject {
	const summary = { ...answer };
	for (const key of ['success', 'data', 'next']) delete summary[key];
	return summary;
}
