import {
	checkedBoolean,
	checkedChoice,
	checkedNumber,
	checkedText,
	checkedJson,
	parsedObject,
} from '../../../nodes/shared/form/checks';
import type { Field } from '../../../nodes/shared/form/field';
import { countryCode, lines, pairs, url, urls } from '../../../nodes/shared/form/values';
import { bodyOf, errorOf, place } from '../../support/form';

const at = { ...place, labels: ['Options', 'Field'] };
const field = (more: Partial<Field> = {}): Field => ({
	displayName: 'Field',
	name: 'field',
	type: 'string',
	default: '',
	...more,
});

describe('lines', () => {
	it.each([
		['one per line', 'a\nb', ['a', 'b']],
		['Windows line ends', 'a\r\nb', ['a', 'b']],
		['spaces and empty lines', ' a \n\n  \nb\n', ['a', 'b']],
		['an array', ['a', 'b'], ['a', 'b']],
		['an array with empty entries', ['a', ' ', ''], ['a']],
		['numbers', [1, 2], ['1', '2']],
		['one number', 7, ['7']],
		['JSON array text', '["a", "b,c"]', ['a', 'b,c']],
		['JSON array text over lines', '[\n "a",\n "b"\n]', ['a', 'b']],
		['JSON array text after spaces', ' \n["a"]', ['a']],
		['a line that is a number, as text', '7', ['7']],
		['a pattern that could be a JSON array', '[0]', ['[0]']],
		['patterns of digits', '[0]\n[1,2]', ['[0]', '[1,2]']],
		['a line that is a JSON object', '{"a":["b"]}', ['{"a":["b"]}']],
		['a line that begins with a bracket', '[data-role]\n.main', ['[data-role]', '.main']],
		['a comma inside a line', 'a,b', ['a,b']],
	])('takes %s', (_, entered, expected) => {
		expect(lines(entered, at)).toEqual(expected);
	});

	it.each([[''], ['\n \n'], [[]], ['[]'], [['']]])('gives nothing for %j', (entered) => {
		expect(lines(entered, at)).toBeUndefined();
	});

	it('rejects entries that are no texts', () => {
		const entry = errorOf(() => lines(['a', { b: 1 }], at));
		expect(entry.message).toBe('Field has an entry that is not text (number 2)');
		expect(entry.description).toContain('Give an array of texts.');
		const whole = errorOf(() => lines({ a: 1 }, at));
		expect(whole.message).toBe('Field is neither text nor a list');
		expect(whole.description).toContain('Enter one per line, or give an array.');
	});
});

