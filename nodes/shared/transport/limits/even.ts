import type { Pause } from './pause';
import { FEW, SECOND_MS, type Span } from './span';

/** How an even pace is found; times in ms. Chosen with the simulation that docs/rate-limits.md is written by. */
export const EVEN = {
	/** Below the measured pace by this much, and once more after each 429. */
	below: 0.98,
	/**
	 * The least of the last pace that remains after a 429, unless it was kept for two seconds and more than next to no calls
	 * are answered: when a window is used up, even a right pace measures low.
	 */
	least: 0.8,
	/** A 429 tells about calls sent this share of its own time later or earlier; they may overtake. */
	overtaking: 0.25,
	/**
	 * A faster pace is tried by one of these steps: the first where the pace was measured from few calls, the second after
	 * a 429 with next to no calls accepted before it, the last once what refills the limit was told, else the third. Each step
	 * that goes well squares the next one, a 429 leaves its cube root.
	 */
	steps: { guess: 3, doubt: 1.13, sure: 1.03, told: 1.015 },
	/** A step is so many more calls per ms at least, or as the first one: another worker may have left its share. */
	more: 0.0005,
	/** Each is tried after so much time and so many calls, the later the smaller it is; … */
	stepTime: 400,
	stepCalls: 2,
	/**
	 * … or after so many times what the last 429 cost, if that is shorter, the shorter the further the pace is below the one
	 * that was rejected, and after a second and more than few calls at least.
	 */
	patience: 40,
	/** What refills a limit is told from no less time than so many times what a call takes: calls may overtake each other. */
	toldFrom: 6,
	/** Less than this share of the pace tells nothing: calls were not there to leave, or the limit was used before. */
	toldLeast: 0.5,
};

/**
 * A pace at which calls leave one after the other: as fast as they were accepted, slower after each 429 by as much as was
 * rejected, and faster in steps, each of which is taken back if it is rejected.
 */
export class EvenPace {
	/** The pace in calls per ms before the last 429, if not that of the measured span. */
	private known?: number;

	/** The least of it that remains; all if there was no 429 since. */
	private least = 1;

	/** The next step, and the last one if it wasn't taken back. */
	private step: number;

	private tried = 1;

	/** The smallest step of a pace that isn't in doubt. */
	private smallest: number = EVEN.steps.sure;

	/** The last pace that was rejected. */
	private tooFast = 0;

	/** The calls of each pace since a pause after which the limit was unused. */
	private sinceUnused?: Span[];

	/** What was accepted before the first 429: more or less at once. */
	private readonly burst: Span;

	/** As many calls per ms as were accepted in a span, as far as they are answered at any time; or a known pace. */
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

	/** No longer what was measured. */
	private fix(perMs: number): void {
		this.known = perMs;
		this.least = 1;
	}

	/** A pause is over, after which the limit was unused, or not for sure. */
	resume(isUnused: boolean): void {
		this.sinceUnused = isUnused ? [] : undefined;
	}

	/** Slower, because of the 429s that a pause began with. Ends the span if so. */
	slow({ sentAt, since }: Pause, span: Span): void {
		const { smallest } = this;
		// Calls of the last pace were still under way, or nothing was accepted at all: no news of this pace.
		const isEarly = sentAt < span.from + (since - sentAt) * EVEN.overtaking;
		if (isEarly || span.accepted === 0) {
			if (this.tried === 1) return;
			this.takeBack(smallest);
		} else {
			const { perMs } = this;
			const refilled = this.refilledPerMs({ sentAt, since }, span);
			const least = span.accepted < FEW.least ? EVEN.steps.doubt : smallest;
			this.tooFast = perMs;
			if (refilled !== undefined) {
				if (refilled < perMs / this.tried) this.tooFast = perMs / this.tried;
				this.smallest = EVEN.steps.told;
				this.step = this.smallest;
				this.tried = this.smallest;
				this.fix(refilled);
			} else if (this.tried > 1) {
				this.takeBack(least);
				this.tried = this.step;
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
	 * Calls per ms that a limit takes, told as of a token bucket from what it took until the 429s of a pause: all that was
	 * accepted since it was full, but for what it takes at once. Undefined if that tells no pace worth going back to.
	 */
	private refilledPerMs(
		{ sentAt, since }: Pick<Pause, 'sentAt' | 'since'>,
		last: Span,
	): number | undefined {
		if (this.sinceUnused === undefined) return undefined;
		const { burst, perMs } = this;
		const spans = [last, ...this.sinceUnused];
		const burstMs = burst.to - burst.from;
		const leastMs = Math.max(burstMs, EVEN.toldFrom * (since - sentAt));
		let accepted = 1 - burst.accepted;
		let refilled = 0;
		// It stays full while the pace is slower than what it takes: the time since then tells the most.
		for (const span of spans) {
			accepted += span.accepted;
			const ms = sentAt - span.from - burstMs;
			if (ms >= leastMs) refilled = Math.max(refilled, accepted / ms);
		}
		const before = perMs / this.tried;
		// In a short time, one call more or less matters: it only tells that the pace before was too fast.
		const most = sentAt - spans.at(-1)!.from > SECOND_MS ? perMs : before;
		return refilled > EVEN.toldLeast * before && refilled < most ? refilled : undefined;
	}

	/** The pace before the last step; the next one is smaller, but no smaller than `smallest`. */
	private takeBack(smallest: number): void {
		this.step = Math.max(smallest, Math.cbrt(this.tried));
		this.fix(this.perMs / this.tried);
		this.tried = 1;
	}

	/**
	 * Faster, if the pace was kept for long enough: by the calls of `span`, and for `steadyMs` since a pause that took `costMs`.
	 * Whether it is.
	 */
	quicken(steadyMs: number, costMs: number, span: Span): boolean {
		const usedMs = span.paced / this.perMs;
		if (Math.min(steadyMs, usedMs) < this.trialMs(costMs)) return false;
		this.sinceUnused?.unshift(span);
		const { guess } = EVEN.steps;
		this.raise(Math.max(this.step, Math.min(guess, 1 + EVEN.more / this.perMs)));
		this.step = Math.min(guess, this.tried ** 2);
		return true;
	}

	/** Much faster, to see whether a pace matters at all. */
	leap(): void {
		this.raise(EVEN.steps.guess);
	}

	private raise(by: number): void {
		this.tried = by;
		this.fix(this.perMs * by);
	}

	private trialMs(costMs: number): number {
		const { steps, stepTime, stepCalls, patience } = EVEN;
		const { perMs, step } = this;
		const share = Math.min(1, perMs / this.tooFast);
		const worth = Math.max(FEW.calls / perMs, SECOND_MS, patience * share ** 2 * costMs);
		const calls = Math.min(stepCalls / perMs / (step - 1), stepTime / (steps.sure - 1));
		return Math.min(Math.max(stepTime / (step - 1), calls), worth);
	}
}
