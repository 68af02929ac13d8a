import type { IDataObject } from 'n8n-workflow';

const MASK = '[API key]';
// Shorter keys are placeholders, and replacing them would garble ordinary words.
const SHORTEST_KEY = 4;
// For services that need no key, people enter words like these.
const WORD = /^([a-z]{1,12}|\d{1,12}|self-hosted|not-needed)$/i;

/**
 * Removes an API key from strings: the key, its Base64, and the Base64 of `Bearer ` plus the key, each plain or escaped
 * for URLs or JSON, even several times over. The time is proportional to the length of the string.
 */
export interface Redactor {
	text(text: string): string;
	/** Redacts a string that may have been cut off in the middle of the key. */
	excerpt(text: string): string;
	/** Redacts a parsed response in place; `raw` is the text it was parsed from. */
	json<Value>(value: Value, raw: string): Value;
	/** Redacts a good response, in which a key that is an ordinary word or number may occur by chance. */
	result<Value>(value: Value, raw: string): Value;
}

export function redactor(apiKey: string): Redactor {
	const secrets = apiKey.length < SHORTEST_KEY ? [] : secretsOf(apiKey);
	const masked = (text: string) =>
		secrets.reduce((clean, secret) => clean.replaceAll(secret, MASK), text);
	const isIn = (given: string) => secrets.some((secret) => given.includes(secret));
	const longest = Math.max(1, ...secrets.map(({ length }) => length));
	const isEscapedIn = (given: string) => {
		let before = '';
		for (const piece of openPieces(given)) {
			const open = before + piece;
			if (isIn(open)) return true;
			before = open.slice(-longest);
		}
		return false;
	};
	const text = (given: string) => {
		const plain = masked(given);
		// Escapes stay in a string that contains no escaped key.
		return isEscapedIn(plain) ? masked(unescaped(plain)) : plain;
	};
	const json: Redactor['json'] = (value, raw) =>
		isIn(raw) || isEscapedIn(raw) ? (changed(value, text) as typeof value) : value;
	return {
		text,
		excerpt: (given) => withoutPart(text(given), secrets),
		json,
		result: WORD.test(apiKey) ? (value) => value : json,
	};
}

/** Returns the strings to look for: the key and its Base64, also in the form that `unescaped` returns. */
function secretsOf(apiKey: string): string[] {
	const base64 = [apiKey, `Bearer ${apiKey}`].flatMap((text) => {
		const bytes = Buffer.from(text);
		const padded = bytes.toString('base64');
		return [padded, padded.replaceAll('=', ''), bytes.toString('base64url')];
	});
	// URL escapes are resolved byte by byte.
	const open = [apiKey, Buffer.from(apiKey).toString('latin1')].map(unescaped);
	const secrets = new Set([apiKey, ...base64, ...open]);
	return [...secrets].filter((secret) => secret.length >= SHORTEST_KEY);
}

const BACKSLASH = 0x5c;
const PERCENT = 0x25;

/** Length (in characters) of the pieces in which a text is resolved. */
const PIECE_LENGTH = 50_000;

/** Resolves the escapes in a text. */
const unescaped = (text: string): string => [...openPieces(text)].join('');

/**
 * Yields a text piece by piece, with URL and JSON escapes resolved, including nested ones. All backslashes are left out,
 * because each level of JSON inside JSON doubles them. Goes through the text once and writes character codes: strings
 * for each escape would take twenty times the size of the text.
 */
function* openPieces(text: string): Generator<string> {
	const codes = new Uint16Array(Math.min(PIECE_LENGTH, text.length));
	for (let at = 0; at < text.length;) {
		const plain = text.slice(at, at + PIECE_LENGTH);
		if (!/[\\%]/.test(plain)) {
			yield plain;
			at += PIECE_LENGTH;
			continue;
		}
		let length = 0;
		while (length < codes.length && at < text.length) {
			const code = text.charCodeAt(at);
			const begun = code === PERCENT ? percentEnd(text, at) : unicodeEnd(text, at);
			if (begun >= 0) {
				const digits = digitsAfter(text, begun);
				at = digits.next;
				if (digits.code !== BACKSLASH) codes[length++] = digits.code;
			} else {
				if (code !== BACKSLASH) codes[length++] = code;
				at++;
			}
		}
		yield Buffer.from(codes.buffer, 0, 2 * length).toString('utf16le');
	}
}

