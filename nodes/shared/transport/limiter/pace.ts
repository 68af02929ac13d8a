import type { Pacing } from './types';

const env = (name: string, value: number) => Number(process.env[name] ?? value);

/** How a pace is found. Times in ms. */
export const PACE = {
	/** Calls per ms at most: n8n can hardly send more, and so it is known when each one left. */
	fastest: env('FAST', 0.4),
	/** When single calls try whether a limit is over that named no wait, since the rejected call left: limits are per round times. */
	triesMs: [100, 250, 500, 1_000, 2_000, 3_000],
	/** Then one tries each so often, since the window began: often enough to find the end of a minute that others use, too. */
	everyMs: 5_000,
	/** Tries come later by this factor: just before a window ends they would be lost. */
	late: 1.02,
	/** A pause from this length on shows a window: shorter ones are served well by an even pace, which fits any limit. */
	longPauseMs: 3_000,
	/** One call more than the last window took is tried after this share of it, and after `everyMs` at the latest: at its end there would be no time left to use more, at its start others would find no room. */
	trial: env('TRIAL', 0.03),
	/** The share of the accepted pace that is kept after a 429. */
	cut: env('CUT', 0.9),
	/** After so many times the last pause the pace is what it was when that began: the longer pauses are, the rarer. */
	patience: env('PAT', 8),
	/** But after this time at the latest. */
	mostMs: env('MOST', 15_000),
	/** From then on it doubles in this time, until the next 429, and from the start after the first pause. */
	doubledMs: env('DBL', 2_000),
	/** So far before a 429 the best second is sought: within it the bursts that a bucket takes at first are over. */
	recentMs: 3_000,
	/** 429s that later calls overtook, up to this share, change nothing: a slower pace would cost more than they do. */
	accidents: 0.1,
	/** Of so many responses: enough to tell 10 % from 5 %. */
	responses: 200,
};

/** A time in which nothing leaves but tries. It ends with the first accepted call that left in it, or overtook its 429. */
interface Pause {
	/** When the first 429 came. */
	since: number;
	/** When the call that got it left, and at how many calls per ms. */
	sentAt: number;
	perMs: number;
	/** When the next call may try. */
	until: number;
	/** Whether all may leave then, or one tries; or whether all leave already, though none is accepted yet. */
	next: 'all' | 'one' | 'leaving';
}

/** A time in which the service takes a number of calls. */
interface Window {
	calls: number;
	ms: number;
	/** When the last call left that was one more than fit into it. */
	triedAt: number;
	/** How many calls more it takes once that one is accepted. */
	step: number;
}

/**
 * Finds the pace that a service allows. Calls leave at once until the first 429, and again after its pause. A long pause
 * shows a window: the next one gets as many calls as the last one took. After a short one, calls leave evenly, at the rate
 * that was accepted, which grows until the next 429.
 */
export class Pace implements Pacing {
	/** Calls per ms at `pacedFrom`. */
	private perMs = PACE.fastest;

	/** Calls per ms at the last 429. */
	private rejectedPerMs = PACE.fastest;

	private pacedFrom = -Infinity;

	private backMs = 0;

	private nextAt = -Infinity;

	private window?: Window;

	/** When the window began that is open, known or not. */
	private windowFrom = Infinity;

	/** How many of its calls were not rejected. */
	private used = 0;

	private pause?: Pause;

	/** When calls left lately that were not rejected, the latest last. */
	private taken: number[] = [];

	/** 429s of calls that left before this are no news. */
	private newsFrom = -Infinity;

	private leftAt = -Infinity;

	/** Lately. */
	private responses = PACE.responses / 2;

	private rejected = 0;

	earliest(now: number): number {
		const { pause } = this;
		if (pause !== undefined && (pause.next === 'one' || pause.until > now)) return pause.until;
		return Math.max(this.nextAt, this.placeAt);
	}

	sent(now: number): void {
		const { pause, window } = this;
		if (pause?.next === 'one') this.try(pause, now);
		else if (pause?.next === 'all') this.resume(pause, now, true);
		if (this.windowFrom === Infinity || (window !== undefined && now >= this.windowFrom + window.ms)) {
			this.windowFrom = now;
			this.used = 0;
		}
		if (window !== undefined && pause?.next !== 'one' && this.used >= window.calls) window.triedAt = now;
		this.used++;
		this.leftAt = now;
		const gapMs = 1 / this.rateAt(now);
		// A late timer may be made up for by one call.
		this.nextAt = Math.max(this.nextAt, now - gapMs) + gapMs;
		this.taken.push(now);
		const most = PACE.fastest * PACE.recentMs;
		if (this.taken.length > 2 * most) this.taken = this.taken.slice(-most);
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
		const isTry = sentAt >= pause.since;
		// Calls overtake each other on their way, by up to half of their time.
		if (!isTry && sentAt < pause.sentAt + (pause.since - pause.sentAt) / 2) return;
		if (pause.next !== 'leaving') this.resume(pause, isTry ? sentAt : now, isTry);
		this.pause = undefined;
	}

