import { EVEN, EvenPace } from '../../../../nodes/shared/transport/limits/even';
import { PACE } from '../../../../nodes/shared/transport/limits/pace';
import { FIRST_WAIT_MS, MANY_PROBES } from '../../../../nodes/shared/transport/limits/pause';
import { FEW, SECOND_MS } from '../../../../nodes/shared/transport/limits/span';
import { WINDOWS } from '../../../../nodes/shared/transport/limits/windows';
import { Driver, TOO_SHORT } from '../../../support/paceDriver';

let driver: Driver;

/** How many of the calls that left at these times left in one go. */
const atOnce = (times: number[]) => times.findIndex((at, n) => at - times[0] > 10 * (n + 1));

beforeEach(() => {
	driver = new Driver();
});

describe('before the first 429', () => {
	const { calls, perMs, slowMs, until } = PACE.first;

	/** The time between the next two calls, but for those that are late. */
	const gap = () => {
		const [one, other] = driver.send(PACE.catchUp + 3).slice(-2);
		return other - one;
	};

	it('sends at once, and quickly', () => {
		expect(driver.wait).toBeLessThanOrEqual(0);
		const times = driver.send(calls);
		expect(times.at(-1)! - times[0]).toBeCloseTo((calls - 1) / perMs, 5);
	});

	it('goes on slowly until half of all are accepted, where a call takes a second', () => {
		const times = driver.send(calls + 10);
		expect(times[calls] - times[calls - 1]).toBe(slowMs);
		driver.accept(times.slice(0, 49), SECOND_MS);
		expect(gap()).toBe(slowMs);
		driver.send(1);
		driver.accept(times.slice(49, 55), SECOND_MS);
		expect(gap()).toBeCloseTo(1 / perMs, 5);
	});

	it('goes on quickly where one took less', () => {
		driver.accept(driver.send(1), SECOND_MS - 1);
		driver.accept(driver.send(1), SECOND_MS);
		driver.send(calls + 10);
		expect(gap()).toBeCloseTo(1 / perMs, 5);
	});

	it('goes on quickly where all went well for some seconds', () => {
		driver.accept(driver.send(calls).slice(1), SECOND_MS);
		driver.now += PACE.longAgo.pace;
		driver.send(calls + 10);
		expect(gap()).toBe(0);
	});

	it('has no bound once many were accepted', () => {
		driver.accept(driver.send(1));
		driver.accept(driver.send(until - 1));
		driver.send(1);
		const [first] = driver.send(1);
		expect(driver.send(500).at(-1)).toBe(first);
	});
});

describe('429s by accident', () => {
	/** Sends calls of which every twentieth is rejected, and gives how long the last of them had to wait. */
	const send = (count: number, waitMs?: number): number => {
		const from = driver.now;
		const underWay: number[] = [];
		for (let n = 0; n < count || underWay.length > 0;) {
			const respondsAt = underWay.length > 0 ? underWay[0] + 100 : Infinity;
			if (n < count && driver.pace.earliest(driver.now) < respondsAt) {
				underWay.push(...driver.send(1));
				n++;
				continue;
			}
			if (respondsAt === Infinity) throw new Error('No call may leave, and none is in flight');
			driver.now = Math.max(driver.now, respondsAt);
			const isRejected = (n - underWay.length) % 20 === 19;
			const [sentAt] = underWay.splice(0, 1);
			if (isRejected) driver.pace.limited(sentAt, driver.now, waitMs);
			else driver.pace.accepted(sentAt, driver.now);
		}
		return driver.now - from;
	};

	it.each([0, 1_000, undefined])('do not make it slow (wait %p)', (waitMs) => {
		expect(send(400, waitMs)).toBeLessThan(5_000);
	});

	it.each([0, 1_000])('do not make a pace ever slower (wait %p)', (waitMs) => {
		driver.hit(100, TOO_SHORT);
		driver.send(1);
		send(1_000, waitMs);
		const { perSecond } = driver;
		send(1_000, waitMs);
		expect(driver.perSecond).toBeGreaterThan(0.5 * perSecond);
		expect(driver.perSecond).toBeGreaterThan(0.5 * PACE.farBelow * 100);
	});

	it('make it much faster in the end, as no slower one stops them', () => {
		driver.hit(20, TOO_SHORT);
		driver.accept(driver.send(20));
		for (let n = 0; n < 4; n++) send(1_000, 1_000);
		expect(driver.perSecond).toBeGreaterThan(200);
	});

	describe('far below a pace that was accepted', () => {
		/** So many 429s, each with a wait in which calls could have left. */
		const reject = (count: number, everyMs = 0): void => {
			for (let n = 0; n < count; n++) {
				for (let m = 0; m < 9; m++) {
					driver.now += everyMs;
					driver.accept(driver.send(1));
				}
				driver.reject(driver.send(1), 300);
			}
			driver.send(1);
		};

		beforeEach(() => {
			driver.hit(100, TOO_SHORT);
			for (let n = 0; n < 7; n++) {
				const times = driver.send(3);
				driver.accept(times.slice(0, 1));
				driver.reject(times.slice(1), 100);
			}
			driver.send(1);
		});

		it.each([
			['is three times as fast after enough of them', FEW.least, 0, EVEN.steps.guess],
			['stays after fewer', FEW.least - 1, 0, 1],
			['stays where calls came later than it allows', FEW.least, 200, 1],
		])('it %s', (_what, count, everyMs, times) => {
			const before = 98 * EVEN.least ** 7;
			reject(count, everyMs);
			expect(driver.perSecond).toBeCloseTo(times * before, 1);
		});
	});

	it('end windows of a second that take far less than they did: calls leave evenly then, and faster', () => {
		driver.hit(100, 1_000);
		const times = driver.send(100);
		driver.accept(times.slice(0, 45));
		driver.reject(times.slice(45), 1_000);
		driver.accept(driver.send(1));
		driver.now += 60_000;
		for (let n = 0; n < FEW.least; n++) driver.hit(15, 1_000);
		driver.send(1);
		expect(driver.perSecond).toBeCloseTo((EVEN.steps.guess * 45) / WINDOWS.margin, -1);
	});

	it('leave it slow where a pause costs hardly a call', () => {
		driver.hit(100, TOO_SHORT);
		while (driver.perSecond > 25) {
			const times = driver.send(3);
			driver.accept(times.slice(0, 1));
			driver.reject(times.slice(1), 100);
		}
		driver.send(1);
		const before = driver.perSecond;
		expect(0.1 * before).toBeLessThan(PACE.costly);
		driver.reject(driver.send(1), 100);
		for (let n = 0; n < FEW.least; n++) driver.hit(9, 100);
		driver.send(1);
		expect(driver.perSecond).toBeCloseTo(before, 5);
	});
});

