import type { Clock } from './types';

/** How many calls of an account may be in flight at once. */
export const CONCURRENCY = {
	/** Everything in flight at the first 429 is rejected, so no more than this; with fewer, fast services would be underused. */
	start: 120,
	/** Added for each accepted call while the limit is fully used. */
	growth: 0.2,
	/** Added for each round of calls instead, once there was a cut. */
	carefulGrowth: 10,
	max: 200,
	/** If so many calls in a row break off, each within so many ms, there are too many. What takes longer may be one slow page. */
	broken: { calls: 8, ms: 2_000 },
	/** How many times as long as usual calls may take before the limit is cut. */
	tolerance: 1.3,
	/** A cut leaves at most and at least this share of the limit: a smaller cut would not show whether it helped. */
	cuts: [0.8, 0.5],
	/** If n8n itself is busy for more than this share of a round, that may be why calls take longer: the round is ignored. */
	busy: 0.5,
};

/** A cut on trial: if calls are no faster after it, their number was not what made them slow. */
interface Trial {
	since: number;
	/** The limit before the cut, and how long calls took then. */
	limit: number;
	meanMs: number;
	wasCareful: boolean;
}

/** How long calls of a group take: usually, and in the current round. */
interface Latency {
	usualMs?: number;
	/** Of the logarithms of their times: a few calls that take very long hardly change the mean. */
	sumLog: number;
	count: number;
	/** How many more end before they count. */
	early: number;
	/** When the last one ended. */
	endedAt: number;
	/** Whether those of the round before took longer than usual. */
	isSlow: boolean;
	startedAt: number;
	/** The limit when the round began, under which most of its calls left. */
	limit: number;
	/** How long n8n had been busy when the round began, in ms. */
	busyMs: number;
	trial?: Trial;
}

/**
 * How many calls the service can handle at once: more while all goes well, half as many when it is overloaded, and
 * fewer in proportion to how much longer than usual calls take. Based on Gradient2 of Netflix's concurrency-limits, but
 * it compares the geometric means of rounds instead of single calls, since one page takes much longer than another at any
 * load, needs two slow rounds in a row, and puts each cut on trial, since another site may just be slower.
 */
export class Concurrency {
	private value = CONCURRENCY.start;

	private isCareful = false;

	private cutAt = -Infinity;

	/** How many calls broke off since the last one that did not. */
	private inRow = 0;

	private readonly latencies = new Map<string, Latency>();

	constructor(private readonly clock: Clock) {}

	get limit(): number {
		return Math.floor(this.value);
	}

	/** A call of a group that left at `sentAt` was accepted. `wasFull`: whether as many were in flight as allowed. */
	accepted(group: string, sentAt: number, wasFull: boolean): void {
		const now = this.clock.now();
		this.answered();
		const latency = this.latencies.get(group) ?? this.newLatency();
		this.latencies.set(group, latency);
		// Of calls that leave together the quick ones end first: as many as fit in flight say too little of the others.
		if (sentAt > latency.endedAt) {
			latency.early = this.limit;
			// After a rest there is nothing left to compare with.
			latency.isSlow = false;
			latency.trial = undefined;
		}
		latency.endedAt = now;
		if (latency.trial === undefined) {
			if (wasFull) this.grow();
		} else if (sentAt < latency.trial.since) {
			// It left before the cut, when more were in flight.
			return;
		}
		if (latency.early > 0) {
			latency.early--;
			Object.assign(latency, this.newRound());
			return;
		}
		latency.sumLog += Math.log(Math.max(1, now - sentAt));
		latency.count++;
		if (latency.count < this.value) return;
		this.judge(latency, wasFull);
		Object.assign(latency, this.newRound());
	}

	/** A call that was sent at `sentAt` was one too many. */
	overloaded(sentAt: number): void {
		// What was sent before the last cut says nothing about its effect.
		if (sentAt < this.cutAt) return;
		this.cut(0.5 * this.value);
		this.cutAt = this.clock.now();
		this.inRow = 0;
		for (const latency of this.latencies.values()) latency.trial = undefined;
	}

	/** A call that was sent at `sentAt` broke off, as where a proxy takes no more connections. */
	broken(sentAt: number): void {
		const { calls, ms } = CONCURRENCY.broken;
		if (sentAt < this.cutAt || this.clock.now() - sentAt > ms) return;
		this.inRow++;
		if (this.inRow >= calls) this.overloaded(sentAt);
	}

	/** A call was answered, if only with a 429. */
	answered(): void {
		this.inRow = 0;
	}

	private newLatency(): Latency {
		return { ...this.newRound(), early: 0, endedAt: -Infinity, isSlow: false };
	}

	private newRound(): Pick<Latency, 'sumLog' | 'count' | 'startedAt' | 'limit' | 'busyMs'> {
		const { clock, value: limit } = this;
		return { sumLog: 0, count: 0, startedAt: clock.now(), limit, busyMs: clock.busyMs() };
	}

	/** At the end of a round: cuts the limit if calls stay slower, and undoes the last cut if it did not help. */
	private judge(latency: Latency, wasFull: boolean): void {
		const now = this.clock.now();
		if (this.clock.busyMs() - latency.busyMs > CONCURRENCY.busy * (now - latency.startedAt)) return;
		const { trial } = latency;
		const meanMs = Math.exp(latency.sumLog / latency.count);
		latency.trial = undefined;
		if (trial !== undefined && isNoQuicker(meanMs, trial, this.value)) {
			latency.usualMs = meanMs;
			this.isCareful = trial.wasCareful;
			this.set(Math.max(this.value, trial.limit));
		}
		latency.usualMs = Math.min(meanMs, latency.usualMs ?? meanMs);
		const gradient = (CONCURRENCY.tolerance * latency.usualMs) / meanMs;
		const { limit, isSlow } = latency;
		latency.isSlow = wasFull && gradient < 1;
		// In the first slow round most calls had left before there were too many: that is no measure for a trial.
		if (!isSlow || !latency.isSlow) return;
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

/** Whether calls gained less than half of what the cut promised: if their number were the cause, their time would fall in proportion to it. */
function isNoQuicker(meanMs: number, trial: Trial, limit: number): boolean {
	return meanMs > (1 + limit / trial.limit) * 0.5 * trial.meanMs;
}
