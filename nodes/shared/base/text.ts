/** A blank or a character without width, as they are copied from chats and right-to-left texts. */
const BLANK = /[\s\u00AD\u200B-\u200F\u202A-\u202E\u2060\u2066-\u2069]/;

/** Limits quotes of what a service says, in characters. */
const LONGEST_SAID = 300;

/** Limits a search for patterns, in characters: they take too long for a text of megabytes. */
export const LONGEST_SEARCHED = 2_000;

export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** Cuts a text to so many characters, but never cuts an emoji, which is two, in half. */
export function beginningOf(text: string, length: number): string {
	const isHalved = /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) && text.length > length;
	return text.slice(0, isHalved ? length - 1 : length);
}

/** Removes the blanks around a text, including those without width. */
export function trimmed(text: string): string {
	let [start, end] = [0, text.length];
	while (start < end && BLANK.test(text.charAt(start))) start++;
	while (start < end && BLANK.test(text.charAt(end - 1))) end--;
	return text.slice(start, end);
}

/** Removes these characters from the end of a text. */
export function withoutEnd(text: string, characters: string): string {
	let end = text.length;
	while (end > 0 && characters.includes(text[end - 1])) end--;
	return text.slice(0, end);
}

export function shortened(text: string): string {
	return text.length > LONGEST_SAID ? `${beginningOf(text, LONGEST_SAID)}…` : text;
}

/** Removes a sentence's full stop, so that more text can follow. */
export function withoutStop(sentence: string): string {
	return sentence.replace(/\.$/, '');
}

/** Gives a noun as it stands behind a count: `page` for 1, else `pages`. */
export function plural(count: number, noun: string): string {
	return count === 1 ? noun : `${noun}s`;
}

/** Joins the parts that are there with blanks. */
export function sentences(parts: unknown[]): string {
	return parts.filter(Boolean).join(' ');
}

/** Writes a service's message for people; anything but text becomes JSON, which may be shortened. */
export function textOf(said: unknown): string {
	return typeof said === 'string' ? said : shortened(JSON.stringify(said) ?? '');
}

/**
 * Returns a short text that stands for a long one, at once, unlike `sha256`: two hashes of 32 bits (FNV-1a, and another
 * prime and start). Others can make texts with the same one, so it may only tell texts apart that nobody has reason to.
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

/** Gives the SHA-256 of a text, as 64 hexadecimal digits. */
export async function sha256(text: string): Promise<string> {
	const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
	return Buffer.from(digest).toString('hex');
}

/** Gives the first characters of a text's SHA-256 in Base64, six bits each: short, for remembering many texts. */
export async function shortHash(text: string, characters: number): Promise<string> {
	const hex = await sha256(text);
	return Buffer.from(hex, 'hex').toString('base64url').slice(0, characters);
}
