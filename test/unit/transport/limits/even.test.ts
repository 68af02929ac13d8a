import { EVEN, EvenPace } from '../../../../nodes/shared/transport/limits/even';
import type { Pause } from '../../../../nodes/shared/transport/limits/pause';
import { FEW, SECOND_MS, Span } from '../../../../nodes/shared/transport/limits/span';

const { guess, doubt, sure, refill } = EVEN.steps;
const { more } = EVEN;
const STEADY = 1e9;
/** Calls that the pace alone held back, for as long as one likes. */
const USED = Object.assign(new Span(0), { paced: Infinity });

/** Calls that left in `ms` from 0 on, of which so many were accepted and rejected so far. */
const spanOf = (accepted: number, rejected: number, ms: number, sent = accepted + rejected) =>
	Object.assign(new Span(0), { sent, accepted, rejected, to: ms });

/** 50 per second were accepted. */
const fifty = () => new EvenPace(spanOf(50, 1, 1_000));

/** So many calls per ms were accepted, enough of them to be sure. */
const sureOf = (perMs: number) =>
	new EvenPace(spanOf(FEW.calls, 0, (EVEN.below * FEW.calls) / perMs));

/** The same, but few calls. */
const doubtful = (perMs: number) =>
	new EvenPace(spanOf(FEW.calls - 1, 0, (EVEN.below * (FEW.calls - 1)) / perMs));

const perSecond = (even: EvenPace) => 1_000 * even.perMs;

/** By how much the next step quickens a pace. */
function nextStep(even: EvenPace): number {
	const before = even.perMs;
	expect(even.quicken(STEADY, 0, USED)).toBe(true);
	return even.perMs / before;
}

/** A pause that began at `since` with a 429 to a call that left at `sentAt`. */
const pauseOf = (sentAt: number, since: number): Pause => ({
	since,
	sentAt,
	from: 0,
	waitMs: 0,
	until: since,
	isProbing: false,
	isEarly: false,
	manyUntil: -Infinity,
	probedAt: 0,
	passed: 0,
});

/** A 429 to a call that left a second after the first of its pace, of which so many were accepted, `rejected` rejected. */
function slow(even: EvenPace, accepted: number, rejected = 1, isWaited = true): Span {
	const span = Object.assign(new Span(0), { sent: accepted + rejected, accepted, rejected });
	even.slow(pauseOf(1_000, 1_010), isWaited, span);
	return span;
}

describe('the pace', () => {
	it.each([
		['what was accepted per second', spanOf(100, 0, 2_000), 50],
		['that also where all left sooner', spanOf(50, 0, 200), 50],
		['one call where none was accepted', spanOf(0, 20, 500), 1],
		['as many of those under way as of the others', spanOf(20, 10, 1_000, 60), 40],
	])('is a little below %s', (_what, span, expected) => {
		expect(perSecond(new EvenPace(span))).toBeCloseTo(EVEN.below * expected, 5);
	});

	it('is corrected as long as calls of its span are answered', () => {
		const span = spanOf(20, 10, 1_000, 60);
		const even = new EvenPace(span);
		span.accepted = 50;
		expect(perSecond(even)).toBeCloseTo(EVEN.below * 50, 5);
	});

	it('may be known', () => {
		expect(new EvenPace(spanOf(50, 0, 1_000), 0.01).perMs).toBe(0.01);
	});
});

