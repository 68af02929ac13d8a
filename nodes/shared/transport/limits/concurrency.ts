/** How many calls of an account may be in flight at once. */
export const CONCURRENCY = {
	/** All that is in flight when the first 429 comes is refused; with fewer, quick services would have to wait. */
	start: 120,
	/** More per accepted call while all of them are in use. */
	growth: 0.2,
	/** The same for a round of calls, once more of them did no good. */
	carefulGrowth: 10,
	max: 200,
	/** Calls may take so many times as long as they usually do before fewer are in flight. */
	tolerance: 1.3,
	/** How much a slower round of calls counts in what is usual. */
	smoothing: 0.2,
};

interface Latency {
	usualMs?: number;
	sumMs: number;
	count: number;
}

/**
 * How many calls the service copes with at once: more while all goes well, half when it is overloaded (503), and fewer
 * by as much as calls take longer than usual. After Gradient2 of Netflix's concurrency-limits, but with the mean of a
 * round instead of single calls, since one page takes much longer than another at any load.
 */
export class Concurrency {
	private value = CONCURRENCY.start;

	private isCareful = false;

	private cutAt = -Infinity;

	private readonly latencies = new Map<string, Latency>();

	get limit(): number {
		return Math.floor(this.value);
	}

	/** A call of a group was accepted after `ms`. `wasFull`: as many were in flight as allowed. */
	accepted(group: string, ms: number, wasFull: boolean): void {
		if (wasFull) {
			const { growth, carefulGrowth } = CONCURRENCY;
			this.set(this.value + (this.isCareful ? carefulGrowth / this.value : growth));
		}
		const latency = this.latencies.get(group) ?? { sumMs: 0, count: 0 };
		this.latencies.set(group, latency);
		latency.sumMs += ms;
		latency.count++;
		if (latency.count < this.value) return;
		const mean = latency.sumMs / latency.count;
		const usual = latency.usualMs ?? mean;
		const gradient = (CONCURRENCY.tolerance * usual) / Math.max(mean, 1);
		if (wasFull && gradient < 1) this.cut(Math.max(0.5, gradient));
		// With few in flight, that calls take longer is not for their number.
		const drift = this.value <= CONCURRENCY.start ? CONCURRENCY.smoothing * (mean - usual) : 0;
		latency.usualMs = Math.min(mean, usual + drift);
		latency.sumMs = latency.count = 0;
	}

	/** A call that was sent at `sentAt` got a 503. */
	overloaded(sentAt: number, now: number): void {
		// What was sent before the last cut says nothing about how that worked.
		if (sentAt < this.cutAt) return;
		this.cut(0.5);
		this.cutAt = now;
	}

	private cut(factor: number): void {
		this.isCareful = true;
		this.set(this.value * factor);
	}

	private set(value: number): void {
		this.value = Math.min(CONCURRENCY.max, Math.max(1, value));
	}
}
