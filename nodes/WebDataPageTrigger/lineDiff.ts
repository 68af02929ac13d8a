/** Holds a stretch of lines that was replaced: the removed ones and those added in their place. */
export interface Hunk {
	/** Counts from 0, in the old and in the new text. */
	oldStart: number;
	newStart: number;
	removed: string[];
	added: string[];
}

/** Limits the pairs of equal lines that are compared; more would take seconds. */
const MAX_PAIRS = 1_000_000;

type Pair = [oldIndex: number, newIndex: number];

/** Compares two texts line by line; an empty text has no lines. */
export function diffTexts(before: string, after: string): Hunk[] {
	const linesOf = (text: string) => (text === '' ? [] : text.split('\n'));
	return diffLines(linesOf(before), linesOf(after));
}

/**
 * Finds the smallest set of changed lines between two texts, in order. A moved line is removed in one place and added in
 * the other.
 *
 * Follows J. W. Hunt and M. D. McIlroy, "An Algorithm for Differential File Comparison" (Bell Laboratories, 1976): of all
 * pairs of equal lines, it keeps the longest sequence that rises in both texts. The result is as small as with E. W.
 * Myers' algorithm (1986), and the code half as long. "Patience" reports up to four times too much when lines repeat, as
 * in tables. Texts with more than a million pairs count as replaced between their common beginning and end.
 */
export function diffLines(before: string[], after: string[]): Hunk[] {
	let start = 0;
	while (start < before.length && before[start] === after[start]) start++;
	let oldEnd = before.length;
	let newEnd = after.length;
	while (oldEnd > start && newEnd > start && before[oldEnd - 1] === after[newEnd - 1]) {
		oldEnd--;
		newEnd--;
	}
	const kept = longestRise(equalPairs(before, after, start, oldEnd, newEnd));
	const hunks: Hunk[] = [];
	let [oldStart, newStart] = [start, start];
	for (const [oldIndex, newIndex] of [...kept, [oldEnd, newEnd]]) {
		if (oldIndex > oldStart || newIndex > newStart) {
			const removed = before.slice(oldStart, oldIndex);
			hunks.push({ oldStart, newStart, removed, added: after.slice(newStart, newIndex) });
		}
		[oldStart, newStart] = [oldIndex + 1, newIndex + 1];
	}
	return hunks;
}

/** Lists all pairs of equal lines in the given stretch. For each old line, the last new line comes first. */
function equalPairs(
	before: string[],
	after: string[],
	start: number,
	oldEnd: number,
	newEnd: number,
): Pair[] {
	const places = new Map<string, number[]>();
	for (let index = newEnd - 1; index >= start; index--) {
		const indexes = places.get(after[index]);
		if (indexes) indexes.push(index);
		else places.set(after[index], [index]);
	}
	const pairs: Pair[] = [];
	for (let index = start; index < oldEnd; index++) {
		for (const place of places.get(before[index]) ?? []) pairs.push([index, place]);
		if (pairs.length > MAX_PAIRS) return [];
	}
	return pairs;
}

/**
 * Finds the longest sequence of pairs that rises in both indexes. `ends[n]` is the pair with the smallest new index that
 * ends a sequence of n + 1; each pair finds its place among them by halving (T. G. Szymanski, 1977).
 */
function longestRise(pairs: Pair[]): Pair[] {
	interface Link {
		pair: Pair;
		previous?: Link;
	}
	const ends: Link[] = [];
	for (const pair of pairs) {
		let low = 0;
		let high = ends.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (ends[middle].pair[1] < pair[1]) low = middle + 1;
			else high = middle;
		}
		ends[low] = { pair, previous: ends[low - 1] };
	}
	const rise: Pair[] = [];
	for (let link = ends.at(-1); link; link = link.previous) rise.push(link.pair);
	return rise.reverse();
}

/**
 * Counts the characters that differ. In each hunk, the common beginning and end of the removed and the added text don't
 * count: "Price: 10" against "Price: 12" are two.
 */
export function changedCharacters(hunks: Hunk[]): number {
	let sum = 0;
	for (const { removed, added } of hunks) {
		const [before, after] = [removed.join('\n'), added.join('\n')];
		const shorter = Math.min(before.length, after.length);
		let start = 0;
		while (start < shorter && before[start] === after[start]) start++;
		let end = 0;
		while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
		sum += before.length + after.length - 2 * (start + end);
	}
	return sum;
}

/** Writes hunks in the unified format without context lines, e.g. `@@ -3 +3 @@`, `-Price: 10`, `+Price: 12`. */
export function unifiedDiff(hunks: Hunk[]): string {
	// As in diff, a hunk without lines on one side names the line before it.
	const range = (start: number, { length }: string[]) =>
		length === 1 ? `${start + 1}` : `${length === 0 ? start : start + 1},${length}`;
	return hunks
		.flatMap(({ oldStart, newStart, removed, added }) => [
			`@@ -${range(oldStart, removed)} +${range(newStart, added)} @@`,
			...removed.map((line) => `-${line}`),
			...added.map((line) => `+${line}`),
		])
		.join('\n');
}
