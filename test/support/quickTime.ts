import type * as Time from '../../nodes/shared/base/time';

/** How many times as fast the nodes' own pauses pass unless a test says otherwise. */
export const QUICK = 50;

/** How many times as fast the nodes' own pauses go by; 1 for what depends on the time of others. */
export const pace = { factor: QUICK };

/**
 * Returns the nodes' clock with short pauses, for tests of what happens around them; timeouts keep their length.
 * @public a factory for jest.mock
 */
export function quickTime(): typeof Time {
	const actual = jest.requireActual<typeof Time>('../../nodes/shared/base/time');
	return { ...actual, wait: async (ms, signal) => await actual.wait(ms / pace.factor, signal) };
}
