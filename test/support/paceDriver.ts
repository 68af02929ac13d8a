import { PACE, Pace } from '../../nodes/shared/transport/limits/pace';

/** A wait that ends no window of a second. */
export const TOO_SHORT = 400;

/** A pace under a clock that a test moves; times in ms. */
export class Driver {
	readonly pace = new Pace();

	now = 1_000_000;

	/** Sends `count` calls as early as the pace allows, and gives the times. */
	send(count: number): number[] {
		return Array.from({ length: count }, () => {
			this.now = Math.max(this.now, this.pace.earliest(this.now));
			this.pace.sent(this.now);
			return this.now;
		});
	}

	/** The same where those that leave at once are accepted: the others of a new window wait for that. */
	sendOn(count: number): number[] {
		const first = this.send(1);
		while (first.length < count && this.wait < 10) first.push(...this.send(1));
		this.accept(first, 0);
		return [...first, ...this.send(count - first.length)];
	}

	accept(times: number[], latencyMs = 10): void {
		for (const at of times) {
			this.now = Math.max(this.now, at + latencyMs);
			this.pace.accepted(at, this.now);
		}
	}

	reject(times: number[], waitMs?: number, latencyMs = 10): void {
		for (const at of times) {
			this.now = Math.max(this.now, at + latencyMs);
			this.pace.limited(at, this.now, waitMs);
		}
	}

	/** Sends `count` calls, one every `everyMs`, so that times are whole numbers. */
	spread(count: number, everyMs: number): number[] {
		const from = this.now;
		return Array.from({ length: count }, (_, n) => {
			this.now = from + n * everyMs;
			return this.send(1)[0];
		});
	}

	/** How many calls may leave before others of them are accepted, counted up to 100. */
	get allowed(): number {
		let count = 0;
		while (count < 100 && this.pace.earliest(this.now) < Infinity) count += this.send(1).length;
		return count;
	}

	/** How long from now until a call may leave. */
	get wait(): number {
		return this.pace.earliest(this.now) - this.now;
	}

	/** Calls per second that the next ones leave at. */
	get perSecond(): number {
		// What may be made up for comes first.
		this.send(PACE.catchUp + 1);
		const times = this.send(11);
		return 10_000 / (times[10] - times[0]);
	}

	/** `accepted` calls, then one that is rejected. */
	hit(accepted: number, waitMs?: number, latencyMs = 10): void {
		const times = this.send(accepted + 1);
		this.accept(times.slice(0, -1), latencyMs);
		this.reject(times.slice(-1), waitMs, latencyMs);
	}
}