describe('after a rest', () => {
	it.each([
		['named', 20_000],
		['found by probes', undefined],
	])('the wait that was %s is no longer than it was: nobody was there', (_what, waitMs) => {
		driver.hit(6, waitMs);
		driver.now += 280_000;
		for (const calls of [1, 1, 1, 1, 1, 5, 20, 40]) {
			const from = driver.now;
			for (let n = 0; n < calls; n++) driver.accept(driver.send(1));
			expect(driver.now - from).toBeLessThan(1_000);
			driver.now = from + 60_000;
		}
	});

	it('the pace is what was accepted of the new run', () => {
		driver.accept(driver.spread(100, 10));
		driver.now += 60_000;
		driver.hit(50, TOO_SHORT);
		expect(driver.perSecond).toBeCloseTo(50 * EVEN.below, 0);
	});

	it('the pace is that of a run which goes on, however long its calls take', () => {
		const first = driver.spread(40, 10);
		driver.now += PACE.idle + 500;
		const times = driver.send(21);
		driver.accept([...first, ...times.slice(0, 20)], 3_000);
		driver.reject(times.slice(20), TOO_SHORT);
		const perMs = 60 / (driver.now - first[0]);
		expect(driver.perSecond).toBeCloseTo(1_000 * perMs * EVEN.below, 0);
	});

	it('so many calls leave in each second as were accepted of the new run', () => {
		driver.accept(driver.spread(100, 10));
		driver.now += 60_000;
		driver.hit(50, 1_000);
		const times = driver.sendOn(51);
		expect(times[49] - times[0]).toBeLessThan(500);
		expect(times[50] - times[0]).toBeGreaterThan(1_000);
	});

	it('the end of a limit is found as fast as at first, where no wait is named', () => {
		driver.accept(driver.spread(10, 10));
		driver.now += 600_000;
		driver.hit(29);
		const from = driver.now;
		let probe = driver.send(1);
		for (let n = 0; n < 20 && probe[0] < from + 60_000; n++) {
			driver.reject(probe, undefined, 0);
			probe = driver.send(1);
		}
		driver.accept(probe, 0);
		driver.reject(driver.send(29).slice(-1));
		expect(driver.wait).toBeLessThan(62_000);
	});

	it('calls that came one by one have not made the pace faster', () => {
		driver.hit(50, TOO_SHORT);
		for (let n = 0; n < 1_000; n++) {
			driver.accept(driver.send(1));
			driver.now += 2_000;
		}
		expect(driver.perSecond).toBeCloseTo(50 * EVEN.below, 0);
	});

	it('a faster pace is tried all the same when the runs used it for long enough together', () => {
		driver.hit(50, TOO_SHORT);
		for (let n = 0; n < 40; n++) {
			driver.accept(driver.send(50));
			driver.now += 60_000;
		}
		expect(driver.perSecond).toBeGreaterThan(50);
	});
});

it('the pace is what was accepted lately, where calls leave all the time', () => {
	const latencyMs = 3_000;
	const underWay: number[] = [];
	for (let n = 0; n < 600; n++) {
		underWay.push(...driver.spread(1, 0));
		driver.now += 500;
		if (n * 500 >= latencyMs) driver.pace.accepted(underWay.shift()!, driver.now);
	}
	const times = driver.send(101);
	driver.accept(times.slice(0, 100));
	driver.reject(times.slice(100), TOO_SHORT);
	expect(driver.perSecond).toBeGreaterThan(5);
});

describe('a wait that is named', () => {
	it('is obeyed from when the 429 comes', () => {
		const [at] = driver.send(1);
		driver.reject([at], 3_000, 400);
		expect(driver.pace.earliest(driver.now)).toBe(at + 400 + 3_000);
	});

	it('ends when the shortest wait of all 429s to the same calls does', () => {
		const times = driver.send(3);
		driver.reject([times[0]], 3_000);
		driver.reject([times[1]], 1_000);
		driver.reject([times[2]], 2_000);
		expect(driver.pace.earliest(driver.now)).toBe(times[1] + 10 + 1_000);
	});

	it('ends when a call is accepted that clearly left after the rejected one', () => {
		const rejected = driver.send(1);
		driver.now += 500;
		const later = driver.send(1);
		driver.reject(rejected, 60_000, 600);
		expect(driver.wait).toBeGreaterThan(50_000);
		driver.accept(later, 300);
		expect(driver.wait).toBeLessThanOrEqual(0);
	});

	it('does not end for a call that may have overtaken the rejected one', () => {
		const times = driver.send(2);
		driver.reject(times.slice(0, 1), 60_000, 300);
		driver.accept(times.slice(1), 300);
		expect(driver.wait).toBeGreaterThan(50_000);
	});

	it.each([
		['at first', 0],
		['while calls leave evenly', 50],
	])('is no busy loop where it is “now”, %s', (_when, accepted) => {
		if (accepted > 0) driver.hit(accepted, TOO_SHORT);
		const waits = Array.from({ length: 4 }, () => {
			driver.reject(driver.send(1), 0);
			return driver.wait;
		});
		expect(waits[0]).toBeGreaterThanOrEqual(FIRST_WAIT_MS - 10);
		expect(waits[3]).toBeGreaterThanOrEqual(2 * FIRST_WAIT_MS);
	});

	it('is never one without end where it is “now”, also for many calls that were under way', () => {
		driver.hit(50, TOO_SHORT);
		driver.accept(driver.send(20));
		for (let n = 0; n < 40; n++) {
			driver.reject(driver.send(1), 0);
			expect(driver.wait).toBeLessThanOrEqual(61_200);
		}
	});
});

