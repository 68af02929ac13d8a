/** Benchmarks of the limiter: families of cases, each with a limit that the median of every case must meet. */
import { counterOf, type Counter, type Limit } from '../../mock-service/rateLimit';
import { perfectMs, type Setting, Simulation, type Hint } from './simulate';

const SECOND = 1_000;
const MINUTE = 60_000;

/** The result of a case. */
export interface Result {
	/** Share of the pace of an ideal client, which knows the limit and only loses the latency; or a time in seconds. */
	value: number;
	/** Items that were given up. */
	lost: number;
}

export interface Case {
	name: string;
	run(seed: number): Promise<Result>;
}

export interface Family {
	name: string;
	/** What its cases must reach: at least this share, or at most this time. */
	least?: number;
	most?: number;
	cases: Case[];
}

export const LIMITS: Record<string, Limit> = {
	'50/s, fixed': { kind: 'fixed', requests: 50, perMs: SECOND },
	'50/s, by the clock': { kind: 'clock', requests: 50, perMs: SECOND },
	'50/s, sliding': { kind: 'sliding', requests: 50, perMs: SECOND },
	'50/s, bucket of 50': { kind: 'bucket', requests: 50, perMs: SECOND, burst: 50 },
	'50/s, bucket of 5': { kind: 'bucket', requests: 50, perMs: SECOND, burst: 5 },
	'100 per 5 s, fixed': { kind: 'fixed', requests: 100, perMs: 5 * SECOND },
	'200 per 10 s, sliding': { kind: 'sliding', requests: 200, perMs: 10 * SECOND },
	'10/min, fixed': { kind: 'fixed', requests: 10, perMs: MINUTE },
	'100/min, fixed': { kind: 'fixed', requests: 100, perMs: MINUTE },
	'100/min, by the clock': { kind: 'clock', requests: 100, perMs: MINUTE },
	'100/min, sliding': { kind: 'sliding', requests: 100, perMs: MINUTE },
	'500/min, fixed': { kind: 'fixed', requests: 500, perMs: MINUTE },
};

const HINTS: Hint[] = ['seconds', 'text', 'none'];
const PER_SECOND = ['50/s, fixed', '50/s, by the clock', '50/s, sliding'];
const BUCKETS = ['50/s, bucket of 50', '50/s, bucket of 5'];
const PER_MINUTE = Object.keys(LIMITS).filter((name) => LIMITS[name].perMs === MINUTE);

/** How runs use a limit. */
export interface Use {
	limit: Limit;
	hint: Hint;
	latencyMs: number;
	items: number;
	/** Number of runs that share the items. */
	runs?: number;
	/** How many of them each worker does at once; by default all. */
	atOnce?: number;
	/** When each worker starts, in ms; they take their runs from one queue. */
	workersAt?: number[];
	/** Creates the counter of calls; by default, that of the limit. */
	counter?: () => Counter;
}

/** Simulates runs that share an account with a limit. */
export async function use(what: Use, seed: number): Promise<Result> {
	const { limit, hint, latencyMs, items, runs = 1, atOnce = runs, workersAt = [0] } = what;
	const simulation = new Simulation({ hint, latencyMs, seed });
	const phase = simulation.random() * limit.perMs;
	const counter = what.counter ?? (() => counterOf(limit, phase));
	const [service, perfect] = [counter(), counter()];
	let begun = 0;
	const work = async (worker: ReturnType<Simulation['worker']>) => {
		while (begun++ < runs) await simulation.run(items / runs, service, worker);
	};
	for (const startsAt of workersAt) {
		const worker = simulation.worker();
		simulation.clock.at(startsAt, () => {
			for (let n = 0; n < atOnce; n++) void work(worker);
		});
	}
	await simulation.end();
	const { endedAt, lost } = simulation;
	return { value: (perfectMs(perfect, items) + latencyMs) / endedAt, lost };
}

/**
 * Returns the number of items: 20 seconds' worth for a limit per second, six windows' worth for others, but at least
 * half a minute's.
 */
const itemsOf = ({ requests, perMs }: Limit) => (perMs === MINUTE ? 6 : 20_000 / perMs) * requests;

function usesOf(
	names: string[],
	latencies: number[],
	hints = HINTS,
	more: Partial<Use> = {},
): Case[] {
	return names.flatMap((name) =>
		hints.flatMap((hint) =>
			latencies.map((latencyMs) => ({
				name: `${name}; ${hint}; ${latencyMs} ms`,
				run: async (seed) => {
					const limit = LIMITS[name];
					return await use({ limit, hint, latencyMs, items: itemsOf(limit), ...more }, seed);
				},
			})),
		),
	);
}

