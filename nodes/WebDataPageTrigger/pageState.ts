import { type Memory, type Recalled, recall } from '../shared/trigger/memory';
import { type Hunk, changedCharacters, diffTexts } from './lineDiff';

/**
 * The page trigger's state machine: what each page was like when it was last reported, and what follows from what a
 * poll has read. Pure: no request, no clock, no n8n.
 *
 * The promise: where a poll reads a page that differs from its last reported version by the least size of a change or
 * more, exactly one change from that version to the one read is emitted, provided that n8n keeps the execution.
 *
 * What is remembered of a page is its last reported version (at first, the first one read), so it changes only together
 * with what is emitted: a state that n8n lost, because it doesn't save after empty polls, holds the same versions as the saved
 * one. Small changes leave it alone, and so add up until together they are large enough. Only how often a page
 * couldn't be read is counted beside that.
 */

const STATE_VERSION = 1;

/** Text kept for diffs, in characters over all pages; of pages for which there is no room, the hash alone is kept. */
export const MAX_KEPT_TEXT = 200_000;

export interface PageMemory {
	/** Of the last reported version; none: the page hasn't been read yet. */
	hash?: string;
	/** That version's compared text; none: too long to keep. */
	text?: string;
	/** How many polls in a row couldn't read it, up to what is needed to report that. */
	failures?: number;
	/** That it can't be read has been reported. */
	isReported?: true;
}

export interface PagesState extends Memory {
	pages: Record<string, PageMemory>;
}

export interface PageSettings {
	scope: string;
	urls: string[];
	/** Changes of fewer characters aren't reported yet. */
	leastChange: number;
	/** Whether changes are reported; without, the last version read is remembered all the same. */
	reportChanges: boolean;
	/** Whether pages that can't be read are reported, and after how many polls in a row. */
	reportFailures: boolean;
	failuresNeeded: number;
	/** The longest text, in characters, of which more than the hash is kept. */
	maxKeptText: number;
}

/** What a poll has read of one page. */
export type PageReading =
	/** `text` is what is compared, without lines that don't matter; `hash` is that of it. */
	{ kind: 'read'; text: string; hash: string } | { kind: 'failed'; reason: string };

/** What has happened to a page. */
export type PageEvent =
	/** `hunks`: where both versions were short enough to keep. */
	| { event: 'changed'; hash: string; previousHash: string; hunks?: Hunk[] }
	/** `hash` is that of the last reported version. */
	| { event: 'failed'; reason: string; hash?: string };

/** What is emitted of one page. */
export type PageReport = PageEvent & { url: string };

/** The stored state where it is ours and sound, without entries that aren't; else why the trigger starts over. */
export function recalledPages(stored: unknown, scope: string): Recalled<PagesState> {
	const recalled = recall<PagesState>(
		stored,
		{ version: STATE_VERSION, scope },
		({ pages }) => typeof pages === 'object' && pages !== null,
	);
	const { state } = recalled;
	if (state === undefined) return recalled;
	const pages = Object.entries(state.pages).filter(([, page]) => isSound(page));
	return { state: { ...state, pages: Object.fromEntries(pages) } };
}

function isSound(page: unknown): page is PageMemory {
	if (typeof page !== 'object' || page === null) return false;
	const { hash, text, failures = 0 } = page as Partial<Record<keyof PageMemory, unknown>>;
	const isText = (value: unknown) => value === undefined || typeof value === 'string';
	return Number.isFinite(failures) && isText(hash) && isText(text);
}

/** What follows from what a poll has read. Pages that weren't read stay as they were. */
export function commitReadings(
	before: PagesState | undefined,
	readings: Map<string, PageReading>,
	settings: PageSettings,
): { state: PagesState; reports: PageReport[] } {
	const pages: Array<[string, PageMemory]> = [];
	const reports: PageReport[] = [];
	let room = MAX_KEPT_TEXT;
	for (const url of settings.urls) {
		const page = before?.pages[url];
		const reading = readings.get(url);
		const next = reading ? follow(page, reading, settings) : { page };
		if (next.report) reports.push({ ...next.report, url });
		if (next.page === undefined) continue;
		const { text, ...rest } = next.page;
		const fits = text !== undefined && text.length <= room;
		if (fits) room -= text.length;
		pages.push([url, fits ? next.page : rest]);
	}
	const state = {
		version: STATE_VERSION,
		scope: settings.scope,
		pages: Object.fromEntries(pages),
	};
	return { state, reports };
}

/** What becomes of one page, and what there is to report of it. */
function follow(
	page: PageMemory | undefined,
	reading: PageReading,
	settings: PageSettings,
): { page?: PageMemory; report?: PageEvent } {
	if (reading.kind === 'failed') return followFailure(page, reading.reason, settings);
	const { hash: previousHash, text: previousText } = page ?? {};
	const { hash, text } = reading;
	const version: PageMemory = {
		hash,
		...(text.length <= settings.maxKeptText && { text }),
	};
	if (previousHash === undefined || !settings.reportChanges) return { page: version };
	// Its text may have been too long to keep until now.
	if (hash === previousHash) return { page: version };
	if (previousText === undefined || version.text === undefined) {
		return { page: version, report: { event: 'changed', hash, previousHash } };
	}
	const hunks = diffTexts(previousText, text);
	if (changedCharacters(hunks) < settings.leastChange) {
		return { page: { hash: previousHash, text: previousText } };
	}
	return { page: version, report: { event: 'changed', hash, previousHash, hunks } };
}

function followFailure(
	page: PageMemory = {},
	reason: string,
	{ reportFailures, failuresNeeded }: PageSettings,
): { page: PageMemory; report?: PageEvent } {
	const failures = Math.min((page.failures ?? 0) + 1, failuresNeeded);
	const isDue = reportFailures && failures >= failuresNeeded && page.isReported === undefined;
	if (!isDue) return { page: { ...page, failures } };
	const { hash } = page;
	return {
		page: { ...page, failures, isReported: true },
		report: { event: 'failed', reason, ...(hash !== undefined && { hash }) },
	};
}