describe('an even pace', () => {
	it('is what was accepted per second, a little below', () => {
		driver.hit(50, TOO_SHORT);
		expect(driver.perSecond).toBeCloseTo(50 * EVEN.below, 0);
	});

	it('counts responses that come after the 429', () => {
		const times = driver.send(60);
		driver.accept(times.slice(0, 20));
		driver.reject(times.slice(50), TOO_SHORT);
		driver.accept(times.slice(20, 50));
		expect(driver.perSecond).toBeCloseTo(50 * EVEN.below, 0);
	});

	it('makes up for calls that a busy n8n was late with, but for few', () => {
		driver.hit(50, TOO_SHORT);
		driver.send(2);
		driver.now += 5_000;
		const times = driver.send(10);
		expect(times.filter((at) => at === times[0])).toHaveLength(PACE.catchUp + 1);
	});

	it('becomes slower with a 429 by no more than a fifth', () => {
		driver.hit(50, TOO_SHORT);
		driver.hit(100, 1_000);
		const slower = driver.perSecond;
		expect(slower).toBeLessThanOrEqual(50 * EVEN.below * EVEN.below + 0.1);
		expect(slower).toBeGreaterThanOrEqual(50 * EVEN.below * EVEN.least - 0.1);
	});

	it('becomes slower once for all 429s to calls that were under way', () => {
		driver.hit(50, TOO_SHORT);
		driver.accept(driver.send(50));
		const times = driver.send(10);
		driver.reject(times, 1_000, 500);
		const slower = driver.perSecond;
		expect(slower).toBeGreaterThanOrEqual(50 * EVEN.below * EVEN.least - 0.1);
	});

	it('is not made slower by calls that were sent right after a pause', () => {
		driver.hit(50, TOO_SHORT);
		const times = driver.send(2);
		driver.reject(times.slice(1), 1_000, 1_000);
		driver.accept(driver.send(1));
		expect(driver.perSecond).toBeCloseTo(50 * EVEN.below, 0);
	});

	it('stays where a long pause follows on one, as nothing was accepted between them', () => {
		driver.hit(50, TOO_SHORT);
		driver.reject(driver.send(1), 10_000);
		driver.accept(driver.send(1));
		expect(driver.perSecond).toBeCloseTo(50 * EVEN.below, 0);
	});

	it('grows quickly where it is a guess from few calls, and by less after each 429', () => {
		driver.hit(5, 1_000);
		const guess = driver.perSecond;
		expect(guess).toBeCloseTo(5 * EVEN.below, 0);
		driver.accept(driver.send(10), 0);
		const grown = driver.perSecond;
		expect(grown).toBeCloseTo(guess * EVEN.steps.guess, 0);
		driver.reject(driver.send(1), 1_000);
		const back = driver.perSecond;
		expect(back).toBeCloseTo(guess, 0);
		driver.accept(driver.send(10), 0);
		expect(driver.perSecond).toBeCloseTo(back * Math.cbrt(EVEN.steps.guess), 0);
	});

	it('obeys a 429 to a call that left before a faster pace was tried, and takes that one back', () => {
		driver.hit(5, 1_000);
		const { perSecond } = driver;
		const underWay = driver.send(1);
		for (let n = 0; n < 1_000 && driver.perSecond < 1.5 * perSecond; n++)
			driver.accept(driver.send(1), 0);
		driver.reject(underWay, 1_000);
		expect(driver.wait).toBeCloseTo(1_000, 0);
		expect(driver.perSecond).toBeCloseTo(perSecond, 5);
	});

	it('is not learned where nothing was accepted: some calls find out whether any is now', () => {
		driver.reject(driver.send(20), 1_000);
		const { now } = driver;
		expect(driver.wait).toBeGreaterThan(900);
		driver.send(FEW.least);
		expect(driver.now - now).toBeLessThan(1_100);
		expect(driver.wait).toBe(PACE.alone);
		driver.accept([driver.now]);
		expect(driver.wait).toBeLessThan(10);
	});

	describe('after calls of which none was accepted', () => {
		/** How many calls leave at once after `accepted` of them, of `before` that were all rejected. */
		const next = (before: number, accepted: number, latencyMs = 10): number => {
			driver.reject(driver.send(before), 1_000);
			driver.accept(driver.send(1));
			const times = driver.send(accepted + 20);
			driver.accept(times.slice(0, accepted - 1), latencyMs);
			driver.reject(times.slice(accepted - 1), 1_000);
			return atOnce(driver.sendOn(60));
		};

		it('is not told from the few that others left: many are tried at once', () => {
			expect(next(FEW.least, 5)).toBe(FEW.calls);
		});

		it('is told where enough calls are accepted', () => {
			expect(next(FEW.least, FEW.calls + 5)).toBe(FEW.calls + 5);
			driver = new Driver();
			driver.reject(driver.send(FEW.least), 1_000);
			driver.accept(driver.send(1));
			driver.hit(FEW.calls - 1, 300);
			expect(driver.perSecond).toBeLessThan(100);
		});

		it('is one call after the other where calls are slow', () => {
			expect(next(FEW.least, 5, 2 * SECOND_MS)).toBe(1);
		});

		it('does not matter to a run after a rest where some of them were: its calls leave at once', () => {
			const times = driver.send(100);
			driver.accept(times.slice(0, 80));
			driver.reject(times.slice(80, 80 + FEW.least), 1_000);
			driver.accept(times.slice(80 + FEW.least));
			driver.now += 60_000;
			expect(driver.wait).toBeLessThanOrEqual(0);
			const later = driver.send(30);
			expect(later[29] - later[0]).toBeLessThan(200);
			driver.accept(later.slice(0, 10));
			driver.reject(later.slice(10), 1_000);
			expect(atOnce(driver.sendOn(60))).toBe(10);
		});
	});

	it('is also found where the way to the service takes longer than its pauses', () => {
		const times = driver.send(60);
		driver.accept(times.slice(0, 50), 4_000);
		driver.reject(times.slice(50), 1_000, 4_000);
		expect(driver.perSecond).toBeLessThan(60);
		expect(driver.perSecond).toBeGreaterThan(5);
	});

	it('is not slower after 429s only', () => {
		driver.hit(50, TOO_SHORT);
		for (let n = 0; n < 20; n++) driver.reject(driver.send(1), 1_000);
		driver.accept(driver.send(1));
		expect(driver.perSecond).toBeCloseTo(50 * EVEN.below, 0);
	});

	it('is not slower for single calls that probed whether a limit was over', () => {
		driver.hit(50, TOO_SHORT);
		const { perSecond } = driver;
		driver.reject(driver.send(1), undefined, 0);
		for (let n = 0; n < 5; n++) driver.reject(driver.send(1), undefined, 0);
		driver.accept(driver.send(1), 0);
		driver.accept(driver.send(20), 0);
		driver.reject(driver.send(1), 1_000);
		expect(driver.perSecond).toBeGreaterThan(0.85 * perSecond);
	});

	it('is tried in bolder steps while they go well', () => {
		driver.hit(50, TOO_SHORT);
		const steps = [1, 2, 3].map(() => {
			const { perSecond } = driver;
			for (let n = 0; n < 1_000 && driver.perSecond < 1.01 * perSecond; n++)
				driver.accept(driver.send(5), 0);
			return driver.perSecond / perSecond;
		});
		steps.forEach((step, n) => expect(step).toBeCloseTo(EVEN.steps.sure ** (2 ** n), 5));
	});

	it('goes on soon after a 429 that names no wait, then with single calls until one is accepted', () => {
		driver.hit(50, TOO_SHORT);
		driver.accept(driver.send(20), 0);
		driver.reject(driver.send(1), undefined, 0);
		expect(driver.wait).toBeCloseTo(FIRST_WAIT_MS, 5);
		const [rejected] = driver.send(1);
		driver.reject([rejected], undefined, 0);
		const probes = [1, 2, 3].map(() => {
			const [probe] = driver.send(1);
			driver.reject([probe], undefined, 0);
			return probe - rejected;
		});
		expect(probes.map(Math.round)).toEqual([FIRST_WAIT_MS, 255, 510]);
		driver.accept(driver.send(1), 0);
		driver.reject(driver.send(1), undefined, 0);
		expect(driver.wait).toBeCloseTo(FIRST_WAIT_MS, 5);
	});

	it('was none if all is rejected for longer than calls left: a window, which had begun before', () => {
		driver.hit(50, TOO_SHORT);
		const times = driver.send(40);
		driver.accept(times, 0);
		driver.reject(driver.send(1), PACE.longPause + 1);
		const [from] = driver.send(1);
		const next = driver.send(39);
		expect(next.at(-1)! - from).toBeLessThan(300);
	});

	it.each([
		['calls left for longer than all is rejected', 200, PACE.longPause + 1],
		['all is rejected for seconds only', 40, PACE.longPause],
	])('is still one where %s', (_where, accepted, waitMs) => {
		driver.hit(50, TOO_SHORT);
		driver.accept(driver.send(accepted), 0);
		driver.reject(driver.send(1), waitMs, 0);
		const times = driver.send(40);
		expect(times[39] - times[0]).toBeGreaterThan(500);
	});
});

