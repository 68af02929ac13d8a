import type { Span } from './span';
import type { Pause } from './pause';
import { WINDOWS } from './windows';

/** Two windows that differ by less than this share are as long as each other. */
const ALIKE = 0.1;

/**
 * Windows of more than some seconds: as many calls as the last one took leave at once, more only as they are accepted. None
 * leaves sooner than a window after the one of the last window that made room for it: a service may count the calls of
 * the last minute, whenever that began (a sliding window log).
 */
export class LongWindow {
	/** How long the last one was, in ms. */
	ms!: number;

	/** Whether the one before was as long. */
	private isKnown!: boolean;

	/** How many calls it is sure to take. */
	private sure!: number;

	/** When the calls left that were accepted in this window and in the last one. */
	private log: number[] = [];

	private lastLog: number[] = [];

	/** Calls left again from `at` on, after those of the last window. */
	constructor(
		private last: Span,
		at: number,
	) {
		this.measure(at);
	}

	/** Whether the next call depends on what comes of those of this window, `span`, that are in flight. */
	isFull({ sent, accepted, rejected }: Span): boolean {
		const more = 2 * Math.max(0, accepted - this.sure);
		return sent - rejected > this.sure + more;
	}

	/** When the next call of this window, `span`, may leave as far as those of the last one are concerned. */
	nextAt({ sent, rejected }: Span): number {
		const before = this.lastLog.at(sent - rejected - this.sure);
		return before === undefined ? -Infinity : before + this.ms;
	}

	/** How long after a 429 single calls find out at the earliest: a window may be half as long as it seemed at first. */
	get leastWaitMs(): number {
		return this.isKnown ? this.ms : this.ms / 2;
	}

	/** A call that left at `sentAt` was accepted. */
	accepted(sentAt: number): void {
		this.log.push(sentAt);
		// One that left just as this window began counts for both: of a bucket that fills slowly, more is tried so.
		if (this.last.covers(sentAt)) this.sure++;
	}

	/** A window, `span`, went by without a 429. */
	passed({ accepted }: Span): void {
		this.sure = Math.max(this.sure, accepted);
		this.turn();
	}

	/** Calls leave again from `at` on. Ends the span if that is the next window. False if these are no windows. */
	resume({ waitMs, since, sentAt }: Pause, at: number, span: Span): boolean {
		if (at - (waitMs > 0 ? since : sentAt) < this.ms / 2) {
			this.sure = span.accepted;
			return true;
		}
		if (span.accepted > 0) {
			if (span.accepted < WINDOWS.most * this.sure) return false;
			this.last = span;
		}
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
