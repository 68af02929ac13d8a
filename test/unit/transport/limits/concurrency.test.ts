import { Concurrency, CONCURRENCY } from '../../../../nodes/shared/transport/limits/concurrency';

const { start, max, growth, carefulGrowth } = CONCURRENCY;

describe('Concurrency', () => {
	let concurrency: Concurrency;

	beforeEach(() => {
		concurrency = new Concurrency();
	});

	/** As many calls as are allowed at once are accepted, after `ms` each. */
	function round(ms: number, { group = 'POST', wasFull = true } = {}): void {
		for (let left = concurrency.limit; left > 0; left--) concurrency.accepted(group, ms, wasFull);
	}

	/** Rounds of a service that works on `capacity` calls at once, each for `ms`. */
	function rounds(count: number, capacity: number, ms: number): void {
		for (let n = 0; n < count; n++) round(ms * Math.max(1, concurrency.limit / capacity));
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
		concurrency.overloaded(0, 100);
		concurrency.overloaded(50, 110);
		expect(concurrency.limit).toBe(start / 2);
		concurrency.overloaded(100, 200);
		expect(concurrency.limit).toBe(start / 4);
		round(100);
		expect(concurrency.limit).toBeGreaterThanOrEqual(start / 4 + carefulGrowth - 2);
		expect(concurrency.limit).toBeLessThanOrEqual(start / 4 + carefulGrowth);
	});

	it('always lets one through', () => {
		for (let n = 0; n < 20; n++) concurrency.overloaded(n, n);
		expect(concurrency.limit).toBe(1);
	});

	it('shrinks when calls take longer the more of them are in flight', () => {
		rounds(30, start, 500);
		expect(concurrency.limit).toBeLessThan(1.5 * start);
		expect(concurrency.limit).toBeGreaterThan(0.5 * start);
	});

	it('shrinks by no more than half at once', () => {
		round(100);
		const before = concurrency.limit;
		round(100_000);
		expect(concurrency.limit).toBeGreaterThanOrEqual(before / 2);
	});

	it('is not disturbed by single slow calls', () => {
		for (let n = 0; n < 2_000; n++) concurrency.accepted('POST', n % 20 === 0 ? 3_000 : 500, true);
		expect(concurrency.limit).toBe(max);
	});

	it('compares calls of one group only with each other', () => {
		for (let n = 0; n < 10; n++) {
			round(20, { group: 'GET' });
			round(5_000);
		}
		expect(concurrency.limit).toBe(max);
	});

	it('takes a service that has become slower for good as usual in time', () => {
		rounds(10, 1_000, 100);
		rounds(60, 1_000, 400);
		expect(concurrency.limit).toBe(max);
	});
});
