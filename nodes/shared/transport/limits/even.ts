import type { Pause } from './pause';
import { FEW, SECOND_MS, type Span } from './span';

/** How an even pace is found; times in ms. The values were chosen with the simulation behind docs/rate-limits.md (npm run bench:limits). */
export const EVEN = {
	/** The share of the measured pace that is used, and again after each 429. */
	below: 0.98,
	/**
	 * Where pauses end at once because a later call is accepted, one 429 and this share of the responses change nothing: a
	 * slower pace would cost more.
	 */
	tolerated: 0.01,
	/**
	 * The least share of the last pace that remains after a 429, unless it was kept for two seconds and enough calls are
	 * answered: once a window is used up, even the right pace measures low.
	 */
	least: 0.8,
	/** A 429 also concerns calls sent earlier or later by up to this share of the time it took: calls may overtake each other. */
	overtaking: 0.25,
	/**
	 * The factors by which a faster pace is tried: `guess` if the pace was measured from few calls, `doubt` after a 429
	 * before which next to no calls were accepted, `told` once the rate at which the limit refills is known, else `sure`. Each
	 * step that goes well squares the next one; a 429 leaves its cube root.
	 */
	steps: { guess: 3, doubt: 1.13, sure: 1.03, refill: 1.015 },
	/**
	 * A step adds at least this many calls per ms, but at most this share of the pace: another worker may have freed its
	 * share. `refill`: where the rate at which the limit refills is known; these steps come no sooner for it.
	 */
	more: { perMs: 0.0014, share: 0.25, refill: { perMs: 0.0005, share: 2 } },
	/**
	 * Each step is tried after this much time divided by its size: smaller ones come later. At a pace slower than `slow`, in
	 * calls per ms, it comes later by the square of how much slower it is, as few calls show late that a step was too
	 * large, but no later than a step of `sure` comes at a pace that isn't slower; …
	 */
	stepTime: 400,
	slow: 0.005,
	/**
	 * … or, if that is sooner, after this many times what the last 429 cost: sooner still the further the pace is below the
	 * one that was rejected, but never within a second or the first few calls.
	 */
	patience: 40,
	/**
	 * A pace that `least` 429s in a row slowed down, with no step between them: others use the limit up, and may end at any
	 * time. Steps like those above would take long to notice that. So after `forMs` and the first few calls one step by the
	 * factor `step` is tried. Not at slower paces than `from`, as of a limit per minute that finds its pace so; faster ones
	 * than `to` do well without it. Both in calls per ms.
	 */
	squeezed: { least: 2, step: 2, forMs: 2_000, from: 0.003, to: 0.025 },
	/** The rate of a refill is measured over at least this many times the time of a call: calls may overtake each other. */
	toldFrom: 6,
	/** A rate below this share of the pace tells nothing: there were too few calls, or the limit had been used before. */
	toldLeast: 0.5,
};

/**
 * A pace at which calls leave one after the other: as fast as they were accepted, slower after each 429 by the share that
 * was rejected, and faster in steps, each of which is undone if it is rejected.
 */
export class EvenPace {
	/** The pace before the last 429, in calls per ms; while undefined, that of the measured span. */
	private known?: number;

	/** The least share of it that remains; 1 if there was no 429 since. */
	private least = 1;

	/** The factor of the next step. */
	private step: number;

	/** The factor of the last step; 1 if there was none or it was undone. */
	private tried = 1;

	/** The smallest step of a pace that isn't in doubt. */
	private smallest: number = EVEN.steps.sure;

	/** How many 429s in a row slowed it down since the last step. */
	private slowed = 0;

	/** The last pace that was rejected. */
	private tooFast = 0;

	/** The calls of each pace, the latest first, since a pause that left the limit unused; undefined if that is not sure. */
	private sinceUnused?: Span[];

	/** What was accepted before the first 429, more or less at once. */
	private readonly burst: Span;

	/** Begins at the rate at which a span's calls were accepted, as far as they are answered by then; or at a known pace. */
	constructor(
		private measured: Span,
		perMs?: number,
	) {
		this.burst = measured;
		const { guess, sure } = EVEN.steps;
		this.step = measured.accepted < FEW.calls || perMs !== undefined ? guess : sure;
		if (perMs !== undefined) this.fix(perMs);
	}

	/** Calls per ms. */
	get perMs(): number {
		const { known, least, measured } = this;
		if (known === undefined) return EVEN.below * measured.perMs(SECOND_MS);
		return known * Math.max(least, Math.min(EVEN.below, measured.share));
	}

	/** From now on this is the pace, not what was measured. */
	private fix(perMs: number): void {
		this.known = perMs;
		this.least = 1;
		this.tried = 1;
	}

	/** A pause is over. `isUnused`: whether the limit was surely unused after it. */
	resume(isUnused: boolean): void {
		this.sinceUnused = isUnused ? [] : undefined;
	}

