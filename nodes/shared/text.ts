/** For patterns: a blank, or a character without width, as they are copied from chats and right-to-left texts. */
export const BLANK = String.raw`[\s\u00AD\u200B-\u200F\u202A-\u202E\u2060\u2066-\u2069]`;

/** What an error says, in a line. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** The beginning of a text, at most so many characters of it; an emoji, which is two, is never cut in half. */
export function beginningOf(text: string, length: number): string {
	const isHalved = /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) && text.length > length;
	return text.slice(0, isHalved ? length - 1 : length);
}

/** The parts that are there, with a blank between. */
export function sentences(parts: unknown[]): string {
	return parts.filter(Boolean).join(' ');
}
