import type { IDataObject } from 'n8n-workflow';

import { textOf } from '../text';

/**
 * What the `status` of a job means, whatever kind of job it is: a crawl, an agent task, an extraction or a batch. This
 * is the one place that knows the words (CrawlStatus and the jobs' statuses in [api/](../../../api/openapi.yaml)).
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

/** The state a service's `status` stands for; `unknown` for a word nobody has heard of. */
export function jobStateOf(status: unknown): JobState {
	const word = textOf(status).toLowerCase();
	return Object.hasOwn(STATES, word) ? STATES[word] : 'unknown';
}

/** Whether a job never leaves a state. An unknown one may well change, so it is not terminal. */
export function isTerminal(state: JobState): boolean {
	return state === 'completed' || state === 'failed' || state === 'cancelled';
}

/**
 * Tells whether a job says that it has completed with nothing. A service may say so of one that has just begun, before it has
 * queued its pages. Jobs without counts never do.
 */
export function isEmptyEnd({ status, total, completed, error }: IDataObject): boolean {
	return jobStateOf(status) === 'completed' && (completed === 0 || total === 0) && !error;
}
