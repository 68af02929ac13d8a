import type { IDataObject } from 'n8n-workflow';

import { textOf } from '../base/text';

/**
 * The meaning of a job's `status`, for crawls, agent tasks, extractions and batches alike. Only this file knows the
 * words (CrawlStatus and the jobs' statuses in [api/](../../../api/openapi.yaml)).
 */
export type JobState = 'running' | 'completed' | 'failed' | 'cancelled' | 'unknown';

const STATES: Record<string, JobState> = {
	active: 'running',
	paused: 'running',
	pending: 'running',
	processing: 'running',
	queued: 'running',
	running: 'running',
	scraping: 'running',
	started: 'running',
	waiting: 'running',
	complete: 'completed',
	completed: 'completed',
	done: 'completed',
	finished: 'completed',
	failed: 'failed',
	cancelled: 'cancelled',
	canceled: 'cancelled',
};

/** Returns the state for a service's `status`; `unknown` for an unfamiliar word. */
export function jobStateOf(status: unknown): JobState {
	const word = textOf(status).toLowerCase();
	return Object.hasOwn(STATES, word) ? STATES[word] : 'unknown';
}

/** Whether a job never leaves a state. An unknown state may well change, so it is not terminal. */
export function isTerminal(state: JobState): boolean {
	return state === 'completed' || state === 'failed' || state === 'cancelled';
}

/**
 * Whether a job says that it completed with nothing. A service may say so of a job that has just started, before it has
 * queued its pages. Jobs without counts never do.
 */
export function isEmptyEnd({ status, total, completed, error }: IDataObject): boolean {
	return jobStateOf(status) === 'completed' && (completed === 0 || total === 0) && !error;
}
