import type { Pacing, Pause } from './types';

/** Constants of the search for the pace. Times in ms. */
const PACE = {
	/** Maximum number of calls per ms. n8n hardly sends more, and the cap keeps send times distinct. */
	fastest: 1,
	/**
	 * Times at which single calls probe whether a limit that stated no wait is over, counted from the rejected call.
	 * Limits last for round times, and a probe just before the end is wasted, so these times are 2 % longer.
	 */
	triesMs: [102, 255, 510, 1_020, 2_040, 3_060],
	/** Interval between later probes, counted from the start of the window: a twelfth of a minute, again plus 2 %. */
	everyMs: 5_100,
	/** Shortest pause (ms) taken as a sign of a limit per window; shorter ones lead to an even pace. */
	longPauseMs: 3_000,
	/**
	 * Delay of one additional call after those of a window, as a share of the window, but at most `everyMs`. If it were
	 * sent immediately, it would leave no room for others who share the limit; at the end, no time would be left to use
	 * a higher limit.
	 */
	trial: 0.03,
	/**
	 * Share of the accepted rate at which to resume after a short pause: less would waste capacity, more would crowd
	 * out other clients.
	 */
	cut: 0.9,
	/**
	 * Number of times the last pause over which the pace recovers, so that pauses take less than a tenth of the time.
	 */
	patience: 10,
	/**
	 * Doubling time (ms) of the pace once it has recovered, and after the first pause, until the next 429: other
	 * clients may have finished.
	 */
	doubledMs: 2_000,
	/**
	 * Time (ms) before a 429 in which the best second is measured; by then, the first burst of a token bucket is over.
	 */
	recentMs: 3_000,
	/** Share of 429s overtaken by later accepted calls that is still ignored, because slowing down would cost more. */
	accidents: 0.1,
	/** Number of responses from which that share is computed: enough to tell 10 % from 5 %. */
	responses: 200,
};

/**
 * A period in which only probes are sent. It ends with the first accepted call that was sent during it or that overtook
 * its 429.
 */
interface PacePause extends Pause {
	since: number;
	endedAt?: number;
	/** When the rejected call was sent, and the pace at that time in calls per ms. */
	sentAt: number;
	perMs: number;
	/** When the last rejected call was sent, not counting probes. */
	lastSentAt: number;
	/** When the next call may be sent. */
	until: number;
	/** What may be sent then: one call or all; `leaving` while all are being sent but none has been accepted yet. */
	next: 'one' | 'all' | 'leaving';
}

/** A period in which the service accepts a fixed number of calls. */
interface Window {
	calls: number;
	ms: number;
	/** When the last additional call was sent. */
	triedAt: number;
	/** How many more calls the window allows if that one is accepted. */
	step: number;
}

/**
 * Finds the pace a service allows. Calls are sent at full speed until the first 429. A long pause reveals a window: the
 * next one gets as many calls as the last one took. After a short pause, calls are sent evenly at the accepted rate,
 * which then grows until the next 429.
 */
export class Pace implements Pacing {
	/** Calls per ms at `pacedFrom`; `goalPerMs` is reached `backMs` later. */
	private perMs = PACE.fastest;

	private goalPerMs = PACE.fastest;

	private pacedFrom = -Infinity;

	private backMs = 0;

	/** When the next call may be sent at this pace. */
	private nextAt = -Infinity;

	private window?: Window;

	/**
	 * When the current window began, even if its limit is unknown; `used` is the number of its calls that weren't
	 * rejected.
	 */
	private windowFrom = Infinity;

	private used = 0;

	pause?: PacePause;

	/** Send time before which 429s are ignored, since they carry no new information. */
	private newsFrom = -Infinity;

	/** Send times of recent calls that were not rejected, oldest first. */
	private taken: number[] = [];

	/** Number of recent responses, starting as if half of them had been accepted; `rejected` is how many were 429s. */
	private responses = PACE.responses / 2;

	private rejected = 0;

	earliest(now: number): number {
		const { pause } = this;
		if (pause !== undefined && (pause.next === 'one' || pause.until > now)) return pause.until;
		return Math.max(this.nextAt, this.placeAt);
	}

	sent(now: number): void {
		const { pause } = this;
		if (pause?.next === 'one') this.try(pause, now);
		else if (pause?.next === 'all') this.resume(pause, now, true);
		else this.place(now);
		this.used++;
		this.taken.push(now);
		if (this.taken.length > PACE.recentMs * PACE.fastest) this.taken.shift();
		// One call may make up for a late timer.
		const gapMs = 1 / this.rateAt(now);
		this.nextAt = Math.max(this.nextAt, now - gapMs) + gapMs;
	}

	accepted(sentAt: number, now: number): void {
		this.count(0);
		const { pause, window } = this;
		if (window?.triedAt === sentAt) {
			window.calls += window.step;
			window.step *= 2;
			window.triedAt = -Infinity;
		}
		if (pause === undefined) return;
		// On their way to the service, calls overtake each other by less than half of their round-trip time.
		const isTry = sentAt >= this.newsFrom;
		if (!isTry && sentAt < (pause.lastSentAt + this.newsFrom) / 2) {
			// This call was sent after the pause began, so calls were accepted until the last 429: a new pause began then.
			if (sentAt > pause.since) pause.since = this.newsFrom;
			return;
		}
		if (pause.next !== 'leaving') this.resume(pause, isTry ? sentAt : now, isTry);
		pause.endedAt = now;
		this.pause = undefined;
	}

