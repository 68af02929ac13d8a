import type { IDataObject } from 'n8n-workflow';

const MASK = '[API key]';
// Shorter keys are placeholders; replacing them would tear words apart.
const SHORTEST_KEY = 4;
// Shorter parts of a key occur in many texts.
const SHORTEST_PART = 6;
// Services that need no key are given such words.
const WORD = /^([a-z]{1,12}|\d{1,12}|self-hosted|not-needed)$/i;

/** Removes an API key from texts: plain, in Base64, and behind three levels of URL, HTML and JSON escapes. */
export interface Redactor {
	text(text: string): string;
	/** Redacts a text that may have been cut off within the key. */
	excerpt(text: string): string;
	/** Redacts a parsed response in place; `raw` is the text it was parsed from. */
	json<Value>(value: Value, raw: string): Value;
	/** Redacts a good response, in which a key that is just a word or a number may stand for itself. */
	result<Value>(value: Value, raw: string): Value;
}

export function redactor(apiKey: string): Redactor {
	const secrets = apiKey.length < SHORTEST_KEY ? [] : secretsOf(apiKey);
	const masked = (text: string) =>
		secrets.reduce((clean, secret) => clean.replaceAll(secret, MASK), text);
	// A key of letters and digits hides only behind escapes of these, which hardly any page has.
	const hiding = /^[\w-]+$/.test(apiKey) ? ESCAPED_LETTER : ESCAPE;
	const text = (given: string) => {
		const plain = masked(given);
		if (given.search(hiding) < 0) return plain;
		const open = unescaped(plain);
		const clean = masked(open);
		// A text without the key keeps its escapes.
		return clean === open ? plain : clean;
	};
	const json: Redactor['json'] = (value, raw) =>
		text(raw) === raw ? value : (changed(value, text) as typeof value);
	return {
		text,
		excerpt: (given) => withoutPart(text(given), secrets),
		json,
		result: WORD.test(apiKey) ? (value) => value : json,
	};
}

/** Lists the forms of a key: itself, as bytes of UTF-8, and in Base64. */
function secretsOf(apiKey: string): string[] {
	const base64 = base64Parts(apiKey).flatMap((part) => [
		part,
		part.replaceAll('+', '-').replaceAll('/', '_'),
	]);
	return [...new Set([apiKey, Buffer.from(apiKey).toString('latin1'), ...base64])];
}

/**
 * Gives the texts that occur in any Base64 whose content has the key in it, e.g. `Bearer ` and the key. They depend on
 * the number of characters before the key, of which three make four of Base64.
 */
function base64Parts(apiKey: string): string[] {
	const parts = [0, 1, 2].map((before) => {
		const bytes = Buffer.from(`${' '.repeat(before)}${apiKey}`);
		const base64 = bytes.toString('base64').replaceAll('=', '');
		// The first and the last characters also hold bits of the neighboring text.
		const last = (bytes.length * 8) % 6 === 0 ? base64.length : base64.length - 1;
		return base64.slice(Math.ceil((before * 8) / 6), last);
	});
	return parts.filter((part) => part.length >= SHORTEST_PART);
}

const ESCAPE =
	/%([\da-f]{2})|\\+x([\da-f]{2})|\\+u([\da-f]{4})|&#x0*([\da-f]{1,4});|&#0*(\d{1,5});|&(amp|lt|gt|quot|apos|sol|plus|equals|lowbar|hyphen);|\\+(["'/\\])/gi;

/** Matches the escape of a letter, a digit, `-` or `_`. */
const ESCAPED_LETTER =
	/(%(25)*|\\+x|\\+u00|&#x0*)(2d|3\d|[46][1-9a-f]|[57][\da]|5f)|&#0*(45|4[89]|5[0-7]|6[5-9]|[789]\d|1[01]\d|12[0-2]);|&(lowbar|hyphen);/i;

const NAMED: Record<string, string> = {
	...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" },
	...{ sol: '/', plus: '+', equals: '=', lowbar: '_', hyphen: '-' },
};

/** Resolves the escapes of a text, also of one within another. */
function unescaped(text: string): string {
	let open = text;
	for (let level = 0; level < 3; level++) {
		const next = open.replace(ESCAPE, (_, url, x, u, hex, decimal, name, plain) => {
			const code = url ?? x ?? u ?? hex;
			if (code !== undefined) return String.fromCharCode(parseInt(code as string, 16));
			if (decimal !== undefined) return String.fromCharCode(Number(decimal));
			return NAMED[String(name).toLowerCase()] ?? String(plain);
		});
		if (next === open) break;
		open = next;
	}
	return open;
}

/** Matches the end of a text that breaks off within an escape. */
const CUT_ESCAPE = /(%(25)*[\da-f]?|&(#x?[\da-f]*)?|\\(x[\da-f]?|u[\da-f]{0,3})?)$/i;

/** Masks the beginning of the key, in any of its forms, at the end of a text. */
function withoutPart(text: string, secrets: string[]): string {
	const end = unescaped(text.replace(CUT_ESCAPE, ''));
	for (const secret of secrets) {
		for (let length = secret.length - 1; length >= SHORTEST_KEY; length--) {
			if (end.endsWith(secret.slice(0, length))) return end.slice(0, -length) + MASK;
		}
	}
	return text;
}

/** Changes all texts of a JSON value, including keys, in place if possible. */
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
