import { FIRST_WAIT_MS, nextProbe, type Pause } from './pause';
import { Span } from './span';
import type { Pacing } from './types';
import { Windows } from './windows';

/** How the pace is found; times in ms. Chosen with the simulation that docs/rate-limits.md is written by. */
export const PACE = {
	/** Calls per ms before the first 429, until `carefulFor` are accepted: what is under way when it comes is rejected. */
	firstPerMs: 0.3,
	carefulFor: 250,
	/** Before the first limit, a 429 that later calls passed by is an accident: one, and this share of all responses. */
	accidents: 0.1,
	/** The same later, where the pace is below this share of one that was accepted: 429s that a slower pace does not stop. */
	farBelow: 0.6,
	/** So many calls that a busy n8n was too late for may be made up for at once. */
	catchUp: 2,
	/** The shortest time that a service is taken to count over, since most count per second. */
	shortestWindow: 1_000,
	/** Windows of a second show in a pause no shorter, and a wait no longer; slower calls would mix two of them. */
	windowPause: 500,
	windowWait: 2_000,
	windowCall: 1_000,
	/** Of a limit with longer pauses, a 429 tells the end of each window. */
	longPause: 3_000,
	/** Below the measured pace by this much, and once more after each 429. */
	below: 0.98,
	/** The least of the last pace that remains after a 429: when a window is used up, even a right pace measures low. */
	least: 0.8,
	/** The same where most were rejected: that pace was of another kind. */
	leastOverrun: 0.3,
	/** A 429 or an accepted call tells about calls sent this share of its own time later or earlier; they may overtake. */
	overtaking: 0.25,
	/** A pace measured from fewer accepted calls is a guess: it grows by `growth`, the cube root of that after each 429. */
	few: 30,
	growth: 3,
	smallestGrowth: 1.05,
	/** Each growth is tried for so long, the longer the smaller it is, and for so many calls. */
	growthTime: 500,
	growthCalls: 3,
	/**
	 * A sure pace is tried this much faster after so many times what the last 429 cost, sooner the further it is below one
	 * that was rejected, and after this long and so many calls at least; the next trial is bolder if that went well.
	 */
	trial: 1.03,
	patience: 40,
	trialTime: 1_000,
	trialCalls: 30,
	/** How much of the pace that was rejected counts after the next 429. */
	forgetting: 0.9,
	/** Where the service names no wait, the longest one while calls leave evenly. */
	longestWait: 60_000,
};

/**
 * Finds the pace that a service allows from its 429s: nothing is known of the limit before the first one. Then as many
 * calls as were accepted leave at once in each window of time; where no such windows show, they leave evenly, at the
 * rate at which they were accepted. An accepted call that left after a rejected one ends the pause: the 429 was only for
 * overtaking.
 */
export class Pace implements Pacing {
	private mode: 'unlimited' | 'even' | 'seconds' | 'window' = 'unlimited';

	/** Of a limit per second. */
	private windows?: Windows;

	private span = new Span(Infinity);

	private pause?: Pause;

	/** When the last call left that got a 429. */
	private rejectedAt = -Infinity;

	/** 429s without a wait since a call was accepted. */
	private tries = 0;

	private nextAt = -Infinity;

	/** Of an even pace: the span that it is measured from, and its bounds in calls per ms. */
	private measured = this.span;

	private least = 0;

	private most = Infinity;

	/** The fastest one that was rejected of late. */
	private tooFast = 0;

	/** The most calls per ms that were accepted over a second or longer. */
	private best = 0;

	private growth = PACE.growth;

	private trial = PACE.trial;

	private steadySince = 0;

	private costMs = 0;

	/** Of longer windows: the last one, how long it was, and how many calls it is sure to take. */
	private window = this.span;

	private windowMs = 0;

	private sure = 0;

	earliest(now: number): number {
		if (this.pause?.isProbing) return this.pause.until;
		if (this.mode === 'window') {
			// More than the last window took only as they are accepted.
			const { sent, accepted, rejected } = this.span;
			const more = 2 * Math.max(0, accepted - this.sure);
			if (sent - rejected > this.sure + more) return Infinity;
		}
		return Math.max(this.pause?.until ?? now, this.nextAt, this.windows?.nextAt ?? now);
	}

