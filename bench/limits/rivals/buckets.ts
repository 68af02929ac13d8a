import { Waiting } from './waiting';

/**
 * A token bucket whose rate follows what is accepted and rejected; it begins with the first 429. Pauses that the service
 * asks for are obeyed besides.
 */
abstract class Bucket extends Waiting {
	/** Tokens per second, once there was a 429. */
	protected rate?: number;

	private tokens = 0;

	private filledAt = 0;

	private bucket = 0;

	private answered = 0;

	/** Responses per second, smoothed, whatever their status. */
	protected measured = 0;

	override earliest(now: number): number {
		if (this.rate === undefined) return this.pausedUntil;
		this.fill(now);
		const missing = Math.max(0, 1 - this.tokens);
		return Math.max(this.pausedUntil, now + (missing / this.rate) * 1_000);
	}

	override sent(now: number): void {
		if (this.rate === undefined) return;
		this.fill(now);
		this.tokens--;
	}

	override accepted(sentAt: number, now: number): void {
		super.accepted(sentAt, now);
		this.measure(now);
		if (this.rate !== undefined) this.set(this.faster(now, this.rate), now);
	}

	override limited(sentAt: number, now: number, waitMs?: number): void {
		super.limited(sentAt, now, waitMs);
		this.measure(now);
		this.set(this.slower(now, this.rate), now);
	}

	/** The rate after an accepted call. */
	protected abstract faster(now: number, rate: number): number;

	/** The rate after a 429. */
	protected abstract slower(now: number, rate?: number): number;

	private set(rate: number, now: number): void {
		if (this.rate === undefined) this.filledAt = now;
		else this.fill(now);
		this.rate = Math.max(rate, 0.5);
		this.tokens = Math.min(this.tokens, this.rate);
	}

	private fill(now: number): void {
		const capacity = Math.max(1, this.rate!);
		const filled = this.tokens + ((now - this.filledAt) / 1_000) * this.rate!;
		// Rounding must not keep the last token from ever being whole.
		this.tokens = Math.min(capacity, filled + 1e-9);
		this.filledAt = now;
	}

	/** As the AWS SDKs do: per half second, the newest with a weight of 0.8. */
	private measure(now: number): void {
		this.answered++;
		const bucket = Math.floor(now / 500) / 2;
		if (bucket <= this.bucket) return;
		this.measured = 0.8 * (this.answered / (bucket - this.bucket)) + 0.2 * this.measured;
		this.answered = 0;
		this.bucket = bucket;
	}
}

/**
 * The adaptive mode of the AWS SDKs: after a 429 70 % of the rate, then back along a cubic curve that is flat where the
 * last 429 was, and never more than twice what was measured.
 */
export class Cubic extends Bucket {
	private lastMost = 0;

	private limitedAt = 0;

	protected override faster(now: number): number {
		const flatAfter = Math.cbrt((this.lastMost * 0.3) / 0.4);
		const seconds = (now - this.limitedAt) / 1_000;
		return Math.min(0.4 * (seconds - flatAfter) ** 3 + this.lastMost, 2 * this.measured);
	}

	protected override slower(now: number, rate?: number): number {
		this.lastMost = rate === undefined ? this.measured : Math.min(this.measured, rate);
		this.limitedAt = now;
		return Math.min(0.7 * this.lastMost, 2 * this.measured);
	}
}

/** Additive increase, multiplicative decrease: one call per second more each second, half after a 429 (once per second). */
export class Aimd extends Bucket {
	private limitedAt = -Infinity;

	protected override faster(_now: number, rate: number): number {
		return rate + 1 / rate;
	}

	protected override slower(now: number, rate?: number): number {
		if (rate !== undefined && now < this.limitedAt + 1_000) return rate;
		this.limitedAt = now;
		return (rate ?? Math.max(this.measured, 1)) / 2;
	}
}
