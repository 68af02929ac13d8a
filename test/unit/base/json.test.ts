import { excessOf, objectsOf } from '../../../nodes/shared/base/json';
import { MAX_DEPTH, MAX_VALUES } from '../../../nodes/shared/base/limits';
import { textOf } from '../../../nodes/shared/base/text';

const deep = '['.repeat(MAX_DEPTH + 1);

describe('what makes a JSON text more than n8n works with', () => {
	it('is its nesting, not how many lists it has', () => {
		expect(excessOf(deep)).toBe('tooDeep');
		expect(excessOf(deep.slice(1))).toBeUndefined();
		expect(excessOf(`[${'[],{},'.repeat(MAX_DEPTH)}[]]`)).toBeUndefined();
	});

	it('is one value more than is taken', () => {
		const most = `[${','.repeat(MAX_VALUES - 1)}`;
		expect(excessOf(most)).toBeUndefined();
		expect(excessOf(`${most},`)).toBe('tooLarge');
	});

	it.each([
		['in a string', `["a${deep}"]`, undefined],
		['behind an escaped quote in a string', `["a\\"${deep}"]`, undefined],
		['behind an escaped backslash and quote', `["\\\\\\"${deep}"]`, undefined],
		['behind a string', `["a"${deep}`, 'tooDeep'],
		['behind a string that ends with a backslash', `["a\\\\"${deep}`, 'tooDeep'],
		['behind one that ends with two', `["a\\\\\\\\"${deep}`, 'tooDeep'],
	])('is told of brackets %s', (_name, text, expected) => {
		expect(excessOf(text)).toBe(expected);
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
