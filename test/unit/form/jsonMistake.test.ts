import { jsonMistake } from '../../../nodes/shared/form/jsonMistake';
import { randomOf } from '../../../mock-service/random';

describe('what is wrong with a JSON text', () => {
	it.each([
		['{"a":1 "b":2}', 'a comma is missing before "b":2}'],
		['[1 2]', 'a comma is missing before 2]'],
		['{"a":1]', 'a comma is missing before ]'],
		['{"a":1,}', 'there is a comma too many before }'],
		['[1,]', 'there is a comma too many before ]'],
		['{"a" 1}', 'a colon is missing before 1}'],
		['{"a"}', 'a colon is missing before }'],
		['{"a":}', 'a value is missing before }'],
		['{,}', 'a name is missing before ,}'],
		['[,1]', 'a value is missing before ,1]'],
		['{a:1}', 'quotes are missing around a'],
		['{"a":b c}', 'quotes are missing around b'],
		['{"a":01}', 'quotes are missing around 01'],
		['text', 'quotes are missing around text'],
		["{'a':1}", `quotes must be ", unlike in 'a':1}`],
		['{“a”:1}', 'quotes must be ", unlike in “a”:1}'],
		['{"a":"b}', 'the closing quote is missing in "b}'],
		['{"a":"C:\\x"}', 'a backslash must be written twice in "C:\\x"}'],
		['{"a":1', '} is missing at the end'],
		['[{"a":1}', '] is missing at the end'],
		['{"a":1,\n', '} is missing at the end'],
		['['.repeat(9_999), `there are too many open brackets before ${'['.repeat(30)}`],
		['{"a":1}}', 'it goes on after its end with }'],
		['{"a":1} // note', 'it goes on after its end with // note'],
		['{\n  "a": 1\n  "b": 2\n}', 'in line 3, a comma is missing before "b": 2'],
		['{\n  "a": "x\n"\n}', 'in line 2, there is a line break or tab, or a quote is missing, in "x'],
		[`["${'a'.repeat(99)}" 1 ${'b'.repeat(99)}]`, `a comma is missing before 1 ${'b'.repeat(28)}`],
	])('%j: %s', (text, said) => {
		expect(() => JSON.parse(text) as unknown).toThrow();
		expect(jsonMistake(text)).toBe(said);
	});

	it('is found in any text that is no JSON, and in its place', () => {
		const random = randomOf(1);
		const signs = [
			'{',
			'}',
			'[',
			']',
			':',
			',',
			'"',
			'"a"',
			'1',
			'-',
			'null',
			' ',
			'\n',
			'\\',
			'x',
			"'",
		];
		for (let n = 0; n < 20_000; n++) {
			const text = Array.from(
				{ length: 1 + Math.floor(random() * 8) },
				() => signs[Math.floor(random() * signs.length)],
			).join('');
			try {
				JSON.parse(text);
			} catch {
				expect(jsonMistake(text)).not.toMatch(/undefined|NaN|Unexpected/);
			}
		}
	});

	it('is never looked for in vain', () => {
		// A mistake is found only once the text is no JSON any more.
		const good = '{"a":[1,-2.5e3,true,null,"b\\n\\u00e4"],"c":{"d":""}}';
		for (let length = 1; length < good.length; length++) {
			expect(jsonMistake(good.slice(0, length))).toMatch(/missing|written twice/);
		}
	});
});
