/** How models, and people who paste, write lists and JSON. */

/** Returns the content of a Markdown code fence; a text without one stays unchanged. */
export function withoutFence(text: string): string {
	return /^\s*```\w*[ \t]*\r?\n([^]*?)\r?\n?```\s*$/.exec(text)?.[1] ?? text;
}

/**
 * Returns parsed JSON, with or without a code fence, or a list of texts in single quotes, as Python prints it, with or
 * without commas. Throws what JSON.parse throws.
 */
export function writtenJson(text: string): unknown {
	const bare = withoutFence(text);
	return singleQuoted(bare.trim()) ?? JSON.parse(bare);
}

/** Returns the texts of a list in single quotes; undefined for anything else. */
function singleQuoted(list: string): string[] | undefined {
	if (!list.startsWith('[') || !list.endsWith(']') || /["\\]/.test(list)) return undefined;
	const parts = list.slice(1, -1).split("'");
	// Every second part is between two quotes; an even number of parts means an unmatched quote.
	const between = parts.filter((_, index) => index % 2 === 0).map((part) => part.trim());
	const isList = parts.length > 1 && parts.length % 2 === 1 && between[0] === '';
	return isList && between.every((part) => part === '' || part === ',')
		? parts.filter((_, index) => index % 2 === 1)
		: undefined;
}

const BEGINS_AS_URL = /^["'`<]?https?:\/\//i;
const IS_HOST = /^([\w-]+\.)+[a-z]{2,}$/i;

/** Splits a line that consists of several URLs, or several hosts, and nothing else. */
export function urlsIn(line: string): string[] {
	if (!BEGINS_AS_URL.test(line)) {
		const words = parted(line);
		return words.every((word) => IS_HOST.test(word)) ? words : [line];
	}
	// After ? or #, a comma may belong to the URL.
	const [path] = line.split(/[?#]/, 1);
	const spaced = path.replace(/[,;|](?=["'`<]?https?:\/\/)/gi, '$& ') + line.slice(path.length);
	const entries: string[] = [];
	for (const part of spaced.split(/(\s+)/)) {
		if (BEGINS_AS_URL.test(part)) entries.push(part);
		else entries[entries.length - 1] += part;
	}
	const last = entries.length - 1;
	return entries.map((entry, index) =>
		index === last ? entry : entry.trimEnd().replace(/[,;|]$/, ''),
	);
}

/** Splits a line of words such as domains or language codes. */
export function wordsIn(line: string): string[] {
	return parted(line).filter((word) => word !== '');
}

/** Splits a line of paths such as `/blog, /docs`; regular expressions may contain commas and stay whole. */
export function pathsIn(line: string, isPath: (text: string) => boolean): string[] {
	const parts = parted(line);
	return parts.every(isPath) ? parts : [line];
}

/** Splits a line at whitespace and at single commas, semicolons and bars. */
function parted(line: string): string[] {
	if (!/[\s,;|]/.test(line)) return [line];
	return line.split(/[,;|]/).flatMap((part) => part.trim().split(/\s+/));
}
