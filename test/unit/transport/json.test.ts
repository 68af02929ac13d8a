import { isTooComplex, listOf, MAX_DEPTH } from '../../../nodes/shared/transport/json';

const deep = '['.repeat(MAX_DEPTH + 1);

describe('whether a JSON text takes much more memory than its length', () => {
	it('is for its nesting, not for how many lists it has', () => {
		expect(isTooComplex(deep)).toBe(true);
		expect(isTooComplex(deep.slice(1))).toBe(false);
		expect(isTooComplex(`[${'[],{},'.repeat(MAX_DEPTH)}[]]`)).toBe(false);
	});

	it.each([
		['in a string', `["a${deep}"]`, false],
		['behind an escaped quote in a string', `["a\\"${deep}"]`, false],
		['behind an escaped backslash and quote', `["\\\\\\"${deep}"]`, false],
		['behind a string', `["a"${deep}`, true],
		['behind a string that ends with a backslash', `["a\\\\"${deep}`, true],
		['behind one that ends with two', `["a\\\\\\\\"${deep}`, true],
	])('is told of brackets %s', (_name, text, expected) => {
		expect(isTooComplex(text)).toBe(expected);
	});
});

it('takes what is no list for an empty one, and leaves out what is no object', () => {
	expect(listOf([{ a: 1 }, null, 'text', [2], { b: 2 }])).toEqual([{ a: 1 }, { b: 2 }]);
	expect([listOf(undefined), listOf('text'), listOf({})]).toEqual([[], [], []]);
});
