import { type Case, type Queue, type Result, Simulation } from './simulate';
import { randomOf } from '../../mock-service/random';
import { type Counter, type Limit, counterOf } from '../../mock-service/rateLimit';
import type { Machine } from './process';
import { type Hint, perfectMs } from './service';

const SECOND = 1_000;
const MINUTE = 60_000;

export const LIMITS: Record<string, Limit> = {
	'50/s, fixed': { kind: 'fixed', requests: 50, perMs: SECOND },
	'50/s, by the clock': { kind: 'clock', requests: 50, perMs: SECOND },
	'50/s, sliding': { kind: 'sliding', requests: 50, perMs: SECOND },
	'50/s, bucket of 50': { kind: 'bucket', requests: 50, perMs: SECOND, burst: 50 },
	'50/s, bucket of 5': { kind: 'bucket', requests: 50, perMs: SECOND, burst: 5 },
	'100/min, fixed': { kind: 'fixed', requests: 100, perMs: MINUTE },
	'100/min, by the clock': { kind: 'clock', requests: 100, perMs: MINUTE },
	'100/min, sliding': { kind: 'sliding', requests: 100, perMs: MINUTE },
	'100/min, bucket of 100': { kind: 'bucket', requests: 100, perMs: MINUTE, burst: 100 },
	'100/min, bucket of 10': { kind: 'bucket', requests: 100, perMs: MINUTE, burst: 10 },
	'100 per 5 s, fixed': { kind: 'fixed', requests: 100, perMs: 5 * SECOND },
	'200 per 10 s, sliding': { kind: 'sliding', requests: 200, perMs: 10 * SECOND },
};

const UNLIMITED: Limit = { kind: 'bucket', requests: Infinity, perMs: SECOND };

export const PER_SECOND = Object.keys(LIMITS).filter((name) => LIMITS[name].perMs === SECOND);

export const HINTS: Record<Hint, string> = {
	seconds: 'Retry-After in seconds',
	date: 'Retry-After as a date',
	text: 'only in the text',
	none: 'none',
};

export const LATENCIES = [0, 300, 2_000];

/** 1,000 items where a limit counts per second, 600 elsewhere. */
export function caseOf(name: string, hint: Hint, latencyMs: number, items?: number): Case {
	const limit = LIMITS[name];
	return { limit, hint, latencyMs, items: items ?? (limit.perMs > SECOND ? 600 : 1_000) };
}

/** Calls per second that a token bucket is refilled with, and fewer that it takes at once; or windows of few calls. */
export const SMALL_LIMITS: Array<{ requests: number; burst?: number }> = [
	{ requests: 50, burst: 1 },
	{ requests: 50, burst: 2 },
	{ requests: 50, burst: 10 },
	{ requests: 50, burst: 20 },
	{ requests: 100, burst: 20 },
	{ requests: 200, burst: 50 },
	{ requests: 5 },
	{ requests: 10 },
	{ requests: 20 },
];

export const SMALL_LATENCIES = [0, 30, 300];

/** As many calls as it takes in 20 seconds. */
export function smallLimit(of: (typeof SMALL_LIMITS)[number]): Pick<Case, 'limit' | 'items'> {
	const { requests, burst } = of;
	const limit: Limit = { kind: burst === undefined ? 'fixed' : 'bucket', ...of, perMs: SECOND };
	return { limit, items: 20 * requests + (burst ?? 0) };
}

/** Of two workers, the second begins so much later, in ms. */
export const WORKERS_LATER_MS = [0, 50, 250, 1_000, 1_500];

/** Two workers that take 20 executions of 40 items from a queue. */
export const queueOf = (laterMs: number): Queue => ({
	processes: 2,
	executions: 20,
	atOnce: 5,
	laterMs,
});

/** What n8n may run on, other than a quick machine of its own. */
export const MACHINES = {
	slow: { sendingMs: 8 },
	busy: { sendingMs: 3, other: { everyMs: 1_000, forMs: 150 } },
} satisfies Record<string, Machine>;

/** Shares of responses that are 429s whatever the pace, with a wait of no time and of a second. */
export const AT_RANDOM: Array<Record<'now' | 'second', number>> = [
	{ now: 0.01, second: 0.01 },
	{ now: 0.03, second: 0.03 },
	{ now: 0, second: 0.05 },
];

/** 3,000 items of 20 ms at a service that gives 429s at random. */
export async function atRandom(
	{ now, second }: (typeof AT_RANDOM)[number],
	seed: number,
): Promise<Result> {
	const random = randomOf(seed);
	const what: Case = { limit: UNLIMITED, hint: 'seconds', latencyMs: 20, items: 3_000 };
	const take = () => {
		const of = random();
		return of < now ? 0 : of < now + second ? SECOND : undefined;
	};
	return await new Simulation(what, seed).run(() => ({ take }));
}

