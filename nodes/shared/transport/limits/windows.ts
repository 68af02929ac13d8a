import { FEW, SECOND_MS, Span } from './span';

/** How windows of a second are recognized and kept; times in ms. The values were chosen with the simulation behind docs/rate-limits.md (npm run bench:limits). */
export const WINDOWS = {
	/** A window is taken to be longer than a second by this factor, and by this share of a call's time, as calls take unequal times. */
	margin: 1.02,
	unevenness: 0.1,
	/** The factor by which a window gets longer if few of its calls were early. If most were, or it gets this long, it is none. */
	early: 1.01,
	longest: 1_200,
	/** What took less than `most` of its quota was no window; one that took `all` of it came too early. */
	most: 0.4,
	all: 0.9,
	/**
	 * After some full windows more calls are tried: by this factor, or up to twice as many if they are few. That is soon if
	 * they are few or became fewer, as where others share the limit, and sooner if the last trial went well, as the limit may
	 * have been raised; the `next` one is bolder then. Each one that fails doubles the wait, unless they are few.
	 */
	trial: 1.05,
	patience: { doubt: 5, sure: 40, next: 3 },
	/**
	 * If calls take less time than `quick`, those in flight at a 429 don't show whether the limit refills all the time. So the
	 * second window finds out, once: after its calls, this share of them leave evenly in addition, `slower` by this factor
	 * than such a limit would refill. If they fit, and this share of the `next` window too, these are no windows: two
	 * windows would take fewer.
	 */
	proof: { quick: 150, calls: 0.5, slower: 1.5, next: 0.75 },
	/**
	 * Of the first window only the share `calls` leaves at once, the others when as many calls as the share `accepted` of the
	 * window are accepted, or after the share `wait` of its time: a token bucket that was full looks like such a limit, but
	 * takes hardly any more calls.
	 */
	first: { calls: 0.2, accepted: 0.05, wait: 0.5 },
};

/**
 * Windows of time, in each of which the service takes a number of calls, all at once. A log of when calls left keeps the
 * next window from following too soon on one that was held up because n8n was busy: as in a sliding window log, no
 * period as long as a window ever has more calls.
 */
export class Windows {
	private ms: number;

	/** When this window began. */
	private from = 0;

	/** How many calls left in it. */
	private sent = 0;

	/** When the last calls since a pause left: as many as the quota, and some earlier ones. */
	private log: number[] = [];

	/** How many windows there were since the last pause. */
	private count = 0;

	/** How many of them used up the quota, since the last trial if there was one. */
	private full = 0;

	/** The factor of the next trial. */
	private trial = WINDOWS.trial;

	/** After how many full windows it comes. */
	private patience: number;

	/** The quota before the last trial, while that goes on. */
	private before?: number;

	/** Whether the first window after the last pause was too small for the quota. */
	private isCut = false;

	/** Whether the first window still waits: too few calls were accepted, and half of it isn't over. */
	private isNew = true;

	/** How many calls were accepted, of those that left in the window that was under way. */
	private found = 0;

	/** Whether a 429 has shown that these are windows. */
	private isProven: boolean;

	/** The calls that find that out, once the first of them has left. */
	private proof?: { from: number; accepted: number };

	constructor(
		private quota: number,
		callMs: number,
		/** Whether they begin as a bid. */
		readonly isBid = false,
	) {
		const { doubt, sure } = WINDOWS.patience;
		this.patience = quota < FEW.calls ? doubt : sure;
		this.isProven = callMs > WINDOWS.proof.quick;
		this.ms = WINDOWS.margin * (SECOND_MS + WINDOWS.unevenness * callMs);
	}

	/** For a limit that others use up: a few calls, and at once a trial of more. */
	static bid(callMs: number): Windows {
		const windows = new Windows(FEW.least, callMs, true);
		windows.isNew = false;
		windows.before = FEW.least;
		windows.quota = FEW.calls;
		return windows;
	}

	/** Calls per ms. */
	get perMs(): number {
		return this.quota / this.ms;
	}

	/** The calls of a window as a span: as if all had left at once and been accepted. */
	burst(at: number): Span {
		const { quota } = this;
		return Object.assign(new Span(at), { to: at, sent: quota, accepted: quota });
	}

	/** When this window is over. */
	get endsAt(): number {
		return this.from + this.ms;
	}

	/** Whether calls are under way that find out whether these are windows. */
	get isInProof(): boolean {
		return this.proof !== undefined;
	}

	/** How many calls it takes to find that out. */
	private get inProof(): number {
		return Math.floor(WINDOWS.proof.calls * this.quota);
	}

	/** How many of them have left, once all others of their window have; undefined in other windows. */
	private get leftInProof(): number | undefined {
		const left = this.sent - this.quota;
		const isTime = !this.isProven && this.count === 2 && this.before === undefined;
		return isTime && left >= 0 && left < this.inProof ? left : undefined;
	}