describe('a 429', () => {
	it('makes it slower, by as much as was rejected', () => {
		const even = fifty();
		const span = slow(even, 45, 5);
		expect(span.to).toBe(1_010);
		expect(perSecond(even)).toBeCloseTo(0.9 * 50 * EVEN.below, 5);
	});

	it.each([
		['by a little at least', 60, 1, EVEN.below],
		['by a fifth at most', 5, 4, EVEN.least],
	])('makes it slower %s', (_what, accepted, rejected, share) => {
		const even = fifty();
		slow(even, accepted, rejected);
		expect(perSecond(even)).toBeCloseTo(share * 50 * EVEN.below, 5);
	});

	it('makes it slower by however much was rejected of a pace that was kept for more than two seconds', () => {
		const from = 5_000;
		const shares = [2 * SECOND_MS, 2 * SECOND_MS + 1].map((keptMs) => {
			const even = fifty();
			const span = Object.assign(new Span(from), { sent: 100, accepted: 10, rejected: 90 });
			even.slow(pauseOf(from + keptMs - 10, from + keptMs), true, span);
			return perSecond(even) / (50 * EVEN.below);
		});
		expect(shares[0]).toBeCloseTo(EVEN.least, 10);
		expect(shares[1]).toBeCloseTo(0.1, 10);
	});

	it.each([
		['by a fifth at most where few calls are answered', FEW.least - 1, EVEN.least],
		['by all that was rejected of enough of them', FEW.least, 1 / FEW.least],
	])('makes a pace that was kept for longer slower %s', (_what, answered, share) => {
		const even = fifty();
		const span = Object.assign(new Span(0), { sent: 20, accepted: 1, rejected: answered - 1 });
		even.slow(pauseOf(9_990, 10_000), true, span);
		expect(perSecond(even)).toBeCloseTo(share * 50 * EVEN.below, 5);
	});

	it('does not take a pace for slower because few calls were sent', () => {
		const even = fifty();
		const span = Object.assign(new Span(0), { sent: 20, accepted: 19, rejected: 1 });
		even.slow(pauseOf(60_000, 60_010), true, span);
		expect(perSecond(even)).toBeCloseTo(0.95 * 50 * EVEN.below, 5);
	});

	it('is judged anew as long as calls before it are answered', () => {
		const even = fifty();
		const span = slow(even, 18, 2);
		span.accepted += 17;
		span.rejected += 3;
		expect(perSecond(even)).toBeCloseTo((35 / 40) * 50 * EVEN.below, 5);
	});

	it.each([
		['of a call that may have met calls of the last pace', 100, 504, 40],
		['where nothing was accepted', 1_000, 1_010, 0],
	])('%s tells nothing', (_what, sentAt, now, accepted) => {
		const even = fifty();
		const span = Object.assign(new Span(0), { sent: accepted + 1, accepted, rejected: 1 });
		even.slow(pauseOf(sentAt, now), true, span);
		expect(span.to).toBe(Infinity);
		expect(perSecond(even)).toBeCloseTo(50 * EVEN.below, 5);
	});

	it('tells something of a call that met only calls of this pace', () => {
		const even = fifty();
		const span = Object.assign(new Span(0), { sent: 41, accepted: 40, rejected: 1 });
		even.slow(pauseOf(100, 500), true, span);
		expect(perSecond(even)).toBeLessThan(50 * EVEN.below);
	});

	describe('where a later call was accepted at once', () => {
		it.each([
			['one', 1, 1],
			['a few of many', 3, 200],
		])('changes nothing if it is %s', (_what, rejected, answered) => {
			const even = fifty();
			expect(slow(even, answered, rejected, false).to).toBe(Infinity);
			expect(perSecond(even)).toBeCloseTo(50 * EVEN.below, 10);
		});

		it('makes the pace slower if there are more', () => {
			const even = fifty();
			expect(slow(even, 196, 4, false).to).toBe(1_010);
			expect(perSecond(even)).toBeLessThan(50 * EVEN.below);
		});

		it('still takes back a pace on trial if it was rejected early', () => {
			const even = fifty();
			const before = even.perMs;
			nextStep(even);
			even.slow(
				pauseOf(10, 500),
				false,
				Object.assign(new Span(0), { accepted: 100, rejected: 1 }),
			);
			expect(even.perMs).toBeCloseTo(before, 10);
		});
	});

	it('takes back a pace on trial, and the next step is its cube root', () => {
		const even = new EvenPace(spanOf(5, 0, 1_000));
		const before = even.perMs;
		expect(nextStep(even)).toBeCloseTo(guess, 5);
		const span = slow(even, 20);
		expect(span.to).toBe(1_010);
		expect(even.perMs).toBeCloseTo(before, 10);
		expect(nextStep(even)).toBeCloseTo(Math.cbrt(guess), 5);
	});

	it('takes back a pace on trial also where it tells nothing of it', () => {
		const even = new EvenPace(spanOf(5, 0, 1_000));
		const before = even.perMs;
		even.quicken(STEADY, 0, USED);
		const span = slow(even, 0);
		expect(span.to).toBe(1_010);
		expect(even.perMs).toBeCloseTo(before, 10);
		slow(even, 0);
		expect(even.perMs).toBeCloseTo(before, 10);
		expect(nextStep(even)).toBeCloseTo(Math.cbrt(guess), 5);
	});

	it('makes the pace before the trial slower by as much as was rejected of that', () => {
		const even = new EvenPace(spanOf(5, 0, 1_000));
		const before = even.perMs;
		even.quicken(STEADY, 0, USED);
		slow(even, 20);
		slow(even, 20);
		expect(even.perMs).toBeCloseTo((20 / 21) * before, 10);
	});
});

