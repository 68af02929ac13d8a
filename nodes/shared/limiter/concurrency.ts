export const CONCURRENCY = {
	/** Begins with so many: the first 429 may reject all of them, but fewer would slow quick services down. */
	start: 100,
	/** Allows at most so many: more connections would gain little and cost n8n memory. */
	max: 200,
	/** Allows at least so many: one slow response must not stop all others. */
	least: 2,
	/** Adds this per accepted call after a cut: a tenth per round, so that few are rejected at the limit. */
	growth: 0.1,
};

/**
 * Bounds the calls in flight as TCP does (RFC 5681): one more for each accepted call until the first overload, half as
 * many at each overload, then slowly more.
 */
export class Concurrency {
	private value = CONCURRENCY.start;

	private cutAt = -Infinity;

	get limit(): number {
		return Math.floor(this.value);
	}

	accepted(): void {
		const more = this.cutAt === -Infinity ? 1 : CONCURRENCY.growth;
		this.value = Math.min(CONCURRENCY.max, this.value + more);
	}

	/**
	 * Halves the limit, because a call that left at `sentAt` was one too many. Calls that left before the last cut say
	 * nothing about its effect.
	 */
	overloaded(sentAt: number, now: number): void {
		if (sentAt < this.cutAt) return;
		this.value = Math.max(CONCURRENCY.least, this.value / 2);
		this.cutAt = now;
	}
}
