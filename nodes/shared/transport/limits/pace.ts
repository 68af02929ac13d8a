import { EVEN, EvenPace } from './even';
import { LongWindow } from './longWindow';
import { FIRST_WAIT_MS, MANY_PROBES, type Pause, isEarlyNext, nextProbe } from './pause';
import { FEW, SECOND_MS, Span } from './span';
import type { Pacing } from './types';
import { WINDOWS, Windows } from './windows';

/** How a limit is told from its 429s; times in ms. The values were chosen with the simulation behind docs/rate-limits.md (npm run bench:limits). */
export const PACE = {
	/**
	 * Everything in flight at the first 429 is rejected. So before it so many calls leave per ms, until this many are accepted.
	 * If calls take long, it comes late: after the first `calls` only one leaves every `slowMs`, until the share `accepted` of
	 * all is accepted or one within a second.
	 */
	first: { perMs: 0.25, until: 250, calls: 90, slowMs: MANY_PROBES.everyMs, accepted: 0.5 },
	/** Calls per ms while those of a window leave: no faster than n8n can send them, so that it is known when each one left. */
	windowPerMs: 1,
	/**
	 * 429s are accidents, up to one and this share of all responses: before a limit is known, those that later calls overtook;
	 * later, any if the pace is this far below one that was accepted, as going slower would not stop them.
	 */
	accidents: 0.1,
	farBelow: 0.7,
	/** The rate of what was accepted is measured over at least this time: a shorter one may hold two windows of a second. */
	bestFrom: 1_500,
	/** A pause is costly if at least this many calls could have left in it. */
	costly: 3,
	/** How many calls that a busy n8n was too late for may be made up for at once. */
	catchUp: 2,
	/** A run is over once no call has been in flight for this long. */
	idle: 2_000,
	/** Before a limit is known, calls that left longer ago than this say nothing about the pace, and nothing about a window. */
	longAgo: { pace: 10_000, window: 60_000 },
	/** Windows of a second show in pauses of at least this time, after named waits of at most this time. */
	windowPause: 500,
	windowWait: 2_000,
	/** An early probe comes so long after the rejected call: a limit per second is over by then. */
	earlyProbe: 900,
	/** A limit with longer pauses is one per window, and its 429s show when each window ends. */
	longPause: 3_000,
	/** While calls are in flight that are to find out whether anything is accepted again, another one leaves only after this time. */
	alone: 3_000,
};

/**
 * Finds the pace that a service allows from its 429s; nothing is known of the limit before the first one. After it, as
 * many calls as were accepted leave at once in each window of time; if no such windows show, calls leave evenly, at the
 * rate at which they were accepted. An accepted call that left after a rejected one ends the pause: the rejected one was
 * only overtaken.
 */
export class Pace implements Pacing {
	/** One of these three, once a limit is known. */
	private even?: EvenPace;

	private windows?: Windows;

	private long?: LongWindow;

	private span = new Span(Infinity);

	/** The one before, of which calls may still be in flight. */
	private earlier = this.span;

	/** The spans whose calls may belong to one long window, the latest first. */
	private lately = [this.span];

	private pause?: Pause;

	/** When the latest of the rejected calls left. */
	private rejectedAt = -Infinity;

	/** When calls began to leave again after the last pause. */
	private resumedAt = -Infinity;

	/** Whether nothing was accepted since a pause whose length was only a guess. */
	private isGuessed = false;

	private nextAt = -Infinity;

	/** When the last call left. */
	private leftAt = -Infinity;

	/** Since when calls have left at this pace. */
	private steadySince = 0;

	/** How long the last pause was. */
	private costMs = 0;

	/** The highest rate of accepted calls so far, per ms. */
	private best = 0;

	/** Whether a call took less than a second. */
	private isQuick = false;

	/** Whether there were so many accidents that a few 429s are accidents at any pace. */
	private isDoubted = false;

	/** Whether the next call may leave sooner than `earliest` says, depending on calls in flight. */
	get isOpen(): boolean {
		return this.isShut || (this.pause === undefined && this.windows?.isHeld === true);
	}

	/**
	 * Whether everything was rejected before the last pause, nothing was accepted since, and enough calls are in flight to
	 * find out whether that has changed: one, or where no limit is known as many as it takes to recognize one per second.
	 */
	private get isShut(): boolean {
		const { span, earlier } = this;
		if (this.pause !== undefined || this.isGuessed || span.accepted > 0) return false;
		// A faster pace that was taken back at once tells nothing.
		if (span.rejected === 0 && (this.even !== undefined || !earlier.isRejected)) return false;
		return span.sent - span.rejected >= (this.isUnlimited ? FEW.least : 1);
	}

