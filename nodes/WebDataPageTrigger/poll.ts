import { save, sayNewStart, workThrough, type PollTools } from '../shared/trigger/poll';
import {
	commitReadings,
	readPages,
	type PageReport,
	type PageSettings,
	type Reading,
} from './watchedPages';

/** Pages scraped at the same time. */
const PAGES_AT_ONCE = 10;

const LATE = 'It took longer than a poll may take';

/** What a page was found to be, with what is emitted of it beside its changes. */
export type ReadPage<Content> =
	| (Extract<Reading, { kind: 'read' }> & { content: Content })
	| Extract<Reading, { kind: 'failed' }>;

export interface PagesTask<Content> extends PollTools {
	settings: PageSettings;
	/** Scrapes one page. Throws only for what concerns every page alike, such as a wrong key. */
	read(url: string, finishBy: number): Promise<ReadPage<Content>>;
	/** The error of a poll that could read no page, where no event tells of it. */
	nothingRead(reason: string): Error;
	/** From 0 to 1: where in the list of pages the poll begins. */
	random(): number;
}

/**
 * One poll: the pages and, at the end and at once, the state. Returns what is to be emitted, changed pages with what they
 * are now. Throws what a request threw when there is nothing to emit; the state is then as before.
 */
export async function pollPages<Content>(
	task: PagesTask<Content>,
): Promise<Array<{ report: PageReport; content?: Content }>> {
	const { settings, store, log } = task;
	const begun = task.now();
	const base = store.read();
	const recalled = readPages(base, settings.scope);
	sayNewStart(recalled, log);
	const finishBy = begun + task.budgetMs;
	const { done, late, failure } = await workThrough(
		{
			// Where there are more pages than time, each gets its turn in the long run.
			jobs: rotated(settings.urls, task.random()),
			nameOf: (url) => url,
			work: async (url) => await task.read(url, finishBy),
			atOnce: PAGES_AT_ONCE,
			beginBy: begun + task.budgetMs * 0.75,
			finishBy,
		},
		task,
	);
	const readings = new Map<string, ReadPage<Content>>(done);
	// When the service can't be asked, that isn't the pages' fault.
	if (!failure) for (const url of late) readings.set(url, { kind: 'failed', reason: LATE });

	const result = commitReadings({ base, now: store.read() }, readings, settings);
	const reports = result?.reports ?? [];
	if (failure && reports.length === 0) throw failure.error;
	const reasons = [...readings.values()].map((reading) => 'reason' in reading && reading.reason);
	const isTold = settings.reportFailures && 'state' in recalled;
	if (!isTold && reasons.length > 0 && !reasons.includes(false)) {
		throw task.nothingRead(String(reasons[0]));
	}
	if (result) save(store, result.state);
	return reports.map((report) => {
		const reading = readings.get(report.url);
		return { report, ...(reading?.kind === 'read' && { content: reading.content }) };
	});
}

function rotated<T>(list: T[], random: number): T[] {
	const start = Math.floor(random * list.length);
	return [...list.slice(start), ...list.slice(0, start)];
}