/** Returns the value of the hexadecimal digit at a place; -1 for anything else. */
function digitAt(text: string, at: number): number {
	const code = text.charCodeAt(at);
	if (code >= 0x30 && code <= 0x39) return code - 0x30;
	const letter = code | 0x20;
	return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

const isPair = (text: string, at: number, first: number, second: number) =>
	digitAt(text, at) === first && digitAt(text, at + 1) === second;

const ZERO = 0x30;
const LETTER_U = 0x75;

/** Returns where the two digits of `u00fc` begin; -1 if there is no such text at this place. */
function digitsOfU(text: string, at: number): number {
	if ((text.charCodeAt(at) | 0x20) !== LETTER_U) return -1;
	if (text.charCodeAt(at + 1) !== ZERO || text.charCodeAt(at + 2) !== ZERO) return -1;
	return digitAt(text, at + 3) < 0 || digitAt(text, at + 4) < 0 ? -1 : at + 3;
}

/** Returns where the digits of a JSON escape of a byte begin; -1 if there is none at this place. */
const unicodeEnd = (text: string, at: number) =>
	text.charCodeAt(at) === BACKSLASH ? digitsOfU(text, at + 1) : -1;

/**
 * Returns where the digits of the URL escape at a percent sign begin, or those of a JSON escape whose backslash is
 * escaped for URLs; -1 if neither can follow.
 */
function percentEnd(text: string, at: number): number {
	let end = at + 1;
	if (digitAt(text, end) < 0 && text.charCodeAt(end) !== BACKSLASH) return -1;
	while (isPair(text, end, 2, 5)) end += 2;
	const unicode = isPair(text, end, 5, 0xc) ? digitsOfU(text, end + 2) : -1;
	return unicode < 0 ? at + 1 : unicode;
}

/** Returns the next place that has no backslash, or the one of a JSON escape. */
function withoutBackslashes(text: string, at: number): number {
	let next = at;
	while (text.charCodeAt(next) === BACKSLASH && digitsOfU(text, next + 1) < 0) next++;
	return next;
}

/** Returns the byte whose digits begin at a place, or a percent sign if there are none, and what comes after it. */
function digitsAfter(text: string, at: number): { code: number; next: number } {
	for (let start = at; ;) {
		const first = withoutBackslashes(text, start);
		const second = withoutBackslashes(text, first + 1);
		const [high, low] = [digitAt(text, first), digitAt(text, second)];
		if (high < 0 || low < 0) return { code: PERCENT, next: first };
		const code = 16 * high + low;
		// An escaped percent sign.
		if (code === PERCENT) start = second + 1;
		else return { code, next: second + 1 };
	}
}

/** Matches the end of a string that breaks off within an escape. */
const CUT_ESCAPE = /(%(25)*[\da-f]?|\\(u[\da-f]{0,3})?)$/i;

/** Masks the beginning of the key, in any of its forms, at the end of a string. */
function withoutPart(text: string, secrets: string[]): string {
	const end = unescaped(text.replace(CUT_ESCAPE, ''));
	for (const secret of secrets) {
		const longest = Math.min(secret.length - 1, end.length);
		for (let length = longest; length >= SHORTEST_KEY; length--) {
			if (end.endsWith(secret.slice(0, length))) return end.slice(0, -length) + MASK;
		}
	}
	return text;
}

/** Applies `change` to all strings of a JSON value, including its keys, in place if possible. */
function changed(value: unknown, change: (text: string) => string): unknown {
	if (typeof value === 'string') return change(value);
	if (typeof value === 'number') {
		const digits = String(value);
		const clean = change(digits);
		return clean === digits ? value : clean;
	}
	// Object.entries also works for lists; for true, false and null it is empty.
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
