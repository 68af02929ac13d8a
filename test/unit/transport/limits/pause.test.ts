import {
	FIRST_WAIT_MS,
	MANY_PROBES,
	nextProbe,
} from '../../../../nodes/shared/transport/limits/pause';

const pause = {
	since: 1_000,
	sentAt: 900,
	from: 0,
	waitMs: 0,
	passed: 0,
	until: 0,
	isProbing: true,
	isEarly: false,
	manyUntil: -Infinity,
	probedAt: 0,
};

it.each([
	['soon after the first 429', 1_000, 0, 1_000 + FIRST_WAIT_MS],
	['soon after it also where the window ends just then', 1_000, 1_000, 1_000 + FIRST_WAIT_MS],
	['some time after the rejected call left', 1_001, 0, 900 + 255],
	['just then', 900 + 255, 0, 900 + 255],
	['later and later', 900 + 256, 0, 900 + 510],
	['at a round time after the first call, too', 900 + 3_061, 0, 5_100],
	['at one after the rejected call before the next of those', 5_101, 0, 900 + 5_100],
	['every minute in the end', 900 + 61_201, 0, 900 + 2 * 61_200 + 1],
])('a single call leaves %s', (_name, now, windowEnd, at) => {
	expect(nextProbe(pause, now, windowEnd, 0)).toBe(at);
});

describe('while a window goes on, a single call leaves', () => {
	it.each([
		['when it ends', 2_000, 2_500, 2_000],
		['before, at the first round time that is late enough', 9_000, 1_019, 900 + 1_020],
		['not sooner', 9_000, 1_020, 900 + 2_040],
		['not sooner than that in the end, either', 999_000, 180_000, 900 + 180_000],
	])('%s', (_name, windowEnd, leastWaitMs, at) => {
		expect(nextProbe(pause, 1_000, windowEnd, leastWaitMs)).toBe(at);
	});
});

it.each([
	['the first of many leaves at once', 1_000, 1_000 + MANY_PROBES.everyMs],
	['one after the other leaves', 1_749, 1_749 + MANY_PROBES.everyMs],
	['then single ones do', 1_750, 900 + 1_020],
])('where calls take long, %s', (_name, now, at) => {
	expect(nextProbe({ ...pause, manyUntil: 1_750 }, now, 0, 0)).toBe(at);
});