	earliest(now: number): number {
		if (this.pause?.isProbing) return this.pause.until;
		const { windows, long, span } = this;
		if (long?.isFull(span)) return Infinity;
		const windowAt = windows?.nextAt ?? long?.nextAt(span) ?? now;
		const aloneUntil = this.isShut ? this.leftAt + PACE.alone : now;
		return Math.max(this.pause?.until ?? now, this.nextAt, windowAt, aloneUntil);
	}

	sent(now: number): void {
		const { pause } = this;
		if (pause !== undefined) {
			// While no call was there to send, nobody can tell whether the limit was over.
			const at = now > pause.until + PACE.idle ? pause.until : now;
			if (pause.isProbing) {
				// Whether the others have to wait for the end of the window depends on an early one.
				const isEarly = isEarlyNext(pause);
				pause.probedAt = at;
				pause.until = isEarly ? Infinity : this.nextProbe(pause, now + 1);
				return;
			}
			this.resume(pause, at, now, true);
		}
		if (this.isStale(now)) {
			if (this.long?.passed(this.span) === false) this.long = undefined;
			this.start(now);
		} else if (this.isUnlimited && now > this.span.from + PACE.longAgo.pace) {
			this.start(now, true);
		}
		this.leave(now);
		const { gapMs } = this;
		const late = now - PACE.catchUp * gapMs;
		if (this.nextAt >= late) this.span.paced++;
		else if (now - this.nextAt > PACE.windowPause) this.even?.resume(false);
		this.nextAt = Math.max(this.nextAt, late) + gapMs;
	}

	accepted(sentAt: number, now: number): void {
		if (sentAt > this.rejectedAt) this.isGuessed = false;
		this.isQuick ||= now - sentAt < SECOND_MS;
		const { pause } = this;
		if (pause !== undefined) {
			const overtaking = (now - sentAt) * EVEN.overtaking;
			if (this.isProbe(sentAt)) {
				this.resume(pause, Math.min(sentAt, pause.probedAt), now, true);
				if (this.span.covers(sentAt)) this.leave(now);
			} else if (sentAt > this.rejectedAt + overtaking) this.resume(pause, now, now, false);
			else if (sentAt > pause.sentAt + overtaking) pause.passed++;
		}
		const span = this.spanOf(sentAt);
		if (span !== undefined) span.accepted++;
		this.long?.accepted(sentAt);
		if (pause === undefined) this.quicken(sentAt, now);
	}

	limited(sentAt: number, now: number, waitMs = 0): void {
		this.rejectedAt = Math.max(this.rejectedAt, sentAt);
		const isProbe = this.isProbe(sentAt);
		const of = this.spanOf(sentAt);
		// A probe is none of the span's calls: it left at no pace.
		if (of !== undefined && !isProbe) of.rejected++;
		// It left before the last pause ended: nothing new.
		if (sentAt < this.resumedAt) return;
		const isNamed = waitMs >= FIRST_WAIT_MS;
		if (this.pause !== undefined) {
			if (isProbe && (this.pause.isEarly || now < this.pause.manyUntil)) {
				// What comes after a rejected one is neither an early probe nor one of many.
				this.pause.isEarly = false;
				this.pause.manyUntil = -Infinity;
				this.pause.until = this.nextProbe(this.pause, now);
			}
			if (isNamed && !this.pause.isProbing) {
				this.pause.until = Math.min(this.pause.until, now + waitMs);
			}
			return;
		}
		const { span } = this;
		const ms = Math.max(PACE.bestFrom, now - span.from);
		this.best = Math.max(this.best, span.accepted / ms);
		const pause = {
			since: now,
			sentAt,
			from: this.inWindow.from,
			waitMs,
			until: now + waitMs,
			isProbing: false,
			isEarly: false,
			manyUntil:
				this.isUnlimited && now - sentAt >= SECOND_MS ? now + MANY_PROBES.forMs : -Infinity,
			probedAt: Infinity,
			passed: 0,
		};
		this.pause = pause;
		if (this.even === undefined && this.long === undefined) span.to = now;
		if (isNamed) return;
		if (this.windows !== undefined) pause.until = this.windows.endsAt;
		else if (this.even !== undefined && !this.isGuessed) {
			pause.until = sentAt + FIRST_WAIT_MS;
			this.isGuessed = true;
		} else {
			pause.isProbing = true;
			pause.isEarly = this.long?.probesEarly() ?? false;
			pause.until = this.nextProbe(pause, now);
		}
	}

