import { EVEN } from '../../../../nodes/shared/transport/limits/even';
import { PACE } from '../../../../nodes/shared/transport/limits/pace';
import { FIRST_WAIT_MS } from '../../../../nodes/shared/transport/limits/pause';
import { FEW, SECOND_MS } from '../../../../nodes/shared/transport/limits/span';
import { WINDOWS } from '../../../../nodes/shared/transport/limits/windows';
import { Driver, TOO_SHORT } from '../../../support/paceDriver';

let driver: Driver;

beforeEach(() => {
	driver = new Driver();
});

describe('what kind of limit it is', () => {
	/** After `accepted` calls and more that got a 429 after `callMs`. */
	const kindOf = (accepted: number, waitMs: number, callMs: number, rejected = 1): string => {
		const times = driver.spread(accepted + rejected, 10);
		driver.accept(times.slice(0, accepted));
		driver.reject(times.slice(accepted), waitMs, callMs);
		const next = driver.send(accepted + 1);
		if (driver.pace.earliest(driver.now) === Infinity) return 'window';
		// Only the first few of a second leave at once until some of these are accepted.
		const few = Math.ceil(WINDOWS.first.calls * accepted);
		return next[few - 1] - next[0] < 3 * few ? 'seconds' : 'even';
	};

	it.each([
		['a call that just shows a second', 50, 1_000, SECOND_MS - 1, 'seconds'],
		['a call too slow to show a second', 50, 1_000, SECOND_MS, 'even'],
		['a pause too short for a second', 50, PACE.windowPause - 1, 10, 'even'],
		['the shortest pause for a second', 50, PACE.windowPause, 10, 'seconds'],
		['the longest wait for a second', 50, PACE.windowWait, 10, 'seconds'],
		['a wait too long for a second', 50, PACE.windowWait + 1, 10, 'even'],
		['the longest pause without a window', 50, PACE.longPause, 10, 'even'],
		['the shortest pause after a window', 50, PACE.longPause + 1, 10, 'window'],
	])('is told by %s', (_what, accepted, waitMs, callMs, kind) => {
		expect(kindOf(accepted, waitMs, callMs)).toBe(kind);
	});

	it.each([
		[
			'too few responses for next to no accepted calls',
			FEW.least - 1,
			FEW.calls - FEW.least,
			'even',
		],
		[
			'just enough responses for next to no accepted calls, as others used the limit',
			FEW.least - 1,
			FEW.calls - FEW.least + 1,
			'seconds',
		],
		['just enough accepted calls', FEW.least, FEW.calls - FEW.least, 'seconds'],
		['too few responses', FEW.least, FEW.calls - FEW.least - 1, 'even'],
		['few responses where calls are quick', FEW.least, 1, 'seconds', WINDOWS.proof.quick],
		['too few accepted calls, also where they are quick', FEW.least - 1, 1, 'even', 10],
	])('is told by %s', (_what, accepted, rejected, kind, callMs = WINDOWS.proof.quick + 1) => {
		expect(kindOf(accepted, 1_000, callMs, rejected)).toBe(kind);
	});

	it.each([
		['no second where many calls passed a 429 by, as of a bucket that fills up', 6, 'even'],
		['a second where few did', 5, 'seconds'],
	])('is %s', (_what, passed, kind) => {
		const times = driver.spread(100, 10);
		driver.accept(times.slice(0, 42));
		driver.reject([times[42], times[99]], 1_000);
		driver.accept(times.slice(60, 60 + passed));
		driver.accept(times.slice(43, 51 - passed));
		const next = driver.sendOn(60);
		expect(next[40] - next[0] < 300 ? 'seconds' : 'even').toBe(kind);
	});

	it.each([
		['a second that others had used up, also where one call passed a 429 by', 1, 'seconds'],
		['no such second where two did', 2, 'even'],
	])('is %s', (_what, passed, kind) => {
		const times = driver.spread(60, 10);
		driver.accept(times.slice(0, 4));
		driver.reject([times[4], times[59]], 1_000);
		driver.accept(times.slice(40, 40 + passed));
		driver.reject(times.slice(5, 39), 1_000);
		const next = driver.send(FEW.calls);
		expect(next.at(-1)! - next[0] < 300 ? 'seconds' : 'even').toBe(kind);
	});
});

