import type { Pacing } from './types';

// Without a wait from the service: the first, which doubles up to the longest.
const SHORTEST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 60_000;

/** Sends freely until a 429 and then waits as it asks, else for twice as long each time. */
export class Pace implements Pacing {
	private pausedUntil = -Infinity;

	private waitMs = SHORTEST_WAIT_MS;

	earliest(): number {
		return this.pausedUntil;
	}

	sent(): void {}

	accepted(): void {
		this.waitMs = SHORTEST_WAIT_MS;
	}

	limited(sentAt: number, now: number, waitMs?: number): void {
		if (sentAt < this.pausedUntil) return;
		this.pausedUntil = now + Math.max(waitMs ?? this.waitMs, SHORTEST_WAIT_MS);
		this.waitMs = Math.min(2 * this.waitMs, LONGEST_WAIT_MS);
	}
}
