import { excessOf } from '../../../nodes/shared/base/json';
import { MAX_DEPTH } from '../../../nodes/shared/base/limits';

const deep = '['.repeat(MAX_DEPTH + 1);

describe('what makes a JSON text more than n8n works with', () => {
	it('is its nesting, not how many lists it has', () => {
		expect(excessOf(deep)).toBe('tooDeep');
		expect(excessOf(deep.slice(1))).toBeUndefined();
		expect(excessOf(`[${'[],{},'.repeat(MAX_DEPTH)}[]]`)).toBeUndefined();
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