	failed(sentAt: number, now: number): void {
		const { pause } = this;
		// As if it had never left: another call probes instead, and none waits for this one.
		if (pause !== undefined && this.isProbe(sentAt)) {
			pause.until = Math.min(pause.until, now + FIRST_WAIT_MS);
			return;
		}
		const span = this.spanOf(sentAt);
		if (span !== undefined) span.sent--;
	}

	private get isUnlimited(): boolean {
		return (this.even ?? this.windows ?? this.long) === undefined;
	}

	/** Whether a call that left at `sentAt` probes whether the pause is over. */
	private isProbe(sentAt: number): boolean {
		return this.pause?.isProbing === true && sentAt >= this.pause.since;
	}

	/** The calls that may belong to one long window. */
	private get inWindow(): Span {
		const whole = new Span(this.lately.at(-1)!.from);
		for (const { accepted } of this.lately) whole.accepted += accepted;
		whole.to = this.span.to;
		return whole;
	}

	/** Calls per ms; Infinity if the rate isn't what is limited. */
	private get perMs(): number {
		return (this.even ?? this.windows)?.perMs ?? Infinity;
	}

	/** Whether 429s come at so slow a pace, and so seldom, that the limit can't be the reason. */
	private get isAccident(): boolean {
		if (this.windows?.isInProof) return false;
		const isFarBelow = this.isDoubted || this.perMs < PACE.farBelow * this.best;
		return isFarBelow && this.span.isAlmostAccepted(PACE.accidents);
	}

	/** The time between two calls. */
	private get gapMs(): number {
		if (this.windows !== undefined) return 1 / PACE.windowPerMs;
		if (this.even !== undefined) return 1 / this.even.perMs;
		return this.long === undefined ? this.firstGapMs : 1 / PACE.first.perMs;
	}

	/** The time between two calls before a limit is known. */
	private get firstGapMs(): number {
		const { perMs, until, calls, slowMs, accepted: share } = PACE.first;
		const { sent, accepted } = this.span;
		// A run of more than some seconds has shown that there is no need to be careful.
		if (accepted >= until || this.lately.length > 1) return 0;
		const isSlow = sent >= calls && accepted < share * sent && !this.isQuick;
		return isSlow ? slowMs : 1 / perMs;
	}

	/**
	 * Whether the calls so far say nothing about those to come: a long window passed without a 429, because fewer calls left
	 * than it takes; or, where there are no long windows, their run is over.
	 */
	private isStale(now: number): boolean {
		if (this.long !== undefined) return now >= this.windowEnd;
		if (this.even !== undefined) return false;
		const { sent, answered } = this.span;
		return answered === sent && now > this.nextAt + PACE.idle;
	}

	private nextProbe(pause: Pause, now: number): number {
		const leastMs = isEarlyNext(pause) ? PACE.earlyProbe : (this.long?.leastWaitMs ?? 0);
		return nextProbe(pause, now, this.windowEnd, leastMs);
	}

	/** When the current long window ends; in the past if there is none. */
	private get windowEnd(): number {
		return this.span.from + (this.long?.ms ?? 0);
	}

	private spanOf(sentAt: number): Span | undefined {
		return [...this.lately, this.earlier].find((span) => span.covers(sentAt));
	}

	/** `isContinued`: whether the calls from now on may belong to the same long window as those before. */
	private start(at: number, isContinued = false): void {
		this.earlier = this.span;
		this.span = new Span(at);
		const longAgo = at - PACE.longAgo.window;
		const before = isContinued ? this.lately.filter(({ from }) => from > longAgo) : [];
		this.lately = [this.span, ...before];
		this.nextAt = at;
		this.steadySince = at;
	}

	private leave(now: number): void {
		this.leftAt = now;
		this.span.sent++;
		this.windows?.leave(now);
	}

	/** The pause is over, as a call that left at `at` shows. `isWaited`: not just because the rejected one was overtaken. */
	private resume(pause: Pause, at: number, now: number, isWaited: boolean): void {
		const { span } = this;
		this.pause = undefined;
		if (this.isUnlimited && !isWaited && span.isAlmostAccepted(PACE.accidents)) {
			span.to = Infinity;
			return;
		}
		this.resumedAt = at;
		if (this.isAccident) {
			// The calls from now on count, too.
			span.to = Infinity;
			this.doubt(at - pause.since, now);
		} else this.learn(pause, at, now, isWaited);
		this.even?.resume(isWaited && at - pause.since >= PACE.windowPause);
		this.nextAt = now;
		this.steadySince = now;
	}

	/** Becomes much faster after many accidents whose pauses, the last of `pauseMs`, cost calls: no pace stops such 429s. */
	private doubt(pauseMs: number, now: number): void {
		const { sent, paced, rejected } = this.span;
		if (rejected < FEW.least || paced < sent / 2 || pauseMs * this.perMs < PACE.costly) return;
		this.even ??= new EvenPace(this.span, this.windows?.perMs);
		this.windows = undefined;
		this.even.leap();
		this.isDoubted = true;
		this.start(now);
	}

