import type { IDataObject } from 'n8n-workflow';

import { numberOf } from '../base/json';
import { withWarning } from '../client/response';
import { plural } from '../base/text';
import { hasResult } from './emptyResult';
import type { Job } from './job';
import { type JobState, jobStateOf } from './jobState';

/**
 * Time (ms) for which a job's counts must stay the same before an end that contradicts them is believed: longer than a
 * page's timeout.
 */
const STILL_MS = 60_000;

/**
 * The same for `failed` without a reason, and for a word that comes alone: shorter, because there may be no more to
 * come.
 */
const BARE_STILL_MS = 10_000;

/** What is known about a job besides its status. */
export interface KnownOfJob {
	/** Maximum number of pages that was requested. */
	asked?: number;
	/** Whether the job owes exactly that many, as a batch does. */
	owesAll?: boolean;
	/** Number of URLs that the job lists as failed or forbidden. */
	withoutPage?: number;
	/** Largest number of completed pages that an earlier status counted. */
	seen?: number;
}

/** A job's counts, and the time (ms) since which they haven't changed. Plain data, so that a trigger can store it. */
export interface Standstill {
	counts: string;
	since: number;
}

/**
 * How a status is interpreted; `short` is an end that is believed although the service's own counts say that pages are
 * missing.
 */
export type Phase = 'running' | 'ended' | 'short';

/**
 * Returns how many pages a job still owes according to its own counts; 0 if they add up. Pages, failed URLs and
 * forbidden URLs should add up to the number requested, or to the service's total. Jobs without counts owe nothing; a
 * job whose counts are all 0 owes one page, because it may not have queued any yet.
 */
export function owedBy(
	{ completed, total, error, stopReason }: IDataObject,
	{ asked = Infinity, owesAll = false, withoutPage = 0, seen = 0 }: KnownOfJob = {},
): number {
	const counts = [completed, total].filter((count) => typeof count === 'number');
	if (counts.length === 0 || error || stopReason) return 0;
	const pages = typeof completed === 'number' ? completed : 0;
	const expected = owesAll ? asked : Math.min(Math.max(...counts), asked);
	return Math.max(0, Math.max(expected, seen, 1) - pages - withoutPage);
}

/** Returns a job's standstill after its next status; if a count has changed, a new one begins. */
export function standstillOf(
	before: Standstill | undefined,
	{ completed, total }: IDataObject,
	now: number,
): Standstill {
	const counts = JSON.stringify([completed, total]);
	return before?.counts === counts ? before : { counts, since: now };
}

/**
 * Returns whether a job has ended. A service may report `completed` before the job has started, and keep doing so while
 * the counts grow, so the word is believed if the counts add up, or once they haven't changed for a while. `failed`
 * with a reason is believed at once; without one, or if a word comes alone, a shorter while is enough. An unfamiliar
 * word counts as an end only if the counts add up and haven't changed for a while.
 */
export function phaseOf(
	status: IDataObject,
	known: KnownOfJob,
	{ since }: Standstill,
	now: number,
): Phase {
	const state = jobStateOf(status.status);
	if (state === 'running') return 'running';
	if (state === 'cancelled') return 'ended';
	const isWhole = owedBy(status, known) === 0;
	// The clock may have been set back in the meantime.
	const stillMs = Math.abs(now - since);
	if (state === 'unknown') {
		return isWhole && stillMs >= STILL_MS && hasPages(status) ? 'ended' : 'running';
	}
	if (isWhole && !isBare(status)) return 'ended';
	const mayBeShort = !isWhole && state === 'completed';
	if (stillMs < (mayBeShort ? STILL_MS : BARE_STILL_MS)) return 'running';
	return mayBeShort ? 'short' : 'ended';
}

/** Whether the counts of a status include at least one page. */
function hasPages({ completed, total }: IDataObject): boolean {
	return typeof completed === 'number' && typeof total === 'number' && completed > 0;
}

/** Whether a status has nothing but its word: neither counts nor a result nor a reason. */
function isBare(status: IDataObject): boolean {
	const { completed, total, error, stopReason } = status;
	const hasCounts = typeof completed === 'number' || typeof total === 'number';
	return !(hasCounts || error || stopReason || status.data || hasResult(status));
}

/** Returns a status, with a warning if it says that the job has completed but its own counts don't add up. */
export function withDoubt(status: IDataObject): IDataObject {
	if (jobStateOf(status.status) !== 'completed' || owedBy(status) === 0) return status;
	const { completed, total } = status;
	const doubt = `The service says that it has completed, but counts ${numberOf(completed)} of ${numberOf(total)} pages: the others failed, which Get Crawl Errors shows, or it goes on.`;
	return withWarning(status, doubt);
}

/**
 * Returns how many pages are missing according to a job's own counts if `count` pages were received. A completed job
 * should have as many as its total, minus URLs that failed.
 */
export function missingOf(
	{ status, completed, total }: IDataObject,
	count: number,
	{ asked = Infinity, withoutPage = 0 }: KnownOfJob,
): number {
	const isComplete = jobStateOf(status) === 'completed';
	const promised = isComplete ? Math.min(numberOf(total), asked) - withoutPage : 0;
	return Math.max(0, Math.max(numberOf(completed), promised) - count);
}

/** Returns a message that pages are missing, without a full stop. */
export function shortfallOf(
	{ getBy }: Job,
	id: string,
	count: number,
	missing: number,
	state: JobState,
): string {
	const counted = count + missing;
	const text = `The service counted ${counted} ${plural(counted, 'page')}, but sent ${count}`;
	// A job that failed or was cancelled may never have these pages.
	if (state !== 'completed' || count === 0) return text;
	return `${text}: the others may follow, and "${getBy}" with the job ID ${id} gets them at no cost`;
}