describe('what refills a limit', () => {
	/** Takes 5 calls at once, in 20 ms, and then leave 55 per second; unused after the pause that ends at 0. */
	const bucket = (perMs = 0.055) => {
		const even = new EvenPace(spanOf(5, 1, 20), perMs);
		even.resume(true);
		return even;
	};

	/** A 429 to a call that left at `at` and took `callMs`, after so many accepted ones since `from`. */
	const reject = (even: EvenPace, accepted: number, at: number, { callMs = 2, from = 0 } = {}) =>
		even.slow(
			pauseOf(at, at + callMs),
			true,
			Object.assign(new Span(from), { sent: accepted + 1, accepted, rejected: 1 }),
		);

	it('is what was accepted since it was full, but for what it takes at once', () => {
		const even = bucket();
		reject(even, 54, 1_000);
		expect(even.perMs).toBeCloseTo((54 + 1 - 5) / (1_000 - 20), 10);
		expect(nextStep(even)).toBeCloseTo(refill, 5);
	});

	it('is so whenever that was', () => {
		const even = new EvenPace(Object.assign(spanOf(5, 1, 9_020), { from: 9_000 }), 0.055);
		even.resume(true);
		reject(even, 54, 11_000, { from: 10_000 });
		expect(even.perMs).toBeCloseTo((54 + 1 - 5) / (1_000 - 20), 10);
	});

	it('is told again from all paces since: the latest time that it was full in', () => {
		const even = new EvenPace(spanOf(40, 1, 20));
		even.resume(true);
		// It is full all the while: a pace so slow tells nothing.
		even.quicken(STEADY, 0, Object.assign(new Span(0), { accepted: 20, paced: Infinity }));
		even.quicken(STEADY, 0, Object.assign(new Span(1_000), { accepted: 60, paced: Infinity }));
		reject(even, 19, 2_100, { from: 2_000 });
		expect(even.perMs).toBeCloseTo((60 + 19 + 1 - 40) / (1_100 - 20), 10);
	});

	it('may be more than a pace that was left on trial, where it took long enough to know', () => {
		const perMs = (from: number) => {
			const even = bucket(0.02);
			even.quicken(STEADY, 0, Object.assign(new Span(from), { accepted: 0, paced: Infinity }));
			reject(even, 35, 1_200, { from: 500 });
			return even.perMs;
		};
		expect(perMs(0)).toBeCloseTo((35 + 1 - 5) / (700 - 20), 10);
		expect(perMs(300)).toBeCloseTo(0.02, 10);
	});

	it.each([
		[
			'the limit was not unused before',
			(even: EvenPace) => (even.resume(false), reject(even, 54, 1_000)),
		],
		['calls overtake each other', (even: EvenPace) => reject(even, 54, 1_000, { callMs: 170 })],
		[
			'it would be much less: calls were not there to leave',
			(even: EvenPace) => reject(even, 28, 1_000),
		],
	])('is not known where %s', (_what, act) => {
		const even = bucket();
		act(even);
		expect(even.perMs).toBeGreaterThan(0.053);
		expect(nextStep(even)).toBeCloseTo(sure, 5);
	});

	it('becomes slower like any other pace where it is rejected, too', () => {
		const even = bucket();
		reject(even, 54, 1_000);
		const { perMs } = even;
		even.resume(false);
		slow(even, 20);
		expect(even.perMs).toBeCloseTo((20 / 21) * perMs, 10);
	});

	it.each([
		['the pace before a trial was too fast', 16, 1_000, false],
		['only the one on trial was', 22, 1_100, true],
	])('shows that %s', (_what, accepted, at, isTrial) => {
		const even = new EvenPace(spanOf(40, 1, 20));
		const before = even.perMs;
		even.resume(true);
		even.quicken(STEADY, 0, Object.assign(new Span(0), { accepted: 60, paced: Infinity }));
		const trial = even.perMs;
		reject(even, accepted, at, { from: 500 });
		expect(even.perMs > before).toBe(isTrial);
		const share = even.perMs / (isTrial ? trial : before);
		expect(share).toBeLessThan(1);
		let ms = 0;
		while (!even.quicken(ms, 100, USED)) ms++;
		expect(ms).toBe(Math.ceil(EVEN.patience * share ** 2 * 100));
	});

	it('is looked for in smaller steps from then on, also where one fails', () => {
		const even = bucket();
		reject(even, 54, 1_000);
		even.resume(false);
		even.quicken(STEADY, 0, USED);
		slow(even, 20);
		expect(nextStep(even)).toBeCloseTo(refill, 5);
	});
});