const JOBS = 30;
const JOB_MS = 120_000;
const STARTS: Limit = { kind: 'fixed', requests: 2, perMs: MINUTE };
const POLLS: Limit = { kind: 'fixed', requests: 500, perMs: MINUTE };
const FIRST_POLL_MS = 2_000;
const LONGEST_POLL_MS = 30_000;

/** 30 jobs of two minutes: 2 starts a minute are allowed, and 500 polls. Share of the time that the starts need. */
export async function jobs(hint: Hint, seed: number): Promise<Result> {
	const simulation = new Simulation({ limit: STARTS, hint, latencyMs: 300, items: JOBS }, seed);
	const [starts, polls] = [counterOf(STARTS), counterOf(POLLS)];
	const run = {};
	const job = async () => {
		await simulation.send({ run, group: 'POST' }, starts);
		const endsAt = simulation.clock.now() + JOB_MS;
		let waitMs = FIRST_POLL_MS;
		while (simulation.clock.now() < endsAt) {
			await simulation.clock.sleep(waitMs);
			await simulation.send({ run, group: 'GET' }, polls);
			waitMs = Math.min(1.5 * waitMs, LONGEST_POLL_MS);
		}
	};
	const all = Array.from({ length: JOBS }, job);
	await simulation.clock.run();
	await Promise.all(all);
	return simulation.result((JOBS / STARTS.requests - 1) * MINUTE + JOB_MS);
}

/** A schedule: small runs with a rest after each, and then a large one. */
const SCHEDULE = { runs: 30, each: 10, restMs: 2 * MINUTE, last: 300 };

/** Where windows don't begin by the clock, so that a perfect client takes as long at any time. */
export const AFTER_RESTS = [
	'50/s, fixed',
	'50/s, sliding',
	'50/s, bucket of 50',
	'50/s, bucket of 5',
	'100/min, fixed',
	'100 per 5 s, fixed',
];

/** The large run of a schedule. The 429s of all runs are counted. */
export async function afterRests(
	name: string,
	hint: Hint,
	latencyMs: number,
	seed: number,
): Promise<Result> {
	const { runs, each, restMs, last } = SCHEDULE;
	const { limit } = caseOf(name, hint, latencyMs);
	const simulation = new Simulation({ limit, hint, latencyMs, items: last }, seed);
	const counter = counterOf(limit);
	const send = async (items: number) => {
		const run = {};
		const calls = Array.from({ length: items }, () => ({ run, group: 'POST' }));
		await Promise.all(calls.map(async (call) => await simulation.send(call, counter)));
	};
	const all = async () => {
		for (let n = 0; n < runs; n++) {
			await send(each);
			await simulation.clock.sleep(restMs);
		}
		const from = simulation.clock.now();
		await send(last);
		return simulation.result(perfectMs(counterOf(limit), last), from);
	};
	const result = all();
	await simulation.clock.run();
	return await result;
}

/** Limits per second, each for half a minute, the last one to the end. */
export const CHANGES = [
	[20, 100],
	[100, 20, 100],
	[50, 45, 55],
];

const CHANGE_MS = MINUTE / 2;

export const CHANGING = ['50/s, fixed', '50/s, sliding', '50/s, bucket of 5'];

/** As many calls as such limits take; `name`: of the kind. */
export async function changing(
	name: string,
	perSecond: number[],
	hint: Hint,
	seed: number,
): Promise<Result> {
	const limits = perSecond.map((requests) => ({ ...LIMITS[name], requests }));
	const create = (): Counter => {
		const counters = limits.map((limit) => counterOf(limit));
		return { take: (now) => (counters[Math.floor(now / CHANGE_MS)] ?? counters.at(-1)).take(now) };
	};
	const items = (perSecond.reduce((sum, requests) => sum + requests) * CHANGE_MS) / SECOND;
	return await new Simulation({ limit: limits[0], hint, latencyMs: 300, items }, seed).run(create);
}

/** How long a service rejects everything, without naming a wait. */
export const OUTAGES_MS = [24_000, 2 * MINUTE, 10 * MINUTE];

/** Runs of 200 items, one every five minutes, of which the third comes as the service begins to reject everything. */
const ROUNDS = { items: 200, everyMs: 5 * MINUTE, outageAt: 2 * 5 * MINUTE };