	sent(now: number): void {
		if (this.pause?.isProbing) {
			this.pause.until = nextProbe(this.pause, now + 1, this.span.from + this.windowMs);
			return;
		}
		if (this.pause !== undefined) this.resume(this.pause, now, now, true);
		if (this.span.from === Infinity) this.start(now);
		this.span.sent++;
		this.windows?.leave(now);
		const gap = 1 / this.perMs;
		this.nextAt = Math.max(this.nextAt, now - PACE.catchUp * gap) + gap;
	}

	accepted(sentAt: number, now: number): void {
		if (sentAt > this.rejectedAt) this.tries = 0;
		const { pause } = this;
		if (pause !== undefined) {
			const isProbe = pause.isProbing && sentAt >= pause.since;
			const overtaking = (now - sentAt) * PACE.overtaking;
			if (isProbe) {
				this.resume(pause, sentAt, now, true);
				this.span.sent++;
				this.windows?.leave(now);
			} else if (sentAt > this.rejectedAt + overtaking) this.resume(pause, now, now, false);
		}
		if (this.span.covers(sentAt)) this.span.accepted++;
		else if (this.measured.covers(sentAt)) this.measured.accepted++;
		// One that left just as this window began counts for both: of a bucket that fills slowly, more is tried so.
		if (this.window.covers(sentAt)) this.sure++;
		if (pause === undefined) this.quicken(sentAt, now);
	}

	limited(sentAt: number, now: number, waitMs = 0): void {
		this.rejectedAt = Math.max(this.rejectedAt, sentAt);
		if (!this.span.covers(sentAt)) {
			// Of an earlier span: nothing new.
			if (this.measured.covers(sentAt)) this.measured.rejected++;
			return;
		}
		this.span.rejected++;
		const isNamed = waitMs >= FIRST_WAIT_MS;
		if (this.pause !== undefined) {
			if (isNamed && !this.pause.isProbing) {
				this.pause.until = Math.min(this.pause.until, now + waitMs);
			}
			return;
		}
		const { accepted, from } = this.span;
		this.best = Math.max(this.best, accepted / Math.max(PACE.shortestWindow, now - from));
		const { isAccident } = this;
		const pause = { since: now, sentAt, waitMs, until: now + waitMs, isProbing: false, isAccident };
		this.pause = pause;
		if (this.mode === 'unlimited') this.span.to = now;
		else if (this.mode === 'even' && !isAccident) this.slow(sentAt, now);
		if (isNamed) return;
		if (this.windows !== undefined) pause.until = this.windows.endsAt;
		else if (this.mode === 'even') {
			const wait = FIRST_WAIT_MS * 2 ** this.tries++;
			pause.until = sentAt + Math.min(wait, PACE.longestWait);
		} else {
			pause.isProbing = true;
			pause.until = nextProbe(pause, now, this.span.from + this.windowMs);
		}
	}

	/** Whether a 429 comes at so slow a pace, and so seldom, that the limit can't be why. */
	private get isAccident(): boolean {
		if (this.mode !== 'even' && this.windows === undefined) return false;
		const perMs = this.windows?.perMs ?? this.perMs;
		return perMs < PACE.farBelow * this.best && this.span.isAlmostAccepted(PACE.accidents);
	}