describe('the next step', () => {
	it.each([
		['large where few calls were accepted', FEW.calls - 1, undefined, guess],
		['small where many were', 2 * FEW.calls, undefined, sure],
		['large for a known pace with few accepted calls', FEW.calls - 1, 0.01, guess],
		['large for one with many, which tell less than all that fits', FEW.calls, 0.01, guess],
	])('is %s', (_what, accepted, known, step) => {
		expect(nextStep(new EvenPace(spanOf(accepted, 0, 1_000), known))).toBeCloseTo(step, 5);
	});

	it.each([
		['small after a 429 with enough accepted calls before it', FEW.least, 1, sure],
		['larger with fewer', FEW.least - 1, 1, doubt],
	])('is %s', (_what, accepted, rejected, step) => {
		const even = new EvenPace(spanOf(100, 0, 1_000));
		slow(even, accepted, rejected);
		expect(nextStep(even)).toBeCloseTo(step, 5);
	});

	it('is no smaller than these, however often a trial is taken back', () => {
		const even = new EvenPace(spanOf(29, 0, 290), 0.1);
		for (let n = 0; n < 10; n++) {
			even.quicken(STEADY, 0, USED);
			slow(even, FEW.least);
		}
		expect(nextStep(even)).toBeCloseTo(sure, 5);
		slow(even, FEW.least - 1);
		expect(nextStep(even)).toBeCloseTo(doubt, 5);
	});

	it.each([
		['more than a call per second at least', 0.02, 1 + more.perMs / 0.02],
		['a quarter at least where that is less', 0.005, 1 + more.share],
	])('is %s', (_what, perMs, step) => {
		expect(nextStep(sureOf(perMs))).toBeCloseTo(step, 5);
	});

	it('is bolder each time, up to a bound', () => {
		const even = fifty();
		const steps = [1, 2, 3, 4, 5, 6, 7].map(() => nextStep(even));
		steps.forEach((step, n) => expect(step).toBeCloseTo(Math.min(sure ** (2 ** n), guess), 5));
		expect(steps.at(-1)).toBe(guess);
	});
});