describe('urls', () => {
	it('takes http and https, globs and international names', () => {
		const given = ['https://example.com/blog/*', 'HTTP://EXAMPLE.COM', 'https://münchen.example'];
		expect(urls(given, at)).toEqual(given);
		expect(url('  https://example.com/a?b#c ', at)).toBe('https://example.com/a?b#c');
		expect(url('   ', at)).toBeUndefined();
		expect(urls(' \n', at)).toBeUndefined();
	});

	it.each([
		'https://web.archive.example/2020/https://example.com/',
		'https://example.com/?from=https://a.example,https://b.example',
		'https://example.com:8080/a,b;c|d',
		'https://*.example.com/*',
		'https://[::1]/x',
	])('takes %s', (entered) => {
		expect(url(entered, at)).toBe(entered);
	});

	it.each([
		'https://a.example/*, https://b.example/*',
		'https://a.example/*,https://b.example/*',
		'https://a.example https://b.example',
		'https://a.example\nhttps://b.example',
		'https://a.example;https://b.example',
		'https://a.example/?q=1 http://b.example',
	])('sees that %j is more than one, and says what to do', (entered) => {
		const one = errorOf(() => url(entered, at));
		expect(one.message).toBe(`Field is "${entered}", which is more than one URL`);
		expect(one.description).toContain('Enter one URL; other URLs need items of their own.');
		const inLine = errorOf(() => urls(['https://example.com', entered], at));
		expect(inLine.message).toBe(`Field has "${entered}" (number 2), which is more than one URL`);
		expect(inLine.description).toContain('Enter one per line.');
	});

	it.each([
		['https://exa mple.com', 'which has a space in it', 'as %20'],
		['https://example.com/my file.pdf', 'which has a space in it', 'as %20'],
		['https://?q', 'which is not a URL', 'Check its host name and port.'],
		['https://example.com:99999', 'which is not a URL', 'Check its host name and port.'],
		['https://exa<mple.com', 'which is not a URL', 'Check its host name and port.'],
	])('rejects %s', (entered, problem, remedy) => {
		const error = errorOf(() => url(entered, at));
		expect(error.message).toBe(`Field is "${entered}", ${problem}`);
		expect(error.description).toContain(remedy);
	});

	it('rejects a list or an object where one address belongs', () => {
		const one = field({ required: true, wire: { value: url } });
		for (const entered of [['https://example.com'], { url: 'https://example.com' }]) {
			expect(errorOf(() => bodyOf(one, entered)).message).toBe(
				`Field is "${JSON.stringify(entered)}", which is not text`,
			);
		}
	});

	it.each([
		'example.com',
		'ftp://example.com',
		'https://',
		'//example.com',
		'javascript:alert(1)',
		'see https://example.com',
	])('rejects %s', (entered) => {
		const error = errorOf(() => url(entered, at));
		expect(error.message).toBe(`Field is "${entered}", which is not a URL`);
		expect(error.description).toContain('https://');
	});

	it.each([
		['b.example/x', 'https://b.example/x.'],
		['//b.example', 'https://b.example.'],
		['ftp://b.example', 'https://b.example.'],
		['localhost:8080/x', 'https://localhost:8080/x.'],
		['https://', 'https://example.com.'],
	])('proposes for %s what may be meant', (entered, proposed) => {
		expect(errorOf(() => url(entered, at)).description).toContain(`e.g. ${proposed}`);
	});

	it('quotes at most 80 characters of an address', () => {
		const long = `example.com/${'x'.repeat(200)}`;
		const quote = `"${long.slice(0, 80)}"`;
		expect(errorOf(() => url(long, at)).message).toContain(`is ${quote}, `);
		expect(errorOf(() => urls(long, at)).message).toContain(`has ${quote} `);
	});

	it('says which of several is wrong', () => {
		expect(errorOf(() => urls('https://a.example\nb.example', at)).message).toBe(
			'Field has "b.example" (number 2), which is not a URL',
		);
	});
});

describe('countryCode', () => {
	it('takes two letters and sends capitals', () => {
		expect(countryCode(' de ', at)).toBe('DE');
		expect(countryCode('US', at)).toBe('US');
		expect(countryCode('', at)).toBeUndefined();
	});

	it.each(['usa', 'Germany', 'D', 'D1', '49', 49])('rejects %j', (entered) => {
		const error = errorOf(() => countryCode(entered, at));
		expect(error.message).toBe(`Field is "${entered}", but must be a two-letter country code`);
		expect(error.description).toContain('e.g. US for the United States');
	});

	it('quotes at most 40 characters', () => {
		expect(errorOf(() => countryCode('x'.repeat(99), at)).message).toContain(
			`is "${'x'.repeat(40)}", `,
		);
	});
});

describe('the length of a text', () => {
	it('counts an emoji as one character, as the service does', () => {
		const short = field({ wire: { maxLength: 3 } });
		expect(checkedText(short, '😀😀😀', at)).toBe('😀😀😀');
		expect(errorOf(() => checkedText(short, '😀😀😀😀', at)).message).toBe(
			'Field has 4 characters, but at most 3 are allowed',
		);
	});
});

