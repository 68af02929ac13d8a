import { messageOf } from '../shared/text';
import { mayPass } from '../shared/errors/failure';
import { failureOf } from '../shared/errors/nodeErrors';
import { save } from '../shared/trigger/memory';
import { type PollTools, sayEndedEarly, sayNewStart } from '../shared/trigger/pollTools';
import { workThrough } from '../shared/trigger/workThrough';
import {
	type PageReading,
	type PageReport,
	type PageSettings,
	commitReadings,
	recalledPages,
} from './pageState';

/** Pages scraped at the same time. */
const PAGES_AT_ONCE = 10;

const LATE = 'It took longer than a poll may take';

/** What a page was found to be, with what is emitted of it beside its changes. */
export type ReadPage<Content> =
	| (Extract<PageReading, { kind: 'read' }> & { content: Content })
	| (Extract<PageReading, { kind: 'failed' }> & {
			/** What the service says against the request; where it says so of every page, no page is to blame. */
			rejection?: Error;
	  });

export interface PagesTask<Content> extends PollTools {
	settings: PageSettings;
	/** Scrapes one page afresh. Throws only for what concerns every page alike, such as a wrong key. */
	read(url: string, finishBy: number): Promise<ReadPage<Content>>;
	/** How much time (ms) a page needs at least: with less of it left, none is begun. */
	leastMs: number;
	/** The error of a poll that could read no page, where no event tells of it. */
	nothingRead(reason: string): Error;
	/** From 0 to 1: where in the list of pages the poll begins. */
	random(): number;
}

/**
 * One poll: the pages and, at the end and at once, the state. Returns what is to be emitted, changed pages with what they
 * are now. Where the service lets it read only some of the pages, later polls read the others. Throws what a request threw
 * when there is nothing to emit and either no page was read or later polls would fare no better; what was read is kept all the same.
 */
export async function pollPages<Content>(
	task: PagesTask<Content>,
): Promise<Array<{ report: PageReport; content?: Content }>> {
	const { settings, store, log } = task;
	const begun = task.now();
	const { state: known, newStart } = recalledPages(store.read(), settings.scope);
	sayNewStart(newStart, log);
	const finishBy = begun + task.budgetMs;
	const readings = new Map<string, ReadPage<Content>>();
	const { late, failure } = await workThrough(
		{
			// Where there are more pages than time, each gets its turn in the long run.
			jobs: rotated(settings.urls, task.random()),
			work: async (url) => await task.read(url, finishBy),
			take: (url, page) => readings.set(url, page),
			atOnce: PAGES_AT_ONCE,
			beginBy: begun + Math.min(task.budgetMs * 0.75, task.budgetMs - task.leastMs),
			finishBy,
		},
		task,
	);
	// When the service can't be asked, that isn't the pages' fault.
	if (!failure) for (const url of late) readings.set(url, { kind: 'failed', reason: LATE });
	const isAnyRead = [...readings.values()].some(({ kind }) => kind === 'read');
	// Unless it fails at this page while others can be read.
	if (failure && isAnyRead && failureOf(failure.error).cause === 'temporarily-unavailable') {
		readings.set(failure.job, { kind: 'failed', reason: messageOf(failure.error) });
	}

	const { state, reports } = commitReadings(known, readings, settings);
	const results = [...readings.values()];
	const rejection = rejectionOf(results);
	if (rejection) throw rejection;
	const isTold = settings.reportFailures && known !== undefined;
	if (!isAnyRead && !isTold) {
		if (failure) throw failure.error;
		for (const page of results) if (page.kind === 'failed') throw task.nothingRead(page.reason);
	}
	// Also where the poll fails: what was read is paid for.
	save(store, state);
	if (failure) {
		if (reports.length === 0 && !(isAnyRead && mayPass(failureOf(failure.error).cause)))
			throw failure.error;
		sayEndedEarly(failure.error, log);
	}
	return reports.map((report) => {
		const reading = readings.get(report.url);
		return { report, ...(reading?.kind === 'read' && { content: reading.content }) };
	});
}

/** What the service says against the request of every page; undefined where one was read or failed otherwise. */
export function rejectionOf(results: Array<ReadPage<unknown>>): Error | undefined {
	const rejections = results.map((page) => (page.kind === 'failed' ? page.rejection : undefined));
	return rejections.includes(undefined) ? undefined : rejections[0];
}

function rotated<T>(list: T[], random: number): T[] {
	const start = Math.floor(random * list.length);
	return [...list.slice(start), ...list.slice(0, start)];
}
