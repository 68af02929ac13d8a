/** A range of lines that was replaced: the lines removed, and those added in their place. */
export interface Hunk {
	/** Line numbers from 0, in the old and in the new text. */
	oldStart: number;
	newStart: number;
	removed: string[];
	added: string[];
}

/** Maximum number of pairs of lines that are compared, because n8n is blocked meanwhile. */
const MAX_PAIRS = 4_000_000;

/** Returns the lines of a text; an empty one has none. */
export const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'));

/**
 * Returns the smallest set of changed lines between two strings, in order. A moved line is removed in one place and
 * added in the other. If there are too many pairs of lines to compare, everything between the common beginning and end
 * counts as replaced.
 */
export function diffLines(before: string[], after: string[]): Hunk[] {
	const [start, end] = commonEnds(before, after);
	const [oldEnd, newEnd] = [before.length - end, after.length - end];
	const kept = commonLines(before.slice(start, oldEnd), after.slice(start, newEnd));
	const hunks: Hunk[] = [];
	let [oldStart, newStart] = [start, start];
	for (const [old, now] of [...kept, [oldEnd - start, newEnd - start]]) {
		const removed = before.slice(oldStart, start + old);
		const added = after.slice(newStart, start + now);
		if (removed.length + added.length > 0) hunks.push({ oldStart, newStart, removed, added });
		[oldStart, newStart] = [start + old + 1, start + now + 1];
	}
	return hunks;
}

/** Returns how many lines or characters two lists or texts share at their beginnings, and how many more at their ends. */
function commonEnds(before: string | string[], after: string | string[]): [number, number] {
	const shorter = Math.min(before.length, after.length);
	let start = 0;
	while (start < shorter && before[start] === after[start]) start++;
	let end = 0;
	while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
	return [start, end];
}

/** Returns the lines of the longest common subsequence, as pairs of indexes in the old and in the new text. */
function commonLines(oldLines: string[], newLines: string[]): Array<[old: number, now: number]> {
	if (oldLines.length * newLines.length > MAX_PAIRS) return [];
	// Comparing numbers is faster than comparing strings.
	const numbers = new Map<string, number>();
	const numberOf = (line: string): number => {
		const number = numbers.get(line) ?? numbers.size;
		numbers.set(line, number);
		return number;
	};
	const before = Uint32Array.from(oldLines, numberOf);
	const after = Uint32Array.from(newLines, numberOf);
	const width = after.length + 1;
	// For each pair of lines, how many lines the strings have in common from there to the end.
	const common = new Uint16Array((before.length + 1) * width);
	for (let old = before.length - 1; old >= 0; old--) {
		for (let now = after.length - 1; now >= 0; now--) {
			const at = old * width + now;
			const isSame = before[old] === after[now];
			common[at] = isSame
				? common[at + width + 1] + 1
				: Math.max(common[at + width], common[at + 1]);
		}
	}
	const pairs: Array<[number, number]> = [];
	for (let [old, now] = [0, 0]; old < before.length && now < after.length;) {
		const at = old * width + now;
		if (before[old] === after[now]) pairs.push([old++, now++]);
		else if (common[at + width] >= common[at + 1]) old++;
		else now++;
	}
	return pairs;
}

/**
 * Returns the number of characters that differ. In each hunk, the beginning and end that the removed and the added text
 * share are ignored: "Price: 10" and "Price: 12" differ in two characters.
 */
export function changedCharacters(hunks: Hunk[]): number {
	let sum = 0;
	for (const { removed, added } of hunks) {
		const [before, after] = [removed.join('\n'), added.join('\n')];
		const [start, end] = commonEnds(before, after);
		sum += before.length + after.length - 2 * (start + end);
	}
	return sum;
}

/** Returns hunks in the unified format without context lines, e.g. `@@ -3 +3 @@`, `-Price: 10`, `+Price: 12`. */
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