	limited(sentAt: number, now: number, waitMs?: number): void {
		this.count(1);
		if (sentAt >= this.windowFrom) this.used--;
		const place = this.taken.lastIndexOf(sentAt);
		if (place >= 0) this.taken.splice(place, 1);
		if (sentAt < this.newsFrom) return;
		this.newsFrom = now;
		if (waitMs !== undefined && waitMs < PACE.triesMs[0]) waitMs = undefined;
		const next = this.pause !== undefined || waitMs === undefined ? 'one' : 'all';
		this.pause ??= { since: now, sentAt, perMs: this.rateAt(now), until: now, next };
		this.pause.next = next;
		this.pause.until = waitMs === undefined ? this.nextTry(now) : now + waitMs;
	}

	/** Calls per ms that may leave now. */
	private rateAt(now: number): number {
		const { perMs, rejectedPerMs, backMs } = this;
		const ms = now - this.pacedFrom;
		const rate =
			ms < backMs
				? rejectedPerMs - (rejectedPerMs - perMs) * (1 - ms / backMs) ** 3
				: rejectedPerMs * 2 ** ((ms - backMs) / PACE.doubledMs);
		return Math.min(PACE.fastest, rate);
	}

	/** When there is a place in the window, or one more call may be tried. */
	private get placeAt(): number {
		const { window, windowFrom, leftAt, used } = this;
		if (window === undefined || used < window.calls) return -Infinity;
		return Math.min(windowFrom + window.ms, leftAt + Math.min(PACE.trial * window.ms, PACE.everyMs));
	}

	/** A call leaves in a pause. As 429s come quickly, all follow if the one before it has got none for long. */
	private try(pause: Pause, now: number): void {
		const { leftAt } = this;
		const isOpen = leftAt >= Math.max(pause.since, this.newsFrom);
		if (isOpen && now - leftAt > 2 * (pause.since - pause.sentAt)) this.resume(pause, leftAt, true);
		else pause.until = this.nextTry(now);
	}

	private nextTry(now: number): number {
		const { sentAt } = this.pause!;
		const soon = PACE.triesMs.map((ms) => sentAt + PACE.late * ms).find((at) => at > now);
		if (soon !== undefined) return soon;
		const everyMs = PACE.late * PACE.everyMs;
		const from = Math.min(this.windowFrom, sentAt);
		return from + Math.ceil((now + 1 - from) / everyMs) * everyMs;
	}

	/** Learns from a pause as calls leave again at `at`; `isWaited`: whether it was over, or its 429 only overtaken. */
	private resume(pause: Pause, at: number, isWaited: boolean): void {
		const { since, sentAt } = pause;
		pause.next = 'leaving';
		if (isWaited && at - since > PACE.longPauseMs) {
			const { windowFrom } = this;
			const later = this.taken.filter((time) => time >= at).length;
			const accepted = this.used - later;
			this.windowFrom = at;
			this.used = later;
			// Before anything was accepted, a pause tells nothing of how much a window takes.
			if (accepted === 0) return;
			const calls = Math.max(1, accepted - 1);
			this.window = { calls, ms: at - windowFrom, triedAt: -Infinity, step: 1 };
		} else {
			const isShort = at - since < env('SHORT', 0);
			if ((!isWaited || isShort) && this.rejected <= PACE.accidents * this.responses) return;
			const best = this.bestSecond(isWaited ? since : sentAt) / 1_000;
			const isFirst = this.pacedFrom === -Infinity;
			const rate = Math.min(pause.perMs, best);
			this.perMs = PACE.cut * rate;
			this.rejectedPerMs = isFirst ? this.perMs : rate;
			this.backMs = isFirst ? 0 : Math.min(PACE.mostMs, PACE.patience * (at - since));
			this.pacedFrom = at;
		}
	}

	/** Counts the calls of the best second before a pause that were not rejected. */
	private bestSecond(until: number): number {
		const times = this.taken.filter((at) => at > until - PACE.recentMs && at <= until);
		let best = 1;
		let first = 0;
		for (let last = 0; last < times.length; last++) {
			while (times[first] <= times[last] - 1_000) first++;
			best = Math.max(best, last - first + 1);
		}
		return best;
	}

	private count(rejected: number): void {
		if (this.responses >= PACE.responses) {
			this.responses /= 2;
			this.rejected /= 2;
		}
		this.responses++;
		this.rejected += rejected;
	}
}
