import type { Pacing } from './types';

/** How a pace is found. Times in ms. */
export const PACE = {
	/** When single calls try whether a limit is over that named no wait, since the rejected call left: limits are per round times. */
	triesMs: [100, 250, 500, 1_000, 2_000, 3_000],
	/** Then one tries each so often, since the window began: often enough to find the end of a minute that others use, too. */
	everyMs: 5_000,
	/** Tries come later by this factor: just before a window ends they would be lost. */
	late: 1.02,
	/** A pause from this length on shows a window: shorter ones are served well by an even pace, which fits any limit. */
	longPauseMs: 3_000,
	/** One call more than the last window took is tried after this share of it, and after `everyMs` at the latest: at its end there would be no time left to use more, at its start others would find no room. */
	trial: 0.05,
	/** The share of the accepted pace that is kept after a 429. */
	cut: 0.95,
	/** The pace is what it was at the last 429 after this time, and rises beyond it, along a cubic curve (CUBIC, RFC 9438). */
	backMs: 10_000,
	/** The same for the first pause, before which the pace was unknown: at most so many times the accepted one. */
	unknown: 10,
	/** The share of a window that is used at once: the rest, tried a little later, gives others a chance. */
	yield: 0.98,
	/** So far before a 429 the best second is sought: within it the bursts that a bucket takes at first are over. */
	recentMs: 3_000,
	/** 429s that later calls overtook, up to this share, change nothing: a slower pace would cost more than they do. */
	accidents: 0.1,
	/** Of so many responses: enough to tell 10 % from 5 %. */
	responses: 200,
	/** So many calls are remembered: a larger window isn't recognised. */
	remembered: 10_000,
};

/** A time in which nothing leaves but tries. It ends with the first accepted call that left in it, or overtook its 429. */
interface Pause {
	/** When the first 429 came. */
	since: number;
	/** When the call that got it left. */
	sentAt: number;
	/** When the next call may try. */
	until: number;
	/** Whether all may leave then, or one tries; or whether all leave already, though none is accepted yet. */
	next: 'all' | 'one' | 'leaving';
}

/** A time in which the service takes a number of calls. */
interface Window {
	calls: number;
	ms: number;
	/** When the last call left that was one more than fit into it. */
	triedAt: number;
	/** How many calls more it takes once that one is accepted. */
	step: number;
}

/**
 * Finds the pace that a service allows. Calls leave at once until the first 429, and again after its pause. A long pause
 * shows a window: the next one gets as many calls as the last one took, each no sooner than the one whose place it takes.
 * After a short one, calls leave evenly, at the rate that was accepted, which grows until the next 429.
 */
export class Pace implements Pacing {
	/** Calls per ms at `pacedFrom`. */
	private perMs = Infinity;

	/** Calls per ms at the last 429. */
	private rejectedPerMs = Infinity;

	private pacedFrom = 0;

	private nextAt = -Infinity;

	private window?: Window;

	private pause?: Pause;

	/** When calls left that were not rejected, the latest last. */
	private taken: number[] = [];

	/** When the first call left that may count for the window. */
	private windowFrom?: number;

	/** 429s of calls that left before this are no news. */
	private newsFrom = -Infinity;

	/** When the latest of the rejected calls left. */
	private rejectedAt = -Infinity;

	private leftAt = -Infinity;

	/** Lately. */
	private responses = 0;

	private rejected = 0;

	earliest(now: number): number {
		const { pause } = this;
		if (pause !== undefined && (pause.next === 'one' || pause.until > now)) return pause.until;
		return Math.max(this.nextAt, this.placeAt);
	}

	sent(now: number): void {
		const { pause, window } = this;
		this.windowFrom ??= now;
		if (pause?.next === 'one') pause.until = this.nextTry(now);
		else if (pause?.next === 'all') this.resume(pause, now, true);
		else if (window !== undefined && this.replacedAt > now) window.triedAt = now;
		this.leftAt = now;
		const gapMs = 1 / this.rateAt(now);
		// A late timer may be made up for by one call.
		this.nextAt = Math.max(this.nextAt, now - gapMs) + gapMs;
		this.taken.push(now);
		if (this.taken.length > 2 * PACE.remembered) this.taken = this.taken.slice(-PACE.remembered);
	}