	/** Learns from the 429s that a pause began with, which ended with a call that left at `at`. */
	private learn(pause: Pause, at: number, now: number, isWaited: boolean): void {
		const { span, even, windows, long } = this;
		const { since, sentAt } = pause;
		this.isDoubted = false;
		const isLong = isWaited && at - since > Math.max(PACE.longPause, since - span.from);
		if (this.isUnlimited) this.learnKind(pause, at, isWaited);
		else if (isLong && long === undefined && span.accepted > 0) {
			// The first window had begun before the run did, so the first pause was short.
			this.even = undefined;
			this.windows = undefined;
			this.long = new LongWindow(span, at);
		} else if (even !== undefined) even.slow(pause, isWaited, span);
		else if ((windows?.fit(sentAt, span, isWaited) ?? long?.resume(pause, at, span)) === false) {
			this.leaveWindows(pause, windows);
		}
		// Later 429s at an even pace that name no wait cause no such pause.
		this.costMs = pause.isProbing && this.even !== undefined ? 0 : Math.max(0, at - since);
		if (span.to < Infinity) this.start(this.even === undefined ? at : now);
		if (isWaited) this.windows?.restart(now);
	}

	/** Goes on without windows, as they were none, or too little of them was left: `seconds` are those that showed that. */
	private leaveWindows({ since, sentAt, waitMs }: Pause, seconds?: Windows): void {
		const { span } = this;
		this.windows = undefined;
		this.long = undefined;
		const callMs = since - sentAt;
		// Next to none in a second: others had used the limit up.
		const isStarved = seconds !== undefined && span.accepted < FEW.least;
		const isNamed = waitMs > 0 && waitMs <= PACE.windowWait;
		// Where calls are quick, a bucket that takes few at once looks like that, too.
		if (isStarved && isNamed && callMs > WINDOWS.proof.quick && !seconds.isBid) {
			this.windows = Windows.bid(callMs);
			return;
		}
		// At first as many calls as between the last two 429s.
		const accepted = isStarved ? FEW.least : span.accepted;
		this.even = new EvenPace(span, accepted / (since - span.from + this.costMs));
	}

	/** Finds out what kind of limit it is. */
	private learnKind(pause: Pause, at: number, isWaited: boolean): void {
		const { since, sentAt, waitMs, passed } = pause;
		const { span, earlier, inWindow } = this;
		const { accepted } = span;
		const pauseMs = at - since;
		const callMs = since - sentAt;
		const isRefilled = passed > PACE.accidents * accepted;
		// Few quick calls are in flight at the first 429; those of the second window show whether it is a limit per second.
		const isEnough = span.answered >= FEW.calls || callMs <= WINDOWS.proof.quick;
		const isTold = accepted >= FEW.least && isEnough;
		// Others had used the limit up: how few calls got through says nothing about it.
		const isLeftover = accepted < FEW.least && span.answered >= FEW.calls && passed <= 1;
		const isStarved = accepted < FEW.calls && (earlier.isRejected || isLeftover);
		// Calls that take longer would mix two windows.
		const isSure = isWaited && isTold && callMs < SECOND_MS && !isRefilled;
		const isLong = pauseMs > PACE.longPause;
		// Before anything was accepted, a pause tells nothing of how much a limit takes.
		if (isLong && inWindow.accepted > 0) this.long = new LongWindow(inWindow, at);
		else if (isLong || accepted === 0) return;
		else if (isStarved && callMs < SECOND_MS) this.windows = Windows.bid(callMs);
		else if (isSure && pauseMs >= PACE.windowPause && waitMs <= PACE.windowWait) {
			this.windows = new Windows(accepted, callMs);
		} else this.even = new EvenPace(span);
	}

	/** Tries a faster pace if all went well for long enough, now that a call that left at `sentAt` is accepted. */
	private quicken(sentAt: number, now: number): void {
		const { windows, even, costMs } = this;
		const steadyMs = sentAt - this.steadySince;
		if (windows?.accepted(sentAt, now)) {
			this.even = new EvenPace(windows.burst(now), windows.perMs);
			this.windows = undefined;
			this.start(now);
		} else windows?.quicken(costMs);
		if (even?.quicken(steadyMs, costMs, this.span)) {
			this.start(now);
			// No two calls leave closer together than they would at this pace: some services allow no burst at all.
			this.nextAt = this.leftAt + this.gapMs;
			this.steadySince = this.leftAt;
		}
	}
}
