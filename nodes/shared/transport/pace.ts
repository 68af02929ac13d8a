/** How rate limits are learned; times in ms. */
export const PACE = {
	/** Retry-After comes in whole seconds, rounded up: the real end of a window may be this much earlier. */
	roundingMs: 1_000,
	/** The learned period is stretched by this, since requests don't arrive as evenly as they were sent. */
	slack: 1.02,
	/** Each further 429 stretches the period at least by this factor. */
	slower: 1.05,
	/**
	 * The most it is stretched in all: two windows may have been taken for one, but what refuses at random, or because
	 * of others, is not to be outrun by becoming ever slower.
	 */
	slowest: 2.2,
	/** A window's quota is sent evenly, but a long window's within this time: waiting longer would gain nothing. */
	spreadMs: 5_000,
	/** So many full periods without a 429 before trying a faster pace; doubles when that fails. */
	patience: 10,
	mostPatience: 80,
	/** How much faster each period is once trying. */
	faster: 1.1,
	/** So many sends that a busy n8n was too late for may be made up for at once. */
	catchUp: 2,
};

/** A time in which nothing is sent, because requests sent since `sentAt` were refused. */
interface Hold {
	sentAt: number;
	waitMs: number;
	roundingMs: number;
}

/**
 * When the next request may leave, learned from 429 answers (Limits: the service does not say what it allows).
 * What was accepted until the first 429, over the time until requests are accepted again, is taken for the
 * quota; from then on requests are spaced to keep within it, so that a limit costs one round of 429s and not one
 * per window. Pure: the caller gives the time, in ms.
 */
export class Pace {
	private notBefore = 0;

	private nextAt = 0;

	private quota?: { count: number; periodMs: number; firstMs: number };

	private period = { startedAt: 0, sent: 0 };

	private hold?: Hold;

	/** When what was accepted before the first 429 was sent. */
	private sentBefore: number[] = [];

	private epoch = { startedAt: 0, accepted: 0 };

	private fullPeriods = 0;

	/** The period of the last pace that was accepted, while a faster one is tried. */
	private provenMs = 0;

	private patience = PACE.patience;

	/** The earliest time the next request may leave. */
	earliest(): number {
		if (this.quota === undefined) return this.notBefore;
		const isSpent = this.period.sent >= this.quota.count;
		const periodEnd = isSpent ? this.period.startedAt + this.quota.periodMs : 0;
		return Math.max(this.notBefore, this.nextAt, periodEnd);
	}

	/** A request leaves now. */
	sent(now: number): void {
		if (this.hold !== undefined && now >= this.notBefore) this.learn(now, this.hold);
		if (this.epoch.startedAt === 0) this.epoch.startedAt = now;
		if (this.quota === undefined) return;
		if (now >= this.period.startedAt + this.quota.periodMs) this.startPeriod(now);
		this.period.sent++;
		const spacing = Math.min(this.quota.periodMs, PACE.spreadMs) / this.quota.count;
		this.nextAt = Math.max(this.nextAt, now - PACE.catchUp * spacing) + spacing;
	}

	/** What was sent at `sentAt` was answered with anything but a 429. */
	accepted(sentAt: number): void {
		this.epoch.accepted++;
		if (this.quota === undefined) this.sentBefore.push(sentAt);
	}

	/** What was sent at `sentAt` got a 429: nothing leaves for `waitMs`. `isRounded`: the service named whole seconds. */
	limited(sentAt: number, now: number, waitMs: number, isRounded: boolean): void {
		// Without a time from the service each waits a random one: the first is enough to find out more.
		if (!isRounded && this.hold !== undefined) return;
		this.notBefore = Math.max(this.notBefore, now + waitMs);
		this.hold = {
			sentAt: Math.min(sentAt, this.hold?.sentAt ?? sentAt),
			waitMs: Math.max(waitMs, this.hold?.waitMs ?? 0),
			roundingMs: isRounded ? PACE.roundingMs : 0,
		};
	}

	/** The pace in requests per second, once learned. */
	get perSecond(): number | undefined {
		return this.quota && (this.quota.count / this.quota.periodMs) * 1_000;
	}

	private learn(now: number, hold: Hold): void {
		const { accepted, startedAt } = this.epoch;
		this.hold = undefined;
		// Rejected again at once: the window simply lasts longer, so it is measured further.
		if (accepted === 0) return;
		// The first time, what was in flight counts too: being slow at first is cheaper than being refused again.
		const end = this.quota === undefined ? this.notBefore : hold.sentAt + hold.waitMs;
		const windowMs = Math.max(hold.waitMs, end - startedAt - hold.roundingMs, 1);
		if (this.quota === undefined || hold.waitMs > 1.5 * Math.max(this.quota.periodMs, 1_000)) {
			this.quota = this.measured(accepted, windowMs, hold);
			this.sentBefore = [];
		} else if (this.fullPeriods > this.patience) {
			this.quota.periodMs = this.provenMs;
		} else {
			const { count, periodMs, firstMs } = this.quota;
			// An epoch of many periods went well for long: its average is of the past, and the limit is near.
			const isShort = windowMs < 3 * periodMs;
			const measured = isShort ? (windowMs / accepted) * count * PACE.slack : 0;
			const slower = Math.max(measured, periodMs * PACE.slower);
			this.quota.periodMs = Math.max(periodMs, Math.min(slower, firstMs * PACE.slowest));
		}
		if (this.fullPeriods > this.patience) {
			this.patience = Math.min(this.patience * 2, PACE.mostPatience);
		}
		this.fullPeriods = 0;
		this.epoch = { startedAt: now, accepted: 0 };
		this.period = { startedAt: now, sent: 0 };
		this.nextAt = now;
	}

	/** The first quota: what was accepted in all, or lately, if that was more: the start was slow on purpose. */
	private measured(accepted: number, windowMs: number, hold: Hold) {
		const recent = this.sentBefore.filter((at) => at > hold.sentAt - hold.waitMs).length;
		const isFaster = recent / hold.waitMs > accepted / windowMs && recent < accepted;
		const [count, ms] = isFaster ? [recent, hold.waitMs] : [accepted, windowMs];
		return { count, periodMs: ms * PACE.slack, firstMs: ms * PACE.slack };
	}

	private startPeriod(now: number): void {
		const quota = this.quota!;
		// Only a period that used its whole quota shows that the pace is accepted.
		this.fullPeriods = this.period.sent >= quota.count ? this.fullPeriods + 1 : 0;
		if (this.fullPeriods > this.patience) {
			this.provenMs = quota.periodMs;
			quota.periodMs /= PACE.faster;
		}
		this.period = { startedAt: now, sent: 0 };
	}
}