describe('where no two calls may leave at once', () => {
	it('a faster pace begins as late after the last call as it says', () => {
		driver.hit(1, 1_000);
		for (let before = driver.send(1)[0], n = 0; n < 30; n++) {
			driver.accept([before], 2);
			const [at] = driver.send(1);
			const { even } = driver.pace as unknown as { even: EvenPace };
			expect(at - before).toBeGreaterThan(0.99 / even.perMs);
			before = at;
		}
	});

	it('a faster pace is kept from the last call on that left before it', () => {
		const quicken = jest.spyOn(EvenPace.prototype, 'quicken');
		driver.hit(1, 1_000);
		let before = driver.send(1)[0];
		while (!quicken.mock.results.some(({ value }) => value === true)) {
			driver.accept([before], 2);
			before = driver.send(1)[0];
		}
		const [last] = quicken.mock.lastCall!;
		expect(last).toBeGreaterThan(0);
		const raisedAfter = before - 1 / (driver.pace as unknown as { even: EvenPace }).even.perMs;
		driver.accept([before], 2);
		expect(quicken.mock.lastCall![0]).toBeCloseTo(before - raisedAfter, 5);
		quicken.mockRestore();
	});

	it.each([
		['a limit is unused after a long pause', 1_000, true],
		['or one just long enough', PACE.windowPause, true],
		['or not after a short one', TOO_SHORT, false],
	])('%s', (_what, waitMs, isUnused) => {
		driver.hit(5, TOO_SHORT);
		driver.send(1);
		const resume = jest.spyOn(EvenPace.prototype, 'resume');
		driver.reject(driver.send(1), waitMs);
		driver.send(1);
		expect(resume.mock.calls).toEqual([[isUnused]]);
		resume.mockRestore();
	});

	it('what a full one takes tells nothing once calls were not there to leave', () => {
		const resume = jest.spyOn(EvenPace.prototype, 'resume');
		const isTold = (restMs: number) => {
			driver = new Driver();
			driver.hit(5, 1_000);
			driver.accept(driver.send(1));
			resume.mockClear();
			driver.now = driver.pace.earliest(driver.now) + restMs;
			driver.send(1);
			return resume.mock.calls.length === 0;
		};
		expect(isTold(PACE.windowPause)).toBe(true);
		expect(isTold(PACE.windowPause + 1)).toBe(false);
		expect(resume).toHaveBeenCalledWith(false);
		resume.mockRestore();
	});
});

describe('a limit per second or a token bucket, where calls are quick', () => {
	beforeEach(() => {
		driver.hit(50, 1_000);
		driver.accept(driver.send(50));
		driver.accept(driver.send(75));
	});

	it('is a bucket if half as many more fit: evenly then', () => {
		driver.accept(driver.send(50));
		expect(driver.perSecond).toBeLessThan(60);
	});

	it('is one per second if not: the 429 is none by accident, and told once and for all', () => {
		const times = driver.send(50);
		driver.accept(times.slice(0, 35));
		driver.reject(times.slice(35), 1_000);
		for (let n = 0; n < 3; n++) {
			const [first] = driver.send(1);
			driver.accept([first, ...driver.send(49)]);
			expect(driver.pace.earliest(driver.now)).toBeGreaterThan(first + 1_000);
		}
	});
});

