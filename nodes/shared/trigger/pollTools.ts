import { messageOf } from '../text';
import type { NewStart, Store } from './memory';

/** Holds what every poll needs besides its requests and settings. */
export interface PollTools {
	store: Store;
	/** Gives the time in ms since 1970. */
	now(): number;
	/** Waits (ms), or until the signal is aborted. */
	wait(ms: number, signal: AbortSignal): Promise<void>;
	budgetMs: number;
	log: { info(message: string): void; warn(message: string): void };
}

/** Logs that the trigger starts over, and why; nothing at the very first poll. */
export function sayNewStart(newStart: NewStart | undefined, log: PollTools['log']): void {
	if (newStart === 'otherScope') {
		log.info('What this trigger watches has changed: it starts over with this poll');
	}
	if (newStart === 'unreadable') {
		log.warn('What this trigger remembered is unreadable: it starts over with this poll');
	}
}

/** Logs what ended a poll early if its results so far are kept or emitted. */
export function sayEndedEarly(error: unknown, log: PollTools['log']): void {
	log.warn(`This poll ended early; the next ones make up for it. Reason: ${messageOf(error)}`);
}
