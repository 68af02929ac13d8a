import type { Pacing } from '../../../nodes/shared/transport/limits/types';

const SHORTEST_MS = 100;
const LONGEST_MS = 60_000;

/** No pace at all: a pause as long as a 429 asks, otherwise twice as long each time (exponential backoff). */
export class Waiting implements Pacing {
	protected pausedUntil = -Infinity;

	private waitMs = SHORTEST_MS;

	earliest(_now: number): number {
		return this.pausedUntil;
	}

	sent(_now: number): void {}

	accepted(_sentAt: number, _now: number): void {
		this.waitMs = SHORTEST_MS;
	}

	failed(): void {}

	limited(sentAt: number, now: number, waitMs?: number): void {
		if (sentAt < this.pausedUntil) return;
		this.pausedUntil = now + Math.max(waitMs ?? this.waitMs, SHORTEST_MS);
		this.waitMs = Math.min(2 * this.waitMs, LONGEST_MS);
	}
}
