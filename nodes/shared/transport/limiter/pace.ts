import type { Pacing } from './types';

/** How a pace is found. Times in ms. */
const PACE = {
	/** Calls per ms at most: n8n can hardly send more, and so it is known when each one left. */
	fastest: 0.4,
	/** When a single call tries whether a limit is over that named no wait, since the rejected one left: limits last round times, and a try just before their end is lost, so 2 % later. */
	triesMs: [102, 255, 510, 1_020, 2_040, 3_060],
	/** Then one tries each so often, counted from the start of the window: a twelfth of a minute, also 2 % later. */
	everyMs: 5_100,
	/** A pause (ms) from which on the limit counts in windows: an even pace fits all limits with shorter ones. */
	longPauseMs: 3_000,
	/** After its calls and this share of a window, but after `everyMs` at the latest, one more is tried: at once others who share the limit would find no room, and at its end there would be no time to use more. */
	trial: 0.03,
	/** The share of the accepted pace that is kept after a short pause: a smaller one would leave more unused, a larger one leave others less. */
	cut: 0.9,
	/** The pace is back after so many times the last pause: so pauses take less than a tenth of the time. */
	patience: 10,
	/** From then on, and after the first pause, it doubles in this time (ms) until the next 429: others may have ended. */
	doubledMs: 2_000,
	/** The accepted pace is that of the best second so long (ms) before a 429: by then what a bucket takes at once is over. */
	recentMs: 3_000,
	/** 429s that later calls overtook change nothing up to this share: a slower pace would cost more than they do. */
	accidents: 0.1,
	/** They are a share of so many responses: enough to tell 10 % from 5 %. */
	responses: 200,
};

/** A time in which nothing leaves but tries. It ends with the first accepted call that left in it or overtook its 429. */
interface Pause {
	/** When the first 429 came. */
	since: number;
	/** When the call that got it left, and at how many calls per ms. */
	sentAt: number;
	perMs: number;
	/** When the call left that got the last 429 but for those of tries. */
	lastSentAt: number;
	/** When the next call may try. */
	until: number;
	/** What leaves then: one call, or all; or whether all leave already, though none is accepted yet. */
	next: 'one' | 'all' | 'leaving';
}

/** A time in which the service takes a number of calls. */
interface Window {
	calls: number;
	ms: number;
	/** When the last call left that was one more. */
	triedAt: number;
	/** How many more it takes once that one is accepted. */
	step: number;
}

/**
 * Finds the pace that a service allows. Calls leave at full speed until the first 429. A long pause shows a window: the
 * next one gets as many calls as the last one took. After a short one calls leave evenly, at the rate that was accepted,
 * which then grows until the next 429.
 */
export class Pace implements Pacing {
	/** Calls per ms at `pacedFrom`, and after `backMs` more. */
	private perMs = PACE.fastest;

	private goalPerMs = PACE.fastest;

	private pacedFrom = -Infinity;

	private backMs = 0;

	/** When the next call may leave at this pace. */
	private nextAt = -Infinity;

	private window?: Window;

	/** When the window that is open began, known or not, and how many calls it took, as far as not rejected. */
	private windowFrom = Infinity;

	private used = 0;

	private pause?: Pause;

	/** When that 429 came: those of calls that left before it are no news. */
	private newsFrom = -Infinity;

	/** When calls left lately that were not rejected, the last one at the end. */
	private taken: number[] = [];

	/** The latest responses, as if the first ones had been accepted, and the 429s among them. */
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
		// A late timer may be made up for by one call.
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

	/** Gives the calls per ms that may leave now: back to the goal along a cubic curve (CUBIC, RFC 9438), and then doubled and doubled. */
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

	/** Gives a call its place in the window, or in a new one. */
	private place(now: number): void {
		const { window, windowFrom } = this;
		if (now >= windowFrom + (window?.ms ?? Infinity) || windowFrom === Infinity) {
			this.windowFrom = now;
			this.used = 0;
		} else if (window !== undefined && this.used >= window.calls) window.triedAt = now;
	}

	/** Lets a call try whether a pause is over. As 429s come quickly, all follow if the try before it has got none for long. */
	private try(pause: Pause, now: number): void {
		const triedAt = this.taken.at(-1) ?? -Infinity;
		const isLong = now - triedAt > 2 * (this.newsFrom - pause.lastSentAt);
		if (triedAt >= this.newsFrom && isLong) this.resume(pause, triedAt, true);
		else pause.until = this.nextTry(pause, now);
	}

	/** Gives the next time at which a single call may try. */
	private nextTry({ sentAt }: Pause, now: number): number {
		const soon = PACE.triesMs.map((ms) => sentAt + ms).find((at) => at > now);
		if (soon !== undefined) return soon;
		const from = Math.min(this.windowFrom, sentAt);
		return from + Math.ceil((now + 1 - from) / PACE.everyMs) * PACE.everyMs;
	}

	/** Learns from a pause as calls leave again at `at`. `isWaited`: whether it was over, not just its 429 overtaken. */
	private resume(pause: Pause, at: number, isWaited: boolean): void {
		const { since, lastSentAt } = pause;
		pause.next = 'leaving';
		if (isWaited && at - since > PACE.longPauseMs) this.learnWindow(at);
		else if (isWaited || this.rejected > PACE.accidents * this.responses) {
			// Of those that left after an overtaken call, some may still be rejected.
			const best = this.bestSecond(isWaited ? since : lastSentAt);
			const acceptedPerMs = Math.min(pause.perMs, best);
			// Where nothing was accepted, a pause tells nothing of the pace.
			if (best > 0) this.slowDown(acceptedPerMs, at, PACE.patience * (at - since));
		}
	}

	/** Keeps the calls of the last window for the next one, but one: that is tried a little later, as others may have found no room. */
	private learnWindow(at: number): void {
		const later = this.taken.filter((time) => time >= at).length;
		const accepted = this.used - later;
		// Where nothing was accepted, a pause tells nothing of a window.
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
		// What was accepted before the first pause may have been the rest of a limit.
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

	/** Counts a response, the older ones for less. */
	private count(rejected: number): void {
		if (this.responses >= PACE.responses) {
			this.responses /= 2;
			this.rejected /= 2;
		}
		this.responses++;
		this.rejected += rejected;
	}
}