/** How long (s) the first and the third run take that begin after an outage. */
export async function afterOutage(
	name: string,
	outageMs: number,
	seed: number,
): Promise<{ first: number; third: number }> {
	const limit = LIMITS[name];
	const { items, everyMs, outageAt } = ROUNDS;
	const simulation = new Simulation({ limit, hint: 'none', latencyMs: 300, items }, seed);
	const { clock } = simulation;
	const counter = counterOf(limit);
	const endsAt = outageAt + outageMs;
	const isOut = (now: number) => now >= outageAt && now < endsAt;
	const service: Counter = { take: (now) => (isOut(now) ? SECOND : counter.take(now)) };
	const seconds: number[] = [];
	const rounds = async () => {
		for (let n = 0; seconds.length < 3; n++) {
			await clock.sleep(Math.max(0, n * everyMs - clock.now()));
			const from = clock.now();
			const run = {};
			const calls = Array.from({ length: items }, () => ({ run, group: 'POST' }));
			// Those that would wait for longer than they may fail.
			await Promise.allSettled(calls.map(async (call) => await simulation.send(call, service)));
			if (from >= endsAt) seconds.push((clock.now() - from) / SECOND);
		}
	};
	const all = rounds();
	await clock.run();
	await all;
	return { first: seconds[0], third: seconds[2] };
}

/** Two limits at once, and how many calls. */
export const TWO_LIMITS: Record<string, { limits: Limit[]; items: number }> = {
	'10/s and 100/min': {
		limits: [{ requests: 10, perMs: SECOND }, LIMITS['100/min, fixed']],
		items: 600,
	},
	'20/s, bucket of 5, and 300/min': {
		limits: [
			{ kind: 'bucket', requests: 20, perMs: SECOND, burst: 5 },
			{ kind: 'clock', requests: 300, perMs: MINUTE },
		],
		items: 600,
	},
	'5/s and 1,000/h': {
		limits: [
			{ requests: 5, perMs: SECOND },
			{ requests: 1_000, perMs: 60 * MINUTE },
		],
		items: 900,
	},
};

/** Calls that both limits count. */
export async function twoLimits(
	{ limits, items }: (typeof TWO_LIMITS)[string],
	hint: Hint,
	seed: number,
): Promise<Result> {
	const create = (): Counter => {
		const counters = limits.map((limit) => counterOf(limit));
		return {
			take(now) {
				for (const counter of counters) {
					const waitMs = counter.take(now);
					if (waitMs !== undefined) return waitMs;
				}
				return undefined;
			},
		};
	};
	return await new Simulation({ limit: limits[0], hint, latencyMs: 300, items }, seed).run(create);
}

/** Limits of 100 calls a minute that are unkind to calls that come too early, or to clients that believe them. */
export const ODD_LIMITS: Record<string, () => Counter> = {
	'every 429 names a wait of 1 s': () => {
		const counter = counterOf(LIMITS['100/min, fixed']);
		return { take: (now) => (counter.take(now) === undefined ? undefined : SECOND) };
	},
	'every 429 begins a minute in which all is rejected': () => {
		const counter = counterOf(LIMITS['100/min, fixed']);
		let until = -Infinity;
		return {
			take(now) {
				if (now >= until && counter.take(now) === undefined) return undefined;
				until = now + MINUTE;
				return MINUTE;
			},
		};
	},
};

/** 600 calls; 429s name the wait in seconds. */
export async function oddLimit(name: string, latencyMs: number, seed: number): Promise<Result> {
	const what = caseOf('100/min, fixed', 'seconds', latencyMs);
	return await new Simulation(what, seed).run(ODD_LIMITS[name]);
}

/** No limit at all: the time beside a client that sends everything at once. */
export async function quickStart(items: number, latencyMs: number, seed: number): Promise<number> {
	const what: Case = { limit: UNLIMITED, hint: 'none', latencyMs, items };
	const paced = await new Simulation(what, seed).run();
	const atOnce = await new Simulation(what, seed, undefined, true).run();
	return paced.seconds / atOnce.seconds;
}

/** How calls may take unequal times, as factors of which 1 is the mean. */
export const UNEQUAL: Record<string, (random: () => number) => number> = {
	'log-normal, σ 1': (random) => {
		const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
		return Math.exp(normal - 0.5);
	},
	'half 0.3, half 1.7': (random) => (random() < 0.5 ? 0.3 : 1.7),
	'one of ten 5.5, the others 0.5': (random) => (random() < 0.1 ? 5.5 : 0.5),
};

export const UNEQUAL_ITEMS = [1_000, 3_000];

/** No limit, and calls of a second on average: how long (s) until 95 % of them are accepted. */
export async function unequal(name: string, items: number, seed: number): Promise<number> {
	const what: Case = { limit: UNLIMITED, hint: 'none', latencyMs: SECOND, items };
	const simulation = new Simulation({ ...what, spread: UNEQUAL[name] }, seed);
	const counter = counterOf(UNLIMITED);
	const run = {};
	const ends: number[] = [];
	const calls = Array.from({ length: items }, async () => {
		await simulation.send({ run, group: 'POST' }, counter);
		ends.push(simulation.clock.now());
	});
	await simulation.clock.run();
	await Promise.all(calls);
	return ends[Math.floor(0.95 * items)] / SECOND;
}
