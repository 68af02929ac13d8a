import { messageOf } from '../text';
import type { Log, Store } from './memory';

/** Holds what every poll needs besides its requests and settings. */
export interface PollTools {
	store: Store;
	/** Gives the time in ms since 1970 by the clock at the poll's beginning. */
	now(): number;
	/** Waits (ms), or until the signal is aborted. */
	wait(ms: number, signal: AbortSignal): Promise<void>;
	budgetMs: number;
	log: Log;
}

/** Logs what ended a poll early if its results so far are kept or emitted. */
export function sayEndedEarly(error: unknown, log: Log): void {
	log.warn(`This poll ended early; the next ones make up for it. Reason: ${messageOf(error)}`);
}
