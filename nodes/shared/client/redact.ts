import { isObject } from '../base/json';

const MASK = '[API key]';
// Shorter keys are placeholders, and replacing them would garble ordinary words.
const SHORTEST_KEY = 4;
// For services that need no key, people enter words like these.
const WORD = /^([a-z]{1,12}|\d{1,12}|self-hosted|not-needed)$/i;

/**
 * Removes an API key from strings: the key, its Base64, and the Base64 of `Bearer ` plus the key, each plain or escaped
 * for URLs or JSON, once or twice. The time is proportional to the length of the string.
 */
export interface Redactor {
	text(text: string): string;
	/** Redacts a string that may have been cut off in the middle of the key. */
	excerpt(text: string): string;
	/** Redacts a parsed response; `raw` is the text it was parsed from. */
	json<Value>(value: Value, raw: string): Value;
	/** Redacts a good response, in which a key that is an ordinary word or number may occur by chance. */
	result<Value>(value: Value, raw: string): Value;
}

export function redactor(apiKey: string): Redactor {
	const secrets = apiKey.length < SHORTEST_KEY ? [] : secretsOf(apiKey);
	const masked = (text: string) =>
		secrets.reduce((clean, secret) => clean.replaceAll(secret, MASK), text);
	const isIn = (given: string) => secrets.some((secret) => given.includes(secret));
	const text = (given: string) => {
		const plain = masked(given);
		const open = unescaped(plain);
		// Escapes stay in a string that contains no escaped key.
		return isIn(open) ? masked(open) : plain;
	};
	const json: Redactor['json'] = (value, raw) =>
		isIn(raw) || isIn(unescaped(raw)) ? (changed(value, text) as typeof value) : value;
	return {
		text,
		excerpt: (given) => withoutPart(text(given), secrets),
		json,
		result: WORD.test(apiKey) ? (value) => value : json,
	};
}

/** Returns the strings to look for: the key and its Base64, also in JSON, in JSON inside JSON, and once more. */
function secretsOf(apiKey: string): string[] {
	const base64 = [apiKey, `Bearer ${apiKey}`].flatMap((text) => {
		const bytes = Buffer.from(text);
		return [bytes.toString('base64').replaceAll('=', ''), bytes.toString('base64url')];
	});
	// URL escapes are resolved byte by byte.
	let secrets = [apiKey, unescaped(apiKey), Buffer.from(apiKey).toString('latin1'), ...base64];
	for (let level = 0; level < 3; level++) {
		const inJson = secrets.map((text) => JSON.stringify(text).slice(1, -1));
		const inPhp = inJson.map((text) => text.replaceAll('/', '\\/'));
		secrets = [...new Set([...secrets, ...inJson, ...inPhp])];
	}
	return secrets.filter((secret) => secret.length >= SHORTEST_KEY);
}

/**
 * Resolves the escapes of bytes in a text, for URLs twice and for JSON inside JSON. `unescape` takes any text, unlike
 * `decodeURIComponent`.
 */
const unescaped = (text: string): string =>
	unescape(unescape(text.replace(/\\{1,4}u00/g, '%')).replace(/\\{1,4}u00/g, '%'));

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

/** Returns a JSON value with `change` applied to all its strings, including its keys. */
function changed(value: unknown, change: (text: string) => string): unknown {
	if (typeof value === 'string') return change(value);
	if (typeof value === 'number') {
		const digits = String(value);
		const clean = change(digits);
		return clean === digits ? value : clean;
	}
	if (Array.isArray(value)) return value.map((entry) => changed(entry, change));
	if (!isObject(value)) return value;
	const entries = Object.entries(value);
	return Object.fromEntries(entries.map(([key, entry]) => [change(key), changed(entry, change)]));
}
