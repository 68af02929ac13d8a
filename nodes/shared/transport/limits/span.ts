/** The window that most services count in, in ms. */
export const SECOND_MS = 1_000;

/** What fewer than `calls` show is doubtful; fewer than `least` show next to nothing. */
export const FEW = { calls: 30, least: 8 };

/** Calls that left one after the other without a pause, and what came of them so far. Times in ms. */
export class Span {
	/** When the last of them left, once the span is over. */
	to = Infinity;

	sent = 0;

	/** How many of them left as soon as the pace allowed. */
	paced = 0;

	accepted = 0;

	rejected = 0;

	constructor(readonly from: number) {}

	covers(sentAt: number): boolean {
		return sentAt >= this.from && sentAt <= this.to;
	}

	/** How many of its calls got a response so far. */
	get answered(): number {
		return this.accepted + this.rejected;
	}

	/** Whether all of its calls that are answered so far were rejected. */
	get isRejected(): boolean {
		return this.accepted === 0 && this.rejected > 0;
	}

	/** Whether at most one call, plus this share of those that are answered, was rejected. */
	isAlmostAccepted(share: number): boolean {
		return this.rejected <= 1 + share * this.answered;
	}

	/** The share of its answered calls that were accepted, as if at least one was. */
	get share(): number {
		return Math.max(1, this.accepted) / Math.max(1, this.answered);
	}

	/** Accepted calls per ms; a span shorter than `leastMs` counts as that long. */
	perMs(leastMs: number): number {
		return (this.share * this.sent) / Math.max(leastMs, this.to - this.from);
	}
}
