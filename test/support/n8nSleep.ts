/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import { dirname, join } from 'node:path';

type Sleep = (ms: number) => Promise<void>;

/**
 * Puts another pause in place of `sleep` of n8n-workflow, for n8n's engine, too, until jest restores all mocks.
 * @param pauseFor gets the ms asked for and the real `sleep`
 */
export function replaceSleep(pauseFor: (ms: number, sleep: Sleep) => Promise<void>): void {
	const path = join(dirname(require.resolve('n8n-workflow')), 'utils.js');
	const utils = globalThis.sharedRequire(path) as { sleep: Sleep };
	const { sleep } = utils;
	jest.spyOn(utils, 'sleep').mockImplementation(async (ms) => await pauseFor(ms, sleep));
}
