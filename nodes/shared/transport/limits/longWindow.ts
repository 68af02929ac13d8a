import type { Span } from './span';
import type { Pause } from './pause';
import { WINDOWS } from './windows';

/** Windows of more than some seconds: as many calls as the last one took leave at once, more only as they are accepted. */
export class LongWindow {
	/** How long the last one was, in ms. */
	ms!: number;

	/** How many calls it is sure to take. */
	private sure!: number;

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

	accepted(sentAt: number): void {
		// One that left just as this window began counts for both: of a bucket that fills slowly, more is tried so.
		if (this.last.covers(sentAt)) this.sure++;
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
		this.measure(at);
		span.to = this.last.to;
		return true;
	}

	private measure(at: number): void {
		this.last.to = Math.min(this.last.to, at);
		this.ms = at - this.last.from;
		this.sure = this.last.accepted;
	}
}
