import type { Pacing, Pause } from './types';

/** Sets how a pace is found. Times in ms. */
const PACE = {
	/** Limits the calls per ms: n8n can hardly send more, and a limit makes it known when each one left. */
	fastest: 0.4,
	/**
	 * Says when a single call tries whether a limit without a named wait is over, since the rejected one left. Limits last
	 * round times, and a try just before their end is lost, so these are 2 % later.
	 */
	triesMs: [102, 255, 510, 1_020, 2_040, 3_060],
	/** Then tries one each so often, counted from the start of the window: a twelfth of a minute, also 2 % later. */
	everyMs: 5_100,
	/** Assumes a limit that counts in windows from this pause (ms) on: an even pace fits all shorter ones. */
	longPauseMs: 3_000,
	/**
	 * Tries one more call after those of a window and this share of it, but after `everyMs` at the latest. If it were tried
	 * at once, others who share the limit would find no room; at the end there would be no time to use more.
	 */
	trial: 0.03,
	/** Keeps this share of the accepted pace after a short pause: less wastes more, more leaves others less. */
	cut: 0.9,
	/** Brings the pace back after so many times the last pause, so that pauses take less than a tenth of the time. */
	patience: 10,
	/** Then, and after the first pause, doubles the pace in this time (ms) until the next 429: others may have ended. */
	doubledMs: 2_000,
	/** Takes the accepted pace from the best second so long (ms) before a 429: a bucket's first burst is over then. */
	recentMs: 3_000,
	/** Ignores 429s that later calls overtook, up to this share: a slower pace would cost more than they do. */
	accidents: 0.1,
	/** Counts the share over so many responses: enough to tell 10 % from 5 %. */
	responses: 200,
};

/** A time in which only tries leave. It ends with the first accepted call that left in it or overtook its 429. */
interface PacePause extends Pause {
	endedAt?: number;
	/** Notes when the call with that 429 left, and at how many calls per ms. */
	sentAt: number;
	perMs: number;
	/** Notes when the call with the last 429 left, apart from tries. */
	lastSentAt: number;
	/** Notes when the next call may try. */
	until: number;
	/** Says what leaves then: one call, or all; or that all leave already, though none is accepted yet. */
	next: 'one' | 'all' | 'leaving';
}

/** Holds a time in which the service takes a number of calls. */
interface Window {
	calls: number;
	ms: number;
	/** Notes when the last additional call left. */
	triedAt: number;
	/** Counts how many more it takes once that one is accepted. */
	step: number;
}

/**
 * Finds the pace that a service allows. Calls leave at full speed until the first 429. A long pause shows a window: the
 * next one gets as many calls as the last one took. After a short pause, calls leave evenly, at the rate that was
 * accepted, which then grows until the next 429.
 */
export class Pace implements Pacing {
	/** Gives the calls per ms at `pacedFrom`; `goalPerMs` applies `backMs` later. */
	private perMs = PACE.fastest;

	private goalPerMs = PACE.fastest;

	private pacedFrom = -Infinity;

	private backMs = 0;

	/** Notes when the next call may leave at this pace. */
	private nextAt = -Infinity;

	private window?: Window;

	/** Notes when the current window began, known or not; `used` counts its calls that were not rejected. */
	private windowFrom = Infinity;

	private used = 0;

	pause?: PacePause;

	/** Ignores 429s of calls that left before this: they are no news. */
	private newsFrom = -Infinity;

	/** Holds when recent calls left that were not rejected, the last one at the end. */
	private taken: number[] = [];

	/** Counts the latest responses, as if the first ones had been accepted; `rejected` counts their 429s. */
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
		// On their way to the service, calls overtake each other by less than half of their time.
		const isTry = sentAt >= this.newsFrom;
		if (!isTry && sentAt < (pause.lastSentAt + this.newsFrom) / 2) return;
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
	 * Gives the calls per ms that may leave now: back to the goal along a cubic curve (CUBIC, RFC 9438), then doubled again
	 * and again.
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

	/** Tells when the window has a place for a call, or one more may be tried. */
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

	/** Lets a call try whether a pause is over. 429s come quickly, so all follow a try without one. */
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

	/** Learns from a pause as calls leave again at `at`. `isWaited`: the pause was over, not just its 429 overtaken. */
	private resume(pause: PacePause, at: number, isWaited: boolean): void {
		const { since, lastSentAt } = pause;
		pause.next = 'leaving';
		if (isWaited && at - since > PACE.longPauseMs) this.learnWindow(at);
		else if (isWaited || this.rejected > PACE.accidents * this.responses) {
			// Of the calls that left after an overtaken one, some may still be rejected.
			const best = this.bestSecond(isWaited ? since : lastSentAt);
			const acceptedPerMs = Math.min(pause.perMs, best);
			// If nothing was accepted, a pause says nothing about the pace.
			if (best > 0) this.slowDown(acceptedPerMs, at, PACE.patience * (at - since));
		}
	}

	/**
	 * Gives the next window the calls of the last one, but one: that is tried a little later, because others may have found
	 * no room.
	 */
	private learnWindow(at: number): void {
		const later = this.taken.filter((time) => time >= at).length;
		const accepted = this.used - later;
		// If nothing was accepted, a pause says nothing about a window.
		if (accepted > 0) {
			const calls = Math.max(1, accepted - 1);
			this.window = { calls, ms: at - this.windowFrom, triedAt: -Infinity, step: 1 };
		}
		this.windowFrom = at;
		this.used = later;
	}

	/** Sets the pace to a little less than was accepted, and how soon that is tried again. */
	private slowDown(acceptedPerMs: number, at: number, backMs: number): void {
		const isFirst = this.pacedFrom === -Infinity;
		this.perMs = PACE.cut * acceptedPerMs;
		// The calls before the first pause may have used up the rest of a limit.
		this.goalPerMs = isFirst ? this.perMs : (acceptedPerMs * (1 + PACE.cut)) / 2;
		this.backMs = isFirst ? 0 : backMs;
		this.pacedFrom = at;
	}

	/** Measures the best second before `until`: calls per ms that were not rejected. */
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

	/** Counts a response; older ones count less. */
	private count(rejected: number): void {
		if (this.responses >= PACE.responses) {
			this.responses /= 2;
			this.rejected /= 2;
		}
		this.responses++;
		this.rejected += rejected;
	}
}
