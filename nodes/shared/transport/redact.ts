import type { IDataObject } from 'n8n-workflow';

const MASK = '[API key]';
// Shorter ones are placeholders; replacing them would tear words apart.
const SHORTEST_KEY = 4;
// Parts of a key that are shorter are found in many a text.
const SHORTEST_PART = 6;
// What is entered for services that need no key.
const WORD = /^([a-z]{1,12}|self-hosted|not-needed)$/i;

/** Removes an API key from texts, in every form it can come back in. */
export interface Redactor {
	text(text: string): string;
	/** A text that may have been cut off within the key, and whose escapes nobody has resolved. */
	excerpt(text: string): string;
	/** A parsed response, changed in place; `raw` is the text it was parsed from. */
	json<Value>(value: Value, raw: string): Value;
	/** The same for a good response, in which a key that is but a word may stand for itself. */
	result<Value>(value: Value, raw: string): Value;
}

/** The redactor for an API key. */
export function redactor(apiKey: string): Redactor {
	const forms = apiKey.length < SHORTEST_KEY ? [] : formsOf(apiKey);
	const text = (given: string) => {
		let clean = given;
		for (const form of forms) clean = clean.replaceAll(form, MASK);
		return clean;
	};
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

function formsOf(apiKey: string): string[] {
	const encoded = encodeURIComponent(apiKey);
	const codeOf = (char: string) => char.charCodeAt(0).toString(16).toUpperCase();
	// Other languages encode more of a URL than JavaScript does.
	const strict = encoded.replace(/[!'()*~]/g, (char) => `%${codeOf(char)}`);
	const lower = (text: string) => text.replace(/%../g, (code) => code.toLowerCase());
	return [
		...new Set([
			apiKey,
			JSON.stringify(apiKey).slice(1, -1),
			...[encoded, strict].flatMap((text) => [text, lower(text)]),
			// As in a web page: what keys of base64 have besides letters and digits.
			apiKey.replace(/[+/=]/g, (char) => `&#x${codeOf(char)};`),
			...base64Forms(apiKey),
		]),
	];
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

/** The text without the beginning of a form of the key at its end. */
function withoutPart(text: string, forms: string[]): string {
	for (const form of forms) {
		for (let length = form.length; length >= SHORTEST_KEY; length--) {
			if (text.endsWith(form.slice(0, length))) return `${text.slice(0, -length)}${MASK}`;
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
