import { redactor } from '../../../nodes/shared/transport/redact';
import { cpuTime } from '../../support/cpuTime';

const KEY = 'a"b/c+d?e12~';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const base64url = (text: string) => Buffer.from(text).toString('base64url');

describe('a key in a text', () => {
	it.each([
		[`Bearer ${KEY}`, 'Bearer [API key]'],
		[`?key=${encodeURIComponent(KEY)}&x`, '?key=[API key]&x'],
		[`?key=${encodeURIComponent(KEY).toLowerCase()}&x`, '?key=[API key]&x'],
		[`?key=${encodeURIComponent(KEY).replace('~', '%7E')}&x`, '?key=[API key]&x'],
		[`?key=${encodeURIComponent(KEY).replace('~', '%7E').toLowerCase()}&x`, '?key=[API key]&x'],
		[JSON.stringify({ key: KEY }), '{"key":"[API key]"}'],
		[`${KEY}${KEY}`, '[API key][API key]'],
		['nothing to remove', 'nothing to remove'],
	])('%s', (text, expected) => {
		expect(redactor(KEY).text(text)).toBe(expected);
	});

	it('is found with its letters beyond ASCII as a URL has them', () => {
		expect(redactor('clé-0123').text('?key=cl%C3%A9-0123&x')).toBe('?key=[API key]&x');
	});

	it.each(['', 'x', 'xy', 'Bearer ', 'key:', '{"authorization":"'])(
		'is found in base64 after “%s”, padded or not, for URLs or not',
		(before) => {
			// All 64 characters, and every number of bits left over.
			for (const key of ['fc-0123456789', 'fc-01234567890', 'fc-012345678901', 'ÿþ?>~~~ÿÿ']) {
				for (const encode of [base64, base64url]) {
					for (const after of ['', '"', '"}']) {
						const encoded = encode(before + key + after);
						const clean = redactor(key).text(`<${encoded}>`);
						expect(clean).toContain('[API key]');
						const rest = clean.replace('[API key]', '');
						// What is left are bits that the characters beside the key share with it.
						const context = encode(before).length + encode(after).length;
						expect(rest.length).toBeLessThanOrEqual(context + 2 + 4);
					}
				}
			}
		},
	);

	it('is removed from base64 to its last character', () => {
		expect(redactor('fc-012345678').text(`<${base64('fc-012345678')}>`)).toBe('<[API key]>');
	});

	it('is left in base64 where it would be found in many a text', () => {
		expect(redactor('abcd').text('YWJjZ')).toBe('YWJjZ');
		expect(redactor('abcde').text('YWJjZGU=')).toBe('[API key]U=');
	});

	it('is left where it is too short to be one', () => {
		expect(redactor('').text('text')).toBe('text');
		expect(redactor('a').text('banana')).toBe('banana');
		expect(redactor('abc').text('abcde')).toBe('abcde');
		expect(redactor('abcd').text('abcde')).toBe('[API key]e');
	});
});

describe('a key of base64 in a text', () => {
	it.each([
		['a web page', 'Zm9v&#x2F;YmFy&#x2B;cXV4&#x3D;&#x3D;'],
		['a web page, in decimals', 'Zm9v&#47;YmFy&#043;cXV4&#61;&#61;'],
		['a web page, in small letters', 'Zm9v&#x2f;YmFy&#X02b;cXV4&#x3d;&#x3d;'],
		['a URL that leaves the slash', 'Zm9v/YmFy%2BcXV4%3D%3D'],
		['a path that leaves the plus', 'Zm9v%2FYmFy+cXV4=='],
		['a URL within a URL', 'Zm9v%252FYmFy%252bcXV4%25253D%25253D'],
		['JSON within JSON', 'Zm9v\\\\/YmFy\\\\\\\\u002bcXV4=='],
		['a mixture', 'Zm9v\\/YmFy%2bcXV4&#61;='],
		['base64 in a URL', encodeURIComponent(base64('?key=Zm9v/YmFy+cXV4==&id=>>>???'))],
	])('is found as it stands in %s', (_name, form) => {
		const { text, excerpt } = redactor('Zm9v/YmFy+cXV4==');
		for (const clean of [text(`<p>${form}</p>`), excerpt(`<p>${form}</p>`)]) {
			expect(clean).toContain('[API key]');
			expect(clean).not.toMatch(/YmFy|cXV4|TFu/);
		}
	});

	it.each(['Zm9v%2', 'Zm9v/YmFy%252', 'Zm9v/YmFy&#4', 'Zm9v/YmFy+cXV4&', 'Zm9v&#x2f;YmFy%2BcX'])(
		'is found where the text breaks off within it: %s',
		(part) => {
			expect(redactor('Zm9v/YmFy+cXV4==').excerpt(`<p>${part}`)).toBe('<p>[API key]');
		},
	);

	it('is found in good time in a text made to take long', () => {
		for (const odd of ['\\', '&#0', '%25', '/', '+']) {
			const spent = cpuTime();
			redactor('+/m9v/YmFy+cXV4==').text(odd.repeat(1e6));
			expect(spent()).toBeLessThan(2_000);
		}
	});
});