describe('a pause', () => {
	it.each([
		['goes on for one that may have overtaken the rejected one', 40, 59_960],
		['ends for one that left too late for that', 39, 0],
	])('%s', (_what, callMs, waitMs) => {
		const [rejected, later] = driver.spread(2, 10);
		driver.reject([rejected], 60_000);
		driver.accept([later], callMs);
		expect(Math.max(0, driver.wait)).toBe(waitMs);
	});

	it('is over after the shortest wait that counts as named', () => {
		driver.hit(50, FIRST_WAIT_MS);
		const [first, second] = driver.send(2);
		expect(second - first).toBeCloseTo(1_000 / (50 * EVEN.below), 0);
	});

	it('ends with one call alone where the wait is too short to be meant', () => {
		driver.hit(50, FIRST_WAIT_MS - 1);
		const [first, second] = driver.send(2);
		expect(second - first).toBeGreaterThan(FIRST_WAIT_MS);
	});

	it('is not cut short by another 429 that names no wait', () => {
		const times = driver.send(2);
		driver.reject(times.slice(0, 1), 3_000);
		const until = driver.pace.earliest(driver.now);
		driver.reject(times.slice(1));
		expect(driver.pace.earliest(driver.now)).toBe(until);
	});

	it.each([
		['before', 0],
		['together with', PACE.catchUp],
	])('becomes longer, whatever is accepted that left %s the rejected one', (_when, late) => {
		driver.hit(50, TOO_SHORT);
		driver.send(1);
		driver.now += late * 1_000;
		const [accepted, rejected] = driver.send(2);
		expect(accepted === rejected).toBe(late > 0);
		driver.reject([rejected], undefined, 0);
		expect(driver.wait).toBeCloseTo(FIRST_WAIT_MS, 5);
		driver.accept([accepted], 0);
		driver.reject(driver.send(1), undefined, 0);
		const [probe] = driver.send(1);
		driver.reject([probe], undefined, 0);
		expect(driver.wait).toBeGreaterThan(1.5 * FIRST_WAIT_MS);
	});
});

describe('the measured pace', () => {
	/** 100 calls, of which 50 are accepted and one is rejected; gives the others, which are still under way. */
	const measure = (): number[] => {
		const times = driver.send(100);
		driver.accept(times.slice(0, 50));
		driver.reject(times.slice(50, 51), TOO_SHORT);
		driver.send(1);
		return times.slice(51);
	};

	it('is corrected when calls of that time are accepted after the pause', () => {
		const times = driver.send(60);
		driver.accept(times.slice(0, 20));
		driver.reject(times.slice(50), TOO_SHORT);
		expect(driver.perSecond).toBeCloseTo(60 * EVEN.below * (20 / 30), 5);
		driver.accept(times.slice(20, 50));
		expect(driver.perSecond).toBeCloseTo(60 * EVEN.below * (50 / 60), 5);
	});

	it('is corrected when calls of that time are rejected after the pause', () => {
		const underWay = measure();
		expect(driver.perSecond).toBeCloseTo(100 * EVEN.below * (50 / 51), 5);
		driver.reject(underWay, 1_000);
		expect(driver.perSecond).toBeCloseTo(100 * EVEN.below * (50 / 100), 5);
	});

	it('knows already what 429s say to calls that left before the last pause', () => {
		const underWay = measure();
		driver.reject(underWay, 60_000);
		expect(driver.wait).toBeLessThan(100);
	});

	it.each(['accept', 'reject'] as const)('is none of calls before it: %s', (verdict) => {
		const old = measure();
		const times = driver.send(100);
		driver.accept(times.slice(0, 80));
		driver.reject(times.slice(80, 90), 1_000);
		const { perSecond } = driver;
		driver[verdict](old);
		expect(driver.perSecond).toBeCloseTo(perSecond, 5);
	});
});

