import type { IDataObject } from 'n8n-workflow';

import { headersField } from '../../../nodes/shared/form/controls';
import { pairs } from '../../../nodes/shared/form/pairs';
import { errorOf, place } from '../../support/form';

const at = { ...place, labels: ['Options', 'Field'] };

/** The control that turns rows into headers. */
const headers = headersField('headers', 'Headers', {
	description: '',
	example: ['A', 'b'],
	addText: 'Add',
}).wire!.value!;

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
		[{ name: 'X', value: { password: 'a' } }],
		[{ name: 'X', value: ['a'] }],
		[{ name: { a: 1 }, value: 'x' }],
		[{ name: 'X', value: NaN }],
		[{ name: Infinity, value: 'x' }],
	])('rejects %p, which comes of a mistake in an expression, and quotes no value', (row) => {
		expect(errorOf(() => pairs({ pair: [{ name: 'A', value: 'b' }, row] }, at)).message).toBe(
			'Field has a name or value that is not text (number 2)',
		);
	});

	it('takes numbers as names, and an expression that gave nothing as an empty value', () => {
		expect(pairs({ pair: [{ name: 1, value: null }] }, at)).toEqual({ 1: '' });
	});

	it.each([
		['A b', 'x', 'name'],
		['A\r\nB', 'x', 'name'],
		['Cookie: a', 'x', 'name'],
		['Ünï', 'x', 'name'],
		['__proto__', 'x', 'name'],
		['A', 'x\r\nB: y', 'value'],
		['A', 'x\0', 'value'],
	])('rejects the header %j with the value %j', (name, value, part) => {
		const rows = {
			pair: [
				{ name: 'X-First', value: 'a' },
				{ name, value },
			],
		};
		expect(errorOf(() => headers(rows, at)).message).toBe(
			`Field has a ${part} that no header can have (number 2)`,
		);
	});

	it('takes the colon away from the name of a header', () => {
		const rows = { pair: [{ name: 'User-Agent:', value: 'a: b' }, {}] };
		expect(headers(rows, at)).toEqual({ 'User-Agent': 'a: b' });
	});

	it('takes any name as a name', () => {
		const made = pairs({ pair: [{ name: '__proto__', value: 'x' }] }, at);
		expect(JSON.stringify(made)).toBe('{"__proto__":"x"}');
	});
});

