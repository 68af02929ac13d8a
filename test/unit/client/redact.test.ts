import { redactor } from '../../../nodes/shared/client/redact';

const KEY = 'a"b/c+d?e12~';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const base64url = (text: string) => Buffer.from(text).toString('base64url');

describe('a key in a text', () => {
	it.each([
		[`Bearer ${KEY}`, 'Bearer [API key]'],
		[`?key=${encodeURIComponent(KEY).replace('~', '%7E')}&x`, '?key=[API key]&x'],
		[`?key=${encodeURIComponent(KEY).replace('~', '%7E').toLowerCase()}&x`, '?key=[API key]&x'],
		[`${KEY}${KEY}`, '[API key][API key]'],
		['nothing to remove', 'nothing to remove'],
	])('%s', (text, expected) => {
		expect(redactor(KEY).text(text)).toBe(expected);
	});

	it.each(['', 'Bearer '])(
		'is found in base64 behind “%s”, padded or not, for URLs or not',
		(before) => {
			// All 64 characters, and every number of bits left over.
			for (const key of ['fc-0123456789', 'fc-01234567890', 'fc-012345678901', 'ÿþ?>~~~ÿÿ']) {
				const [padded, forUrls] = [base64(before + key), base64url(before + key)];
				const escaped = [encodeURIComponent(padded), padded.replaceAll('/', '\\/')];
				for (const form of [padded, padded.replaceAll('=', ''), forUrls, ...escaped]) {
					expect(redactor(key).text(`<${form}>`)).toMatch(/^<\[API key\](=|%3D)*>$/);
				}
			}
		},
	);

	it('is left where it is too short to be one', () => {
		expect(redactor('').text('text')).toBe('text');
		expect(redactor('a').text('banana')).toBe('banana');
		expect(redactor('abc').text('abcde')).toBe('abcde');
		expect(redactor('abcd').text('abcde')).toBe('[API key]e');
	});
});

/** Returns a text nested in this many levels of JSON, as written by PHP, with its slashes escaped, or by others. */
const inJson = (text: string, levels: number, escapesSlash = true): string =>
	levels === 0
		? text
		: inJson(
				JSON.stringify(text)
					.slice(1, -1)
					.replaceAll('/', escapesSlash ? '\\/' : '/'),
				levels - 1,
				escapesSlash,
			);
const inUrl = (text: string, levels: number): string =>
	levels === 0 ? text : inUrl(encodeURIComponent(text), levels - 1);
const codePoints = (text: string) =>
	[...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

describe.each([
	['letters, digits and a hyphen', 'fc-0123456789abcdef'],
	['base64', 'Zm9v/YmFy+cXV4=='],
	['all that JSON and URLs escape', 'a"b/c\\d+e%f?g h&i'],
	['letters beyond ASCII', 'clé-0123'],
	['what looks escaped', 'fc-%41%2F0123'],
])('a key of %s', (_name, key) => {
	const bytes = [...Buffer.from(key)].map((byte) => byte.toString(16).padStart(2, '0'));

	it.each([
		['as it is', key],
		...[1, 2].map((levels) => [`escaped for a URL, ${levels} times`, inUrl(key, levels)]),
		['escaped for a URL in small letters', `%${bytes.join('%')}`],
		['escaped for a URL, each character', `%${bytes.join('%').toUpperCase()}`],
		...[1, 2].map((levels) => [`escaped for JSON, ${levels} times`, inJson(key, levels, false)]),
		...[1, 2].map((levels) => [`with slashes escaped, ${levels} times`, inJson(key, levels)]),
		['as code points', codePoints(key)],
		['as code points in JSON', inJson(codePoints(key), 1)],
		['in a URL in JSON', inJson(inUrl(key, 1), 2)],
		['in JSON in a URL', inUrl(inJson(key, 1), 1)],
		['as base64', base64(key)],
		['as base64 of its header', base64(`Bearer ${key}`)],
	])('is found %s', (_form, form) => {
		const { text, excerpt, json } = redactor(key);
		for (const clean of [text(`<p>${form}</p>`), excerpt(`<p>${form}</p>`)]) {
			expect(clean).toMatch(/^<p>\\*\[API key\]=*<\/p>$/);
		}
		const body = { [form]: [form, { a: `x ${form} y` }] };
		const found = json(structuredClone(body), JSON.stringify(body));
		expect(JSON.stringify(found)).not.toContain(form.slice(0, 6));
		expect(JSON.stringify(found).match(/\[API key\]/g)).toHaveLength(3);
	});

	it('is found where the text breaks off within it', () => {
		for (const form of [key, inUrl(key, 2), inJson(key, 1), codePoints(key)]) {
			for (let length = Math.ceil((form.length * 3) / 4); length < form.length; length++) {
				expect(redactor(key).excerpt(`<p>${form.slice(0, length)}`)).toBe('<p>[API key]');
			}
		}
	});
});

describe('a key in a JSON value', () => {
	const key = 'fc-a/0123';
	const clean = (raw: string) => redactor(key).json(JSON.parse(raw) as unknown, raw);

	it('is removed from a key named __proto__, which stays one', () => {
		const value = clean(`{"__proto__":"${key}","a":"\\u0041"}`) as object;
		expect(Object.entries(value)).toEqual([
			['__proto__', '[API key]'],
			['a', 'A'],
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

	it.each(['1123456789012', '1234567890123456'])(
		'is removed where it is a number: %s',
		(digits) => {
			const raw = `{"a":${Number(digits)},"b":[${Number(digits)}],"c":1}`;
			const own = String(Number(digits));
			const masked = { a: '[API key]', b: ['[API key]'], c: 1 };
			expect(redactor(own).result(JSON.parse(raw), raw)).toEqual(masked);
			expect(redactor(own).json(JSON.parse(raw), raw)).toEqual(masked);
		},
	);
});
