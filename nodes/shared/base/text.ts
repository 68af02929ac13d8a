/** Whitespace and zero-width characters, as found in text copied from chats or written from right to left. */
const BLANKS = String.raw`\s\u00AD\u200B-\u200F\u202A-\u202E\u2060\u2066-\u2069`;

const BLANK = new RegExp(`[${BLANKS}]`);
const NO_BLANK = new RegExp(`[^${BLANKS}]`);

/** Maximum length of a quote of a service's message, in characters. */
const LONGEST_SAID = 300;

/** Maximum length of a string searched for patterns, in characters; megabytes would take too long. */
export const LONGEST_SEARCHED = 2_000;

export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** Returns the first `length` characters of a string, without cutting an emoji, which counts as two, in half. */
export function beginningOf(text: string, length: number): string {
	const isHalved = /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) && text.length > length;
	return text.slice(0, isHalved ? length - 1 : length);
}

/** Returns a string without surrounding whitespace and zero-width characters. */
export function trimmed(text: string): string {
	let [start, end] = [0, text.length];
	while (start < end && BLANK.test(text.charAt(start))) start++;
	while (start < end && BLANK.test(text.charAt(end - 1))) end--;
	return text.slice(start, end);
}

/** Whether a string has only whitespace and zero-width characters. */
export const isBlank = (text: string): boolean => !NO_BLANK.test(text);

/** Returns a string with these characters removed from its end. */
export function withoutEnd(text: string, characters: string): string {
	let end = text.length;
	while (end > 0 && characters.includes(text[end - 1])) end--;
	return text.slice(0, end);
}

export function shortened(text: string): string {
	return text.length > LONGEST_SAID ? `${beginningOf(text, LONGEST_SAID)}…` : text;
}

/** Returns a sentence without its full stop, so that more text can follow. */
export function withoutStop(sentence: string): string {
	return sentence.replace(/\.$/, '');
}

/** Returns a text as a sentence, which ends with a mark. */
export const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Returns a noun in the form that agrees with a count: `page` for 1, otherwise `pages`. */
export function plural(count: number, noun: string): string {
	return count === 1 ? noun : `${noun}s`;
}

/** Joins names as alternatives: `A, B or C`. */
export function alternatives(names: string[]): string {
	const [last, ...others] = [...names].reverse();
	return others.length === 0 ? last : `${others.reverse().join(', ')} or ${last}`;
}

/** Joins the parts that aren't empty with spaces. */
export function sentences(parts: unknown[]): string {
	return parts.filter(Boolean).join(' ');
}

/** Returns a service's message as readable text; anything that isn't text becomes JSON, shortened if necessary. */
export function textOf(said: unknown): string {
	return typeof said === 'string' ? said : shortened(JSON.stringify(said) ?? '');
}

/**
 * Returns a short string that identifies a long one. Synchronous, unlike `sha256`: it combines two 32-bit hashes
 * (FNV-1a, and a variant with another prime and start). Collisions can be constructed, so use it only where nobody has
 * a reason to.
 */
export function fingerprintOf(text: string): string {
	const { imul } = Math;
	let [first, second] = [0x811c9dc5, 0x9e3779b1];
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		first = imul(first ^ code, 0x01000193);
		second = imul(second ^ code, 0x85ebca6b);
	}
	return `${text.length} ${first >>> 0} ${second >>> 0}`;
}

/** Length of a text, in characters, from which its beginning and its fingerprint take its place as a key. */
const LONGEST_KEY = 10_000;
const KEPT_OF_KEY = 2_000;

/**
 * Returns a text as the key of a map. Of more than 16,383 characters, Node only hashes the length: thousands of such
 * keys, each as long as the others, would block n8n for minutes.
 */
export const keyOfText = (text: string): string =>
	text.length > LONGEST_KEY ? `${text.slice(0, KEPT_OF_KEY)} ${fingerprintOf(text)}` : text;

/** Returns the SHA-256 of a string, as 64 hexadecimal digits. */
export async function sha256(text: string): Promise<string> {
	const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
	return Buffer.from(digest).toString('hex');
}

/** Returns the first characters of a string's SHA-256 in Base64, six bits each: short enough to store many. */
export async function shortHash(text: string, characters: number): Promise<string> {
	const hex = await sha256(text);
	return Buffer.from(hex, 'hex').toString('base64url').slice(0, characters);
}