describe('where everything is rejected after a pause, too', () => {
	it.each([
		['an even pace', TOO_SHORT],
		['a limit per second', 1_000],
		['a limit per window', 60_000],
	])('at %s, a single call finds out after the next one whether it is over', (_what, waitMs) => {
		driver.hit(50, waitMs);
		const refused = driver.send(3);
		driver.reject(refused, waitMs);
		for (let n = 0; n < 3; n++) {
			const alone = driver.send(1);
			expect(driver.wait).toBeCloseTo(PACE.alone, 5);
			driver.reject(alone, waitMs);
		}
		driver.accept(driver.send(1));
		expect(driver.wait).toBeLessThan(100);
	});

	it('another call leaves after a while where that one gets no response, at once where it fails', () => {
		driver.hit(50, 1_000);
		driver.reject(driver.send(3), 1_000);
		const [slow] = driver.send(1);
		const [next] = driver.send(1);
		expect(next - slow).toBeCloseTo(PACE.alone, 5);
		driver.pace.failed(next, driver.now);
		driver.pace.failed(slow, driver.now);
		expect(driver.wait).toBeLessThan(100);
	});

	it('the wait that such a call names is no longer while others are in flight', () => {
		driver.hit(50, 1_000);
		driver.reject(driver.send(3), 1_000);
		const times = driver.send(2);
		driver.reject(times.slice(1), 1_000);
		expect(driver.wait).toBeCloseTo(1_000, 5);
	});

	it('calls go on where it was a faster pace, which is taken back', () => {
		const quicken = jest.spyOn(EvenPace.prototype, 'quicken');
		driver.hit(50, TOO_SHORT);
		while (!quicken.mock.results.some(({ value }) => value === true)) {
			driver.accept(driver.send(1), 0);
		}
		quicken.mockRestore();
		driver.reject(driver.send(1), 1_000);
		driver.send(1);
		expect(driver.wait).toBeLessThan(100);
	});

	it('calls go on where the pause was a guess', () => {
		driver.hit(50, TOO_SHORT);
		driver.reject(driver.send(2).slice(0, 1));
		driver.send(1);
		expect(driver.wait).toBeLessThan(100);
	});
});

describe('calls of which each takes', () => {
	it.each([
		['less than a second tell a limit per second', SECOND_MS - 1, 50],
		['a second may be of two windows: evenly then', SECOND_MS, 1],
	])('%s', (_what, latencyMs, count) => {
		driver.hit(50, 1_000, latencyMs);
		expect(atOnce(driver.sendOn(60))).toBe(count);
	});
});

describe('a limit per second', () => {
	// Calls that show by themselves whether it is one.
	beforeEach(() => driver.hit(50, 1_000, WINDOWS.proof.quick + 1));

	it('is used up at once in each second, and a little later', () => {
		const times = driver.sendOn(150);
		expect(times[49] - times[0]).toBeCloseTo(49 / PACE.windowPerMs, 5);
		[50, 100].forEach((n) => {
			const gap = times[n] - times[n - 50];
			expect(gap).toBeGreaterThan(1_000);
			expect(gap).toBeLessThan(1_050);
			expect(times[n] - times[n - 1]).toBeGreaterThan(800);
		});
	});

	it('has few calls at first, the others once some of these are accepted: it may be a bucket that was full', () => {
		const few = 50 * WINDOWS.first.calls;
		expect(driver.pace.isOpen).toBe(false);
		const first = driver.send(few);
		expect(driver.wait).toBeGreaterThan(400);
		// So it denies none that can't wait for that long.
		expect(driver.pace.isOpen).toBe(true);
		driver.accept(first, 0);
		expect(driver.pace.isOpen).toBe(false);
		expect(atOnce(driver.send(60))).toBe(50 - few);
		const bucket = new Driver();
		bucket.hit(100, 1_000, 300);
		const times = bucket.send(100 * WINDOWS.first.calls);
		bucket.accept(times.slice(0, 1), 100);
		bucket.reject(times.slice(1), 1_000, 100);
		expect(bucket.perSecond).toBeLessThan(10);
	});

	it('denies the calls of a pause that can’t wait for its end, also where few left before it', () => {
		const first = driver.send(50 * WINDOWS.first.calls);
		expect(driver.pace.isOpen).toBe(true);
		driver.reject(first, 60_000);
		expect(driver.pace.isOpen).toBe(false);
	});

	it('is the later one the longer and so the more unequal calls take', () => {
		const slow = new Driver();
		const times = slow.send(51);
		slow.accept(times.slice(0, 50), 400);
		slow.reject(times.slice(50), 1_000, 400);
		const [gap, slowGap] = [driver, slow].map((one) => {
			const sent = one.send(51);
			return sent[50] - sent[0];
		});
		expect(slowGap).toBeGreaterThan(gap + 20);
	});

	it('takes a smaller number if less fits into the first second after a pause', () => {
		driver.hit(40, 1_000);
		const times = driver.send(41);
		expect(times[39] - times[0]).toBeLessThan(200);
		expect(times[40] - times[0]).toBeGreaterThan(1_000);
	});

	it('learns from each 429, also where the calls of two windows left in one second', () => {
		const clocked = new Driver();
		clocked.hit(90, 1_000);
		const times = clocked.send(90);
		clocked.accept(times.slice(0, 50));
		clocked.reject(times.slice(50), 1_000);
		clocked.hit(44, 1_000);
		// The last 429 is none by accident: it says how many calls fit.
		expect(atOnce(clocked.send(60))).toBe(44);
	});

	it('takes longer if calls of a later second were too early, and as many', () => {
		driver.accept(driver.send(50));
		const early = driver.send(3);
		driver.accept(early.slice(1));
		driver.reject(early.slice(0, 1), 1_000);
		const times = driver.send(51);
		expect(times[49] - times[0]).toBeLessThan(200);
		expect(times[50] - times[0]).toBeGreaterThan(1_020 * 1.005);
	});

	it('begins anew with a pause, however short', () => {
		driver.accept(driver.send(50));
		const early = driver.send(3);
		driver.accept(early.slice(1));
		driver.reject(early.slice(0, 1), 300);
		expect(atOnce(driver.send(60))).toBe(50);
	});

	it('is proven by a 429 to a call more than it takes, also far below a pace that was accepted', () => {
		driver = new Driver();
		driver.hit(50, 1_000);
		const few = driver.sendOn(50);
		driver.accept(few.slice(10, 21));
		driver.reject(few.slice(21), 1_000);
		driver.accept(driver.send(21), 0);
		driver.accept(driver.send(21), 0);
		driver.reject(driver.send(1), 1_000);
		const fewer = driver.send(21);
		driver.accept(fewer.slice(0, 15));
		driver.reject(fewer.slice(15), 1_000);
		// No call more is sent to find it out again.
		const times = driver.send(31);
		expect(times[30] - times[29]).toBeGreaterThan(800);
	});

	it.each([
		['at the pace of what was accepted', FEW.least, FEW.least, 1_000],
		['no slower than by a few a second if that was next to nothing', 1, FEW.least, undefined],
		['also where a longer wait was named', 1, FEW.least, PACE.windowWait + 1],
	])(
		'is none of seconds where hardly anything fits into one: evenly then, %s',
		(_what, accepted, calls, waitMs) => {
			const times = driver.send(50);
			driver.accept(times.slice(0, accepted));
			driver.reject(times.slice(accepted), waitMs);
			// Between the two 429s, of which the first one cost a second.
			expect(driver.perSecond).toBeCloseTo((1_000 * calls) / (times[49] - times[0] + 1_000), 5);
		},
	);

	it.each([1, FEW.least - 1])(
		'is bid for where others leave next to nothing of a second (%p calls), and left if that fails, too',
		(accepted) => {
			const reject = (times: number[]) => {
				driver.accept(times.slice(0, accepted), 300);
				driver.reject(times.slice(accepted), PACE.windowWait, 300);
			};
			reject(driver.send(50));
			const bid = driver.send(FEW.calls);
			expect(bid.at(-1)! - bid[0]).toBeLessThan(FEW.calls / PACE.windowPerMs + 10);
			reject(bid);
			reject(driver.send(FEW.least));
			const times = driver.send(10);
			expect(times[9] - times[0]).toBeGreaterThan(SECOND_MS);
		},
	);

	it('is still one where nothing at all fits, as the pause was too short', () => {
		driver.reject(driver.send(1), 1_000);
		const [first] = driver.send(1);
		driver.accept([first]);
		const times = driver.sendOn(50);
		expect(times[48] - first).toBeLessThan(200);
		expect(times[49] - first).toBeGreaterThan(1_000);
	});

	it('takes more after many good ones, and as many as before after a 429', () => {
		for (let n = 0; n <= WINDOWS.patience.sure; n++) driver.accept(driver.send(50), 0);
		driver.now += 1_100;
		expect(atOnce(driver.send(80))).toBe(Math.round(50 * WINDOWS.trial));
		driver.reject(driver.send(1), 1_000);
		expect(atOnce(driver.send(80))).toBe(50);
	});

	it('without a wait, goes on in the next second', () => {
		const times = driver.sendOn(50);
		driver.accept(times);
		driver.reject(driver.send(1));
		expect(driver.pace.earliest(driver.now)).toBeLessThan(times[0] + 2 * 1_050);
		expect(driver.pace.earliest(driver.now)).toBeGreaterThan(driver.now + 500);
	});
});

