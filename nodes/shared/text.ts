/** For patterns: a blank, or a character without width, as they are copied from chats and right-to-left texts. */
export const BLANK = String.raw`[\s\u00AD\u200B-\u200F\u202A-\u202E\u2060\u2066-\u2069]`;

/** How much of what a service says is quoted, in characters. */
const LONGEST_SAID = 300;

/** How much of it is searched for patterns, which take too long for a text of megabytes. In characters. */
export const LONGEST_SEARCHED = 2_000;

/** What an error says, in a line. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** The beginning of a text, at most so many characters of it; an emoji, which is two, is never cut in half. */
export function beginningOf(text: string, length: number): string {
	const isHalved = /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) && text.length > length;
	return text.slice(0, isHalved ? length - 1 : length);
}

/** A text of at most the length that is quoted. */
export function shortened(text: string): string {
	return text.length > LONGEST_SAID ? `${beginningOf(text, LONGEST_SAID)}…` : text;
}

/** A sentence, ready for more behind it. */
export function withoutStop(sentence: string): string {
	return sentence.replace(/\.$/, '');
}

/** A noun as it stands behind a count: `1 page`, `2 pages`. */
export function plural(count: number, noun: string): string {
	return count === 1 ? noun : `${noun}s`;
}

/** The parts that are there, with a blank between. */
export function sentences(parts: unknown[]): string {
	return parts.filter(Boolean).join(' ');
}

/** Gives what a service says as a text for people: what is no text as JSON, which may be shortened. */
export function textOf(said: unknown): string {
	return typeof said === 'string' ? said : shortened(JSON.stringify(said) ?? '');
}

/** Gives the SHA-256 of a text, as 64 hexadecimal digits. */
export async function sha256(text: string): Promise<string> {
	const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
	return Buffer.from(digest).toString('hex');
}

/** Gives the first characters of a text's SHA-256 in Base64, six bits each: short, for memories of many texts. */
export async function shortHash(text: string, characters: number): Promise<string> {
	const hex = await sha256(text);
	return Buffer.from(hex, 'hex').toString('base64url').slice(0, characters);
}
