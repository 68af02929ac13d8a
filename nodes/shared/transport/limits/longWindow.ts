import type { Span } from './span';
import type { Pause } from './pause';
import { WINDOWS } from './windows';

/** Two windows whose lengths differ by less than this share count as equally long. */
const ALIKE = 0.1;

/** Each early probe that is rejected doubles the number of pauses until the next one, up to this many. */
const MOST_TRUSTED = 8;

/**
 * Windows of several seconds to hours: as many calls as the last one took leave at once, further ones only as calls are
 * accepted. None leaves sooner than a window after the call of the last window whose place it takes, since a service may
 * count the calls of, say, the last 60 seconds at any moment (a sliding window log).
 */
export class LongWindow {
	/** How long the last one was, in ms. */
	ms!: number;

	/** Whether the one before it was equally long. */
	private isKnown!: boolean;

	/** How many early probes came since one was accepted; 1 at the start, so that the second comes two pauses after the first. */
	private failed = 1;

	/** The next one comes in the pause in which this is used up. */
	private trusted = 1;

	/** Whether an early probe was accepted in this window, and no later pause outlasted one. */
	private isDoubted = false;

	/** How many calls it is sure to take. */
	private sure!: number;

	/** When the accepted calls left: those of this window, and those of the last one. */
	private log: number[] = [];

	private lastLog: number[] = [];

	/** Calls left again from `at` on, after those of the last window. */
	constructor(
		private last: Span,
		at: number,
	) {
		this.measure(at);
	}

	/** Whether the next call has to wait for responses to calls of this window, `span`, that are in flight. */
	isFull({ sent, accepted, rejected }: Span): boolean {
		const more = 2 * Math.max(0, accepted - this.sure);
		return sent - rejected > this.sure + more;
	}

	/** The earliest time for the next call of this window, `span`, given when the calls of the last one left. */
	nextAt({ sent, rejected }: Span): number {
		const before = this.lastLog.at(sent - rejected - this.sure);
		return before === undefined ? -Infinity : before + this.ms;
	}

	/** Whether the first probe of a pause that begins now is to come early: there may be no such window any more. */
	probesEarly(): boolean {
		if (--this.trusted > 0) return false;
		this.trusted = Math.min(2 ** this.failed, MOST_TRUSTED);
		this.failed++;
		return true;
	}

	/** How long (ms) after a rejected call a single one may probe: a window may be half as long as it seemed at first. */
	get leastWaitMs(): number {
		return this.isKnown ? this.ms : this.ms / 2;
	}

	/** A call that left at `sentAt` was accepted. */
	accepted(sentAt: number): void {
		this.log.push(sentAt);
		// One that left just as this window began counts for both: so more is tried of a bucket that fills slowly.
		if (this.last.covers(sentAt)) this.sure++;
	}

	/** A window, `span`, passed without a 429 that lasted until its end. False if early probes show that it is none. */
	passed({ accepted }: Span): boolean {
		this.sure = Math.max(this.sure, accepted);
		this.turn();
		return !this.isDoubted;
	}

	/** Calls leave again from `at` on; if that is the next window, the span ends. False if the limit has no windows. */
	resume({ waitMs, since, sentAt, isEarly }: Pause, at: number, span: Span): boolean {
		if (at - (waitMs > 0 ? since : sentAt) < this.ms / 2) {
			if (span.accepted > 0) this.sure = span.accepted;
			if (isEarly) {
				this.isDoubted = true;
				this.failed = 0;
				this.trusted = 1;
			}
			return true;
		}
		this.isDoubted = false;
		// Where rejected calls count too, nothing may be accepted: that shows neither how long a window is nor how much it takes.
		if (span.accepted === 0) {
			span.to = since;
			return true;
		}
		if (span.accepted < WINDOWS.most * this.sure) return false;
		this.last = span;
		this.turn();
		this.measure(at);
		span.to = this.last.to;
		return true;
	}

	private turn(): void {
		this.lastLog = this.log.sort((a, b) => a - b);
		this.log = [];
	}

	private measure(at: number): void {
		this.last.to = Math.min(this.last.to, at);
		const ms = at - this.last.from;
		this.isKnown = Math.abs(ms - this.ms) < ALIKE * ms;
		this.ms = ms;
		this.sure = this.last.accepted;
	}
}
