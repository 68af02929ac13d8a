import {
	type Hunk,
	changedCharacters,
	diffLines,
	unifiedDiff,
} from '../../../nodes/WebDataPageTrigger/lineDiff';
import { cpuTime } from '../../support/cpuTime';
import { random } from '../../support/keptState';
import { seeds } from '../../support/seeds';

/** Returns the new text, made from the old one and the hunks alone. */
function patched(before: string[], hunks: Hunk[]): string[] {
	const after: string[] = [];
	let index = 0;
	for (const { oldStart, newStart, removed, added } of hunks) {
		while (index < oldStart) after.push(before[index++]);
		expect(after.length).toBe(newStart);
		expect(before.slice(index, index + removed.length)).toEqual(removed);
		index += removed.length;
		after.push(...added);
	}
	return [...after, ...before.slice(index)];
}

/** Returns the fewest lines removed and added, by the textbook table of all prefixes. */
function leastChange(before: string[], after: string[]): number {
	let row = new Array<number>(after.length + 1).fill(0);
	for (const line of before) {
		const next = [0];
		after.forEach((other, j) => {
			next.push(line === other ? row[j] + 1 : Math.max(row[j + 1], next[j]));
		});
		row = next;
	}
	return before.length + after.length - 2 * row[after.length];
}

describe('diffLines', () => {
	it('is right and as small as can be, for many texts with unique and repeated lines', () => {
		for (const seed of seeds(25)) {
			const { below } = random(seed);
			const kinds = [2, 4, 30, 1_000][seed % 4];
			const before = Array.from({ length: below(40) }, () => `line ${below(kinds)}`);
			const after = [...before];
			for (let edits = below(12); edits > 0; edits--) {
				const [moved = 'new'] = after.splice(below(after.length + 1), below(3));
				after.splice(below(after.length + 1), 0, below(2) ? moved : `line ${below(kinds)}`);
			}
			const hunks = diffLines(before, after);
			expect(patched(before, hunks)).toEqual(after);
			const size = hunks.reduce((n, { removed, added }) => n + removed.length + added.length, 0);
			expect([seed, size]).toEqual([seed, leastChange(before, after)]);
		}
	});

	it('takes texts with too many lines as replaced, in little time', () => {
		const before = Array.from({ length: 50_000 }, (_, index) => 'ab'[index % 2]);
		const after = Array.from({ length: 50_000 }, (_, index) => 'ba'[index % 3 ? 1 : 0]);
		const spent = cpuTime();
		const hunks = diffLines(before, after);
		expect(patched(before, hunks)).toEqual(after);
		expect(spent()).toBeLessThan(8_000);
	});
});

describe('changedCharacters', () => {
	it.each([
		['Price: 10', 'Price: 12', 2],
		['', 'four', 4],
		['one\ntwo', 'one\n2\ntwo', 1],
		['from 10 to', 'from 12 to', 2],
		['aaaa', 'aa', 2],
		['xaby', 'xcdey', 5],
		['a1\nb1', 'a2\nb2', 8],
	])('counts those from %j to %j', (before, after, size) => {
		expect(changedCharacters(diffLines(before.split('\n'), after.split('\n')))).toBe(size);
	});
});

describe('unifiedDiff', () => {
	it('is what diff -U0 prints', () => {
		const before = ['a', 'b', 'c', 'd', 'e', 'f'];
		const after = ['a', 'B', 'c', 'e', 'f', 'g', 'h'];
		expect(unifiedDiff(diffLines(before, after))).toBe(
			['@@ -2 +2 @@', '-b', '+B', '@@ -4 +3,0 @@', '-d', '@@ -6,0 +6,2 @@', '+g', '+h'].join('\n'),
		);
	});
});
