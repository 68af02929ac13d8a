export const CONCURRENCY = {
	/** Initial and highest limit; more connections would gain little and cost n8n memory. */
	max: 500,
	/** Lowest limit, which keeps one slow response from stopping all others. */
	least: 2,
	/** Growth per accepted call: a tenth of a call, so that few calls are rejected at the limit. */
	growth: 0.1,
};

/**
 * Bounds the calls in flight the way TCP does after congestion (RFC 5681): the limit is halved after each overload,
 * then grows slowly. Starts at the highest limit, because rejected calls cost nothing.
 */
export class Concurrency {
	private value = CONCURRENCY.max;

	private cutAt = -Infinity;

	get limit(): number {
		return Math.floor(this.value);
	}

	accepted(): void {
		this.value = Math.min(CONCURRENCY.max, this.value + CONCURRENCY.growth);
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