	accepted(sentAt: number, now: number): void {
		this.count(0);
		const { pause, window } = this;
		if (window?.triedAt === sentAt) {
			window.calls += window.step;
			window.step *= 2;
			window.triedAt = -Infinity;
		}
		if (pause === undefined) return;
		const isTry = sentAt >= pause.since;
		// Calls overtake each other on their way, by up to half of their time.
		if (!isTry && sentAt < this.rejectedAt + (now - sentAt) / 2) return;
		if (pause.next !== 'leaving') this.resume(pause, isTry ? sentAt : now, isTry);
		this.pause = undefined;
	}

	limited(sentAt: number, now: number, waitMs?: number): void {
		this.count(1);
		this.rejectedAt = Math.max(this.rejectedAt, sentAt);
		this.taken.splice(this.taken.lastIndexOf(sentAt), 1);
		if (sentAt < this.newsFrom) return;
		this.newsFrom = now;
		const next = this.pause !== undefined || waitMs === undefined ? 'one' : 'all';
		this.pause ??= { since: now, sentAt, until: now, next };
		this.pause.next = next;
		this.pause.until = waitMs === undefined ? this.nextTry(now) : now + waitMs;
	}

	/** Calls per ms that may leave now. */
	private rateAt(now: number): number {
		const { perMs, rejectedPerMs } = this;
		if (perMs === Infinity) return perMs;
		const of = (now - this.pacedFrom) / PACE.backMs - 1;
		return rejectedPerMs + (rejectedPerMs - perMs) * of ** 3;
	}

	/** When the call leaves the window whose place the next one takes. */
	private get replacedAt(): number {
		const { window, taken } = this;
		if (window === undefined || taken.length < window.calls) return -Infinity;
		return taken[taken.length - window.calls] + window.ms;
	}

	/** When there is a place in the window, or one more call may be tried. */
	private get placeAt(): number {
		const { window, leftAt } = this;
		if (window === undefined) return -Infinity;
		return Math.min(this.replacedAt, leftAt + Math.min(PACE.trial * window.ms, PACE.everyMs));
	}

	private nextTry(now: number): number {
		const { sentAt } = this.pause!;
		const soon = PACE.triesMs.map((ms) => sentAt + PACE.late * ms).find((at) => at > now);
		if (soon !== undefined) return soon;
		const everyMs = PACE.late * PACE.everyMs;
		const from = Math.min(this.windowFrom!, sentAt);
		return from + Math.ceil((now + 1 - from) / everyMs) * everyMs;
	}

	/** Learns from a pause as calls leave again at `at`; `isWaited`: whether it was over, or its 429 only overtaken. */
	private resume(pause: Pause, at: number, isWaited: boolean): void {
		const { since } = pause;
		pause.next = 'leaving';
		if (isWaited && at - since > PACE.longPauseMs) {
			const from = this.windowFrom ?? at;
			const accepted = this.taken.filter((time) => time >= from && time < at).length;
			this.windowFrom = at;
			if (accepted === 0) return;
			const calls = Math.max(1, Math.floor(PACE.yield * accepted));
			this.window = { calls, ms: at - from, triedAt: -Infinity, step: Math.max(1, accepted - calls) };
		} else if (isWaited || this.rejected > PACE.accidents * this.responses) {
			const best = this.bestSecond(since) / 1_000;
			this.rejectedPerMs = Math.min(this.rateAt(since), PACE.unknown * best);
			this.perMs = PACE.cut * Math.min(this.rejectedPerMs, best);
			this.pacedFrom = at;
		}
	}

	/** Counts the calls of the best second before a pause that were not rejected. */
	private bestSecond(until: number): number {
		let best = 1;
		let first = this.taken.length - 1;
		for (let last = first; last >= 0 && this.taken[last] > until - PACE.recentMs; last--) {
			while (first > 0 && this.taken[first - 1] > this.taken[last] - 1_000) first--;
			best = Math.max(best, last - first + 1);
		}
		return best;
	}

	private count(rejected: number): void {
		if (this.responses >= PACE.responses) {
			this.responses /= 2;
			this.rejected /= 2;
		}
		this.responses++;
		this.rejected += rejected;
	}

	forget(): void {
		this.perMs = Infinity;
		this.rejectedPerMs = Infinity;
		this.window = undefined;
		this.windowFrom = undefined;
		this.taken = [];
	}
}
