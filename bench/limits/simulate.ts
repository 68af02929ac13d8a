import { randomOf } from '../../mock-service/random';
import { type Counter, type Limit, counterOf } from '../../mock-service/rateLimit';
import { DEFAULT_MAX_WAIT_MS } from '../../nodes/shared/transport/call';
import type { Call, Pacing } from '../../nodes/shared/transport/limits/types';
import { VirtualClock } from './clock';
import { type Machine, Process, USUAL } from './process';
import { type Hint, hintOf, perfectMs } from './service';

/** What is asked of a service; times in ms. */
export interface Case {
	limit: Limit;
	hint: Hint;
	/** Of a call on average: half of it before the service counts it, half after, each from half to one and a half. */
	latencyMs: number;
	items: number;
	/** Gives the factor by which each of these two ways takes longer than half of `latencyMs`, instead. */
	spread?: (random: () => number) => number;
	/** What n8n runs on. */
	machine?: Machine;
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

/** A call over the loopback takes no less. */
const LEAST_LATENCY_MS = 2;

const DAY_MS = 86_400_000;

/** Executions that several processes take from one queue, as n8n's workers do. */
export interface Queue {
	processes: number;
	executions: number;
	/** How many executions a process runs at once. */
	atOnce: number;
	/** How much later each process begins than the one before, in ms. */
	laterMs: number;
}

/** One service, one or more n8n processes and the network between them. */
export class Simulation {
	readonly clock = new VirtualClock();

	private readonly process: Process;

	private readonly random: () => number;

	/** How far the service's clock is into a window at the start. */
	private readonly phase: number;

	private readonly latencyMs: number;

	private rejected = 0;

	private endedAt = 0;

	constructor(
		private readonly what: Case,
		seed: number,
		private readonly createPace?: () => Pacing,
		/** Whether all calls leave at once, as n8n's HTTP Request node sends them. */
		private readonly isUnlimited = false,
	) {
		this.random = randomOf(seed * 0x9e3779b1);
		this.phase = this.random() * what.limit.perMs;
		this.latencyMs = Math.max(what.latencyMs, LEAST_LATENCY_MS);
		this.process = this.addProcess();
	}

	/**
	 * Sends all items of the case, those of all runs at once. `create`: what counts them, once more for a perfect client. Throws
	 * when they take longer than a day.
	 */
	async run(create = () => counterOf(this.what.limit, this.phase)): Promise<Result> {
		const { items, runs = 1 } = this.what;
		const counter = create();
		const owners = Array.from({ length: runs }, () => ({}));
		let left = items;
		for (let n = 0; n < items; n++) {
			void this.send({ run: owners[n % runs], group: 'POST' }, counter).then(() => left--);
		}
		await this.clock.run(DAY_MS);
		if (left > 0) throw new Error(`${left} of ${items} items are not through after a day`);
		return this.result(perfectMs(create(), items));
	}

	/** The same with executions that have an equal share of the items, and processes that take them from a queue. */
	async runQueue({ processes, executions, atOnce, laterMs }: Queue): Promise<Result> {
		const { limit, items } = this.what;
		const counter = counterOf(limit, this.phase);
		const each = Array.from({ length: items / executions });
		let begun = 0;
		let ended = 0;
		const work = async (process: Process) => {
			while (begun < executions) {
				begun++;
				const run = {};
				await Promise.all(
					each.map(async () => await this.send({ run, group: 'POST' }, counter, process)),
				);
				ended++;
			}
		};
		for (let n = 0; n < processes; n++) {
			const process = this.addProcess();
			void this.clock.sleep(n * laterMs).then(() => {
				for (let m = 0; m < atOnce; m++) void work(process);
			});
		}
		await this.clock.run(DAY_MS);
		if (ended < executions) throw new Error(`${ended} of ${executions} executions ended in a day`);
		return this.result(perfectMs(counterOf(limit, this.phase), items));
	}

	/** What came of it since `from`, beside a client whose last call is accepted after `perfectMs`. */
	result(perfect: number, from = 0): Result {
		const tookMs = this.endedAt - from;
		return {
			share: (perfect + this.latencyMs) / tookMs,
			rejected: this.rejected / this.what.items,
			seconds: tookMs / 1_000,
		};
	}

	/** One call until it is accepted. */
	async send(
		of: Pick<Call, 'run' | 'group'>,
		counter: Counter,
		process = this.process,
	): Promise<void> {
		const call: Call = { ...of, maxConcurrent: Infinity, maxWaitMs: DEFAULT_MAX_WAIT_MS };
		for (;;) {
			const permit = this.isUnlimited
				? { call, sentAt: this.clock.now() }
				: await process.limiter.acquire(call);
			if ('denied' in permit) throw new Error(`A call was ${permit.denied}`);
			await this.clock.sleep(process.send() + this.oneWay());
			const countedAt = this.clock.now();
			const waitMs = counter.take(countedAt);
			await process.sleep(this.oneWay());
			if (waitMs === undefined) {
				process.limiter.release(permit, { kind: 'accepted' });
				this.endedAt = this.clock.now();
				return;
			}
			this.rejected++;
			const asked = hintOf(this.what.hint, waitMs, countedAt + this.phase);
			process.limiter.release(permit, { kind: 'limited', waitMs: asked });
		}
	}

	private addProcess(): Process {
		return new Process(this.clock, this.random, this.what.machine ?? USUAL, this.createPace);
	}

	private oneWay(): number {
		const { spread } = this.what;
		return (this.latencyMs / 2) * (spread?.(this.random) ?? 0.5 + this.random());
	}
}

/** Of several seeds: medians, and the lowest share. */
export interface Summary {
	share: number;
	worst: number;
	rejected: number;
}

export const SEEDS = 9;

/** A case with nine seeds; with a queue, its executions are shared by several processes. */
export async function summarize(
	what: Case,
	createPace?: () => Pacing,
	queue?: Queue,
): Promise<Summary> {
	const results: Result[] = [];
	for (let seed = 1; seed <= SEEDS; seed++) {
		const simulation = new Simulation(what, seed, createPace);
		results.push(await (queue === undefined ? simulation.run() : simulation.runQueue(queue)));
	}
	return summaryOf(results);
}

/** Of one result per seed. */
export function summaryOf(results: Result[]): Summary {
	const shares = results.map(({ share }) => share).sort((a, b) => a - b);
	const rejected = results.map((result) => result.rejected).sort((a, b) => a - b);
	const middle = (SEEDS - 1) / 2;
	return { share: shares[middle], worst: shares[0], rejected: rejected[middle] };
}