	/** Whether the next call waits until some calls are accepted, or for half a window. */
	get isHeld(): boolean {
		return this.isNew && this.sent >= WINDOWS.first.calls * this.quota;
	}

	/** When the next call may leave. */
	get nextAt(): number {
		if (this.isHeld) return this.from + WINDOWS.first.wait * this.ms;
		const { leftInProof } = this;
		if (leftInProof !== undefined) {
			const gapMs = (WINDOWS.proof.slower * this.ms) / this.quota;
			return this.log.at(-1)! + (1 + leftInProof) * gapMs;
		}
		const before = this.log.at(-this.quota);
		return before === undefined ? -Infinity : before + this.ms;
	}

	leave(now: number): void {
		if (now >= this.endsAt) this.begin(now, this.count + 1);
		if (this.isHeld) this.goOn(now);
		const isInProof = this.leftInProof !== undefined;
		this.sent++;
		if (isInProof) {
			this.proof ??= { from: now, accepted: 0 };
			return;
		}
		this.log.push(now);
		if (this.log.length > 2 * this.quota) this.log.splice(0, this.quota);
	}

	/** The first window after a pause begins. */
	restart(now: number): void {
		this.begin(now, 1);
		this.full = 0;
		this.log = [];
	}

	/**
	 * Learns from the 429s of the calls since the last pause, the first of which left at `sentAt`: the first window after
	 * a pause shows the quota, the later ones show how long windows are. `isWaited`: whether the pause lasted as long as the
	 * 429s asked for. False if these are no windows.
	 */
	fit(sentAt: number, { rejected }: Span, isWaited: boolean): boolean {
		const { before, quota, isCut, proof, sent, count } = this;
		const accepted = sent - rejected;
		this.proof = undefined;
		if (proof !== undefined && sentAt >= proof.from) {
			this.isProven = true;
			// If most of the next window fitted, too, these are no windows.
			return count === 2 || accepted < WINDOWS.proof.next * quota;
		}
		this.before = undefined;
		this.isCut = false;
		this.trial = WINDOWS.trial;
		if (before !== undefined) {
			this.quota = isWaited ? Math.max(before, accepted) : before;
			const { doubt, sure } = WINDOWS.patience;
			this.patience = this.quota < FEW.calls ? doubt : Math.min(2 * this.patience, sure);
			return true;
		}
		const isMost = accepted >= WINDOWS.most * quota && accepted < WINDOWS.all * quota;
		// The second one shows what the pause had left for the first. Later ones that a busy n8n could not fill show nothing.
		const isHeldUp = sent < quota && count > 2;
		if (!isWaited || (count > 1 && (isHeldUp || !isMost))) {
			this.ms *= WINDOWS.early;
			return rejected < quota / 2 && this.ms < WINDOWS.longest;
		}
		// If nothing was accepted, the pause was too short, and shows nothing.
		if (accepted < WINDOWS.most * quota) return accepted <= 0;
		// Too small again, as after the last pause: pauses end just before a window does, and the next window takes the rest.
		this.quota = isCut ? Math.min(accepted, Math.round(WINDOWS.all * quota)) : accepted;
		this.isCut = count === 1;
		this.patience = WINDOWS.patience.doubt;
		return true;
	}

	/** A call that left at `sentAt` was accepted. Returns whether it was the last one needed to show that these are no windows. */
	accepted(sentAt: number, now: number): boolean {
		const { proof } = this;
		if (sentAt >= this.from) this.found++;
		if (this.isNew && this.found >= WINDOWS.first.accepted * this.quota) this.goOn(now);
		if (proof === undefined || sentAt < proof.from) return false;
		proof.accepted++;
		return proof.accepted >= this.inProof + WINDOWS.proof.next * this.quota;
	}

	/** Tries more calls after enough full windows, where the last pause took `costMs`. */
	quicken(costMs: number): void {
		const patience = this.before === undefined ? this.patience : WINDOWS.patience.next;
		if (this.full * this.ms < patience * Math.max(this.ms, costMs)) return;
		this.full = 0;
		this.before = this.quota;
		this.quota = Math.round(Math.max(this.trial * this.quota, Math.min(2 * this.quota, FEW.calls)));
		this.trial *= this.trial;
	}

	/** The calls of this window count as if they left now, so that those of the next one leave at once. */
	private goOn(now: number): void {
		this.isNew = false;
		this.from = now;
		this.log.fill(now, -this.sent);
	}

	private begin(at: number, count: number): void {
		const { quota, sent, inProof } = this;
		if (sent >= quota) this.full++;
		const all = this.count === 2 ? quota + inProof : quota;
		// There were too few calls to find anything out.
		if (sent < all) this.proof = undefined;
		this.from = at;
		this.sent = 0;
		this.count = count;
	}
}
