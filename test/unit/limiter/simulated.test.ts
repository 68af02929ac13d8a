import { FAMILIES, LIMITS, use } from '../../../bench/limits/cases';
import { type Counter, counterOf } from '../../../mock-service/rateLimit';

/** How far one seed may fall below the median for which the bench sets its limits. */
const LUCK = 0.2;
const SEED = 4;

describe.each(FAMILIES.map((family) => [family.name, family] as const))(
	'in the simulator: %s',
	(_name, { least = 0, most = Infinity, cases }) => {
		// The others are in the bench.
		const some = cases.filter((_, n) => n % 15 === 0);
		it.each(some.map((one) => [one.name, one] as const))(
			'%s: nothing hangs, nothing is lost, and most of the limit is used',
			async (_case, { run }) => {
				const { value, lost = 0 } = await run(SEED);
				expect(lost).toBe(0);
				expect(value).toBeGreaterThan(least - LUCK);
				expect(value).toBeLessThan(most * (1 + LUCK));
			},
		);
	},
);

const perSecond = (requests: number) => counterOf({ requests, perMs: 1_000 });

/** Services whose limits aren't all that they seem; `take` returns the wait (ms) that a 429 names. */
const ODD: Record<string, () => Counter> = {
	'a limit that is lowered, then raised': () => {
		const limits = [50, 10, 100].map(perSecond);
		return { take: (now) => limits[Math.min(Math.floor(now / 12_000), 2)].take(now) };
	},
	'two limits at once': () => {
		const [second, minute] = [perSecond(50), counterOf({ requests: 600, perMs: 60_000 })];
		return { take: (now) => second.take(now) ?? minute.take(now) };
	},
	'an outage of two minutes': () => {
		const [from, until] = [10_000, 130_000];
		const limit = perSecond(50);
		return {
			take: (now) => (now > from && now < until ? until - now : limit.take(now)),
		};
	},
	'a wait that is always named too short': () => {
		const limit = counterOf(LIMITS['100/min, fixed']);
		return { take: (now) => (limit.take(now) === undefined ? undefined : 1_000) };
	},
};

describe.each(['seconds', 'none'] as const)('a service that names waits by %s', (hint) => {
	it.each(Object.entries(ODD))(
		'with %s loses no call and keeps its pace',
		async (_name, counter) => {
			const limit = LIMITS['50/s, fixed'];
			const what = { limit, hint, latencyMs: 300, items: 1_200, counter };
			const { value, lost } = await use(what, SEED);
			expect(lost).toBe(0);
			expect(value).toBeGreaterThan(0.75);
		},
	);
});
