/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until a condition is met. Throws if it isn't within the time (ms). */
export async function until(
	what: string,
	isSo: () => boolean | Promise<boolean>,
	timeoutMs = 60_000,
	everyMs = 300,
): Promise<void> {
	const end = Date.now() + timeoutMs;
	while (!(await isSo())) {
		if (Date.now() > end) throw new Error(`Waited in vain for ${what}`);
		await sleep(everyMs);
	}
}