describe('a limit per window', () => {
	beforeEach(() => driver.hit(30, 60_000));

	it('is used up at once, with one call more', () => {
		const times = driver.send(31);
		expect(times[30] - times[0]).toBeLessThan(1_000);
		expect(driver.pace.earliest(driver.now)).toBe(Infinity);
	});

	it('is used up as quickly where calls take long', () => {
		driver = new Driver();
		driver.hit(120, 60_000, SECOND_MS);
		const times = driver.send(120);
		expect(times[119] - times[0]).toBeCloseTo(119 / PACE.first.perMs, 5);
	});

	it('takes more only as they are accepted', () => {
		driver.accept(driver.send(31));
		expect(driver.allowed).toBe(2);
	});

	it('counts again in the next window', () => {
		driver.hit(30, 60_000);
		driver.accept(driver.send(1), 0);
		const times = driver.send(29);
		expect(times[28] - times[0]).toBeLessThan(1_000);
	});

	it.each([
		['a window with a 429', true],
		['one without', false],
	])(
		'sends none sooner than a window after the one whose place it takes, after %s',
		(_name, is429) => {
			driver.now += 60_000;
			const times = driver.spread(30, 500);
			driver.accept([...times].reverse());
			if (is429) driver.reject(driver.send(1), 45_000);
			driver.now = times[0] + 61_000;
			const next = driver.send(30);
			next.slice(5).forEach((at, n) => {
				expect(at - times[n + 5]).toBeGreaterThan(60_000);
				expect(at - times[n + 5]).toBeLessThan(61_200);
			});
		},
	);

	it('sends one more at once all the same, as the limit may have been raised', () => {
		driver.now += 60_000;
		driver.accept(driver.spread(30, 500));
		driver.reject(driver.send(1), 45_000);
		const next = driver.send(30);
		driver.accept(next, 0);
		const [more] = driver.send(1);
		expect(more - next[29]).toBeLessThan(100);
	});

	it('gives rejected calls no place of the last one', () => {
		driver.now += 60_000;
		const times = driver.spread(30, 500);
		driver.accept(times);
		driver.now = times[0] + 61_000;
		const next = driver.send(12);
		driver.accept(next.slice(0, 4), 0);
		driver.reject(next.slice(4), 300, 0);
		expect(driver.wait).toBe(300);
	});

	it('holds back none for calls that were not there to leave in the last window', () => {
		driver.now += 60_000;
		const times = driver.spread(20, 500);
		driver.accept(times);
		driver.now = times[0] + 61_000;
		const next = driver.send(30);
		expect(next[9] - next[0]).toBeLessThan(200);
		expect(next[29] - times[19]).toBeGreaterThan(60_000);
	});

	it('is followed by the next one as soon as it is over', () => {
		const allowed = [0, 1].map((laterMs) => {
			driver = new Driver();
			const from = driver.now;
			driver.hit(30, 60_000);
			const [at] = driver.send(1);
			driver.accept([at]);
			driver.now = at + (at - from) + laterMs;
			return driver.allowed;
		});
		expect(allowed[0]).toBe(allowed[1]);
	});

	it('takes as many as it did in a window without a 429', () => {
		let sure = 30;
		for (let n = 0; n < 3; n++) {
			driver.accept(driver.send(sure + 1), 0);
			driver.accept(driver.send(2), 0);
			sure += 3;
			driver.now += 61_000;
		}
		const times = driver.send(sure);
		expect(times.at(-1)! - times[0]).toBeLessThan(1_000);
		expect(driver.allowed).toBe(1);
	});

	it('is as long from the first call on, also where those before the limit took a while', () => {
		driver = new Driver();
		const times = driver.spread(60, 500);
		driver.accept(times);
		driver.reject(driver.send(1), 30_000);
		const again = driver.send(60);
		expect(again[59] - again[0]).toBeLessThan(1_000);
		driver.accept(again.slice(1, 10), 0);
		expect(driver.allowed).toBe(1);
	});

	it('is found a round time after the first call, where no wait is named', () => {
		driver = new Driver();
		const times = driver.spread(40, 500);
		driver.accept(times);
		driver.reject(driver.send(1), undefined, 0);
		const probes: number[] = [];
		while (driver.now < times[0] + 62_000) {
			const probe = driver.send(1);
			probes.push(probe[0] - times[0]);
			driver.reject(probe, undefined, 0);
		}
		expect(probes).toContainEqual(expect.closeTo(61_200, 0));
	});

	it('holds no more than what left within a minute, where calls left for longer before the limit', () => {
		driver = new Driver();
		driver.accept(driver.spread(88, 2_000));
		driver.reject(driver.send(1), 30_000);
		expect(driver.allowed).toBeLessThan(45);
	});

	describe('that may be none any more', () => {
		/** Has calls accepted and then one rejected; gives how long until a single one probes. */
		const pause = (accepted = 30): number => {
			driver.accept(driver.send(accepted), 0);
			driver.reject(driver.send(1), undefined, 0);
			return driver.wait;
		};
		beforeEach(() => {
			driver = new Driver();
			driver.hit(30, 45_000);
		});

		it('is probed after a second in the first pause, and again after 2, 4, 8, 8 … more', () => {
			const early: number[] = [];
			for (let n = 1; n <= 24; n++) {
				const wait = pause();
				if (wait < 2 * SECOND_MS) early.push(n);
				const from = driver.now;
				while (driver.now + driver.wait < from + 45_500)
					driver.reject(driver.send(1), undefined, 0);
				driver.accept(driver.send(1), 0);
			}
			expect(early).toEqual([1, 3, 7, 15, 23]);
		});

		it('sends nothing before it is known what came of the early one, and denies nothing for it', () => {
			pause();
			const probe = driver.send(1);
			expect(driver.pace.earliest(driver.now)).toBe(Infinity);
			driver.reject(probe, undefined, 300);
			expect(driver.wait).toBeLessThan(31_000);
		});

		it('is probed early in every pause once that was accepted', () => {
			for (const accepted of [30, 1, 1, 1]) {
				expect(pause(accepted)).toBeLessThan(2 * SECOND_MS);
				driver.accept(driver.send(1), 0);
			}
		});

		it('is given up when it passes after that without a longer pause', () => {
			pause();
			driver.accept(driver.send(1), 0);
			driver.now += 60_000;
			const times = driver.send(80);
			expect(times[79] - times[0]).toBeCloseTo(79 / PACE.first.perMs, 5);
		});

		it('is kept after a wait that was named', () => {
			driver.accept(driver.send(30), 0);
			driver.reject(driver.send(1), 1_000);
			driver.accept(driver.send(1));
			driver.now += 60_000;
			driver.send(32);
			expect(driver.allowed).toBeLessThan(40);
		});

		it('is kept where a later pause lasts until its end', () => {
			pause();
			driver.accept(driver.send(1), 0);
			const from = driver.now;
			pause(1);
			while (driver.now + driver.wait < from + 45_500) driver.reject(driver.send(1), undefined, 0);
			driver.accept(driver.send(1), 0);
			driver.now += 62_000;
			driver.send(2);
			expect(driver.allowed).toBeLessThan(40);
		});
	});

	it('is no pause that began before anything was accepted', () => {
		driver = new Driver();
		driver.reject(driver.send(1), 5_000);
		driver.accept(driver.send(1));
		expect(driver.allowed).toBe(100);
	});

	it.each([
		['before its end', [45_000], 30_600],
		['at its end only, where two were as long', [45_000, 45_000], 45_000],
		['at its end only, where two differed by little', [45_000, 49_000], 49_000],
		['before its end where they differed by more', [45_000, 51_000], 30_600],
	])('is looked for %s', (_when, lengths, expected) => {
		driver = new Driver();
		for (const ms of lengths) driver.hit(30, ms);
		driver.accept(driver.send(30), 0);
		const rejected = driver.send(1);
		driver.reject(rejected, undefined, 0);
		// The early one.
		driver.reject(driver.send(1), undefined, 0);
		const after = driver.pace.earliest(driver.now) - rejected[0];
		expect(Math.abs(after - expected)).toBeLessThan(200);
	});

	it('goes on one by one after a short pause, as in a window that slides', () => {
		const times = driver.send(31);
		driver.accept(times.slice(0, 20));
		driver.reject(times.slice(20), 1_000);
		driver.send(1);
		expect(driver.pace.earliest(driver.now)).toBe(Infinity);
	});
});