	limited(sentAt: number, now: number, waitMs = 0): void {
		this.count(1);
		if (sentAt >= this.windowFrom) this.used--;
		const place = this.taken.lastIndexOf(sentAt);
		if (place >= 0) this.taken.splice(place, 1);
		if (sentAt < this.newsFrom) return;
		const isNamed = waitMs >= PACE.triesMs[0];
		const isFirst = this.pause === undefined;
		const pause = (this.pause ??= {
			since: now,
			sentAt,
			perMs: this.rateAt(now),
			lastSentAt: sentAt,
			until: now,
			next: 'leaving',
		});
		if (pause.next !== 'one') {
			pause.lastSentAt = sentAt;
			this.newsFrom = now;
		}
		pause.next = isNamed && isFirst ? 'all' : 'one';
		pause.until = isNamed ? now + waitMs : this.nextTry(pause, now);
	}

	/**
	 * Returns how many calls per ms may be sent now: the pace first returns to the goal along a cubic curve (CUBIC, RFC
	 * 9438), then keeps doubling.
	 */
	private rateAt(now: number): number {
		const { perMs, goalPerMs, backMs } = this;
		const ms = now - this.pacedFrom;
		const rate =
			ms < backMs
				? goalPerMs - (goalPerMs - perMs) * (1 - ms / backMs) ** 3
				: goalPerMs * 2 ** ((ms - backMs) / PACE.doubledMs);
		return Math.min(PACE.fastest, rate);
	}

	/** The time at which the window has room for a call, or at which an additional one may be tried. */
	private get placeAt(): number {
		const { window, windowFrom, used, taken } = this;
		if (window === undefined || used < window.calls) return -Infinity;
		const trialMs = Math.min(PACE.trial * window.ms, PACE.everyMs);
		return Math.min(windowFrom + window.ms, (taken.at(-1) ?? windowFrom) + trialMs);
	}

	private place(now: number): void {
		const { window, windowFrom } = this;
		if (now >= windowFrom + (window?.ms ?? Infinity) || windowFrom === Infinity) {
			this.windowFrom = now;
			this.used = 0;
		} else if (window !== undefined && this.used >= window.calls) window.triedAt = now;
	}

	/**
	 * Sends one call to probe whether the pause is over. A 429 would come quickly, so if the last probe didn't get one,
	 * all calls follow.
	 */
	private try(pause: PacePause, now: number): void {
		const triedAt = this.taken.at(-1) ?? -Infinity;
		const isLong = now - triedAt > 2 * (this.newsFrom - pause.lastSentAt);
		if (triedAt >= this.newsFrom && isLong) this.resume(pause, triedAt, true);
		else pause.until = this.nextTry(pause, now);
	}

	private nextTry({ sentAt }: PacePause, now: number): number {
		const soon = PACE.triesMs.map((ms) => sentAt + ms).find((at) => at > now);
		if (soon !== undefined) return soon;
		const from = Math.min(this.windowFrom, sentAt);
		return from + Math.ceil((now + 1 - from) / PACE.everyMs) * PACE.everyMs;
	}

	/**
	 * Learns from a pause once calls are sent again, which is from `at` on. `isWaited` means that the pause was waited
	 * out, rather than ended by a call that overtook its 429.
	 */
	private resume(pause: PacePause, at: number, isWaited: boolean): void {
		const { since, lastSentAt } = pause;
		pause.next = 'leaving';
		if (isWaited && at - since > PACE.longPauseMs) this.learnWindow(at);
		else if (isWaited || this.rejected > PACE.accidents * this.responses) {
			// Some of the calls sent after an overtaken one may still be rejected.
			const best = this.bestSecond(isWaited ? since : lastSentAt);
			const acceptedPerMs = Math.min(pause.perMs, best);
			// If nothing was accepted, the pause says nothing about the pace.
			if (best > 0) this.slowDown(acceptedPerMs, at, PACE.patience * (at - since));
		}
	}

	/**
	 * Allows the next window one call fewer than the last one accepted. That call is tried a little later, in case
	 * other clients were short of room.
	 */
	private learnWindow(at: number): void {
		const later = this.taken.filter((time) => time >= at).length;
		const accepted = this.used - later;
		// If nothing was accepted, the pause says nothing about a window.
		if (accepted > 0) {
			const calls = Math.max(1, accepted - 1);
			this.window = { calls, ms: at - this.windowFrom, triedAt: -Infinity, step: 1 };
		}
		this.windowFrom = at;
		this.used = later;
	}

	/** Sets the pace to slightly less than the accepted one, and how soon the accepted one is reached again. */
	private slowDown(acceptedPerMs: number, at: number, backMs: number): void {
		const isFirst = this.pacedFrom === -Infinity;
		this.perMs = PACE.cut * acceptedPerMs;
		// Before the first pause, calls may have used up the rest of a limit shared with others.
		this.goalPerMs = isFirst ? this.perMs : (acceptedPerMs * (1 + PACE.cut)) / 2;
		this.backMs = isFirst ? 0 : backMs;
		this.pacedFrom = at;
	}

	/** Returns the calls per ms that were not rejected in the best second before `until`. */
	private bestSecond(until: number): number {
		const times = this.taken.filter((at) => at > until - PACE.recentMs && at <= until);
		let best = 0;
		let first = 0;
		for (const [last, at] of times.entries()) {
			while (times[first] <= at - 1_000) first++;
			best = Math.max(best, last - first + 1);
		}
		return best / 1_000;
	}

	/** Includes a response in the share of 429s; older ones count less. */
	private count(rejected: number): void {
		if (this.responses >= PACE.responses) {
			this.responses /= 2;
			this.rejected /= 2;
		}
		this.responses++;
		this.rejected += rejected;
	}
}
