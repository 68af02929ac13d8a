import { sleep } from 'n8n-workflow';

/** Gives the whole ms since n8n started, which don't jump when the system's clock is set. */
export const monotonicMs = (): number => Math.floor(performance.now());

/** Limits a single sleep (ms): n8n's timers can't be stopped, so each may outlive its purpose by this long. */
export const SLICE_MS = 250;

/** Waits, but ends early if the signal is aborted. */
export async function wait(ms: number, signal?: AbortSignal): Promise<void> {
	const until = monotonicMs() + ms;
	for (let left = ms; left > 0 && !signal?.aborted; left = until - monotonicMs()) {
		await sleep(Math.min(left, SLICE_MS));
	}
}

/** Gives a failure the time to stop its run, if that stops on errors: promises get there before any timer. */
export const afterFailure = async (): Promise<void> => await sleep(0);

/** Limits uninterrupted work (ms): n8n can serve nobody meanwhile. */
const LONGEST_STRETCH_MS = 15;

let lastBreath: Promise<void> = Promise.resolve();
let breathedAt = 0;

/**
 * Lets n8n serve others after every 15 ms of work. Await it before each of many pieces of work; callers that come
 * together go on one after the other.
 */
export async function breathe(): Promise<void> {
	lastBreath = lastBreath.then(async () => {
		if (monotonicMs() - breathedAt < LONGEST_STRETCH_MS) return;
		await sleep(0);
		breathedAt = monotonicMs();
	});
	await lastBreath;
}
