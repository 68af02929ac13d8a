import { textOf } from '../base/text';

/**
 * The meaning of a job's `status`, for crawls, agent tasks, extractions and batches alike. Only this file knows the
 * words: CrawlStatus and the jobs' statuses in [api/](../../../api/openapi.yaml), and those of other servers for this
 * API.
 */
export type JobState = 'running' | 'completed' | 'failed' | 'cancelled' | 'unknown';

/** Maximum length of a status that is read, in characters. */
const LONGEST_WORD = 40;

const WORDS = {
	running:
		'active, crawling, created, delayed, in progress, initializing, new, paused, pending, processing, queued, retrying, running, scheduled, scraping, started, starting, waiting, working',
	// A partial end is believed like any other: if its counts add up, or stand still.
	completed: 'complete, completed, done, finished, partial, succeeded, success',
	failed:
		'aborted, crashed, error, errored, expired, failed, failure, interrupted, timed out, timeout',
	cancelled: 'canceled, cancelled, killed, stopped, terminated',
};

const STATES = new Map(
	Object.entries(WORDS).flatMap(([state, words]) =>
		words.split(', ').map((word) => [word, state as JobState] as const),
	),
);

/** Returns the state for a service's `status`, regardless of case and separators; `unknown` for an unfamiliar word. */
export function jobStateOf(status: unknown): JobState {
	const word = textOf(status).slice(0, LONGEST_WORD).toLowerCase().replace(/[_-]/g, ' ').trim();
	return STATES.get(word) ?? 'unknown';
}

/** Whether a state is final. An unknown state may well change, so it isn't. */
export function isTerminal(state: JobState): boolean {
	return state === 'completed' || state === 'failed' || state === 'cancelled';
}