describe('an even pace after a 429', () => {
	it.each([
		['is slower for a call that can have met only calls of this pace', 400, EVEN.least],
		['stays for a call that may have met calls of the last pace', 404, 1],
	])('%s', (_what, callMs, slower) => {
		const times = driver.spread(51, 10);
		driver.accept(times.slice(0, 50));
		driver.reject(times.slice(50), TOO_SHORT);
		const [from] = driver.send(1);
		driver.accept([from]);
		driver.now = from + 100;
		driver.reject(driver.send(1), 1_000, callMs);
		expect(driver.perSecond).toBeCloseTo(50 * EVEN.below * slower, 5);
	});

	it('is slower because of calls that were accepted before a 429 that told nothing', () => {
		driver.hit(50, TOO_SHORT);
		const times = driver.send(20);
		driver.accept(times.slice(1));
		driver.reject(times.slice(0, 1), 1_000, 2_000);
		driver.reject(driver.send(1), 1_000);
		expect(driver.perSecond).toBeCloseTo(50 * EVEN.below * (19 / 21), 5);
	});

	it.each([
		['stays if later calls passed one rejected call by', 1, 1],
		['is only a little slower if they passed several by', 3, EVEN.below],
	])('%s', (_what, rejected, slower) => {
		driver.hit(50, TOO_SHORT);
		const times = driver.send(200);
		driver.accept(times.slice(0, 100));
		driver.reject(times.slice(100, 100 + rejected), 1_000);
		driver.accept(times.slice(150));
		expect(driver.wait).toBeLessThanOrEqual(0);
		expect(driver.perSecond).toBeCloseTo(50 * EVEN.below * slower, 5);
	});

	it('is not tried faster by calls that are accepted during the pause', () => {
		driver.hit(50, TOO_SHORT);
		const times = driver.send(1_200);
		driver.accept(times.slice(0, 300));
		driver.reject(times.slice(-1), TOO_SHORT);
		driver.accept(times.slice(300, -1));
		expect(driver.perSecond).toBeCloseTo(50 * EVEN.below * EVEN.below, 5);
	});

	it('is below the one that was tried', () => {
		driver.hit(50, TOO_SHORT);
		for (let n = 0; n < 1_000 && driver.perSecond < 50; n++) driver.accept(driver.send(5), 0);
		driver.accept(driver.send(20), 0);
		driver.reject(driver.send(1), 1_000);
		const tried = 50 * EVEN.below * EVEN.steps.sure;
		expect(driver.perSecond).toBeLessThanOrEqual(tried * EVEN.below + 0.001);
		expect(driver.perSecond).toBeGreaterThanOrEqual(tried * EVEN.least - 0.001);
	});

	it('is hardly slower where it is a guess that has not grown yet', () => {
		driver.hit(5, 1_000);
		const times = driver.send(3);
		driver.accept(times.slice(0, 2));
		driver.reject(times.slice(2), 1_000);
		expect(driver.perSecond).toBeCloseTo(5 * EVEN.below * EVEN.least, 5);
	});
});

describe('seconds', () => {
	beforeEach(() => driver.hit(50, 1_000));

	it('take what fitted into the last one, not what fitted into those before', () => {
		for (const [sent, accepted] of [
			[50, 40],
			[40, 35],
		]) {
			const times = driver.send(sent);
			driver.accept(times.slice(0, accepted));
			driver.reject(times.slice(accepted), 1_000);
		}
		const times = driver.send(36);
		expect(times[34] - times[0]).toBeLessThan(200);
		expect(times[35] - times[0]).toBeGreaterThan(1_000);
	});

	it('go on as they were where later calls passed the rejected one by', () => {
		const times = driver.send(50);
		driver.accept(times.slice(0, 10));
		driver.reject(times.slice(10, 11), 1_000);
		driver.accept(times.slice(49));
		expect(driver.pace.earliest(driver.now)).toBeGreaterThan(times[0] + 1_000);
	});
});

