import {
	AFTER_RESTS,
	AT_RANDOM,
	CHANGING,
	MACHINES,
	ODD_LIMITS,
	OUTAGES_MS,
	SMALL_LIMITS,
	TWO_LIMITS,
	UNEQUAL,
	afterOutage,
	afterRests,
	atRandom,
	caseOf,
	changing,
	oddLimit,
	queueOf,
	smallLimit,
	twoLimits,
	unequal,
} from '../../../../bench/limits/cases';
import { summarize } from '../../../../bench/limits/simulate';

const seeds = [1, 2, 3, 4, 5, 6, 7, 8, 9];

it.each(AT_RANDOM)('429s at random (%p) slow 3,000 calls down, but never stop them', async (of) => {
	const results = await Promise.all(seeds.map(async (seed) => await atRandom(of, seed)));
	for (const { seconds } of results) expect(seconds).toBeLessThan(100);
});

describe.each(['seconds', 'none'] as const)(
	'a large run after many small ones (wait: %p)',
	(hint) => {
		it.each(AFTER_RESTS)('uses almost half of the pace of %s, if not more', async (limit) => {
			const results = await Promise.all(
				seeds.map(async (seed) => await afterRests(limit, hint, 300, seed)),
			);
			for (const { share } of results) expect(share).toBeGreaterThan(0.45);
		});
	},
);

it('a worker that begins when another takes all soon gets a share of its own', async () => {
	const what = caseOf('50/s, fixed', 'seconds', 300, 800);
	const { share } = await summarize(what, undefined, queueOf(3_000));
	expect(share).toBeGreaterThan(0.65);
});

it.each(['50/s, fixed', '50/s, sliding'])(
	'where n8n has other work to do, three quarters of %s are used',
	async (limit) => {
		const what = { ...caseOf(limit, 'seconds', 300), machine: MACHINES.busy };
		expect((await summarize(what)).worst).toBeGreaterThan(0.75);
	},
);

it('a pause that ends just before a second each time costs no more than a few pauses', async () => {
	const { worst } = await summarize(caseOf('50/s, by the clock', 'date', 0));
	expect(worst).toBeGreaterThan(0.55);
});

it.each(SMALL_LIMITS)('%p: at least half of it is used where calls are quick', async (limit) => {
	const { worst } = await summarize({ ...smallLimit(limit), hint: 'seconds', latencyMs: 0 });
	expect(worst).toBeGreaterThan(0.5);
});

it.each(['seconds', 'none'] as const)(
	'10 a second are told from a bucket, where calls are quick (wait: %p)',
	async (hint) => {
		const { worst } = await summarize({ ...smallLimit({ requests: 10 }), hint, latencyMs: 30 });
		expect(worst).toBeGreaterThan(0.9);
	},
);

it.each([
	['seconds', 8_000],
	['none', 4_000],
] as const)(
	'1,000 a minute are used by slow calls, also if the first window ends while they begin (wait: %p, %i ms)',
	async (hint, latencyMs) => {
		const limit = { kind: 'clock', requests: 1_000, perMs: 60_000 } as const;
		const { worst } = await summarize({ limit, hint, latencyMs, items: 3_000 });
		expect(worst).toBeGreaterThan(0.33);
	},
);

it.each(CHANGING)('%s: where 20 become 100 per second, they are soon used', async (limit) => {
	const results = [1, 2, 3].map(async (seed) => await changing(limit, [20, 100], 'seconds', seed));
	for (const { share } of await Promise.all(results)) expect(share).toBeGreaterThan(0.53);
});

describe.each(CHANGING)('%s: after a service rejected everything', (limit) => {
	it.each(OUTAGES_MS)('for %i ms, runs are soon as quick as before', async (outageMs) => {
		const results = await Promise.all([1, 2, 3].map((seed) => afterOutage(limit, outageMs, seed)));
		for (const { third } of results) expect(third).toBeLessThan(10);
	});
});

it.each(Object.keys(TWO_LIMITS))(
	'%s: two thirds of both are used where no wait is named',
	async (of) => {
		const results = [1, 2, 3].map(async (seed) => await twoLimits(TWO_LIMITS[of], 'none', seed));
		for (const { share } of await Promise.all(results)) expect(share).toBeGreaterThan(0.65);
	},
);

it.each(Object.keys(UNEQUAL))(
	'calls that take unequal times (%s) are no reason to hold others back',
	async (times) => {
		const seconds = await Promise.all(seeds.map(async (seed) => await unequal(times, 3_000, seed)));
		// With 200 in flight all the time 14.3.
		expect(Math.max(...seconds)).toBeLessThan(20);
	},
);

it.each(Object.keys(ODD_LIMITS))(
	'where %s, most of the limit is used and few calls are rejected',
	async (of) => {
		const results = [1, 2, 3].map(async (seed) => await oddLimit(of, 300, seed));
		for (const { share, rejected } of await Promise.all(results)) {
			expect(share).toBeGreaterThan(0.65);
			expect(rejected).toBeLessThan(1.2);
		}
	},
);

it('a bucket that takes hours to fill is used where no wait is named, however often it is found empty', async () => {
	const limit = { kind: 'bucket', requests: 300, perMs: 3_600_000, burst: 30 } as const;
	const { worst } = await summarize({ limit, hint: 'none', latencyMs: 1_000, items: 120 });
	expect(worst).toBeGreaterThan(0.78);
});
