import { sleep } from 'n8n-workflow';

import { monotonicMs } from '../clock';

// n8n's timers can't be stopped: none outlives a cancelled execution by more.
const SLICE_MS = 250;

/** Waits; ends early when the signal is aborted. */
export async function wait(ms: number, signal?: AbortSignal): Promise<void> {
	const until = monotonicMs() + ms;
	for (let left = ms; left > 0 && !signal?.aborted; left = until - monotonicMs()) {
		await sleep(Math.min(left, SLICE_MS));
	}
}