describe('pairs', () => {
	it('makes one object of names and values', () => {
		expect(
			pairs(
				{
					pair: [
						{ name: 'User-Agent', value: 'x' },
						{ name: ' X-N ', value: 7 },
					],
				},
				at,
			),
		).toEqual({ 'User-Agent': 'x', 'X-N': '7' });
	});

	it('leaves untouched rows out, and sends nothing if no row remains', () => {
		expect(pairs({ pair: [{ name: '', value: '' }] }, at)).toBeUndefined();
		expect(pairs({ pair: [{}] }, at)).toBeUndefined();
		expect(pairs({}, at)).toBeUndefined();
	});

	it('keeps a value that is empty on purpose', () => {
		expect(pairs({ pair: [{ name: 'Cookie', value: '' }] }, at)).toEqual({ Cookie: '' });
	});

	it('rejects a value without a name', () => {
		for (const row of [{ name: '', value: 'x' }, { name: ' ', value: 'x' }, { value: 'x' }]) {
			const error = errorOf(() => pairs({ pair: [row] }, at));
			expect(error.message).toBe('Field has a value without a name');
			expect(error.description).toContain('Give each value a name.');
		}
	});

	it.each(['X-Test', 'x-test', ' X-TEST '])('rejects the same name twice, as %j too', (again) => {
		const rows = [
			{ name: 'X-Test', value: 'a' },
			{ name: again, value: 'a' },
		];
		const error = errorOf(() => pairs({ pair: rows }, at));
		expect(error.message).toBe(`Field has "${again.trim()}" twice`);
		expect(error.description).toContain('Keep one of them.');
	});

	it.each([
		[{ name: 'X', value: { a: 1 } }, '{"a":1}'],
		[{ name: 'X', value: ['a'] }, '["a"]'],
		[{ name: { a: 1 }, value: 'x' }, '{"a":1}'],
	])('rejects %j, which would be sent as [object Object]', (row, quote) => {
		expect(errorOf(() => pairs({ pair: [row] }, at)).message).toBe(
			`Field has "${quote}" as a name or value, which is not text`,
		);
	});

	it('takes numbers as names, and an expression that gave nothing as an empty value', () => {
		expect(pairs({ pair: [{ name: 1, value: null }] }, at)).toEqual({ 1: '' });
	});

	it('takes any name as a name', () => {
		const made = pairs({ pair: [{ name: '__proto__', value: 'x' }] }, at);
		expect(JSON.stringify(made)).toBe('{"__proto__":"x"}');
	});
});

describe('checkedNumber', () => {
	const limited = field({ type: 'number', typeOptions: { minValue: 1, maxValue: 100 } });

	it.each([
		[1, 1],
		[100, 100],
		['42', 42],
		[' 7 ', 7],
	])('takes %j', (entered, expected) => {
		expect(checkedNumber(limited, entered, at)).toBe(expected);
	});

	it.each([
		[0, 'Field is 0, but must be from 1 to 100'],
		[101, 'Field is 101, but must be from 1 to 100'],
		['101', 'Field is 101, but must be from 1 to 100'],
		[1.5, 'Field is 1.5, but must be a whole number'],
		['ten', 'Field is "ten", which is not a number'],
		[' ', 'Field is " ", which is not a number'],
		[NaN, 'Field is "NaN", which is not a number'],
		[Infinity, 'Field is "Infinity", which is not a number'],
		[true, 'Field is "true", which is not a number'],
		[[3], 'Field is "[3]", which is not a number'],
	])('rejects %j', (entered, message) => {
		expect(errorOf(() => checkedNumber(limited, entered, at)).message).toBe(message);
	});

	it('says what to enter instead', () => {
		const remedy = (entered: unknown) =>
			errorOf(() => checkedNumber(limited, entered, at)).description?.split(' Nothing was sent')[0];
		expect(remedy('ten')).toBe('Enter a number.');
		expect(remedy(1.5)).toBe('Remove the fraction.');
		expect(remedy(0)).toBe('Enter a number from 1 to 100.');
	});

	it('knows no limits where the field has none', () => {
		expect(checkedNumber(field(), -1e9, at)).toBe(-1e9);
	});

	it('says one-sided limits', () => {
		const from = field({ typeOptions: { minValue: 1 } });
		const tooLow = errorOf(() => checkedNumber(from, 0, at));
		expect(tooLow.message).toBe('Field is 0, but must be at least 1');
		expect(tooLow.description).toMatch(/^Enter a number of at least 1\. /);
		const to = field({ typeOptions: { maxValue: 9 } });
		const tooHigh = errorOf(() => checkedNumber(to, 10, at));
		expect(tooHigh.message).toBe('Field is 10, but must be at most 9');
		expect(tooHigh.description).toMatch(/^Enter a number of at most 9\. /);
	});

	it('takes fractions only where the field has them', () => {
		expect(checkedNumber(field({ wire: { fraction: true } }), '0.5', at)).toBe(0.5);
	});
});

