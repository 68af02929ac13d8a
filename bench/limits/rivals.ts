/* eslint-disable @typescript-eslint/no-unused-vars */
/** Other simple pacing designs, to compare with the package's own. Each obeys the waits that 429s name. */
import { AccountLimiter } from '../../nodes/shared/limiter/accountLimiter';
import type { Pacing } from '../../nodes/shared/limiter/types';
import type { CreateLimiter } from './simulate';

const SHORTEST_MS = 100;
const LONGEST_MS = 60_000;

/** Pauses as long as a 429 asks, or twice as long each time if it names no wait (exponential backoff). */
class Backoff implements Pacing {
	protected pausedUntil = -Infinity;

	private waitMs = SHORTEST_MS;

	earliest(_now: number): number {
		return this.pausedUntil;
	}

	sent(_now: number): void {}

	accepted(_sentAt: number, _now: number): void {
		this.waitMs = SHORTEST_MS;
	}

	limited(sentAt: number, now: number, waitMs?: number): void {
		if (sentAt < this.pausedUntil) return;
		this.pausedUntil = now + Math.max(waitMs ?? this.waitMs, SHORTEST_MS);
		this.waitMs = Math.min(2 * this.waitMs, LONGEST_MS);
	}
}

/**
 * Learns how many calls were accepted before the first 429, and in what time; then sends evenly, 5 % slower after each
 * 429.
 */
class Quota extends Backoff {
	private from?: number;

	private calls = 0;

	private isLimited = false;

	private gapMs?: number;

	private nextAt = -Infinity;

	override earliest(): number {
		return Math.max(this.pausedUntil, this.nextAt);
	}

	override sent(now: number): void {
		this.from ??= now;
		if (this.isLimited) this.gapMs ??= (1.02 * (now - this.from)) / Math.max(1, this.calls);
		const gapMs = this.gapMs ?? 0;
		this.nextAt = Math.max(this.nextAt, now - gapMs) + gapMs;
	}

	override accepted(sentAt: number, now: number): void {
		super.accepted(sentAt, now);
		if (this.gapMs === undefined) this.calls++;
	}

	override limited(sentAt: number, now: number, waitMs?: number): void {
		if (sentAt >= this.pausedUntil && this.gapMs !== undefined) this.gapMs *= 1.05;
		super.limited(sentAt, now, waitMs);
		this.isLimited = true;
	}
}

/**
 * Adaptive mode of the AWS SDKs: 70 % of the rate after a 429, then back along a cubic curve, at most twice the
 * measured rate.
 */
class Cubic extends Backoff {
	private perSecond?: number;

	private mostPerSecond = 0;

	private limitedAt = 0;

	private nextAt = -Infinity;

	private answered = 0;

	private countedFrom = 0;

	private measured = 0;

	override earliest(): number {
		return Math.max(this.pausedUntil, this.nextAt);
	}

	override sent(now: number): void {
		const gapMs = 1_000 / (this.perSecond ?? Infinity);
		this.nextAt = Math.max(this.nextAt, now - gapMs) + gapMs;
	}

	override accepted(sentAt: number, now: number): void {
		super.accepted(sentAt, now);
		this.measure(now);
		if (this.perSecond === undefined) return;
		const flatAfter = Math.cbrt((this.mostPerSecond * 0.3) / 0.4);
		const seconds = (now - this.limitedAt) / 1_000;
		this.set(0.4 * (seconds - flatAfter) ** 3 + this.mostPerSecond);
	}

	override limited(sentAt: number, now: number, waitMs?: number): void {
		this.measure(now);
		if (sentAt >= this.pausedUntil) {
			this.mostPerSecond = Math.min(this.measured, this.perSecond ?? Infinity);
			this.limitedAt = now;
			this.set(0.7 * this.mostPerSecond);
		}
		super.limited(sentAt, now, waitMs);
	}

	private set(perSecond: number): void {
		this.perSecond = Math.max(0.5, Math.min(perSecond, 2 * this.measured));
	}

	/** Per half second, the latest with a weight of 0.8. */
	private measure(now: number): void {
		this.answered++;
		const seconds = (now - this.countedFrom) / 1_000;
		if (seconds < 0.5) return;
		this.measured = 0.8 * (this.answered / seconds) + 0.2 * this.measured;
		this.answered = 0;
		this.countedFrom = now;
	}
}

const withPace =
	(create: () => Pacing): CreateLimiter =>
	(clock) =>
		new AccountLimiter(clock, create);

/** The designs by name; undefined is this package's own. */
export const DESIGNS: Record<string, CreateLimiter | undefined> = {
	'This package': undefined,
	'Backoff only': withPace(() => new Backoff()),
	'Learned quota': withPace(() => new Quota()),
	'CUBIC (AWS)': withPace(() => new Cubic()),
};
