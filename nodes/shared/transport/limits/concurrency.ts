import type { Clock } from './types';

/** How many calls of an account may be in flight at once. */
export const CONCURRENCY = {
	/** All that is in flight when the first 429 comes is rejected; with fewer, quick services would have to wait. */
	start: 120,
	/** More per accepted call while all of them are in use. */
	growth: 0.2,
	/** The same for a round of calls, once more of them did no good. */
	carefulGrowth: 10,
	max: 200,
	/** Calls may take so many times as long as they usually do before fewer are in flight. */
	tolerance: 1.3,
	/** A cut leaves at most and at least this share in flight: with more, one couldn't tell if it did any good. */
	cuts: [0.8, 0.5],
	/** Where n8n itself is busy for more than this share of a round, calls take longer because of that. */
	busy: 0.5,
};

/** Fewer calls in flight, on trial: if they are no quicker, it was not for their number. */
interface Trial {
	since: number;
	/** What was in flight before, and how long calls took then. */
	limit: number;
	meanMs: number;
	wasCareful: boolean;
}

/** How long calls of a group take: usually, and in the round that goes on. */
interface Latency {
	usualMs?: number;
	sumMs: number;
	count: number;
	startedAt: number;
	/** What the limit was when the round began: most of its calls left by then. */
	limit: number;
	/** How long n8n had been busy when the round began, in ms. */
	busyMs: number;
	trial?: Trial;
}

/**
 * How many calls the service copes with at once: more while all goes well, half when it is overloaded (503), and fewer
 * by as much as calls take longer than usual. After Gradient2 of Netflix's concurrency-limits, but with the mean of a
 * round instead of single calls, since one page takes much longer than another at any load, and with a test of each cut,
 * since another site may just be slower.
 */
export class Concurrency {
	private value = CONCURRENCY.start;

	private isCareful = false;

	private cutAt = -Infinity;

	private readonly latencies = new Map<string, Latency>();

	constructor(private readonly clock: Clock) {}

	get limit(): number {
		return Math.floor(this.value);
	}

	/** A call of a group that left at `sentAt` was accepted. `wasFull`: as many were in flight as allowed. */
	accepted(group: string, sentAt: number, wasFull: boolean): void {
		const latency = this.latencies.get(group) ?? this.newRound();
		this.latencies.set(group, latency);
		if (latency.trial === undefined) {
			if (wasFull) this.grow();
			// Before the cut more were in flight.
		} else if (sentAt < latency.trial.since) return;
		latency.sumMs += this.clock.now() - sentAt;
		latency.count++;
		if (latency.count < this.value) return;
		this.judge(latency, wasFull);
		Object.assign(latency, this.newRound());
	}

	/** A call that was sent at `sentAt` got a 503. */
	overloaded(sentAt: number): void {
		// What was sent before the last cut says nothing about how that worked.
		if (sentAt < this.cutAt) return;
		this.cut(0.5 * this.value);
		this.cutAt = this.clock.now();
		for (const latency of this.latencies.values()) latency.trial = undefined;
	}

	private newRound(): Latency {
		const { clock, value: limit } = this;
		return { sumMs: 0, count: 0, startedAt: clock.now(), limit, busyMs: clock.busyMs() };
	}

	/** At the end of a round: fewer at once, or as many as before if that did no good the last time. */
	private judge(latency: Latency, wasFull: boolean): void {
		const now = this.clock.now();
		if (this.clock.busyMs() - latency.busyMs > CONCURRENCY.busy * (now - latency.startedAt)) return;
		const { trial } = latency;
		const meanMs = Math.max(1, latency.sumMs / latency.count);
		latency.trial = undefined;
		if (trial !== undefined && isNoQuicker(meanMs, trial, this.value)) {
			latency.usualMs = meanMs;
			this.isCareful = trial.wasCareful;
			this.set(Math.max(this.value, trial.limit));
		}
		latency.usualMs = Math.min(meanMs, latency.usualMs ?? meanMs);
		const gradient = (CONCURRENCY.tolerance * latency.usualMs) / meanMs;
		if (!wasFull || gradient >= 1) return;
		const { limit } = latency;
		latency.trial = { since: now, limit, meanMs, wasCareful: this.isCareful };
		const [most, least] = CONCURRENCY.cuts;
		this.cut(limit * Math.min(most, Math.max(least, gradient)));
	}

	private grow(): void {
		const { growth, carefulGrowth } = CONCURRENCY;
		this.set(this.value + (this.isCareful ? carefulGrowth / this.value : growth));
	}

	private cut(limit: number): void {
		this.isCareful = true;
		this.set(limit);
	}

	private set(value: number): void {
		this.value = Math.min(CONCURRENCY.max, Math.max(1, value));
	}
}

/** Whether calls take nearly as long with fewer in flight: had it been for their number, they would take less by as much. */
function isNoQuicker(meanMs: number, trial: Trial, limit: number): boolean {
	return meanMs > (1 + limit / trial.limit) * 0.5 * trial.meanMs;
}
