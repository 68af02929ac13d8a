import type { IDataObject } from 'n8n-workflow';

import { checkedBoolean, checkedChoice, quoted } from '../../../nodes/shared/form/checks';
import { checkedNumber } from '../../../nodes/shared/form/numbers';
import { checkedJson, parsedObject } from '../../../nodes/shared/form/json';
import type { Field } from '../../../nodes/shared/form/field';
import { domains, endings, hosts, lines, words } from '../../../nodes/shared/form/values';
import { errorOf, place } from '../../support/form';
import { checkedText } from '../../../nodes/shared/form/texts';

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
		['bullets', '- a b\n- c\n\n- d', ['a b', 'c', 'd']],
		['other bullets', '• a\n• b', ['a', 'b']],
		['a bullet before one line alone', '- a', ['- a']],
		['a minus before one of several', '- a\nb', ['- a', 'b']],
		['minuses without a blank', '-a\n-b', ['-a', '-b']],
		['selectors that begin with a mark', '> a\n> b', ['> a', '> b']],
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

describe('words and domains', () => {
	it.each(['a.example, b.example', 'a.example,b.example', 'a.example;b.example', 'a b.example'])(
		'takes %j in a line for several, but rejects it as an entry of an array',
		(entered) => {
			expect(words(`c.example\n${entered}`, at)).toHaveLength(3);
			for (const check of [words, domains]) {
				const error = errorOf(() => check(['c.example', entered], at));
				expect(error.message).toBe(`Field has "${entered}", which is more than one entry`);
				expect(error.description).toContain('Enter one per line.');
			}
		},
	);

	it.each(['a.example/x', 'user@a.example', 'localhost', 'a.example:80'])(
		'rejects %j, which is no domain',
		(entered) => {
			expect(errorOf(() => domains(entered, at)).message).toBe(
				`Field has "${entered}", which is not a domain`,
			);
		},
	);

	it.each(['none', 'N/A', 'nil', '-', '#N/A', '{}'])(
		'rejects %j, which says nothing',
		(entered) => {
			for (const check of [words, domains, hosts, endings]) {
				expect(
					errorOf(() => check(['a.example', entered].slice(check === endings ? 1 : 0), at)).message,
				).toBe(`Field has "${entered}", which says nothing`);
			}
		},
	);

	it('takes one per line, and any subdomain', () => {
		expect(words('de-DE\nen', at)).toEqual(['de-DE', 'en']);
		expect(domains('"a.example", "b.example"', at)).toEqual(['a.example', 'b.example']);
		expect(domains(['*.A.example', 'b.example'], at)).toEqual(['a.example', 'b.example']);
		expect(domains('', at)).toBeUndefined();
	});

	it.each([
		['https://A.example/', 'a.example', 'a.example'],
		['*.a.example', 'a.example', '*.a.example'],
		['.a.example', 'a.example', 'a.example'],
		['münchen.example', 'xn--mnchen-3ya.example', 'xn--mnchen-3ya.example'],
		['*.münchen.example', 'xn--mnchen-3ya.example', '*.xn--mnchen-3ya.example'],
	])('takes %s as services do', (entered, domain, host) => {
		expect(domains(entered, at)).toEqual([domain]);
		expect(hosts([entered], at)).toEqual([host]);
	});

	it.each(['a.*.example', 'a_b.example', '-a.example', 'a..example', '2026-11-18', '1920', '49'])(
		'rejects %s, which services reject',
		(entered) => {
			for (const check of [domains, hosts]) {
				expect(errorOf(() => check(entered, at)).message).toContain('which is not a domain');
			}
		},
	);

	it('takes endings with a dot, and at most 1,000', () => {
		expect(endings('.zip, *.mov TOP', at)).toEqual(['zip', 'mov', 'top']);
		expect(errorOf(() => endings('a.b', at)).message).toContain('which is not the ending of');
		const many = Array.from({ length: 1_001 }, (_, index) => `a${index}.example`);
		for (const check of [hosts, endings]) {
			expect(errorOf(() => check(many, at)).message).toBe(
				'Field has 1001 entries, but at most 1000 are allowed',
			);
		}
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

describe('checkedNumber', () => {
	const limited = field({
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 100, numberPrecision: 0 },
	});

	it.each([
		[1, 1],
		[100, 100],
		['42', 42],
		[' 7 ', 7],
		[['10'], 10],
		[[10], 10],
		['[10]', 10],
		['["10"]', 10],
		['1e1', 10],
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
		[{ a: 1 }, 'Field is "{"a":1}", which is not a number'],
		[[3, 4], 'Field is "[3,4]", which is not a number'],
		['0x10', 'Field is "0x10", which is not a number'],
		['1,000', 'Field is "1,000", which is not a number'],
		['1.000', 'Field is "1.000", which may be 1 or 1000'],
	])('rejects %j', (entered, message) => {
		expect(errorOf(() => checkedNumber(limited, entered, at)).message).toBe(message);
	});

	it('says what to enter instead', () => {
		const remedy = (entered: unknown) =>
			errorOf(() => checkedNumber(limited, entered, at)).description?.split(' Nothing was sent')[0];
		expect(remedy('ten')).toBe('Enter a number.');
		const ofUnit = (label: string) =>
			errorOf(() => checkedNumber(limited, '5 s', { ...at, labels: [label] })).description;
		expect(ofUnit('Wait For (Ms)')).toMatch(
			/^Enter a number of milliseconds, e\.g\. 5000 for 5 seconds\. /,
		);
		expect(ofUnit('Delay (Seconds)')).toMatch(/^Enter a number of seconds\. /);
		expect(remedy(1.5)).toBe('Enter a number without a fraction, of at most 15 digits.');
		expect(remedy(0)).toBe('Enter a number in that range.');
	});

	it('takes no whole number that can lose digits', () => {
		const whole = field({ typeOptions: { numberPrecision: 0 } });
		const error = errorOf(() => checkedNumber(whole, 1e21, at));
		expect(error.message).toBe('Field is 1e+21, but must be a whole number');
		expect(checkedNumber(whole, 9007199254740991, at)).toBe(9007199254740991);
	});

	it('knows no limits where the field has none', () => {
		expect(checkedNumber(field(), -1e9, at)).toBe(-1e9);
	});

	it('says a limit on one side', () => {
		const from = field({ typeOptions: { minValue: 1 } });
		const tooLow = errorOf(() => checkedNumber(from, 0, at));
		expect(tooLow.message).toBe('Field is 0, but must be at least 1');
		expect(tooLow.description).toMatch(/^Enter a number in that range\. /);
	});

	it('takes fractions where the field has them', () => {
		expect(checkedNumber(field({ typeOptions: { numberPrecision: 2 } }), '0.5', at)).toBe(0.5);
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

	it('takes a long text for that of somebody else, which may well name an object', () => {
		const [page, own] = [1_000, 100].map((length) => `${'x'.repeat(length)} [object Object]`);
		expect(checkedText(field(), page, at)).toBe(page);
		expect(errorOf(() => checkedText(field(), own, at)).message).toContain('"[object Object]"');
	});

	describe('a word for a value that an expression lacks', () => {
		const page = 'The price of a lamp. '.repeat(90);
		const sent = (text: string, raw: string, json: IDataObject = {}) =>
			checkedText(field(), text, { ...at, raw, item: () => json });

		it.each([
			[`${page}Of undefined`, `=${page}Of {{ $json.name + '' }}`, {}],
			[`Of undefined: ${page}`, "={{ 'Of ' + $json.name + ': ' + $json.page }}", { page }],
			[`${page}Of NaN`, `=${page}Of {{ $json.a * 2 }}`, { a: 'x' }],
			[`${page}Of undefined`, `=${page}Of {{ $('Set').item.json.name }}`, {}],
		])('is found in a long text, too: %#', (text, raw, json) => {
			expect(errorOf(() => sent(text, raw, json)).description).toContain('returns no value');
		});

		it.each([
			[`${page}is undefined`, '={{ $json.page }}', { page: `${page}is undefined` }],
			[`Read: ${page}is undefined`, '=Read: {{ $json.page }}', { page: `${page}is undefined` }],
			[`${page}is undefined`, '={{ $json.page.base64Decode() }}', { page: 'eA==' }],
			[`${page}is undefined`, "={{ $('Get').item.json.page }}", {}],
			['x '.repeat(6_000) + 'undefined', '={{ $json.page }}', {}],
		])('may be someone else’s: %#', (text, raw, json) => {
			expect(sent(text, raw, json)).toBe(text);
		});
	});

	it.each(['{{ $json.a }}', 'a {{$json.a}}', '{{  $now }}'])(
		'rejects %s where it is typed as it is, but not where an expression gives it',
		(text) => {
			const withText = (typed: string) => ({
				...at,
				node: { ...at.node, parameters: { field: typed } },
			});
			const error = errorOf(() => checkedText(field(), text, withText(text)));
			expect(error.message).toBe('Field holds an expression as plain text');
			expect(checkedText(field(), text, withText('={{ $json.b }}'))).toBe(text);
			expect(checkedText(field(), '{{ a }}', withText('{{ a }}'))).toBe('{{ a }}');
		},
	);

	it('reads the parameters of a node only where the text may stand in them', () => {
		const toJSON = jest.fn(() => ({}));
		const raw = '={{ $json.list }}';
		const large = { ...at, raw, node: { ...at.node, parameters: { field: raw, toJSON } as never } };
		for (let n = 0; n < 10; n++) expect(checkedText(field(), `{{ $${n} }}`, large)).toBeTruthy();
		expect(toJSON).not.toHaveBeenCalled();
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

	it.each([NaN, Infinity])('rejects %d as a text', (entered) => {
		expect(errorOf(() => checkedText(field(), entered, at)).message).toBe(
			`Field is "${entered}", which is not text`,
		);
		expect(errorOf(() => lines(entered, at)).message).toContain('has an entry that is not text');
	});

	it('says of a date how to write it as text', () => {
		const error = errorOf(() => checkedText(field(), new Date(0), at));
		expect(error.message).toBe('Field is "1970-01-01T00:00:00.000Z", which is not text');
		const luxon = { toISODate: () => '1970-01-01' };
		for (const { description } of [error, errorOf(() => checkedText(field(), luxon, at))]) {
			expect(description).toContain('write it as text, e.g. {{ $now.toISODate() }}.');
		}
		const none = errorOf(() => checkedText(field(), new Date(NaN), at));
		expect(none.message).toBe('Field is "Invalid Date", which is not text');
		for (const entered of [{ a: 1 }, null]) {
			expect(errorOf(() => checkedText(field(), entered, at)).description).toContain('Enter text.');
		}
	});

	it('does not quote what is typed on a page', () => {
		const typed = field({ wire: { typed: true } });
		expect(errorOf(() => checkedText(typed, { password: 'a' }, at)).message).toBe(
			'Field has a value that is not text',
		);
	});

	it('rejects a required text of spaces, and takes it elsewhere', () => {
		const error = errorOf(() => checkedText(field({ required: true }), '  ', at));
		expect(error.message).toBe('Field is empty');
		expect(error.description).toContain('Fill it in, or check its expression');
		expect(checkedText(field(), '  ', at)).toBe('  ');
	});

	it('quotes at most 80 characters', () => {
		const quote = (entered: unknown) => errorOf(() => checkedBoolean(entered, at)).message;
		expect(quote('x'.repeat(80))).toContain(`"${'x'.repeat(80)}"`);
		expect(quote('x'.repeat(81))).toContain(`"${'x'.repeat(79)}…"`);
	});

	it.each([
		['https://user:pa55@a.example/x', 'https://***@a.example/x'],
		['https:\\\\user:pa55@a.example', 'https:\\\\***@a.example'],
		[`https://user:${'x'.repeat(99)}@a.example`, 'https://***@a.example'],
		['https://user:pa#55@a.example/x', 'https://***@a.example/x'],
		['https://user:pa/55@a.example', 'https://***@a.example'],
		['https://user:pa?55@a.example', 'https://***@a.example'],
		['https://user:pa 55@a.example', 'https://***@a.example'],
		['https://a.example/@user', 'https://a.example/@user'],
		['https://a.example:8080/@user', 'https://a.example:8080/@user'],
		['https://a.example:8080 or b@c.example', 'https://a.example:8080 or b@c.example'],
		['https://[::1]:80/@a', 'https://[::1]:80/@a'],
		['https://a.example?mail=b@c.example', 'https://a.example?mail=b@c.example'],
	])('quotes %s without its password', (entered, quote) => {
		expect(quoted(entered)).toBe(`"${quote}"`);
	});

	it('quotes what can be no JSON', () => {
		const circle: IDataObject = {};
		circle.a = circle;
		expect(quoted(circle)).toBe('"{…}"');
		expect(quoted(Object.create(null))).toBe('"{}"');
		expect(quoted(null)).toBe('"null"');
	});

	it('takes only choices of the list', () => {
		const choice = field({ options: [{ name: 'A', value: 'a' }] });
		expect(checkedChoice(choice, 'a', at)).toBe('a');
		const error = errorOf(() => checkedChoice(choice, 'z'.repeat(200), at));
		expect(error.message.length).toBeLessThan(130);
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
		expect(error.message).toBe('Field is not valid JSON: } is missing at the end');
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
			'Enter true or false. Nothing was sent for item 3, which n8n calls item 2 (field: Options → Field).',
		);
	});

	it('names no item where there is none, as in a trigger', () => {
		const { node, labels } = at;
		const { description, context } = errorOf(() => checkedBoolean('x', { node, labels }));
		expect(description).toBe('Enter true or false. Nothing was sent (field: Options → Field).');
		expect(context.itemIndex).toBeUndefined();
	});
});
