import { FIRST_WAIT_MS, nextProbe } from '../../../../nodes/shared/transport/limits/pause';

const pause = {
	since: 1_000,
	sentAt: 900,
	waitMs: 0,
	isAccident: false,
	passed: 0,
	until: 0,
	isProbing: true,
};

it.each([
	['soon after the first 429', 1_000, 0, 1_000 + FIRST_WAIT_MS],
	['soon after it also where the window ends just then', 1_000, 1_000, 1_000 + FIRST_WAIT_MS],
	['some time after the rejected call left', 1_001, 0, 900 + 255],
	['just then', 900 + 255, 0, 900 + 255],
	['later and later', 900 + 256, 0, 900 + 510],
	['every hour in the end', 900 + 3_672_001, 0, 900 + 3_672_001 + 3_672_000],
])('a single call leaves %s', (_name, now, windowEnd, at) => {
	expect(nextProbe(pause, now, windowEnd, 0)).toBe(at);
});

describe('while a window goes on, a single call leaves', () => {
	it.each([
		['when it ends', 2_000, 2_500, 2_000],
		['before, at a round time after half of it: it may be shorter', 9_000, 2_040, 900 + 1_020],
		['not before half of it', 9_000, 2_041, 900 + 2_040],
	])('%s', (_name, windowEnd, windowMs, at) => {
		expect(nextProbe(pause, 1_000, windowEnd, windowMs)).toBe(at);
	});
});
