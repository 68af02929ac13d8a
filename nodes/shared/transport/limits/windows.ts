import { FEW, SECOND_MS, type Span } from './span';

/** How windows of a second are told and kept; times in ms. Chosen with the simulation that docs/rate-limits.md is written by. */
export const WINDOWS = {
	/** Taken to be longer than a second by this, and by this share of a call's time, since calls take unequal times. */
	margin: 1.02,
	unevenness: 0.1,
	/** How much longer after a 429 where few calls of a window were early. Where most were, or it gets so long, it is none. */
	early: 1.01,
	longest: 1_500,
	/** What took less of its quota than `most` was no window; one that took `all` of it was early. */
	most: 0.4,
	all: 0.9,
	/**
	 * More calls by this factor, or twice as many where they are few, are tried after some windows: soon where they are few
	 * or became fewer, as where others share the limit. Each one that failed doubles the wait, one that went well makes
	 * the next bolder.
	 */
	trial: 1.05,
	patience: { doubt: 5, sure: 40 },
};

/** Windows of time in each of which the service takes a number of calls, all at once. */
export class Windows {
	private ms: number;

	/** When this window began, and what left in it. */
	private from = 0;

	private sent = 0;

	/** How many windows there were since the last pause. */
	private count = 0;

	/** How many of them, or since the last trial, all calls of the quota left in. */
	private full = 0;

	/** By how much more the next trial is, after how many windows, and the quota before the last one if it still goes on. */
	private trial = WINDOWS.trial;

	private patience: number;

	private before?: number;

	constructor(
		private quota: number,
		callMs: number,
	) {
		const { doubt, sure } = WINDOWS.patience;
		this.patience = quota < FEW.calls ? doubt : sure;
		this.ms = WINDOWS.margin * (SECOND_MS + WINDOWS.unevenness * callMs);
	}

	/** Where others use the limit up: some calls, and at once a trial of more. */
	static bid(callMs: number): Windows {
		const windows = new Windows(FEW.least, callMs);
		windows.before = FEW.least;
		windows.quota = FEW.calls;
		return windows;
	}

	/** Calls per ms. */
	get perMs(): number {
		return this.quota / this.ms;
	}

	/** When this window is over. */
	get endsAt(): number {
		return this.from + this.ms;
	}

	/** When the next call may leave. */
	get nextAt(): number {
		return this.sent < this.quota ? -Infinity : this.endsAt;
	}

	leave(now: number): void {
		if (now >= this.endsAt) this.begin(now, this.count + 1);
		this.sent++;
	}

	/** The first window after a pause begins. */
	restart(now: number): void {
		this.begin(now, 1);
		this.full = 0;
	}

	/**
	 * Learns from the 429s of the calls since the last pause, the first of which left at `sentAt`: the first window after
	 * a pause tells the quota, the later ones tell how long they are. `isWaited`: whether the pause lasted as long as the
	 * 429s asked for. False if these are no windows.
	 */
	fit(sentAt: number, { rejected }: Span, isWaited: boolean): boolean {
		const isBefore = sentAt < this.from;
		const sent = isBefore ? this.quota : this.sent;
		const isFirst = this.count === (isBefore ? 2 : 1);
		const share = (sent - rejected) / this.quota;
		const { before } = this;
		this.before = undefined;
		this.trial = WINDOWS.trial;
		if (before !== undefined) {
			this.quota = Math.max(before, sent - rejected);
			this.patience = Math.min(2 * this.patience, WINDOWS.patience.sure);
		} else if (!isWaited || (!isFirst && (share < WINDOWS.most || share >= WINDOWS.all))) {
			this.ms *= WINDOWS.early;
			return rejected < sent / 2 && this.ms < WINDOWS.longest;
		} else if (share >= WINDOWS.most) {
			this.quota = sent - rejected;
			this.patience = WINDOWS.patience.doubt;
		}
		// If nothing fits, the pause was too short, and tells nothing.
		else return share <= 0;
		return true;
	}

	/** Tries more calls after enough full windows, where the last pause took `costMs`. */
	quicken(costMs: number): void {
		if (this.full * this.ms < this.patience * Math.max(this.ms, costMs)) return;
		this.full = 0;
		this.before = this.quota;
		this.quota = Math.round(Math.max(this.trial * this.quota, Math.min(2 * this.quota, FEW.calls)));
		this.trial *= this.trial;
	}

	private begin(at: number, count: number): void {
		if (this.sent >= this.quota) this.full++;
		this.from = at;
		this.sent = 0;
		this.count = count;
	}
}
