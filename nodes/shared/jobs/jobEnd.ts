import type { IDataObject } from 'n8n-workflow';

import { numberOf } from '../base/json';
import { plural } from '../base/text';
import type { Job } from './job';
import { type JobState, jobStateOf } from './jobState';

/**
 * How long (ms) a job's counts have to stand still before an end that they don't confirm is believed: longer than a page
 * takes that times out.
 */
const STILL_MS = 60_000;

/** What is known of a job besides its status. */
export interface KnownOfJob {
	/** Number of pages that it was asked for, at most. */
	asked?: number;
	/** Number of URLs that it lists as failed or forbidden. */
	withoutPage?: number;
}

/** The counts of a job, and since when (ms) they have been the same. Plain data, so that a trigger can keep it. */
export interface Standstill {
	counts: string;
	since: number;
}

/** What to make of a status: `short` is an end that is believed although pages are missing by the service's own count. */
export type Verdict = 'running' | 'ended' | 'short';

/**
 * Returns how many pages a job still owes by its own counts, 0 if they add up. Pages, failed URLs and forbidden ones make up
 * what was asked for, or what the service calls the total. Jobs without counts owe nothing; one that counts nothing at all
 * owes a page, as it may not have queued any yet.
 */
export function owedBy(
	{ completed, total, error }: IDataObject,
	{ asked = Infinity, withoutPage = 0 }: KnownOfJob = {},
): number {
	const counts = [completed, total].filter((count) => typeof count === 'number');
	if (counts.length === 0 || error) return 0;
	const pages = typeof completed === 'number' ? completed : 0;
	const expected = Math.min(Math.max(...counts), asked);
	// The total leaves failed URLs out, in some services.
	if (pages > 0 && pages >= expected) return 0;
	return Math.max(0, Math.max(expected, 1) - pages - withoutPage);
}

/** Returns the standstill of a job after another status: a new one if a count has changed. */
export function standstillOf(
	before: Standstill | undefined,
	{ completed, total }: IDataObject,
	now: number,
): Standstill {
	const counts = JSON.stringify([completed, total]);
	return before?.counts === counts ? before : { counts, since: now };
}

/**
 * Returns whether a job has ended. A service may say `completed` before the job has begun, and never take it back while
 * the counts go on growing: the word is believed if the counts add up, or once they have stood still. So is the end behind
 * an unfamiliar word, if the counts add up and stand still.
 */
export function verdictOf(
	status: IDataObject,
	known: KnownOfJob,
	{ since }: Standstill,
	now: number,
): Verdict {
	const state = jobStateOf(status.status);
	if (state === 'running') return 'running';
	if (state === 'failed' || state === 'cancelled') return 'ended';
	const isWhole = owedBy(status, known) === 0;
	// The clock may have been set back since.
	const isStill = Math.abs(now - since) >= STILL_MS;
	if (state === 'unknown') return isWhole && isStill && hasCounts(status) ? 'ended' : 'running';
	if (isWhole) return 'ended';
	return isStill ? 'short' : 'running';
}

/** Whether a status says how many pages there are. */
function hasCounts({ completed, total }: IDataObject): boolean {
	return typeof completed === 'number' && typeof total === 'number' && completed > 0;
}

/**
 * Returns how many pages are missing by a job's own counts, if so many came. One that is complete owes its total, but for the
 * URLs that failed.
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

/** Returns that pages are missing, without a full stop. */
export function shortfallOf(
	{ getBy }: Job,
	id: string,
	count: number,
	missing: number,
	state: JobState,
): string {
	const counted = count + missing;
	const text = `The service counted ${counted} ${plural(counted, 'page')}, but sent ${count}`;
	// A job that has ended early may never have them.
	if (state !== 'completed' || count === 0) return text;
	return `${text}: the others may follow, and "${getBy}" with the job ID ${id} gets them at no cost`;
}
