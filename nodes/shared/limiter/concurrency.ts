export const CONCURRENCY = {
	/** Initial limit. The first 429 may reject that many calls, but a lower limit would slow down fast services. */
	start: 100,
	/** Upper limit; more connections would gain little and cost n8n memory. */
	max: 200,
	/** Lower limit, so that one slow response doesn't stop all others. */
	least: 2,
	/** Growth per accepted call after a cut: a tenth of a call, so that few are rejected at the limit. */
	growth: 0.1,
};

/**
 * Bounds the calls in flight as TCP does (RFC 5681): one more for each accepted call until the first overload, half as
 * many after each overload, then slow growth.
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
	 * Halves the limit after an overload of the call sent at `sentAt`. Calls sent before the last cut are ignored, since
	 * they say nothing about its effect.
	 */
	overloaded(sentAt: number, now: number): void {
		if (sentAt < this.cutAt) return;
		this.value = Math.max(CONCURRENCY.least, this.value / 2);
		this.cutAt = now;
	}
}
