import { CONCURRENCY, Concurrency } from '../../../../nodes/shared/transport/limits/concurrency';

const { start, max, growth, carefulGrowth } = CONCURRENCY;

describe('Concurrency', () => {
	let concurrency: Concurrency;
	let now: number;
	let busyMs: number;
	let known: Set<string>;

	beforeEach(() => {
		now = 0;
		busyMs = 0;
		known = new Set();
		const sleep = async () => await Promise.resolve();
		concurrency = new Concurrency({ now: () => now, busyMs: () => busyMs, sleep });
	});

	/** As many calls as are allowed at once leave now, and are accepted after `ms` each; the first ones of a group don't count. */
	function round(ms: number, { group = 'POST', wasFull = true, busy = 0 } = {}): void {
		if (!known.has(group)) {
			known.add(group);
			for (let left = concurrency.limit; left > 0; left--) concurrency.accepted(group, now, false);
		}
		const sentAt = now;
		now += ms;
		busyMs += busy * ms;
		for (let left = concurrency.limit; left > 0; left--) {
			concurrency.accepted(group, sentAt, wasFull);
		}
	}

	/** Rounds of a service that works on `capacity` calls at once, each for `ms`. */
	function rounds(count: number, capacity: number, ms: number, options = {}): void {
		for (let n = 0; n < count; n++) {
			round(ms * Math.max(1, concurrency.limit / capacity), options);
		}
	}

	function overloaded(sentAt: number, at: number): void {
		now = at;
		concurrency.overloaded(sentAt);
	}

	it('grows with every accepted call while all are in use', () => {
		round(100);
		expect(concurrency.limit).toBeGreaterThan(start + growth * start - 2);
		expect(concurrency.limit).toBeLessThanOrEqual(start + growth * start);
	});

	it('stays where fewer are in use', () => {
		round(100, { wasFull: false });
		expect(concurrency.limit).toBe(start);
	});

	it('never passes the most', () => {
		rounds(20, 1_000, 100);
		expect(concurrency.limit).toBe(max);
	});

	it('halves once for all 503s to what was in flight, and is careful from then on', () => {
		overloaded(0, 100);
		overloaded(50, 110);
		expect(concurrency.limit).toBe(start / 2);
		overloaded(100, 200);
		expect(concurrency.limit).toBe(start / 4);
		round(100);
		expect(concurrency.limit).toBeGreaterThanOrEqual(start / 4 + carefulGrowth - 2);
		expect(concurrency.limit).toBeLessThanOrEqual(start / 4 + carefulGrowth);
	});

	describe('calls that break off', () => {
		const { calls, ms } = CONCURRENCY.broken;

		function broken(count: number, sentAt = now): void {
			for (let n = 0; n < count; n++) concurrency.broken(sentAt);
		}

		it('halve it when enough do in a row', () => {
			broken(calls - 1);
			expect(concurrency.limit).toBe(start);
			broken(1);
			expect(concurrency.limit).toBe(start / 2);
		});

		it('count from the last cut on', () => {
			now = 100;
			broken(calls);
			broken(2 * calls, now - 1);
			broken(calls - 1);
			expect(concurrency.limit).toBe(start / 2);
			broken(1);
			expect(concurrency.limit).toBe(start / 4);
		});

		it('count from any other cut on, too', () => {
			broken(calls - 1);
			overloaded(100, 100);
			broken(1);
			expect(concurrency.limit).toBe(start / 2);
		});

		it('tell nothing while others are answered', () => {
			for (let n = 0; n < 9; n++) {
				broken(calls - 1);
				if (n % 2 === 0) concurrency.accepted('POST', now, false);
				else concurrency.answered();
			}
			expect(concurrency.limit).toBe(start);
		});

		it('tell nothing if they took long', () => {
			now = ms + 1;
			broken(2 * calls, 0);
			expect(concurrency.limit).toBe(start);
			broken(calls, 1);
			expect(concurrency.limit).toBe(start / 2);
		});
	});

	it('always lets one through', () => {
		for (let n = 0; n < 20; n++) overloaded(n, n);
		expect(concurrency.limit).toBe(1);
	});

	it('shrinks when calls take longer the more of them are in flight', () => {
		rounds(30, start, 500);
		expect(concurrency.limit).toBeLessThan(1.5 * start);
		expect(concurrency.limit).toBeGreaterThan(0.5 * start);
	});

	it('shrinks by no more than half at once', () => {
		rounds(10, 1_000, 100);
		round(100_000);
		expect(concurrency.limit).toBe(max);
		round(100_000);
		expect(concurrency.limit).toBe(max / 2);
	});

	it('stays where calls were slower for a single round', () => {
		rounds(10, 1_000, 100);
		for (let n = 0; n < 5; n++) {
			round(1_000);
			round(100);
		}
		expect(concurrency.limit).toBe(max);
	});

	it.each([
		['at first', 0],
		['after a rest', 60_000],
	])(
		'takes those that end first of calls that left together for no measure, %s',
		(_when, restMs) => {
			const together = () => {
				const sentAt = now;
				now += 100;
				for (let left = start; left > 0; left--) concurrency.accepted('POST', sentAt, false);
			};
			together();
			now += restMs + 1;
			together();
			// From here on those of each kind that leave are as many as end.
			for (let n = 0; n < 20 * start; n++) {
				now += 40;
				concurrency.accepted('POST', now - (n % 2 === 0 ? 100 : 5_000), true);
			}
			expect(concurrency.limit).toBe(max);
		},
	);

	it('is not disturbed by single slow calls', () => {
		now = 3_000;
		for (let n = 0; n < 2_000; n++) concurrency.accepted('POST', n % 20 === 0 ? 0 : 2_500, true);
		expect(concurrency.limit).toBe(max);
	});

	it('compares calls of one group only with each other', () => {
		for (let n = 0; n < 10; n++) {
			round(20, { group: 'GET' });
			round(5_000);
		}
		expect(concurrency.limit).toBe(max);
	});

	it('takes a cut back that made calls no quicker, as where the next site is a slower one', () => {
		rounds(10, 1_000, 100);
		rounds(4, 1_000, 4_000);
		expect(concurrency.limit).toBe(max);
	});

	it('takes no cut back that made calls quicker', () => {
		rounds(1, start, 500);
		rounds(6, 30, 500);
		expect(concurrency.limit).toBeLessThan(0.5 * start);
	});

	it('does not judge a cut by calls that left before it', () => {
		rounds(10, 1_000, 100);
		round(400);
		round(400);
		const cut = concurrency.limit;
		expect(cut).toBeLessThan(max);
		for (let n = 0; n < 2 * cut; n++) concurrency.accepted('POST', now - 1, false);
		expect(concurrency.limit).toBe(cut);
	});

	it('grows again after a cut where calls leave in batches, as those of a loop', () => {
		rounds(10, 1_000, 100);
		round(1_000);
		round(1_000);
		const cut = concurrency.limit;
		expect(cut).toBe(max / 2);
		for (let n = 0; n < 20; n++) {
			now += 1_000;
			const sentAt = now;
			now += 100;
			for (let left = 1.3 * cut; left > 0; left--) concurrency.accepted('POST', sentAt, true);
		}
		expect(concurrency.limit).toBeGreaterThan(1.2 * cut);
	});

	it('stays where single rounds were slow, with a rest between them', () => {
		rounds(10, 1_000, 100);
		for (let n = 0; n < 3; n++) {
			round(1_000);
			now += 60_000;
			// The first after the rest don't count.
			round(1_000);
		}
		expect(concurrency.limit).toBe(max);
	});

	it('takes no cut by a 503 back', () => {
		rounds(10, 1_000, 100);
		round(4_000);
		round(4_000);
		expect(concurrency.limit).toBe(max / 2);
		overloaded(now, now);
		const { limit } = concurrency;
		round(4_000, { wasFull: false });
		expect(concurrency.limit).toBe(limit);
	});

	it('blames the service for nothing while n8n itself is busy', () => {
		rounds(10, 1_000, 100);
		rounds(10, 20, 100, { busy: 0.9 });
		expect(concurrency.limit).toBe(max);
	});

	describe('at the most, for a group of calls that took 100 ms each', () => {
		const group = 'GET';

		beforeEach(() => {
			rounds(20, 1_000, 100, { busy: 0.9 });
			round(100, { group, wasFull: false });
			expect(concurrency.limit).toBe(max);
		});

		it('judges by as many calls as may be in flight', () => {
			round(1_000, { group });
			for (let left = max - 1; left > 0; left--) concurrency.accepted(group, now - 1_000, true);
			expect(concurrency.limit).toBe(max);
			concurrency.accepted(group, now - 1_000, true);
			expect(concurrency.limit).toBeLessThan(max);
		});

		it.each([
			['stays', 129, max],
			['shrinks', 131, 0.8 * max],
		])('%s where calls take %i ms', (_what, ms, limit) => {
			round(ms, { group });
			round(ms, { group });
			expect(concurrency.limit).toBe(limit);
		});

		it.each([
			['shrinks', 'half', 0.5, 0.5 * max],
			['stays', 'more than half', 0.51, max],
		])('%s where n8n is busy for %s of the time', (_what, _share, busy, limit) => {
			round(1_000, { group, busy });
			round(1_000, { group, busy });
			expect(concurrency.limit).toBe(limit);
		});

		it.each([
			['keeps a cut that made calls quicker by half as much', 749, 0.5 * max],
			['takes a cut back that made them quicker by less', 751, max],
		])('%s', (_what, ms, limit) => {
			round(1_000, { group });
			round(1_000, { group });
			expect(concurrency.limit).toBe(0.5 * max);
			round(ms, { group, wasFull: false });
			expect(concurrency.limit).toBe(limit);
		});
	});
});
