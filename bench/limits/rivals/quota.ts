import { Waiting } from './waiting';

/**
 * Learns a quota: what was accepted until the first 429, per the time until calls are accepted again. Calls then leave
 * evenly; each further 429 makes it 5 % slower.
 */
export class Quota extends Waiting {
	private from?: number;

	private count = 0;

	private gapMs?: number;

	private nextAt = -Infinity;

	private isLimited = false;

	override earliest(): number {
		return Math.max(this.pausedUntil, this.nextAt);
	}

	override sent(now: number): void {
		this.from ??= now;
		if (this.isLimited && this.gapMs === undefined) {
			this.gapMs = (1.02 * (now - this.from)) / Math.max(1, this.count);
		}
		if (this.gapMs !== undefined)
			this.nextAt = Math.max(this.nextAt, now - this.gapMs) + this.gapMs;
	}

	override accepted(sentAt: number, now: number): void {
		super.accepted(sentAt, now);
		if (this.gapMs === undefined) this.count++;
	}

	override limited(sentAt: number, now: number, waitMs?: number): void {
		const isNew = sentAt >= this.pausedUntil;
		super.limited(sentAt, now, waitMs);
		this.isLimited = true;
		if (isNew && this.gapMs !== undefined) this.gapMs *= 1.05;
	}
}
