import { randomOf } from '../../mock-service/random';
import { counterOf, type Counter, type Limit } from '../../mock-service/rateLimit';
import { DEFAULT_MAX_WAIT_MS } from '../../nodes/shared/transport/call';
import { AccountLimiter } from '../../nodes/shared/transport/limits/accountLimiter';
import type { Call, Pacing } from '../../nodes/shared/transport/limits/types';
import { VirtualClock } from './clock';
import { hintOf, perfectMs, type Hint } from './service';

/** What is asked of a service; times in ms. */
export interface Case {
	limit: Limit;
	hint: Hint;
	/** Of a call on average: half of it before the service counts it, half after, each from half to one and a half. */
	latencyMs: number;
	items: number;
	/** Node runs that share the items. */
	runs?: number;
}

export interface Result {
	/** Of the pace of a client that knows the limit and needs no time: 1 is as fast. */
	share: number;
	/** 429s per item. */
	rejected: number;
	seconds: number;
}

/** n8n sends one call after the other: so much of its time per call. */
const SENDING_MS = 1.5;

/** A call over the loopback takes no less. */
const LEAST_LATENCY_MS = 2;

const DAY_MS = 86_400_000;

/** One service, one n8n and the network between them, with the limiter that runs in n8n, or with another pace. */
export class Simulation {
	readonly clock = new VirtualClock();

	readonly limiter: AccountLimiter;

	private readonly random: () => number;

	/** How far the service's clock is into a window at the start. */
	private readonly phase: number;

	private readonly latencyMs: number;

	private busyUntil = 0;

	private rejected = 0;

	private endedAt = 0;

	constructor(
		private readonly what: Case,
		seed: number,
		createPace?: () => Pacing,
		/** Whether all calls leave at once, as n8n's HTTP Request node sends them. */
		private readonly isUnlimited = false,
	) {
		this.random = randomOf(seed * 0x9e3779b1);
		this.phase = this.random() * what.limit.perMs;
		this.latencyMs = Math.max(what.latencyMs, LEAST_LATENCY_MS);
		this.limiter = new AccountLimiter(this.clock, createPace);
	}

	/** Sends all items of the case, those of all runs at once. Throws when they take longer than a day. */
	async run(): Promise<Result> {
		const { limit, items, runs = 1 } = this.what;
		const counter = counterOf(limit, this.phase);
		const owners = Array.from({ length: runs }, () => ({}));
		let left = items;
		for (let n = 0; n < items; n++) {
			void this.send({ run: owners[n % runs], group: 'POST' }, counter).then(() => left--);
		}
		await this.clock.run(DAY_MS);
		if (left > 0) throw new Error(`${left} of ${items} items are not through after a day`);
		return this.result(perfectMs(limit, this.phase, items));
	}

	/** What came of it, beside a client whose last call is accepted after `perfectMs`. */
	result(perfect: number): Result {
		return {
			share: (perfect + this.latencyMs) / this.endedAt,
			rejected: this.rejected / this.what.items,
			seconds: this.endedAt / 1_000,
		};
	}

	/** One call until it is accepted. */
	async send(of: Pick<Call, 'run' | 'group'>, counter: Counter): Promise<void> {
		const call: Call = { ...of, maxConcurrent: Infinity, maxWaitMs: DEFAULT_MAX_WAIT_MS };
		for (;;) {
			const permit = this.isUnlimited
				? { call, sentAt: this.clock.now() }
				: await this.limiter.acquire(call);
			if ('denied' in permit) throw new Error(`A call was ${permit.denied}`);
			this.busyUntil = Math.max(this.busyUntil, this.clock.now()) + SENDING_MS;
			await this.clock.sleep(this.busyUntil + this.oneWay() - this.clock.now());
			const countedAt = this.clock.now();
			const waitMs = counter.take(countedAt);
			await this.clock.sleep(this.oneWay());
			if (waitMs === undefined) {
				this.limiter.release(permit, { kind: 'accepted' });
				this.endedAt = this.clock.now();
				return;
			}
			this.rejected++;
			const asked = hintOf(this.what.hint, waitMs, countedAt + this.phase);
			this.limiter.release(permit, { kind: 'limited', waitMs: asked });
		}
	}

	private oneWay(): number {
		return (this.latencyMs / 2) * (0.5 + this.random());
	}
}

/** Of several seeds: medians, and the lowest share. */
export interface Summary {
	share: number;
	worst: number;
	rejected: number;
}

export const SEEDS = 9;

/** A case with nine seeds. */
export async function summarize(what: Case, createPace?: () => Pacing): Promise<Summary> {
	const results: Result[] = [];
	for (let seed = 1; seed <= SEEDS; seed++) {
		results.push(await new Simulation(what, seed, createPace).run());
	}
	const shares = results.map(({ share }) => share).sort((a, b) => a - b);
	const rejected = results.map((result) => result.rejected).sort((a, b) => a - b);
	const middle = (SEEDS - 1) / 2;
	return { share: shares[middle], worst: shares[0], rejected: rejected[middle] };
}
