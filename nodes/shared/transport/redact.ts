import type { IDataObject } from 'n8n-workflow';

const MASK = '[API key]';
// Shorter ones are placeholders; replacing them would tear words apart.
const SHORTEST_KEY = 4;
// Parts of a key that are shorter are found in many a text.
const SHORTEST_PART = 6;
// How a text ends that breaks off within what stands for a character.
const CUT_ESCAPE = /(%(25)*[0-9a-f]?|&(#x?[0-9a-f]*)?)$/i;
// What is entered for services that need no key.
const WORD = /^([a-z]{1,12}|\d{1,12}|self-hosted|not-needed)$/i;

/** Removes an API key from texts, in every form it can come back in. */
export interface Redactor {
	text(text: string): string;
	/** A text that may have been cut off within the key, and whose escapes nobody has resolved. */
	excerpt(text: string): string;
	/** A parsed response, changed in place; `raw` is the text it was parsed from. */
	json<Value>(value: Value, raw: string): Value;
	/** The same for a good response, in which a key that is but a word or a number may stand for itself. */
	result<Value>(value: Value, raw: string): Value;
}

/** The redactor for an API key. */
export function redactor(apiKey: string): Redactor {
	const forms = apiKey.length < SHORTEST_KEY ? [] : formsOf(apiKey);
	const text = (given: string) =>
		forms.reduce((clean, { pattern }) => clean.replace(pattern, MASK), given);
	const json: Redactor['json'] = (value, raw) => {
		const isFound = raw.includes('\\u') || raw.includes('\\/') || text(raw) !== raw;
		return isFound ? (changed(value, text) as typeof value) : value;
	};
	return {
		text,
		excerpt: (given) => withoutPart(text(unescaped(given)), forms),
		json,
		result: WORD.test(apiKey) ? (value) => value : json,
	};
}

/** A key, or what base64 has of it, with the pattern that finds it and the one that finds its beginning. */
interface KeyForm {
	plain: string;
	pattern: RegExp;
	beginning: RegExp;
}

function formsOf(apiKey: string): KeyForm[] {
	return [...new Set([apiKey, ...base64Forms(apiKey)])].map((plain) => {
		const patterns = [...plain].map(patternOf);
		return {
			plain,
			pattern: new RegExp(patterns.join(''), 'g'),
			beginning: new RegExp(patterns.slice(0, SHORTEST_KEY).join('')),
		};
	});
}

/**
 * A letter or digit as it is; any other character in all the ways that services write it, of which they may mix several: in
 * URLs, web pages and JSON, also in one within another.
 */
function patternOf(char: string): string {
	if (/[a-z0-9]/i.test(char)) return char;
	const units = Array.from({ length: char.length }, (_, index) => hexOf(char.charCodeAt(index), 4));
	const bytes = [...Buffer.from(char)].map((byte) => hexOf(byte, 2));
	const code = char.codePointAt(0)!;
	const forms = [
		`\\\\{0,7}${char.replace(/\W/g, '\\$&')}`,
		units.map((unit) => `\\\\{1,7}u${unit}`).join(''),
		bytes.map((byte) => `%(?:25)*${byte}`).join(''),
		`&#0*${code};`,
		`&#[xX]0*${hexOf(code, 1)};`,
	];
	return `(?:${forms.join('|')})`;
}

/** The pattern of a number in hexadecimal, whose letters may be large or small. */
function hexOf(code: number, length: number): string {
	const hex = code.toString(16).padStart(length, '0');
	return hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

/**
 * What every base64 text has in it whose content has the key in it, e.g. `Bearer ` and the key: it depends on how many
 * characters stand before the key, of which three make four of base64.
 */
function base64Forms(apiKey: string): string[] {
	const parts = [0, 1, 2].map((before) => {
		const bytes = Buffer.from(`${' '.repeat(before)}${apiKey}`);
		const base64 = bytes.toString('base64').replaceAll('=', '');
		// The first and the last characters hold bits of what stands beside the key.
		const last = (bytes.length * 8) % 6 === 0 ? base64.length : base64.length - 1;
		return base64.slice(Math.ceil((before * 8) / 6), last);
	});
	return parts
		.filter((part) => part.length >= SHORTEST_PART)
		.flatMap((part) => [part, part.replaceAll('+', '-').replaceAll('/', '_')]);
}

/** The text with the escapes of JSON resolved in which a key could hide; one that is cut off at the end is dropped. */
function unescaped(text: string): string {
	return text
		.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
		.replaceAll('\\/', '/')
		.replace(/\\(u[0-9a-f]{0,3})?$/i, '');
}

/** The text without the beginning of a form of the key at its end, which the rest of the form makes whole. */
function withoutPart(text: string, forms: KeyForm[]): string {
	const end = text.replace(CUT_ESCAPE, '');
	for (const { plain, pattern, beginning } of forms) {
		if (!beginning.test(end)) continue;
		for (let length = plain.length; length >= SHORTEST_KEY; length--) {
			const whole = end + plain.slice(length);
			const clean = whole.replace(pattern, MASK);
			if (clean !== whole) return clean;
		}
	}
	return text;
}

/** A JSON value with all its texts, keys too, changed, in place where it can be. */
function changed(value: unknown, change: (text: string) => string): unknown {
	if (typeof value === 'string') return change(value);
	// Lists have entries, too; numbers and the like have none.
	const object = (value ?? {}) as IDataObject;
	for (const [key, entry] of Object.entries(object)) {
		const name = change(key);
		const clean = changed(entry, change);
		if (name === key && clean === entry) continue;
		delete object[key];
		// Assigning to __proto__ would change the prototype instead.
		Object.defineProperty(object, name, {
			value: clean,
			configurable: true,
			enumerable: true,
			writable: true,
		});
	}
	return value;
}
