import { PACE, Pace } from '../../../nodes/shared/transport/pace';

/** A service that allows so much, as seen by one request at a time: ms to wait when refused. */
type Limit = (now: number) => number | undefined;

function fixedWindow(requests: number, perMs: number): Limit {
	let [from, used] = [-Infinity, 0];
	return (now) => {
		if (now - from >= perMs) [from, used] = [now, 0];
		used++;
		return used > requests ? from + perMs - now : undefined;
	};
}

function alignedWindow(requests: number, perMs: number, offset: number): Limit {
	let [index, used] = [-1, 0];
	return (now) => {
		const current = Math.floor((now + offset) / perMs);
		if (current !== index) [index, used] = [current, 0];
		used++;
		return used > requests ? (current + 1) * perMs - offset - now : undefined;
	};
}

function tokenBucket(perSecond: number, capacity: number): Limit {
	let [tokens, at] = [capacity, 0];
	return (now) => {
		tokens = Math.min(capacity, tokens + ((now - at) * perSecond) / 1_000);
		at = now;
		if (tokens < 1) return ((1 - tokens) / perSecond) * 1_000;
		tokens--;
		return undefined;
	};
}

function slidingWindow(requests: number, perMs: number): Limit {
	let taken: number[] = [];
	return (now) => {
		taken = taken.filter((at) => now - at < perMs);
		if (taken.length >= requests) return taken[0] + perMs - now;
		taken.push(now);
		return undefined;
	};
}

/** Sends one request after the other, 5 ms each, as long as the pace lets it; ms until all were accepted. */
function send(count: number, limit: Limit): { ms: number; refused: number } {
	const pace = new Pace();
	let [now, done, refused] = [1_000, 0, 0];
	while (done < count) {
		now = Math.max(now + 5, pace.earliest());
		pace.sent(now);
		const waitMs = limit(now);
		if (waitMs === undefined) {
			pace.accepted(now);
			done++;
		} else {
			// Retry-After is in whole seconds, rounded up.
			pace.limited(now, now + 2, Math.max(1, Math.ceil(waitMs / 1_000)) * 1_000, true);
			refused++;
		}
	}
	return { ms: now - 1_000, refused };
}

describe('1,000 requests against 50 per second take at most 15% more than the 20 s it allows', () => {
	it.each<[string, Limit]>([
		['window that starts with a request', fixedWindow(50, 1_000)],
		['window by the clock', alignedWindow(50, 1_000, 0)],
		['window by the clock, begun late', alignedWindow(50, 1_000, 900)],
		['token bucket', tokenBucket(50, 50)],
		['sliding window', slidingWindow(50, 1_000)],
	])('%s', (_name, limit) => {
		const { ms, refused } = send(1_000, limit);
		expect(ms).toBeLessThan(20_000 * 1.15);
		expect(refused).toBeLessThan(10);
	});
});

it('uses a long window at once instead of spreading over it', () => {
	// 150 at 100 per minute: the last 50 may go right after the first minute.
	expect(send(150, fixedWindow(100, 60_000)).ms).toBeLessThan(66_000);
});

it('finds back to a pace that was underestimated', () => {
	// A small bucket refuses early, although it refills fast.
	expect(send(4_000, tokenBucket(50, 5)).ms).toBeLessThan(160_000);
});

it('holds everything until the time the service named', () => {
	const pace = new Pace();
	pace.sent(1_000);
	pace.limited(1_000, 1_010, 3_000, true);
	pace.limited(1_000, 1_020, 1_000, true);
	expect(pace.earliest()).toBe(4_010);
});

it('does not slow anything while nothing was refused', () => {
	const pace = new Pace();
	for (let now = 1_000; now < 2_000; now++) {
		expect(pace.earliest()).toBeLessThanOrEqual(now);
		pace.sent(now);
		pace.accepted(now);
	}
	expect(pace.perSecond).toBeUndefined();
});

