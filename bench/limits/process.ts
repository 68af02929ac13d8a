import { AccountLimiter } from '../../nodes/shared/transport/limits/accountLimiter';
import type { Clock, Pacing } from '../../nodes/shared/transport/limits/types';
import type { VirtualClock } from './clock';

/** What n8n runs on; times in ms. */
export interface Machine {
	/** n8n sends one call after the other: so much of its time per call. */
	sendingMs: number;
	/** How often n8n has other work to do, and for how long, both on average. */
	other?: { everyMs: number; forMs: number };
}

export const USUAL: Machine = { sendingMs: 1.5 };

/** An n8n process, with the limiter that runs there, or with another pace. It does one thing after the other. */
export class Process implements Clock {
	readonly limiter: AccountLimiter;

	private busyUntil = 0;

	private workedMs = 0;

	/** When it has other work to do next. */
	private other = { from: Infinity, to: Infinity };

	constructor(
		private readonly clock: VirtualClock,
		private readonly random: () => number,
		private readonly machine: Machine,
		createPace?: () => Pacing,
	) {
		this.limiter = new AccountLimiter(this, createPace);
		this.next(0);
	}

	now(): number {
		return this.clock.now();
	}

	/** Until a timer's or a response's turn, which comes after what was to be done already. */
	async sleep(ms: number): Promise<void> {
		await this.clock.sleep(ms);
		const now = this.now();
		const freeAt = this.freeAt(now);
		if (freeAt > now) await this.clock.sleep(freeAt - now);
	}

	/** As far as calls noticed it. */
	busyMs(): number {
		return this.workedMs;
	}

	/** Sends a call: how long until it has left. */
	send(): number {
		const now = this.now();
		this.busyUntil = this.freeAt(now) + this.machine.sendingMs;
		this.workedMs += this.machine.sendingMs;
		return this.busyUntil - now;
	}

	/** When what is to be done at `now` has its turn. */
	private freeAt(now: number): number {
		const at = Math.max(now, this.busyUntil);
		while (this.other.to <= at) {
			this.workedMs += this.other.to - this.other.from;
			this.next(this.other.to);
		}
		return this.other.from <= at ? this.other.to : at;
	}

	/** Other work comes up after `now`. */
	private next(now: number): void {
		const { other } = this.machine;
		if (other === undefined) return;
		const from = now + 2 * other.everyMs * this.random();
		this.other = { from, to: from - other.forMs * Math.log(1 - this.random()) };
	}
}
