import { isTooComplex, objectsOf } from '../../../nodes/shared/base/json';
import { MAX_DEPTH, MAX_VALUES } from '../../../nodes/shared/base/limits';
import { textOf } from '../../../nodes/shared/base/text';

const deep = '['.repeat(MAX_DEPTH + 1);

describe('whether a JSON text takes much more memory than its length', () => {
	it('is for its nesting, not for how many lists it has', () => {
		expect(isTooComplex(deep)).toBe(true);
		expect(isTooComplex(deep.slice(1))).toBe(false);
		expect(isTooComplex(`[${'[],{},'.repeat(MAX_DEPTH)}[]]`)).toBe(false);
	});

	it('is for one value more than is taken', () => {
		const most = `[${','.repeat(MAX_VALUES - 1)}`;
		expect(isTooComplex(most)).toBe(false);
		expect(isTooComplex(`${most},`)).toBe(true);
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

it('listOf takes the objects of a list, and what is no list for an empty one', () => {
	expect(objectsOf([{ a: 1 }, null, 'text', [{}], 7])).toEqual([{ a: 1 }]);
	expect([objectsOf(undefined), objectsOf('text'), objectsOf({})]).toEqual([[], [], []]);
});

it('what is no text is made one, and shortened', () => {
	expect([undefined, 'a'.repeat(400), { message: 'b' }].map(textOf)).toEqual([
		'',
		'a'.repeat(400),
		'{"message":"b"}',
	]);
	expect(textOf(['a'.repeat(400)])).toBe(`["${'a'.repeat(298)}…`);
});
