import type { IDataObject } from 'n8n-workflow';

import { isTooComplex } from '../base/json';

/** Reads lists and JSON as models write them and people paste them. */

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

/** A bullet, a number or a checkbox before an entry of a list. */
const BULLET = /^(?:[-*•–—+>]|\d{1,3}[.)])\s+(?:\[[ x]?\]\s+)?/i;

/** Returns a line without a leading bullet. */
export const withoutBullet = (line: string) => line.replace(BULLET, '');

/** Returns an entry of a list without a leading bullet and surrounding quotes. */
function bare(line: string): string {
	const text = withoutBullet(line.trim());
	const [, inside] = /^["'`“„«‘]([^"'`“”„«»‘’]*)["'`“”»’]$/.exec(text) ?? [];
	return inside ?? text;
}

/** Splits a line of words, such as domains, at blanks, vertical bars, and commas and semicolons of any script. */
export function wordsIn(line: string): string[] {
	return line.split(/[\s,;|，、；،؛]+/).filter((word) => word !== '');
}

/** Splits a line of paths such as `/blog, /docs`; regular expressions may contain commas, so they stay whole. */
export function pathsIn(line: string, isPath: (text: string) => boolean): string[] {
	const entry = bare(line);
	const parts = wordsIn(entry).map(bare);
	return parts.every(isPath) ? parts : [entry];
}

/** Field names under which tables, feeds and models put addresses, in lower case and without blanks. */
const NAMES = [
	...['url', 'urls', 'link', 'links', 'href', 'hyperlink', 'loc', 'uri', 'website'],
	...['pageurl', 'websiteurl', 'siteurl', 'permalink', 'sourceurl'],
];

/** Returns the address or addresses in a record; undefined if it has none. */
export function addressIn(record: IDataObject): unknown {
	const names = Object.keys(record).filter((name) => (record[name] ?? null) !== null);
	const plainNames = names.map((name) =>
		name
			.slice(0, 20)
			.toLowerCase()
			.replace(/[\s_-]/g, ''),
	);
	const place = NAMES.map((one) => plainNames.indexOf(one)).find((index) => index >= 0);
	return place === undefined ? undefined : record[names[place]];
}
