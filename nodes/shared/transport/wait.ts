import { sleep } from 'n8n-workflow';

// n8n's timers can't be stopped: none outlives a cancelled execution by more.
const SLICE_MS = 250;

/** Waits; ends early when the signal is aborted. */
export async function wait(ms: number, signal?: AbortSignal): Promise<void> {
	let left = ms;
	for (let last = Date.now(); left > 0 && !signal?.aborted;) {
		await sleep(Math.min(left, SLICE_MS));
		const now = Date.now();
		// More where n8n was busy; but a clock that is set back doesn't make it longer.
		left -= Math.max(SLICE_MS, now - last);
		last = now;
	}
}