describe('a longer window', () => {
	it('takes more if calls of the last one are accepted late', () => {
		const times = driver.send(40);
		driver.accept(times.slice(0, 30));
		driver.reject(times.slice(39), 60_000);
		driver.send(1);
		driver.accept(times.slice(30, 35));
		expect(driver.allowed).toBe(35);
	});

	it('takes less after one that took less', () => {
		driver.hit(30, 60_000);
		driver.hit(25, 60_000);
		expect(driver.allowed).toBe(26);
	});

	it.each([
		['is one still where it took as much as this of the last one', 12, 13],
		['is none where it took less: calls leave evenly then, as of a bucket that fills up', 11, 100],
	])('%s', (_what, accepted, allowed) => {
		driver.hit(30, 60_000);
		driver.hit(accepted, 60_000);
		expect(driver.allowed).toBe(allowed);
	});

	it('is left at the pace at which its calls were accepted', () => {
		driver.hit(30, 60_000);
		driver.hit(6, 60_000);
		expect(driver.perSecond).toBeCloseTo(6 / 60, 3);
	});

	it('begins anew after a time in which fewer calls left than it takes', () => {
		driver.hit(30, 60_000);
		driver.accept(driver.send(10));
		driver.now += 300_000;
		driver.hit(30, 60_000);
		const { wait } = driver;
		expect(wait).toBeCloseTo(60_000, 0);
		expect(driver.allowed).toBe(31);
	});

	it.each([
		['a pause as long as it', 60_000],
		['a short one', 1_000],
	])('is as long and takes as many as before if nothing fitted before %s', (_what, waitMs) => {
		const lengthOf = () => (driver.pace as unknown as { long: { ms: number } }).long.ms;
		driver.hit(30, 60_000);
		driver.send(1);
		const ms = lengthOf();
		driver.reject([driver.now], waitMs);
		driver.accept(driver.send(1));
		expect(lengthOf()).toBe(ms);
		expect(driver.allowed).toBe(30);
	});

	it('counts what is accepted after a short pause', () => {
		driver.hit(30, 60_000);
		const times = driver.send(31);
		driver.accept(times.slice(0, 20));
		driver.reject(times.slice(20), 1_000);
		const next = driver.send(1);
		expect(driver.allowed).toBe(0);
		driver.accept(next);
		expect(driver.allowed).toBe(2);
	});

	it('tells nothing new where a call left before the last pause', () => {
		driver.hit(30, 60_000);
		const times = driver.send(31);
		driver.accept(times.slice(0, 20));
		driver.reject(times.slice(20, 21), 1_000);
		const next = driver.send(1);
		driver.reject(times.slice(21), 60_000);
		driver.accept(next);
		expect(driver.wait).toBeLessThanOrEqual(0);
	});

	describe('of a minute, in which ten calls are accepted', () => {
		let from: number;

		beforeEach(() => {
			const times = driver.spread(21, 10);
			driver.accept(times.slice(0, 20));
			driver.reject(times.slice(20), 59_790);
			const next = driver.send(10);
			[from] = next;
			driver.accept(next);
			expect(from - times[0]).toBe(60_000);
		});

		it.each([
			['begins after half a minute', 30_000, 10, 11],
			['goes on after less', 29_999, 10, 1],
			['goes on after less, however long the 429 took', 29_000, 2_000, 1],
		])('%s', (_what, waitMs, callMs, allowed) => {
			driver.now = from + 5_000;
			driver.reject(driver.send(1), waitMs, callMs);
			expect(driver.allowed).toBe(allowed);
		});

		it('begins at the end of the minute where no wait is named', () => {
			driver.now = from + 24_000;
			driver.reject(driver.send(1), undefined, 12_000);
			// The early one, as soon as it is known that there is a pause.
			driver.reject(driver.send(1));
			const half = driver.send(1);
			expect(half).toEqual([from + 24_000 + 30_600]);
			driver.reject(half);
			const probe = driver.send(1);
			expect(probe).toEqual([from + 60_000]);
			driver.accept(probe);
			// With the probe one more than after a named wait.
			expect(driver.allowed).toBe(11);
		});

		it('stays known where the early probe was rejected', () => {
			driver.now = from + 40_000;
			driver.reject(driver.send(1));
			driver.reject(driver.send(1));
			const probe = driver.send(1);
			expect(probe).toEqual([from + 60_000]);
			driver.accept(probe);
			driver.accept(driver.send(9));
			// The window that began with the probe takes as many as before and one more; then the next one does.
			const [, ...next] = driver.send(3);
			expect(next).toEqual([from + 120_000, from + 120_000]);
		});

		it('begins if a call is accepted half a minute after the rejected one left, where no wait is named', () => {
			driver.now = from + 5_000;
			const rejected = driver.send(1);
			driver.now = from + 12_000;
			const later = driver.send(1);
			driver.reject(rejected, undefined, 8_000);
			driver.accept(later, 24_000);
			// That one counts, too.
			expect(driver.allowed).toBe(12);
		});
	});
});