describe('a key in an excerpt', () => {
	const key = 'fc-a/0123';
	const excerpt = (text: string) => redactor(key).excerpt(text);
	const escaped = [...key].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

	it('is found although its escapes are not resolved', () => {
		expect(excerpt(`{"key":"${escaped.join('')}","x":`)).toBe('{"key":"[API key]","x":');
		expect(excerpt(`{"key":"${escaped.join('').toUpperCase().replaceAll('U', 'u')}","x":`)).toBe(
			'{"key":"[API key]","x":',
		);
		expect(excerpt('{"key":"fc-a\\/0123","x":')).toBe('{"key":"[API key]","x":');
	});

	it.each([4, 5, 6, 7, 8])('is found where the text breaks off after %i of its characters', (n) => {
		expect(excerpt(`{"key":"${key.slice(0, n)}`)).toBe('{"key":"[API key]');
		expect(excerpt(`{"key":"${escaped.slice(0, n).join('')}`)).toBe('{"key":"[API key]');
		for (const rest of ['\\', '\\u', '\\u0', '\\u003']) {
			expect(excerpt(`{"key":"${escaped.slice(0, n).join('')}${rest}`)).toBe('{"key":"[API key]');
		}
	});

	it('leaves other escapes as they are', () => {
		expect(excerpt('{"a":"b\\nc"')).toBe('{"a":"b\\nc"');
	});

	it('is nothing that ends with a few of its characters', () => {
		expect(excerpt('{"a":"fc-')).toBe('{"a":"fc-');
		expect(excerpt('Hello')).toBe('Hello');
	});
});

describe('a key in a JSON value', () => {
	const key = 'fc-a/0123';
	const clean = (raw: string) => redactor(key).json(JSON.parse(raw) as unknown, raw);

	it.each([
		['as it is', 'fc-a/0123'],
		['with an escaped slash', 'fc-a\\/0123'],
		['as code points', '\\u0066c-a/0123'],
		['URL-encoded', 'fc-a%2F0123'],
	])('is removed from all texts and keys: %s', (_name, form) => {
		expect(
			clean(`{"of ${form}":["${form}",{"deep":"<${form}>"}],"n":1,"on":true,"none":null}`),
		).toEqual({
			'of [API key]': ['[API key]', { deep: '<[API key]>' }],
			n: 1,
			on: true,
			none: null,
		});
	});

	it('is removed from a key named __proto__, which stays one', () => {
		const value = clean(`{"__proto__":"${key}","a":"\\u0041"}`) as object;
		expect(Object.entries(value)).toEqual([
			['a', 'A'],
			['__proto__', '[API key]'],
		]);
		expect(Object.getOwnPropertyDescriptor(value, '__proto__')).toEqual({
			value: '[API key]',
			configurable: true,
			enumerable: true,
			writable: true,
		});
	});

	it.each([
		...['test', 'dummy', 'FireCrawl', 'self-hosted', 'not-needed', 'abcdefghijkl'],
		...['1234', '0000', '012345678901'],
	])('is left in a result where it is but a word or a number: %s', (word) => {
		const [value, raw] = [() => ({ url: `https://${word}.example` }), `"${word}" \\u0041`];
		expect(redactor(word).result(value(), raw)).toEqual(value());
		const masked = { url: 'https://[API key].example' };
		expect(redactor(word).json(value(), raw)).toEqual(masked);
		expect(redactor(word).excerpt(`<${word}>`)).toBe('<[API key]>');
		expect(redactor(word).text(`<${word}>`)).toBe('<[API key]>');
	});

	it.each([key, 'abcdefghijklm', '0123456789012', 'test1', 'self-hoster', 'a-word'])(
		'is removed from a result where it may be more: %s',
		(own) => {
			expect(redactor(own).result({ a: own }, `"${own}"`)).toEqual({ a: '[API key]' });
		},
	);

	it('is looked for only where it may be', () => {
		const value = {
			get a(): string {
				throw new Error('looked into');
			},
		};
		expect(redactor(key).json(value, '{"a":"b"}')).toBe(value);
	});
});

it.each([
	['fc-abc123', '%66c%2Dabc123'],
	['fc-abc123', '&#102;c-&#x61;bc123'],
	['fc-abc123', '\\x66c-abc123'],
	['fc-abc123', '\\u0066c-abc123'],
	['fc-abc123', '%2566c-abc123'],
	['fc_abc&123', 'fc&lowbar;abc&amp;123'],
	['fc/abc/123', 'fc\\/abc\\/123'],
])('the key %s is found however its letters are escaped: %s', (key, escaped) => {
	const body = { a: [`x ${escaped} y`] };
	expect(redactor(key).text(`x ${escaped} y`)).toBe('x [API key] y');
	expect(redactor(key).json(structuredClone(body), JSON.stringify(body))).toEqual({
		a: ['x [API key] y'],
	});
});

it('a text without the key keeps its escapes', () => {
	const text = 'https://a.example/a%20b?q=%66c &amp; \\u0041';
	expect(redactor('fc-abc123').text(text)).toBe(text);
});