describe('a pace is kept', () => {
	/** How long, in ms, where the last pause took `costMs`. */
	const keptMs = (even: EvenPace, costMs: number): number => {
		let ms = 0;
		while (!even.quicken(ms, costMs, USED)) ms++;
		return ms;
	};

	it.each([
		['for many times what the last 429 cost', 100, EVEN.patience * 100],
		['for a second at least', 1, SECOND_MS],
		['for a bounded time, however much it cost', 1e6, EVEN.stepTime / (sure - 1)],
	])('%s', (_what, costMs, expected) => {
		expect(keptMs(fifty(), costMs)).toBe(Math.ceil(expected));
	});

	it('for a shorter time the bolder the next step is', () => {
		expect(keptMs(new EvenPace(spanOf(29, 0, 1_000)), 1e6)).toBe(EVEN.stepTime / (guess - 1));
	});

	it('for some calls, where few leave in a second', () => {
		expect(keptMs(sureOf(0.02), 1)).toBeCloseTo(FEW.calls / 0.02, -1);
	});

	it('for a shorter time the further it is below one that was rejected', () => {
		const even = fifty();
		const rejected = even.perMs;
		slow(even, 45, 5);
		const first = even.perMs / rejected;
		expect(keptMs(even, 100)).toBe(Math.ceil(EVEN.patience * first ** 2 * 100));
	});

	it.each([
		['for longer where few leave in that time', EVEN.slow / 2, (4 * EVEN.stepTime) / (guess - 1)],
		['for no longer than before the smallest step', 0.00005, EVEN.stepTime / (sure - 1)],
	])('%s', (_what, perMs, expected) => {
		expect(keptMs(doubtful(perMs), 1e6)).toBe(Math.ceil(expected));
	});

	it('for as long by the calls that it held back: the others prove nothing', () => {
		const even = fifty();
		const ms = EVEN.stepTime / (sure - 1);
		const paced = Math.ceil(ms * even.perMs);
		const spanWith = (count: number) => Object.assign(new Span(0), { sent: 1e6, paced: count });
		expect(even.quicken(STEADY, 1e6, spanWith(paced - 1))).toBe(false);
		expect(even.quicken(STEADY, 1e6, spanWith(paced))).toBe(true);
	});
});

describe('a pace that 429s in a row slowed down', () => {
	const { least, step, forMs, from, to } = EVEN.squeezed;

	/** So many calls per ms, after `count` 429s; before them nothing, or a step. */
	const slowed = (perMs: number, count = least, isTried = false): EvenPace => {
		const shares = 0.5 ** count * (isTried ? guess : 1);
		const even = new EvenPace(spanOf(100, 0, 1_000), perMs / shares);
		if (isTried) even.quicken(STEADY, 0, USED);
		for (let n = 0; n < count; n++) {
			const span = Object.assign(new Span(0), { sent: 20, accepted: 10, rejected: 10 });
			even.slow(pauseOf(3_000, 3_010), true, span);
		}
		return even;
	};

	it('is doubled once: those that used the limit up may have ended', () => {
		const even = slowed(0.01);
		expect(nextStep(even)).toBeCloseTo(step, 5);
		slow(even, 20);
		expect(even.perMs).toBeCloseTo(0.01, 5);
		expect(nextStep(even)).toBeLessThan(1.5);
	});

	it('is so after two seconds', () => {
		expect(slowed(0.01).quicken(forMs - 1, 1e6, USED)).toBe(false);
		expect(slowed(0.01).quicken(forMs, 1e6, USED)).toBe(true);
	});

	it('is so after the first few calls where they take longer', () => {
		const ms = FEW.least / 0.0031;
		expect(ms).toBeGreaterThan(forMs);
		expect(slowed(0.0031).quicken(ms - 1, 1e6, USED)).toBe(false);
		expect(slowed(0.0031).quicken(ms + 1, 1e6, USED)).toBe(true);
	});

	it.each([
		['if there was only one', 0.01, least - 1, false],
		['if the first one only took a step back', 0.01, least, true],
		['as slow as limits per minute', from - 1e-6, least, false],
		['fast enough to notice by itself', to + 1e-6, least, false],
	])('is not so %s', (_what, perMs, count, isTried) => {
		expect(nextStep(slowed(perMs, count, isTried))).toBeLessThan(1.5);
	});

	it.each([
		['of the slowest', from + 1e-6],
		['of the fastest', to - 1e-6],
	])('is so %s', (_what, perMs) => {
		expect(nextStep(slowed(perMs))).toBeCloseTo(step, 5);
	});
});

it('leaps by the largest step, and comes back when that is rejected', () => {
	const even = fifty();
	const before = even.perMs;
	even.leap();
	expect(even.perMs).toBeCloseTo(guess * before, 10);
	slow(even, 20);
	expect(even.perMs).toBeCloseTo(before, 10);
});
