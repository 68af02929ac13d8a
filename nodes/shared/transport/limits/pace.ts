import { Span } from './span';
import type { Pacing } from './types';

/** How the pace is found; times in ms. Chosen with the simulation that docs/rate-limits.md is written by. */
export const PACE = {
	/** Calls per ms before the first 429, until `carefulFor` are accepted: what is under way when it comes is refused. */
	firstPerMs: 0.3,
	carefulFor: 150,
	/** So many calls that a busy n8n was too late for may be made up for at once. */
	catchUp: 2,
	/** The shortest time that a service is taken to count over, since most count per second. */
	shortestWindow: 1_000,
	/** A limit with longer pauses is used up at the beginning of its window, not evenly. */
	longPause: 3_000,
	/** Below the measured pace by this much, and once more after each 429. */
	below: 0.98,
	/** The least of the last pace that remains after a 429: when a window is used up, even a right pace measures low. */
	least: 0.8,
	/** The same where most were refused: that pace was of another kind. */
	leastOverrun: 0.3,
	/** A 429 or an accepted call tells about calls sent this share of its own time later or earlier; they may overtake. */
	overtaking: 0.4,
	/** A pace measured from fewer accepted calls is a guess: it grows by `growth`, the root of that after each 429. */
	few: 30,
	growth: 3,
	smallestGrowth: 1.05,
	/** Each growth is tried for so long, the longer the smaller it is. */
	growthTime: 500,
	/**
	 * A sure pace is tried this much faster after so many times what the last 429 cost, and this long at least; the next
	 * trial is bolder if that went well.
	 */
	trial: 1.03,
	patience: 40,
	trialTime: 1_000,
	/** The first wait where the service names none, or one of no time. */
	firstWait: 100,
	/** Alone, one call finds out so long after the first refused one whether the limit is over. */
	probes: [250, 500, 1_000, 2_000, 4_000, 6_000, 10_000, 15_000, 20_000, 30_000, 45_000]
		.concat([60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000])
		.map((ms) => 1.02 * ms),
};

/** A time in which nothing leaves, or single calls to find out whether it is over. */
interface Pause {
	/** When the first 429 came. */
	since: number;
	/** When the call left that got it. */
	refusedAt: number;
	until: number;
	isProbing: boolean;
}

/**
 * Finds the pace that a service allows from its 429s: nothing is known of the limit before the first one. Then calls
 * leave evenly, at the rate at which they were accepted; or, where a pause is long, as many at once as were accepted in
 * the last window. An accepted call that left after a refused one ends the pause: the 429 was only for overtaking.
 */
export class Pace implements Pacing {
	private mode: 'unlimited' | 'even' | 'window' = 'unlimited';

	private span = new Span(Infinity);

	private pause?: Pause;

	/** When the last call left that got a 429. */
	private refusedAt = -Infinity;

	/** 429s without a wait since a call was accepted. */
	private tries = 0;

	private nextAt = -Infinity;

	/** Of an even pace: the span that it is measured from, and its bounds in calls per ms. */
	private measured = this.span;

	private least = 0;

	private most = Infinity;

	private growth = PACE.growth;

	private trial = PACE.trial;

	private steadySince = 0;

	private costMs = 0;

	/** Of windows: the last one, how long it was, and how many calls it is sure to take. */
	private window = this.span;

	private windowMs = 0;

	private sure = 0;

	earliest(now: number): number {
		if (this.pause?.isProbing) return this.pause.until;
		if (this.mode === 'window') {
			// More than the last window took only as they are accepted.
			const { sent, accepted, refused } = this.span;
			const more = 2 * Math.max(0, accepted - this.sure);
			if (sent - refused > this.sure + more) return Infinity;
		}
		return Math.max(this.pause?.until ?? now, this.nextAt);
	}

	sent(now: number): void {
		if (this.pause?.isProbing) {
			this.pause.until = this.nextProbe(this.pause, now + 1);
			return;
		}
		if (this.pause !== undefined) this.resume(this.pause, now, now, now);
		if (this.span.from === Infinity) this.start(now);
		this.span.sent++;
		const gap = 1 / this.perMs;
		this.nextAt = Math.max(this.nextAt, now - PACE.catchUp * gap) + gap;
	}

	accepted(sentAt: number, now: number): void {
		if (sentAt > this.refusedAt) this.tries = 0;
		const { pause } = this;
		if (pause !== undefined) {
			const isProbe = pause.isProbing && sentAt >= pause.since;
			const overtaking = (now - sentAt) * PACE.overtaking;
			if (isProbe) {
				this.resume(pause, sentAt, sentAt, now);
				this.span.sent++;
			} else if (sentAt > this.refusedAt + overtaking) this.resume(pause, sentAt, now, now);
		}
		if (this.span.covers(sentAt)) this.span.accepted++;
		else if (this.measured.covers(sentAt)) this.measured.accepted++;
		if (this.window !== this.span && this.window.covers(sentAt)) this.sure++;
		if (this.mode === 'even' && pause === undefined) this.quicken(sentAt, now);
	}