describe('without a wait', () => {
	it('finds out with single calls whether the limit is over, at growing intervals', () => {
		const times = driver.send(30);
		driver.accept(times.slice(0, 29), 0);
		driver.reject(times.slice(29), undefined, 0);
		const after: number[] = [];
		for (let n = 0; n < 5; n++) {
			const probe = driver.send(1);
			after.push(probe[0] - times[29]);
			driver.reject(probe, undefined, 0);
		}
		expect(after[0]).toBe(FIRST_WAIT_MS);
		after.slice(1).forEach((ms, n) => expect(ms).toBeGreaterThanOrEqual(1.5 * after[n]));
	});

	it('goes on as slowly as between two 429s where a window turns out to be none, pause included', () => {
		driver.hit(30, undefined, 0);
		const from = driver.now;
		let probe = driver.send(1);
		while (probe[0] < from + 20_000) {
			driver.reject(probe, undefined, 0);
			probe = driver.send(1);
		}
		driver.accept(probe, 0);
		expect(driver.wait).toBeLessThan(10);
		driver.hit(3, undefined, 0);
		for (let n = 0; n < 8; n++) driver.reject(driver.send(1), undefined, 0);
		driver.accept(driver.send(1), 0);
		expect(driver.perSecond).toBeLessThan(1);
	});

	it('finds it out with another one where no response comes', () => {
		driver.hit(30);
		driver.send(1);
		expect(driver.wait).toBeLessThan(1_000);
	});

	it('goes on evenly when one is soon accepted', () => {
		driver.hit(50);
		driver.reject(driver.send(1), undefined, 0);
		driver.accept(driver.send(1), 0);
		expect(driver.perSecond).toBeCloseTo(50 * EVEN.below, 0);
	});

	it('takes a later one for the beginning of a window', () => {
		const [from] = driver.send(1);
		driver.accept([from]);
		driver.hit(29);
		let probe = driver.send(1);
		for (let n = 0; n < 20 && probe[0] < from + 60_000; n++) {
			driver.reject(probe, undefined, 0);
			probe = driver.send(1);
		}
		driver.accept(probe, 0);
		driver.send(30);
		expect(driver.pace.earliest(driver.now)).toBe(Infinity);
		driver.reject([driver.now], undefined, 0);
		// The early one.
		driver.reject(driver.send(1), undefined, 0);
		expect(driver.pace.earliest(driver.now) - probe[0]).toBeCloseTo(probe[0] - from, -1);
	});

	it('gives up no limit, however long it lasts', () => {
		driver.hit(5);
		for (let n = 0; n < 30; n++) driver.reject(driver.send(1), undefined, 0);
		expect(driver.wait).toBeLessThan(4_000_000);
		expect(driver.wait).toBeGreaterThan(0);
	});
});

