import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until something is so; where it never is, the test runs out of time. */
export async function until(isSo: () => boolean): Promise<void> {
	while (!isSo()) await sleep(5);
}