	limited(sentAt: number, now: number, waitMs?: number): void {
		this.refusedAt = Math.max(this.refusedAt, sentAt);
		if (!this.span.covers(sentAt)) {
			// Of an earlier span: nothing new.
			if (this.measured.covers(sentAt)) this.measured.refused++;
			return;
		}
		this.span.refused++;
		if (this.pause !== undefined) {
			if (waitMs === undefined || this.pause.isProbing) return;
			this.pause.until = Math.min(this.pause.until, now + waitMs);
			return;
		}
		const pause = {
			since: now,
			refusedAt: sentAt,
			until: now + (waitMs ?? 0),
			isProbing: false,
		};
		this.pause = pause;
		if (this.mode === 'unlimited') {
			this.measured = this.span;
			this.span.to = now;
		} else if (this.mode === 'even') this.slow(sentAt, now);
		if ((waitMs ?? 0) >= PACE.firstWait) return;
		if (waitMs !== undefined || this.mode === 'even') {
			pause.until = sentAt + PACE.firstWait * 2 ** this.tries++;
		} else {
			pause.isProbing = true;
			pause.until = this.nextProbe(pause, now);
		}
	}

	/** Calls per ms. */
	private get perMs(): number {
		if (this.mode === 'unlimited' && this.span.accepted >= PACE.carefulFor) return Infinity;
		if (this.mode !== 'even') return PACE.firstPerMs;
		const isFirst = this.most === Infinity;
		const perMs = isFirst
			? PACE.below * this.measured.perMs(PACE.shortestWindow)
			: this.measured.perMs(1);
		const least =
			this.isFixed || !this.measured.isOverrun ? this.least : PACE.leastOverrun * this.least;
		return Math.max(least, Math.min(this.most, perMs));
	}

	/** Whether the pace is no longer what was measured. */
	private get isFixed(): boolean {
		return this.least === this.most;
	}

	private start(at: number): void {
		this.span = new Span(at);
		this.nextAt = at;
		this.steadySince = at;
	}

	/** The pause is over, as a call shows that left at `at`. A new span begins `from` there, or the old one goes on. */
	private resume(pause: Pause, at: number, from: number, now: number): void {
		const pauseMs = at - pause.since;
		this.pause = undefined;
		this.costMs = Math.max(0, pauseMs);
		if (this.mode === 'unlimited') {
			this.mode = pauseMs > PACE.longPause ? 'window' : 'even';
			this.window = this.measured;
		}
		if (this.mode === 'window') this.resumeWindow(pauseMs, at, from);
		else if (this.span.to < Infinity) this.start(from);
		this.nextAt = now;
		this.steadySince = now;
	}

	private resumeWindow(pauseMs: number, at: number, from: number): void {
		if (pauseMs < this.windowMs / 2) {
			this.sure = this.span.accepted;
			return;
		}
		if (this.span.accepted > 0) this.window = this.span;
		this.window.to = Math.min(this.window.to, at);
		this.windowMs = at - this.window.from;
		this.sure = this.window.accepted;
		this.start(from);
	}

	/** Slower, because a call of this span that left at `sentAt` was refused. */
	private slow(sentAt: number, now: number): void {
		// Calls of the last pace were still under way, or nothing was accepted at all: no news of this pace.
		const isEarly = sentAt < this.span.from + (now - sentAt) * PACE.overtaking;
		if (isEarly || this.span.accepted === 0) return;
		const { perMs } = this;
		if (this.growth > 1 && this.isFixed) {
			this.fix(perMs / this.growth);
			this.growth = Math.sqrt(this.growth);
		} else {
			this.least = PACE.least * perMs;
			this.most = PACE.below * perMs;
			this.measured = this.span;
			this.growth = PACE.growth;
		}
		this.trial = PACE.trial;
		this.span.to = now;
	}

	/** Faster, if the pace has been kept for long enough when a call that left at `sentAt` is accepted. */
	private quicken(sentAt: number, now: number): void {
		const isFirst = this.most === Infinity;
		const isFew = isFirst ? this.measured.accepted < PACE.few : this.measured.isOverrun;
		const isGuess = this.isFixed || isFew;
		if (!isGuess || this.growth < PACE.smallestGrowth) this.growth = 1;
		const time =
			this.growth > 1
				? PACE.growthTime / (this.growth - 1)
				: Math.max(PACE.trialTime, PACE.patience * this.costMs);
		if (sentAt < this.steadySince + time) return;
		this.fix(this.perMs * (this.growth > 1 ? this.growth : this.trial));
		if (this.growth === 1) this.trial *= this.trial;
		this.start(now);
	}

	private fix(perMs: number): void {
		this.least = perMs;
		this.most = perMs;
	}

	private nextProbe(pause: Pause, now: number): number {
		const windowEnd = this.span.from + this.windowMs;
		if (windowEnd > now) return windowEnd;
		// The first one at once, so to speak, however long the 429 was under way.
		if (now === pause.since) return now + PACE.firstWait;
		const after = PACE.probes.find((ms) => pause.refusedAt + ms >= now);
		return after === undefined ? now + PACE.probes.at(-1)! : pause.refusedAt + after;
	}
}
