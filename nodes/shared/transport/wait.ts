import { sleep } from 'n8n-workflow';

import { monotonicMs } from '../clock';

/** No single sleep is longer (ms): n8n's timers can't be stopped, so each may outlive its purpose by up to this time. */
export const SLICE_MS = 250;

/** Waits; ends early when the signal is aborted. */
export async function wait(ms: number, signal?: AbortSignal): Promise<void> {
	const until = monotonicMs() + ms;
	for (let left = ms; left > 0 && !signal?.aborted; left = until - monotonicMs()) {
		await sleep(Math.min(left, SLICE_MS));
	}
}