describe('the headers of a page', () => {
	const VALUE = '={{ $json.value }}';
	/** What becomes of a header that the form has as `raw`; a raw undefined is what was entered. */
	const sent = (name: string, value: string, raw?: IDataObject) => {
		const row = { name, value };
		const parameters = { headers: { pair: [raw ?? row] } };
		const own = { ...at.node, parameters } as typeof at.node;
		return headers({ pair: [row] }, { ...at, node: own, raw: parameters.headers });
	};
	const given = (name: string, value: string) => sent(name, value, { name, value: VALUE });

	const NOTHING = ['undefined', 'null', 'NaN', 'N/A', 'n/a', 'none', '-', '""', '[]', '{}', '#N/A'];
	const SCHEMES = ['Bearer ', 'bearer  ', 'Basic ', 'Token ', 'ApiKey '];

	it.each([
		...NOTHING.map((nothing): [string, string] => ['X-Tag', nothing]),
		...[...NOTHING, ''].flatMap((nothing) =>
			SCHEMES.map((scheme): [string, string] => ['Authorization', scheme + nothing]),
		),
		...['undefined', 'null', 'NaN'].map((nothing): [string, string] => [
			'Cookie',
			`session=${nothing}`,
		]),
	])('have a value that says something, where an item gives it: %s: %s', (name, value) => {
		expect(errorOf(() => given(name, value)).message).toBe(
			`Field has "${name}" without a value (number 1)`,
		);
	});

	it.each([
		['Authorization', 'undefined'],
		['Authorization', 'Bearer null'],
		['Cookie', 'N/A'],
		['X-API-Key', 'none'],
		['X-API-Key', '***'],
		['X-Auth', 'null'],
		['X-Auth-Token', 'n/a'],
		['Proxy-Authorization', 'Basic '],
		['X-API-Key', '…'],
		['X-API-Key', '(none)'],
	])('have a login that says something, also where it is typed: %s: %s', (name, value) => {
		expect(errorOf(() => sent(name, value)).message).toBe(
			`Field has "${name}" without a value (number 1)`,
		);
	});

	it.each([
		['Authorization', 'Bearer {{ $json.t }}', 'that was not filled in'],
		['X-Tag', '{{tag}}', 'that was not filled in'],
		['Authorization', '"Bearer x"', 'in quotes'],
		['Authorization', '“Bearer x”', 'in quotes'],
		['Authorization', 'Bearer "x"', 'in quotes'],
		['Authorization', 'Bearer Bearer x', 'that begins with a word twice'],
		['Authorization', 'Bearer <token>', 'that was not filled in'],
		['X-Tag', '${tag}', 'that was not filled in'],
		['Cookie', "'a=b'", 'in quotes'],
		['Authorization', 'Authorization: Bearer x', 'that begins with its name'],
		['cookie', 'Cookie: a=b', 'that begins with its name'],
		['X-Tag', 'x-tag:b', 'that begins with its name'],
	])('are not written as a whole, with marks or with gaps: %s: %s', (name, value, problem) => {
		const message = `Field has a value of "${name}" ${problem} (number 1)`;
		expect(errorOf(() => given(name, value)).message).toBe(message);
		const isExpression = value.includes('{{ $');
		expect(errorOf(() => sent(name, value)).message).toBe(
			isExpression ? 'Field holds an expression as plain text' : message,
		);
	});

	it.each(['X-{{ $json.none }}', '{{ $json.none }}-Key', 'X-{{ $json.a }}-{{ $json.b }}'])(
		'have all parts of their names: %s',
		(raw) => {
			const name = raw.replace(/\{\{.*?\}\}/g, '');
			for (const made of [name, `${name}:`]) {
				const row = { name: `=${raw}${made.slice(name.length)}`, value: 'a' };
				expect(errorOf(() => sent(made, 'a', row)).message).toBe(
					'Field has a name without all its parts (number 1)',
				);
			}
		},
	);

	it.each([
		['Sec-Fetch-Site', 'none'],
		['Accept', '*/*'],
		['Authorization', 'Digest username="a", realm="b"'],
		['Cookie', 'a=1; b=undefined'],
		['Cookie', 'session='],
		['Authorization', 'Bearer nullable'],
		['Authorization', 'Basic dXNlcjpwYXNz='],
		['X-Auth', 'dG9rZW4='],
		['If-None-Match', '"abc"'],
		['Sec-CH-UA-Platform', '"Windows"'],
		['X-Data', '{"a":{"b":{}}}'],
		['Referer', 'https://a.example/null'],
	])('are sent as they are: %s: %s', (name, value) => {
		for (const one of [sent, given]) expect(one(name, value)).toEqual({ [name]: value });
	});

	it.each([
		['DNT', 'null'],
		['Origin', 'null'],
		['X-Tag', '-'],
		['X-Tag', ''],
		['Accept-Encoding', 'none'],
		['X-Author', 'none'],
		['X-Keywords', '"a"'],
	])('may have a word for nothing where it is typed: %s: %s', (name, value) => {
		expect(sent(name, value)).toEqual({ [name]: value });
	});

	it.each(['undefined', 'null', 'N/A', '-', 'none:'])('have a name, not %s', (name) => {
		expect(errorOf(() => sent(name, 'a')).message).toBe(
			'Field has a name that no header can have (number 1)',
		);
	});

	it('have a name with its colon, and what stands behind a blank in it', () => {
		for (const name of ['X-Tag:', 'X-Tag :', ' X-Tag: ']) {
			expect(sent(name, 'a')).toEqual({ 'X-Tag': 'a' });
		}
	});
});
