import { messageOf } from '../base/text';
import type { Log, Store } from './memory';

/** What every poll needs besides its requests and settings. */
export interface PollTools {
	store: Store;
	/**
	 * Why n8n may have lost what earlier polls learned but didn't emit: it has just started, or the workflow was
	 * published. Unset for a poll that follows another one in the same n8n process, and in durable mode, which loses
	 * nothing.
	 */
	begin?: 'start' | 'publication';
	/** Returns the time in ms since 1970; changes to the clock during the poll have no effect. */
	now(): number;
	/** Waits `ms`, or until the signal is aborted. */
	wait(ms: number, signal?: AbortSignal): Promise<void>;
	/** Time (ms) that the poll may take. */
	budgetMs: number;
	log: Log;
}

/** Logs why a poll ended early, if its results so far are kept or emitted. */
export function sayEndedEarly(error: unknown, log: Log): void {
	log.warn(`This poll ended early; the next ones make up for it. Reason: ${messageOf(error)}`);
}
