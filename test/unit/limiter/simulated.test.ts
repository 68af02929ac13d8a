import { FAMILIES } from '../../../bench/limits/cases';

/** How far one seed may fall below the median for which the bench sets its limits. */
const LUCK = 0.2;
const SEED = 4;

describe.each(FAMILIES.map((family) => [family.name, family] as const))(
	'in the simulator: %s',
	(_name, { least = 0, most = Infinity, cases }) => {
		// The others are in the bench.
		const some = cases.filter((_, n) => n % 5 === 0);
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
