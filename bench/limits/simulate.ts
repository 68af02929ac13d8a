/** A service, one or more n8n processes and the network between them, simulated in virtual time. Times in ms. */
import { randomOf } from '../../mock-service/random';
import { waitNamed, type Counter, type RateLimit } from '../../mock-service/rateLimit';
import { AccountLimiter, CONCURRENCY } from '../../nodes/shared/limiter/accountLimiter';
import { retryAfterMs } from '../../nodes/shared/client/retry';
import type { LimitedCall, Verdict } from '../../nodes/shared/limiter/types';
import { VirtualClock } from './clock';

/** Where a 429 states how long to wait. */
export type Hint = NonNullable<RateLimit['retryAfter']>;

export interface Setting {
	hint: Hint;
	/**
	 * Average latency of a call: half of it before the service counts the call, half after, each varying from 50 % to 150
	 * %.
	 */
	latencyMs: number;
	/** Share of the accepted calls that get no response. */
	lossRate?: number;
	seed: number;
}

/** Time (ms) that n8n takes to send a call; it sends them one after another. */
const SENDING_MS = 1.5;
/** Shortest latency of a call over the loopback. */
const LEAST_LATENCY_MS = 2;
/** Time after which calls without a response end: the package's default timeout. */
const TIMEOUT_MS = 330_000;
/** Default of Rate Limit Wait, plus what is added to a wait given as a date. */
const MAX_WAIT_MS = 300_750;
const DAY_MS = 86_400_000;

/** An n8n process with its limiter. It sends calls one after another. */
class Worker {
	readonly limiter: AccountLimiter;

	private busyUntil = 0;

	constructor(private readonly clock: VirtualClock) {
		this.limiter = new AccountLimiter(clock);
	}

	/** Sends a call and returns how long (ms) sending takes. */
	send(): number {
		const now = this.clock.now();
		this.busyUntil = Math.max(now, this.busyUntil) + SENDING_MS;
		return this.busyUntil - now;
	}
}

export class Simulation {
	readonly clock = new VirtualClock();

	readonly random: () => number;

	/** Calls that were denied or failed for good. */
	lost = 0;

	/** When the last call ended. */
	endedAt = 0;

	private open = 0;

	private readonly latencyMs: number;

	constructor(private readonly setting: Setting) {
		this.random = randomOf(setting.seed * 0x9e3779b1);
		this.latencyMs = Math.max(setting.latencyMs, LEAST_LATENCY_MS);
	}

	worker(): Worker {
		return new Worker(this.clock);
	}

	/** Sends all items of a run at once, and waits until each is done. */
	async run(items: number, counter: Counter, worker: Worker) {
		const run = {};
		const all = Array.from({ length: items }, async () => {
			const call = { run, group: 'POST', maxConcurrent: CONCURRENCY.max, maxWaitMs: MAX_WAIT_MS };
			await this.send(call, counter, worker);
		});
		await Promise.all(all);
	}

	/** Lets time pass until everything has ended. Throws if something hangs, i.e. takes longer than a day. */
	async end(): Promise<void> {
		await this.clock.run(DAY_MS);
		if (this.open > 0) throw new Error(`${this.open} calls hang`);
	}

	/** Sends one call until it is accepted or lost. */
	private async send(call: LimitedCall, counter: Counter, worker: Worker) {
		this.open++;
		while (!(await this.attempt(call, counter, worker)));
		this.open--;
		this.endedAt = this.clock.now();
	}

	/** Returns whether a call is done: accepted, or lost. */
	private async attempt(call: LimitedCall, counter: Counter, worker: Worker) {
		const permit = await worker.limiter.acquire(call);
		if ('denied' in permit) {
			this.lost++;
			return true;
		}
		await this.clock.sleep(worker.send() + this.oneWay());
		const countedAt = this.clock.now();
		const waitMs = counter.take(countedAt);
		const { hint, lossRate } = this.setting;
		const hangs = waitMs === undefined && lossRate !== undefined && this.random() < lossRate;
		await this.clock.sleep(hangs ? TIMEOUT_MS : this.oneWay());
		const isLimited = waitMs !== undefined;
		const verdict: Verdict = isLimited
			? { kind: 'limited', waitMs: hintOf(hint, waitMs, countedAt) }
			: { kind: hangs ? 'failed' : 'accepted' };
		worker.limiter.release(permit, verdict);
		return !isLimited;
	}

	private oneWay(): number {
		return (this.latencyMs / 2) * (0.5 + this.random());
	}
}

/**
 * Returns the wait that a 429 states, in ms, as the package reads it. The service's clock differs from ours by a
 * fraction of a second.
 */
function hintOf(hint: Hint, waitMs: number, now: number): number | undefined {
	const serviceNow = now + 12_345;
	const { header, text } = waitNamed(hint, waitMs, serviceNow);
	return retryAfterMs(header, new Date(serviceNow).toUTCString(), text);
}

/** Returns how long `items` calls take a client that knows the limit and has no latency. */
export function perfectMs(counter: Counter, items: number): number {
	let now = 0;
	for (let n = 0; n < items; n++) {
		for (let wait = counter.take(now); wait !== undefined; wait = counter.take(now)) {
			now += Math.max(wait, 1e-6);
		}
	}
	return now;
}