	/** Calls per ms. */
	private get perMs(): number {
		if (this.mode === 'unlimited' && this.span.accepted >= PACE.carefulFor) return Infinity;
		if (this.mode !== 'even') return PACE.firstPerMs;
		const perMs =
			this.most === Infinity
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

	private fix(perMs: number): void {
		this.least = perMs;
		this.most = perMs;
	}

	private start(at: number): void {
		this.span = new Span(at);
		this.nextAt = at;
		this.steadySince = at;
	}

	/** The pause is over, as a call shows that left at `at`. `isWaited`: not only because the rejected one was overtaken. */
	private resume(pause: Pause, at: number, now: number, isWaited: boolean): void {
		const { span } = this;
		this.pause = undefined;
		if (this.mode === 'unlimited' && !isWaited && span.isAlmostAccepted(PACE.accidents)) {
			span.to = Infinity;
			return;
		}
		if (pause.isAccident) {
			this.nextAt = now;
			return;
		}
		const pauseMs = Math.max(0, at - pause.since);
		if (this.mode === 'unlimited') this.learn(pause, pauseMs, isWaited);
		else if (this.windows?.fit(pause.sentAt, span, isWaited) === false) this.leaveWindows(pause);
		this.costMs = pauseMs;
		if (this.mode === 'window') this.resumeWindow(pause, at);
		else if (this.windows !== undefined || span.to < Infinity) this.start(at);
		if (isWaited) this.windows?.restart(now);
		this.nextAt = now;
		this.steadySince = now;
	}

	/** What kind of limit it is. */
	private learn({ since, sentAt, waitMs }: Pause, pauseMs: number, isWaited: boolean): void {
		const { accepted } = this.span;
		this.measured = this.span;
		this.window = this.span;
		const callMs = since - sentAt;
		const isSure = isWaited && accepted >= PACE.few && callMs < PACE.windowCall;
		if (pauseMs > PACE.longPause) {
			this.mode = 'window';
		} else if (isSure && pauseMs >= PACE.windowPause && waitMs <= PACE.windowWait) {
			this.mode = 'seconds';
			this.windows = new Windows(accepted, callMs);
		} else {
			this.mode = 'even';
		}
	}

	/** There are no windows: evenly then, at first as many calls as between the last two 429s. */
	private leaveWindows({ since }: Pause): void {
		this.mode = 'even';
		this.windows = undefined;
		this.fix(Math.max(1, this.span.accepted) / (since - this.span.from + this.costMs));
		this.span.to = since;
	}

	private resumeWindow(pause: Pause, at: number): void {
		if (at - (pause.waitMs > 0 ? pause.since : pause.sentAt) < this.windowMs / 2) {
			this.sure = this.span.accepted;
			return;
		}
		if (this.span.accepted > 0) this.window = this.span;
		this.window.to = Math.min(this.window.to, at);
		this.windowMs = at - this.window.from;
		this.sure = this.window.accepted;
		this.start(at);
	}

	/** Slower, because a call of this span that left at `sentAt` was rejected. */
	private slow(sentAt: number, now: number): void {
		// Calls of the last pace were still under way, or nothing was accepted at all: no news of this pace.
		const isEarly = sentAt < this.span.from + (now - sentAt) * PACE.overtaking;
		if (isEarly || this.span.accepted === 0) return;
		const { perMs } = this;
		this.tooFast = Math.max(perMs, PACE.forgetting * this.tooFast);
		if (this.growth > 1 && this.isFixed) {
			this.fix(perMs / this.growth);
			this.growth = Math.cbrt(this.growth);
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
		if (this.windows?.shorten(sentAt - this.steadySince, this.costMs)) this.steadySince = now;
		if (this.mode !== 'even') return;
		const { accepted, isOverrun } = this.measured;
		const isFew = this.most === Infinity ? accepted < PACE.few : isOverrun;
		if (!(this.isFixed || isFew) || this.growth < PACE.smallestGrowth) this.growth = 1;
		if (sentAt < this.steadySince + this.trialMs) return;
		this.fix(this.perMs * (this.growth > 1 ? this.growth : this.trial));
		this.trial *= this.trial;
		this.start(now);
	}

	/** How long an even pace is kept before a faster one is tried. */
	private get trialMs(): number {
		const { growthCalls, growthTime, trialCalls, trialTime, patience } = PACE;
		const { perMs, growth, costMs } = this;
		if (growth > 1) return Math.max(growthCalls / perMs, growthTime / (growth - 1));
		const share = Math.min(1, perMs / this.tooFast);
		return Math.max(trialCalls / perMs, trialTime, patience * share ** 2 * costMs);
	}
}