describe('other checks', () => {
	it('takes booleans, also as text', () => {
		expect([true, 'true', false, 'false'].map((entered) => checkedBoolean(entered, at))).toEqual([
			true,
			true,
			false,
			false,
		]);
		expect(errorOf(() => checkedBoolean('yes', at)).message).toBe(
			'Field is "yes", which is neither true nor false',
		);
		expect(errorOf(() => checkedBoolean(1, at)).message).toContain('neither true nor false');
	});

	it('counts characters of a text', () => {
		const short = field({ wire: { maxLength: 5 } });
		expect(checkedText(short, 'abcde', at)).toBe('abcde');
		expect(checkedText(short, 12345, at)).toBe('12345');
		const error = errorOf(() => checkedText(short, 'abcdef', at));
		expect(error.message).toBe('Field has 6 characters, but at most 5 are allowed');
		expect(error.description).toContain('Shorten it by 1 character.');
		const object = errorOf(() => checkedText(short, { a: 1 }, at));
		expect(object.message).toBe('Field is "{"a":1}", which is not text');
		expect(object.description).toContain('Enter text.');
		expect(checkedText(short, true, at)).toBe('true');
	});

	it('rejects a required text of spaces, and takes it elsewhere', () => {
		const error = errorOf(() => checkedText(field({ required: true }), '  ', at));
		expect(error.message).toBe('Field is empty');
		expect(error.description).toContain('Fill it in, or check the expression');
		expect(checkedText(field(), '  ', at)).toBe('  ');
	});

	it('quotes at most 60 characters', () => {
		const quote = (entered: unknown) => errorOf(() => checkedBoolean(entered, at)).message;
		expect(quote('x'.repeat(60))).toContain(`"${'x'.repeat(60)}"`);
		expect(quote('x'.repeat(61))).toContain(`"${'x'.repeat(57)}…"`);
	});

	it('takes only choices of the list', () => {
		const choice = field({ options: [{ name: 'A', value: 'a' }] });
		expect(checkedChoice(choice, 'a', at)).toBe('a');
		const error = errorOf(() => checkedChoice(choice, 'z'.repeat(200), at));
		expect(error.message.length).toBeLessThan(120);
		expect(error.description).toContain('Use one of: a.');
	});

	it('proposes no choice that is empty, and none where the field has none', () => {
		const options = ['', 'a', 'b'].map((value) => ({ name: value, value }));
		const { description } = errorOf(() => checkedChoice(field({ options }), 'z', at));
		expect(description).toContain('Use one of: a, b.');
		expect(errorOf(() => checkedChoice(field(), 'z', at)).description).toContain('Use one of: .');
	});

	it('reads JSON and says why it could not', () => {
		expect(checkedJson('{"a":1}', at)).toEqual({ a: 1 });
		expect(checkedJson({ a: 1 }, at)).toEqual({ a: 1 });
		expect(checkedJson('  ', at)).toBeUndefined();
		const error = errorOf(() => checkedJson('{"a":', at));
		expect(error.message).toMatch(/^Field is not valid JSON: \S/);
		expect(error.description).toMatch(
			/^Check the quotes and commas; there is no comma after the last entry\. /,
		);
		expect(parsedObject('{"a":1}', at)).toEqual({ a: 1 });
		expect(parsedObject(null, at)).toBeUndefined();
		expect(parsedObject('null', at)).toBeUndefined();
		expect(parsedObject('', at)).toBeUndefined();
		expect(errorOf(() => parsedObject([1], at)).description).toContain('in curly brackets');
		expect(errorOf(() => parsedObject('[1]', at)).message).toBe(
			'Field is an array, but must be a JSON object',
		);
		expect(errorOf(() => parsedObject('7', at)).message).toBe(
			'Field is "7", but must be a JSON object',
		);
	});

	it('names item, way and remedy', () => {
		const error = errorOf(() => checkedBoolean('x', at));
		expect(error.context.itemIndex).toBe(2);
		expect(error.level).toBe('warning');
		expect(error.description).toBe(
			'Enter true or false. Nothing was sent for item 2 (field: Options → Field).',
		);
	});

	it('names no item where there is none, as in a trigger', () => {
		const { node, labels } = at;
		const { description, context } = errorOf(() => checkedBoolean('x', { node, labels }));
		expect(description).toBe('Enter true or false. Nothing was sent (field: Options → Field).');
		expect(context.itemIndex).toBeUndefined();
	});
});
