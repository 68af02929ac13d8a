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
	['when the window ends', 2_000, 2_500, 2_500],
	['soon after the first 429', 1_000, 0, 1_000 + FIRST_WAIT_MS],
	['soon after it also where the window ends just then', 1_000, 1_000, 1_000 + FIRST_WAIT_MS],
	['some time after the rejected call left', 1_001, 0, 900 + 255],
	['just then', 900 + 255, 0, 900 + 255],
	['later and later', 900 + 256, 0, 900 + 510],
	['every hour in the end', 900 + 3_672_001, 0, 900 + 3_672_001 + 3_672_000],
])('a single call leaves %s', (_name, now, windowEnd, at) => {
	expect(nextProbe(pause, now, windowEnd)).toBe(at);
});
