/* eslint-disable @n8n/community-nodes/no-restricted-globals */
/** Returns how many random histories a test tries: `few`, or `MORE_SEEDS` times as many, as in the weekly run. */
export const seedCount = (few: number): number =>
	Math.ceil(few * Number(process.env.MORE_SEEDS ?? 1));

/** Returns the seeds of those histories. */
export const seeds = (few: number): number[] =>
	Array.from({ length: seedCount(few) }, (_, index) => index + 1);

/** Returns the sums of what the histories of `count` seeds have counted. */
export async function totalOf(
	count: number,
	history: (seed: number) => Promise<Record<string, number>>,
): Promise<Record<string, number>> {
	const total: Record<string, number> = {};
	for (let seed = 1; seed <= count; seed++) {
		for (const [name, more] of Object.entries(await history(seed))) {
			total[name] = (total[name] ?? 0) + more;
		}
	}
	return total;
}