describe('where no wait is named and calls take a second', () => {
	/** The last of 40 calls is rejected `callMs` after it left; the others are accepted by then. */
	const reject = (callMs: number) => {
		const times = driver.send(40);
		driver.now += callMs;
		driver.accept(times.slice(0, 39));
		driver.reject(times.slice(39), undefined, callMs);
	};

	it('calls find out one after the other whether the limit is over, for a short time', () => {
		reject(SECOND_MS);
		const { now } = driver;
		const count = Math.floor(MANY_PROBES.forMs / (MANY_PROBES.everyMs + 1));
		const times = driver.send(count);
		expect(times[0] - now).toBe(MANY_PROBES.everyMs);
		expect(times.at(-1)! - now).toBe(count * MANY_PROBES.everyMs + count - 1);
		driver.send(1);
		expect(driver.wait).toBeGreaterThan(200);
	});

	it('single ones do once one of these is rejected', () => {
		reject(SECOND_MS);
		const times = driver.send(2);
		driver.reject(times.slice(0, 1), undefined, 300);
		expect(driver.wait).toBeGreaterThan(200);
		const left = driver.send(1);
		driver.reject(times.slice(1), undefined, 0);
		driver.accept(left, 0);
		expect(driver.wait).toBeLessThanOrEqual(0);
	});

	it('single ones do where calls are quicker', () => {
		reject(SECOND_MS - 1);
		expect(driver.wait).toBe(FIRST_WAIT_MS);
	});

	it('single ones do where a limit is known', () => {
		driver.hit(30, 60_000);
		driver.accept(driver.send(30));
		driver.reject(driver.send(1), undefined, 1.2 * SECOND_MS);
		expect(driver.wait).toBeGreaterThan(200);
	});

	it('a faster pace is tried soon, as it costs no such pause again', () => {
		reject(SECOND_MS);
		driver.now += 700;
		driver.accept(driver.send(1));
		const { perSecond } = driver;
		const trialMs = Math.max(SECOND_MS, (1_000 * FEW.calls) / perSecond);
		const { now } = driver;
		while (driver.now < now + 1.3 * trialMs) driver.accept(driver.send(1), 0);
		expect(driver.perSecond).toBeGreaterThan(perSecond);
	});
});

describe('a call that gets no response', () => {
	it('is followed by another one at once where it was to find out whether a limit is over', () => {
		driver.hit(30);
		driver.reject(driver.send(1), undefined, 0);
		driver.reject(driver.send(1), undefined, 0);
		const probe = driver.send(1);
		expect(driver.wait).toBeGreaterThan(2 * FIRST_WAIT_MS);
		driver.pace.failed(probe[0], driver.now);
		expect(driver.wait).toBe(FIRST_WAIT_MS);
	});

	it('is followed by none where it was not to find that out, as it left before the limit', () => {
		const [first, second] = driver.send(2);
		driver.reject([first]);
		driver.reject(driver.send(1), undefined, 0);
		driver.reject(driver.send(1), undefined, 0);
		driver.send(1);
		const { wait } = driver;
		expect(wait).toBeGreaterThan(2 * FIRST_WAIT_MS);
		driver.pace.failed(second, driver.now);
		expect(driver.wait).toBe(wait);
	});

	it('is followed by one that keeps no other waiting, where it was the early one of a window', () => {
		driver.hit(30, 45_000);
		driver.accept(driver.send(30), 0);
		driver.reject(driver.send(1), undefined, 0);
		const probe = driver.send(1);
		expect(driver.wait).toBe(Infinity);
		driver.pace.failed(probe[0], driver.now);
		driver.send(1);
		expect(driver.wait).toBeLessThan(Infinity);
	});

	it('keeps no other waiting at a limit per window', () => {
		driver.hit(30, 60_000);
		const times = driver.send(31);
		expect(driver.pace.earliest(driver.now)).toBe(Infinity);
		driver.pace.failed(times[0], driver.now);
		expect(driver.allowed).toBe(1);
		driver.pace.failed(times[0] - 1_000_000, driver.now);
		expect(driver.allowed).toBe(0);
	});
});
