import type { Span } from './span';

/** How an even pace is found; times in ms. Chosen with the simulation that docs/rate-limits.md is written by. */
export const EVEN = {
	/** The shortest time that a service is taken to count over, since most count per second. */
	shortestWindow: 1_000,
	/** Below the measured pace by this much, and once more after each 429. */
	below: 0.98,
	/** The least of the last pace that remains after a 429: when a window is used up, even a right pace measures low. */
	least: 0.8,
	/** A 429 tells about calls sent this share of its own time later or earlier; they may overtake. */
	overtaking: 0.25,
	/**
	 * A faster pace is tried by one of these steps: the first where the pace was measured from fewer than `few` calls, the
	 * second after a 429 with fewer than `fewest` accepted calls before it, else the last. Each step that goes well squares
	 * the next one, a 429 leaves its cube root.
	 */
	steps: { guess: 3, doubt: 1.13, sure: 1.03 },
	few: 30,
	fewest: 10,
	/** Each is tried for so long, the longer the smaller it is; … */
	stepTime: 400,
	/**
	 * … or for so many times what the last 429 cost, if that is shorter, the shorter the further the pace is below one that was
	 * rejected, and for this long and so many calls at least.
	 */
	patience: 40,
	trialTime: 1_000,
	trialCalls: 30,
	/** How much of the pace that was rejected counts after the next 429. */
	forgetting: 0.9,
};

/**
 * A pace at which calls leave one after the other: as fast as they were accepted, slower after each 429 by as much as was
 * rejected, and faster in steps, each of which is taken back if it is rejected.
 */
export class EvenPace {
	private least = 0;

	private most = Infinity;

	/** The next step, and the last one if it wasn't taken back. */
	private step: number;

	private tried = 1;

	/** The fastest pace that was rejected of late. */
	private tooFast = 0;

	/** As many calls per ms as were accepted in a span, as far as they are answered at any time; or a known pace. */
	constructor(
		private measured: Span,
		perMs?: number,
	) {
		const { guess, doubt, sure } = EVEN.steps;
		this.step = measured.accepted < EVEN.few ? guess : perMs === undefined ? sure : doubt;
		if (perMs !== undefined) this.fix(perMs);
	}

	/** Calls per ms. */
	get perMs(): number {
		const { measured, least, most } = this;
		if (most === Infinity) return EVEN.below * measured.perMs(EVEN.shortestWindow);
		return Math.max(least, Math.min(most, measured.perMs(1)));
	}

	/** No longer what was measured. */
	private fix(perMs: number): void {
		this.least = perMs;
		this.most = perMs;
	}

	/** Slower, because a call that left at `sentAt` was rejected. Ends the span if so. */
	slow(sentAt: number, now: number, span: Span): void {
		// Calls of the last pace were still under way, or nothing was accepted at all: no news of this pace.
		const isEarly = sentAt < span.from + (now - sentAt) * EVEN.overtaking;
		if (isEarly || span.accepted === 0) {
			if (this.tried === 1) return;
			this.step = Math.max(EVEN.steps.sure, Math.cbrt(this.tried));
			this.takeBack();
		} else {
			const { perMs } = this;
			const { doubt, sure } = EVEN.steps;
			const smallest = span.accepted < EVEN.fewest ? doubt : sure;
			this.tooFast = Math.max(perMs, EVEN.forgetting * this.tooFast);
			if (this.tried > 1) {
				this.step = Math.max(smallest, Math.cbrt(this.tried));
				this.takeBack();
				this.tried = this.step;
			} else {
				this.step = smallest;
				this.least = EVEN.least * perMs;
				this.most = EVEN.below * perMs;
				this.measured = span;
			}
		}
		span.to = now;
	}

	private takeBack(): void {
		this.fix(this.perMs / this.tried);
		this.tried = 1;
	}

	/** Faster, if the pace was kept for long enough: for `steadyMs` since a pause that took `costMs`. Whether it is. */
	quicken(steadyMs: number, costMs: number): boolean {
		if (steadyMs < this.trialMs(costMs)) return false;
		this.fix(this.perMs * this.step);
		this.tried = this.step;
		this.step = Math.min(EVEN.steps.guess, this.step ** 2);
		return true;
	}

	private trialMs(costMs: number): number {
		const { stepTime, trialCalls, trialTime, patience } = EVEN;
		const { perMs, step } = this;
		const share = Math.min(1, perMs / this.tooFast);
		const worth = Math.max(trialCalls / perMs, trialTime, patience * share ** 2 * costMs);
		return Math.min(stepTime / (step - 1), worth);
	}
}