describe('what is learned', () => {
	/** A pace after ten requests, all sent and accepted at once, of which the eleventh was refused for 1 s. */
	function learned(): Pace {
		const pace = new Pace();
		acceptedAt(pace, 1_000, 10);
		pace.sent(1_000);
		pace.limited(1_000, 1_010, 1_000, true);
		pace.sent(2_010);
		return pace;
	}

	function acceptedAt(pace: Pace, at: number, count: number): void {
		for (let index = 0; index < count; index++) {
			pace.sent(at);
			pace.accepted(at);
		}
	}

	it('is what was accepted in the time that was waited, and a little slower', () => {
		expect(learned().perSecond).toBeCloseTo(10 / 1.02);
	});

	it('is measured from the first request until requests are accepted again', () => {
		const pace = new Pace();
		acceptedAt(pace, 1_000, 5);
		acceptedAt(pace, 1_500, 5);
		pace.limited(1_500, 3_000, 1_000, true);
		pace.sent(4_000);
		// 3 s, of which one may be Retry-After's rounding.
		expect(pace.perSecond).toBeCloseTo(10 / (2 * 1.02));
	});

	it('is what was accepted lately, where the start was slower', () => {
		const pace = new Pace();
		for (const at of [1_000, 3_000, 5_000, 7_000, 9_000]) acceptedAt(pace, at, 1);
		acceptedAt(pace, 9_500, 100);
		pace.limited(10_000, 10_010, 1_000, true);
		pace.sent(11_010);
		expect(pace.perSecond).toBeCloseTo(100 / 1.02);
	});

	it('is exact in time where the service named none, and starts with the first refusal', () => {
		const pace = new Pace();
		acceptedAt(pace, 1_000, 10);
		pace.limited(2_000, 2_000, 500, false);
		pace.limited(2_000, 2_000, 900, false);
		expect(pace.earliest()).toBe(2_500);
		pace.sent(2_500);
		expect(pace.perSecond).toBeCloseTo(10 / (1.5 * 1.02));
	});

	it('stays when the window only lasts longer', () => {
		const pace = learned();
		pace.limited(2_010, 2_020, 1_000, true);
		pace.sent(3_020);
		expect(pace.perSecond).toBeCloseTo(10 / 1.02);
	});

	it('becomes as slow as what was accepted until the first request of the next refusals', () => {
		const pace = learned();
		for (let index = 0; index < 8; index++) pace.accepted(2_010);
		pace.limited(3_500, 3_890, 1_000, true);
		pace.limited(3_600, 3_900, 1_000, true);
		pace.sent(4_900);
		expect(pace.perSecond).toBeCloseTo(8 / (1.49 * 1.02));
	});

	it('is measured anew when the service asks for a much longer wait', () => {
		const pace = learned();
		for (let index = 0; index < 8; index++) pace.accepted(2_010);
		pace.limited(2_800, 2_810, 60_000, true);
		pace.sent(62_810);
		expect(pace.perSecond).toBeCloseTo(8 / (60 * 1.02));
	});

	it('is sent evenly, and two sends that were late are made up for', () => {
		const pace = learned();
		expect(pace.earliest()).toBe(2_112);
		pace.sent(3_000);
		pace.sent(3_000);
		expect(pace.earliest()).toBe(3_000);
		pace.sent(3_000);
		expect(pace.earliest()).toBe(3_102);
	});

	it('of a long window leaves within seconds, then nothing until the window is over', () => {
		const pace = new Pace();
		acceptedAt(pace, 1_000, 10);
		pace.limited(1_000, 1_010, 60_000, true);
		const sent: number[] = [];
		for (let index = 0; index < 11; index++) {
			sent.push(pace.earliest());
			pace.sent(pace.earliest());
		}
		expect(sent.slice(0, 3)).toEqual([61_010, 61_510, 62_010]);
		expect(sent.slice(9)).toEqual([65_510, 61_010 + 61_200]);
	});

	it('is not what was accepted lately, where that was less', () => {
		const pace = new Pace();
		acceptedAt(pace, 1_000, 10);
		acceptedAt(pace, 9_500, 1);
		pace.limited(10_000, 10_010, 1_000, true);
		pace.sent(11_010);
		expect(pace.perSecond).toBeCloseTo(11 / (9.01 * 1.02));
	});

	it('never becomes much slower than at first', () => {
		const pace = learned();
		pace.accepted(2_010);
		pace.limited(3_500, 3_510, 1_000, true);
		pace.sent(4_510);
		expect(pace.perSecond).toBeCloseTo(10 / (1.02 * PACE.slowest));
	});

	describe('becomes faster', () => {
		function sendPeriods(pace: Pace, count: number): void {
			for (let sends = 0; sends < 10 * count; sends++) {
				const now = pace.earliest();
				pace.sent(now);
				pace.accepted(now);
			}
		}

		it('after enough periods that were used to the full', () => {
			const pace = learned();
			sendPeriods(pace, PACE.patience);
			expect(pace.perSecond).toBeCloseTo(10 / 1.02);
			sendPeriods(pace, 1);
			expect(pace.perSecond).toBeCloseTo((10 / 1.02) * PACE.faster);
		});

		it('not by periods in which little was sent', () => {
			const pace = learned();
			for (let now = 10_000; now < 1_000_000; now += 10_000) pace.sent(now);
			expect(pace.perSecond).toBeCloseTo(10 / 1.02);
		});

		it.each([1, 2])('and back to the last that was accepted, after %i faster ones', (count) => {
			const pace = learned();
			sendPeriods(pace, PACE.patience + count);
			expect(pace.perSecond).toBeCloseTo((10 / 1.02) * PACE.faster ** count);
			const now = pace.earliest();
			pace.limited(now, now, 1_000, true);
			pace.sent(pace.earliest());
			expect(pace.perSecond).toBeCloseTo((10 / 1.02) * PACE.faster ** (count - 1));
		});

		it('and slower than ever where the last period before trying is refused', () => {
			const pace = learned();
			sendPeriods(pace, PACE.patience);
			const now = pace.earliest();
			pace.limited(now, now, 1_000, true);
			pace.sent(pace.earliest());
			expect(pace.perSecond).toBeCloseTo(10 / 1.02 / PACE.slower);
		});

		it('later when that failed once', () => {
			const pace = learned();
			sendPeriods(pace, PACE.patience + 1);
			const now = pace.earliest();
			pace.limited(now, now, 1_000, true);
			pace.sent(pace.earliest());
			const slower = pace.perSecond!;
			sendPeriods(pace, 2 * PACE.patience);
			expect(pace.perSecond).toBeCloseTo(slower);
			sendPeriods(pace, 1);
			expect(pace.perSecond).toBeCloseTo(slower * PACE.faster);
		});

		it('as soon as ever when something else failed', () => {
			const pace = learned();
			sendPeriods(pace, 1);
			const now = pace.earliest();
			pace.limited(now, now, 1_000, true);
			pace.sent(pace.earliest());
			const slower = pace.perSecond!;
			sendPeriods(pace, PACE.patience + 1);
			expect(pace.perSecond).toBeCloseTo(slower * PACE.faster);
		});
	});
});
