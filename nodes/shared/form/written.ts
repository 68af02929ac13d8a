/** Understands the ways in which models, and people who paste, write lists and JSON. */

/** Gives what stands in a code fence of Markdown; a text without one stays. */
export function withoutFence(text: string): string {
	return /^\s*```\w*[ \t]*\r?\n([^]*?)\r?\n?```\s*$/.exec(text)?.[1] ?? text;
}

/**
 * Parses JSON in a code fence or without, and lists of texts in single quotes, as Python prints them, with commas or
 * without. Throws what JSON.parse throws.
 */
export function writtenJson(text: string): unknown {
	const bare = withoutFence(text);
	return singleQuoted(bare.trim()) ?? JSON.parse(bare);
}

/** Returns the texts of a list in single quotes; undefined for anything else. */
function singleQuoted(list: string): string[] | undefined {
	if (!list.startsWith('[') || !list.endsWith(']') || /["\\]/.test(list)) return undefined;
	const parts = list.slice(1, -1).split("'");
	// Every second part stands between two quotes; an even number of parts has a quote without its partner.
	const between = parts.filter((_, index) => index % 2 === 0).map((part) => part.trim());
	const isList = parts.length > 1 && parts.length % 2 === 1 && between[0] === '';
	return isList && between.every((part) => part === '' || part === ',')
		? parts.filter((_, index) => index % 2 === 1)
		: undefined;
}

const BEGINS_AS_URL = /^["'`<]?https?:\/\//i;
const IS_HOST = /^([\w-]+\.)+[a-z]{2,}$/i;

/** Splits a line that holds several URLs, or several hosts, and nothing else. */
export function urlsIn(line: string): string[] {
	if (!BEGINS_AS_URL.test(line)) {
		return parted(line, (word) => IS_HOST.test(word));
	}
	// Behind ? or # a comma may belong to the URL.
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
	return line.split(/[\s,;|]+/).filter((word) => word !== '');
}

/** Splits a line of paths such as `/blog, /docs`; regular expressions may hold commas and stay whole. */
export function pathsIn(line: string, isPath: (text: string) => boolean): string[] {
	return parted(line, isPath);
}

/** Splits a line at blanks and at single commas, semicolons and bars; a line with anything else in it stays whole. */
function parted(line: string, isMeant: (part: string) => boolean): string[] {
	const parts: string[] = [];
	for (const part of line.split(/[,;|]/)) {
		for (const word of part.trim().split(/\s+/)) {
			if (!isMeant(word)) return [line];
			parts.push(word);
		}
	}
	return parts;
}
