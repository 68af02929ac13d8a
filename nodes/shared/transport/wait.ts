import { sleep } from 'n8n-workflow';

// n8n's timers can't be stopped: none outlives a cancelled execution by more.
const SLICE_MS = 250;

/** Waits; ends early when the signal is aborted. */
export async function wait(ms: number, signal?: AbortSignal): Promise<void> {
	// Counted down, since a clock that is set back would make it longer.
	for (let left = ms; left > 0 && !signal?.aborted; left -= SLICE_MS) {
		await sleep(Math.min(left, SLICE_MS));
	}
}