	/**
	 * Slows down because of the 429s that a pause began with; if it does, the span ends. `isWaited`: whether the pause did not
	 * just end because a later call was accepted.
	 */
	slow({ sentAt, since }: Pause, isWaited: boolean, span: Span): void {
		const { smallest } = this;
		// The rejected call left at the last pace, or nothing was accepted at all: that says nothing about this pace.
		const isEarly = sentAt < span.from + (since - sentAt) * EVEN.overtaking;
		if (isEarly || span.accepted === 0) {
			if (this.tried === 1) return;
			this.takeBack(smallest);
		} else if (!isWaited && span.isAlmostAccepted(EVEN.tolerated)) {
			return;
		} else {
			const { perMs } = this;
			if (this.tried === 1) this.slowed++;
			const refilled = this.refilledPerMs({ sentAt, since }, span);
			const least = span.accepted < FEW.least ? EVEN.steps.doubt : smallest;
			this.tooFast = perMs;
			if (refilled !== undefined) {
				if (refilled < perMs / this.tried) this.tooFast = perMs / this.tried;
				this.smallest = EVEN.steps.refill;
				this.step = this.smallest;
				this.fix(refilled);
			} else if (this.tried > 1) {
				this.takeBack(least);
			} else {
				this.step = least;
				this.known = perMs;
				const isTold = since - span.from > 2 * SECOND_MS && span.answered >= FEW.least;
				this.least = isTold ? 0 : EVEN.least;
				this.measured = span;
			}
		}
		span.to = since;
	}

	/**
	 * The rate at which a limit refills, in calls per ms, if it is a token bucket: all that was accepted since it was full
	 * until the 429s of a pause, without what it takes at once. Undefined if that is no pace worth going back to.
	 */
	private refilledPerMs(
		{ sentAt, since }: Pick<Pause, 'sentAt' | 'since'>,
		last: Span,
	): number | undefined {
		if (this.sinceUnused === undefined) return undefined;
		const { burst, perMs } = this;
		const spans = [last, ...this.sinceUnused];
		const burstMs = burst.to - burst.from;
		const leastMs = EVEN.toldFrom * (since - sentAt);
		let accepted = 1 - burst.accepted;
		let refilled = 0;
		// It stays full while the pace is slower than the refill, so the highest rate is the right one.
		for (const span of spans) {
			accepted += span.accepted;
			const ms = sentAt - span.from - burstMs;
			if (ms >= leastMs) refilled = Math.max(refilled, accepted / ms);
		}
		const before = perMs / this.tried;
		// In a short time a single call matters: it can only show that even the pace before the last step was too fast.
		const most = sentAt - spans.at(-1)!.from > SECOND_MS ? perMs : before;
		return refilled > EVEN.toldLeast * before && refilled < most ? refilled : undefined;
	}

	/** Undoes the last step; the next one is smaller, but no smaller than `smallest`. */
	private takeBack(smallest: number): void {
		this.step = Math.max(smallest, Math.cbrt(this.tried));
		this.fix(this.perMs / this.tried);
	}

	/**
	 * Tries a faster pace if this one was kept for long enough, by the calls of `span` and for `steadyMs`, since a pause that
	 * took `costMs`. Returns whether it does.
	 */
	quicken(steadyMs: number, costMs: number, span: Span): boolean {
		const usedMs = span.paced / this.perMs;
		if (Math.min(steadyMs, usedMs) < this.trialMs(costMs)) return false;
		this.sinceUnused?.unshift(span);
		this.raise(this.nextStep);
		this.step = Math.min(EVEN.steps.guess, this.tried ** 2);
		return true;
	}

	/** Becomes three times as fast, to see whether the pace matters at all. */
	leap(): void {
		this.raise(EVEN.steps.guess);
	}

	private raise(by: number): void {
		this.fix(this.perMs * by);
		this.tried = by;
		this.slowed = 0;
	}

	/** Whether the rate at which the limit refills is known. */
	private get knowsRefill(): boolean {
		return this.smallest === EVEN.steps.refill;
	}

	/** Whether others seem to use the limit up, and may end at any time: see `EVEN.squeezed`. */
	private get isSqueezed(): boolean {
		const { least, from, to } = EVEN.squeezed;
		return this.slowed >= least && this.perMs >= from && this.perMs <= to;
	}

	/** The factor of the next step, however small the last 429 left it. */
	private get nextStep(): number {
		if (this.isSqueezed) return EVEN.squeezed.step;
		const more = this.knowsRefill ? EVEN.more.refill : EVEN.more;
		return Math.max(this.step, 1 + Math.min(more.share, more.perMs / this.perMs));
	}

	private trialMs(costMs: number): number {
		const { steps, stepTime, slow, patience, squeezed } = EVEN;
		const { perMs } = this;
		if (this.isSqueezed) return Math.max(squeezed.forMs, FEW.least / perMs);
		const step = this.knowsRefill ? this.step : this.nextStep;
		const share = Math.min(1, perMs / this.tooFast);
		const worth = Math.max(FEW.calls / perMs, SECOND_MS, patience * share ** 2 * costMs);
		const ms = stepTime / (step - 1);
		const most = Math.max(ms, stepTime / (steps.sure - 1));
		return Math.min(ms * Math.max(1, slow / perMs) ** 2, most, worth);
	}
}
