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
	const text = (given: string) => {
		const plain = masked(given);
		const open = unescaped(plain);
		const clean = masked(open);
		// Escapes stay in a string that contains no escaped key.
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

/** The character for each byte in hexadecimal digits. A backslash has none, for the reason given below. */
const CHARACTERS = new Map(
	Array.from({ length: 0x100 }, (_, code) => [
		code.toString(16).padStart(2, '0'),
		code === 0x5c ? '' : String.fromCharCode(code),
	]),
);

/** Length (in characters) of a piece of a text: in one piece, a text full of escapes takes twenty times its size. */
const PIECE_LENGTH = 50_000;

/** Matches where a text can be cut: at a character that is in no escape, or that begins one. */
const CUT = /[^\\u\da-f]|\\u00[\da-f]{2}/gi;

/** Resolves the escapes in a text, piece by piece. */
function unescaped(text: string): string {
	const pieces: string[] = [];
	for (let start = 0, end = 0; start < text.length; start = end) {
		CUT.lastIndex = start + PIECE_LENGTH;
		end = CUT.exec(text)?.index ?? text.length;
		pieces.push(unescapedPiece(text.slice(start, end)));
	}
	return pieces.join('');
}

/**
 * Resolves URL and JSON escapes in a piece, including nested ones. Removes all backslashes, because each level of
 * JSON inside JSON doubles them. Splitting at the escapes takes a sixth of the time of calling a function for each.
 */
function unescapedPiece(text: string): string {
	return text
		.replace(/(?:\\|%(?:25)*5c)u00(?=[\da-f]{2})/gi, '%')
		.replaceAll('\\', '')
		.replace(/%(?:25)+/g, '%')
		.split('%')
		.map((part, index) => {
			if (index === 0) return part;
			const character = CHARACTERS.get(part.slice(0, 2).toLowerCase());
			return character === undefined ? `%${part}` : character + part.slice(2);
		})
		.join('');
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
