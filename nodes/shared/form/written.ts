import { isTooComplex } from '../base/json';

/** Reads lists and JSON in the ways in which models, and people who paste, write them. */

/** Returns the content of a Markdown code fence; a text without one stays unchanged. */
export function withoutFence(text: string): string {
	return /^\s*```\w*[ \t]*\r?\n([^]*?)\r?\n?```\s*$/.exec(text)?.[1] ?? text;
}

/**
 * Returns parsed JSON, with or without a code fence. Also accepts a list of texts in single quotes, as Python prints
 * it, even without commas. Throws the error of JSON.parse.
 */
export function writtenJson(text: string): unknown {
	const bare = withoutFence(text);
	return singleQuoted(bare.trim()) ?? JSON.parse(bare);
}

/** Returns the list or object that a text contains as JSON; undefined for any other text. */
export function jsonIn(text: string): object | undefined {
	// JSON.parse would take long for a million brackets.
	if (!/^\s*(?:[[{]|```)/.test(text) || isTooComplex(text)) return undefined;
	try {
		const parsed = writtenJson(text);
		return typeof parsed === 'object' && parsed !== null ? parsed : undefined;
	} catch {
		return undefined;
	}
}

/** Returns the texts of a list in single quotes; undefined for anything else. */
function singleQuoted(list: string): string[] | undefined {
	if (!list.startsWith('[') || !list.endsWith(']') || /["\\]/.test(list)) return undefined;
	const parts = list.slice(1, -1).split("'");
	// Every second part is between two quotes; an even number of parts means that a quote has no partner.
	const between = parts.filter((_, index) => index % 2 === 0).map((part) => part.trim());
	const isList = parts.length > 1 && parts.length % 2 === 1 && between[0] === '';
	return isList && between.every((part) => part === '' || part === ',')
		? parts.filter((_, index) => index % 2 === 1)
		: undefined;
}

/** Splits a line of words, such as domains, at blanks, vertical bars, and commas and semicolons of any script. */
export function wordsIn(line: string): string[] {
	return line.split(/[\s,;|，、；،؛]+/).filter((word) => word !== '');
}

/** Splits a line of paths such as `/blog, /docs`; regular expressions may contain commas, so they stay whole. */
export function pathsIn(line: string, isPath: (text: string) => boolean): string[] {
	const parts = wordsIn(line);
	return parts.every(isPath) ? parts : [line];
}
