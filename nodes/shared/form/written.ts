/** Understands the ways in which models, and people who paste, write lists and JSON. */

/** Gives what stands in a code fence of Markdown; a text without one stays. */
export function withoutFence(text: string): string {
	return /^\s*```\w*[ \t]*\r?\n([^]*?)\r?\n?```\s*$/.exec(text)?.[1] ?? text;
}

/** Parses JSON in a code fence or without, and lists of Python with its single quotes. Throws what JSON.parse throws. */
export function writtenJson(text: string): unknown {
	const bare = withoutFence(text);
	const isPython = /^\s*\[\s*('[^'"\\]*'\s*,?\s*)+\]\s*$/.test(bare);
	return JSON.parse(isPython ? bare.replace(/'/g, '"').replace(/,\s*\]/, ']') : bare);
}

/** Matches what stands between two URLs in a line; behind ? or # a comma may belong to the first one. */
const BETWEEN_URLS = /[,;|]?\s+(?=["'`<]?https?:\/\/)|(?<=^[^?#]*)[,;|](?=["'`<]?https?:\/\/)/i;
const BEGINS_AS_URL = /^["'`<]?https?:\/\//i;
const BETWEEN_WORDS = /\s*[,;|]\s*|\s+/;
const IS_HOST = /^([\w-]+\.)+[a-z]{2,}$/i;

/** Splits a line that holds several URLs, or several hosts, and nothing else. */
export function urlsIn(line: string): string[] {
	if (BEGINS_AS_URL.test(line)) return line.split(BETWEEN_URLS);
	const words = line.split(BETWEEN_WORDS);
	return words.every((word) => IS_HOST.test(word)) ? words : [line];
}

/** Splits a line of words such as domains or language codes. */
export function wordsIn(line: string): string[] {
	return line.split(BETWEEN_WORDS).filter((word) => word !== '');
}

/** Splits a line of paths such as `/blog, /docs`; regular expressions may hold commas and stay whole. */
export function pathsIn(line: string, isPath: (text: string) => boolean): string[] {
	const parts = line.split(BETWEEN_WORDS);
	return parts.every(isPath) ? parts : [line];
}
