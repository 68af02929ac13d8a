/** Calls that left one after the other without a pause, and what came of them so far. Times in ms. */
export class Span {
	/** When the last of them left, once the span is over. */
	to = Infinity;

	sent = 0;

	accepted = 0;

	rejected = 0;

	constructor(readonly from: number) {}

	covers(sentAt: number): boolean {
		return sentAt >= this.from && sentAt <= this.to;
	}

	/** Whether no more were rejected than one, and this share of those that are answered. */
	isAlmostAccepted(share: number): boolean {
		return this.rejected <= 1 + share * (this.accepted + this.rejected);
	}

	/** Accepted calls per ms, at least one, as far as the span is answered; a shorter one counts as long as `leastMs`. */
	perMs(leastMs: number): number {
		const share = Math.max(1, this.accepted) / Math.max(1, this.accepted + this.rejected);
		return (share * this.sent) / Math.max(leastMs, this.to - this.from);
	}
}