/** Two workers, one of which starts later, that take 20 executions from a queue, each up to five at once. */
function twoWorkersOn(names: string[], hints: Hint[]): Case[] {
	return names.flatMap((name) =>
		hints.flatMap((hint) =>
			[0, 250, 1_500].map((laterMs) => ({
				name: `${name}; ${hint}; ${laterMs} ms later`,
				run: async (seed) => {
					const runs = { items: 800, runs: 20, atOnce: 5, workersAt: [0, laterMs] };
					return await use({ limit: LIMITS[name], hint, latencyMs: 300, ...runs }, seed);
				},
			})),
		),
	);
}

/** Returns a case whose result is how long (s) a run of `items` takes. */
const timed = (
	name: string,
	items: number,
	setting: Omit<Setting, 'seed'>,
	counter: (random: () => number) => Counter,
): Case => ({
	name,
	run: async (seed) => {
		const simulation = new Simulation({ ...setting, seed });
		void simulation.run(items, counter(simulation.random), simulation.worker());
		await simulation.end();
		return { value: simulation.endedAt / SECOND, lost: simulation.lost };
	},
});

/** Returns a case of 3,000 items of 20 ms, some of which are rejected at random with a wait of zero or one second. */
const atRandom = (now: number, second: number) =>
	timed(
		`${100 * now} % "0", ${100 * second} % "1"`,
		3_000,
		{ hint: 'seconds', latencyMs: 20 },
		(random) => ({
			take() {
				const of = random();
				return of < now ? 0 : of < now + second ? SECOND : undefined;
			},
		}),
	);

/** Returns a case in which a third of the calls get no response until they time out, after 330 s. */
const lossy = (name: string, hint: Hint) =>
	timed(`${name}; ${hint}`, 600, { hint, latencyMs: 300, lossRate: 1 / 3 }, () =>
		counterOf(LIMITS[name]),
	);

const noLimit = (items: number) =>
	timed(`${items} × 500 ms`, items, { hint: 'seconds', latencyMs: 500 }, () =>
		counterOf({ kind: 'bucket', requests: Infinity, perMs: SECOND }),
	);

export const FAMILIES: Family[] = [
	{ name: 'Windows per minute', least: 0.95, cases: usesOf(PER_MINUTE, [0, 300, 2_000]) },
	{
		name: 'Two workers, 100 a minute, wait named',
		least: 0.85,
		cases: twoWorkersOn(['100/min, fixed', '100/min, by the clock'], ['seconds', 'text']),
	},
	{ name: 'Windows per second', least: 0.75, cases: usesOf(PER_SECOND, [0, 300]) },
	{ name: 'Windows per second, 2 s', least: 0.65, cases: usesOf(PER_SECOND, [2_000]) },
	{
		name: 'Windows per 5 and 10 s',
		least: 0.65,
		cases: usesOf(['100 per 5 s, fixed', '200 per 10 s, sliding'], [0, 300, 2_000]),
	},
	{ name: 'Buckets', least: 0.6, cases: usesOf(BUCKETS, [0, 300, 2_000]) },
	{
		name: '15 executions at once',
		least: 0.6,
		cases: usesOf([...PER_SECOND, ...BUCKETS], [0, 300], ['seconds', 'none'], {
			items: 600,
			runs: 15,
		}),
	},
	{
		name: 'Two workers',
		least: 0.6,
		cases: twoWorkersOn([...PER_SECOND, ...BUCKETS], ['seconds', 'none']),
	},
	{
		name: '429s at random (s)',
		most: 60,
		cases: [atRandom(0.01, 0.01), atRandom(0.03, 0.03), atRandom(0, 0.05)],
	},
	{
		name: 'A third of the calls lost (s)',
		most: 1_000,
		cases: ['50/s, fixed', '100/min, fixed'].flatMap((name) => [
			lossy(name, 'seconds'),
			lossy(name, 'none'),
		]),
	},
	{ name: 'No limit, 200 × 500 ms (s)', most: 1.1, cases: [noLimit(200)] },
	{ name: 'No limit, 1,000 × 500 ms (s)', most: 2.5, cases: [noLimit(1_000)] },
];
