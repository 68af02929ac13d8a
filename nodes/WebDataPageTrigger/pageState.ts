import type { IDataObject } from 'n8n-workflow';

import { without } from '../shared/base/json';
import { breathe } from '../shared/base/time';
import type { Memory } from '../shared/trigger/memory';
import { type Hunk, changedCharacters, diffLines, linesOf } from './lineDiff';

/**
 * What the page trigger reports: a state machine that compares what a poll has read with each page's last reported
 * version. Pure: it makes no requests, reads no clock and doesn't depend on n8n.
 *
 * The promise: if a poll reads a page that differs enough from its last reported version, exactly one change from that
 * version to the one read is emitted, provided that n8n keeps the execution.
 *
 * The remembered version is the last reported one (at first, the first one read), so it changes only together with what
 * is emitted. n8n doesn't save after empty polls, but a state lost that way has the same versions as the saved one.
 * Small changes don't replace the version, so they add up until they are large enough. Apart from the versions, the
 * state only counts failed readings.
 */

/** An empty state; the trigger starts over from a state of any other version. */
export const STATE = { version: 1, pages: {} };

/** Most text kept for diffs, in characters of all pages. Pages beyond that keep only their hash. */
const MAX_KEPT_TEXT = 200_000;

export type ExtractedData = IDataObject | IDataObject[];

export interface PageMemory {
	/** Hash of the last reported version; unset if the page hasn't been read yet. */
	hash?: string;
	/** Compared text of that version; unset if it is too long to keep. */
	text?: string;
	/** What was extracted from it, if its text is kept. */
	data?: ExtractedData;
	/** Number of polls in a row that couldn't read the page, up to the number needed to report that. */
	failures?: number;
	isReported?: true;
}

export interface PagesState extends Memory {
	pages: Record<string, PageMemory>;
}

export interface PageSettings {
	scope: string;
	urls: string[];
	/** Smallest change to report, in characters. */
	leastChange: number;
	/** Whether changes are reported. If not, the last version read is still remembered. */
	reportChanges: boolean;
	/** Whether pages that can't be read are reported, after this many polls in a row. */
	reportFailures: boolean;
	failuresNeeded: number;
	/** Most text kept for diffs, in characters of all pages; 200,000 unless set. */
	maxKeptText?: number;
}

/** What is emitted of a page along with its changes. */
export interface PageContent {
	title?: string;
	/** Text of the page as Markdown, including the lines that aren't compared. */
	content?: string;
	/** What was extracted; the fields of an object are columns. */
	data?: ExtractedData;
}

export type PageReading =
	/** `text` is the compared text, without lines that don't matter; `hash` is its hash. */
	| { kind: 'read'; text: string; hash: string; content: PageContent }
	| {
			kind: 'failed';
			reason: string;
			/** The service's objection to the request. If all pages get one, no page is to blame. */
			rejection?: Error;
			/** Whether the failure may soon be over. */
			mayPass?: boolean;
	  };

export type PageEvent =
	/** `hunks`, and what was extracted before, are set if both versions were short enough to keep. */
	| {
			event: 'changed';
			hash: string;
			previousHash: string;
			content: PageContent;
			hunks?: Hunk[];
			previous?: ExtractedData;
	  }
	/** `hash` belongs to the last reported version. */
	| { event: 'failed'; reason: string; hash?: string };

export type PageReport = PageEvent & { url: string };

/**
 * Returns the new state and the reports after a poll. Pages that weren't read stay as they were. Lets n8n do other work
 * between two comparisons.
 */
export async function commitReadings(
	before: PagesState | undefined,
	readings: Map<string, PageReading>,
	settings: PageSettings,
): Promise<{ state: PagesState; reports: PageReport[] }> {
	const pages: Array<[string, PageMemory]> = [];
	const reports: PageReport[] = [];
	const { scope, maxKeptText: most = MAX_KEPT_TEXT } = settings;
	let room = most;
	for (const url of settings.urls) {
		const page = before?.pages[url];
		const reading = readings.get(url);
		await breathe();
		const next = reading ? follow(page, reading, settings) : { page };
		if (next.report) reports.push({ ...next.report, url });
		if (next.page === undefined) continue;
		const { text, data, ...rest } = next.page;
		// Extracted data is about as long as its text.
		const length = (text?.length ?? 0) * (data ? 2 : 1);
		const fits = text !== undefined && length <= room;
		if (fits) room -= length;
		pages.push([url, fits ? next.page : rest]);
	}
	return { state: { ...STATE, scope, pages: Object.fromEntries(pages) }, reports };
}

/**
 * Returns a state with its counts of failed polls reset. n8n may have lost the fact that a page became readable again
 * after its failure was reported; without this, its next failure would never be reported.
 */
export function recounted(state: PagesState | undefined): PagesState | undefined {
	if (state === undefined) return undefined;
	const pages: PagesState['pages'] = {};
	for (const [url, page] of Object.entries(state.pages)) {
		pages[url] = without(page, 'failures', 'isReported');
	}
	return { ...state, pages };
}

/** Returns the new state of one page, and its report if there is one. */
function follow(
	page: PageMemory | undefined,
	reading: PageReading,
	settings: PageSettings,
): { page?: PageMemory; report?: PageEvent } {
	if (reading.kind === 'failed') return followFailure(page, reading.reason, settings);
	const { hash: previousHash, text: previousText, data: previous } = page ?? {};
	const { hash, text, content } = reading;
	const { data } = content;
	// If the hash is the same, there may not have been room for its text until now.
	const version: PageMemory = { hash, text, ...(data && { data }) };
	const isChanged = previousHash !== undefined && hash !== previousHash;
	if (!isChanged || !settings.reportChanges) return { page: version };
	const hunks =
		previousText === undefined ? undefined : diffLines(linesOf(previousText), linesOf(text));
	if (hunks && changedCharacters(hunks) < settings.leastChange) {
		return {
			page: { hash: previousHash, text: previousText, ...(previous && { data: previous }) },
		};
	}
	return {
		page: version,
		report: {
			...{ event: 'changed', hash, previousHash, content },
			...(hunks && { hunks, ...(previous && { previous }) }),
		},
	};
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
