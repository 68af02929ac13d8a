/** How many random histories a test tries: a few, or `MORE_SEEDS` times as many, as the weekly run does. */
export const seedCount = (few: number): number => few * Number(process.env.MORE_SEEDS ?? 1);

/** The seeds of those histories. */
export const seeds = (few: number): number[] =>
	Array.from({ length: seedCount(few) }, (_, index) => index + 1);
