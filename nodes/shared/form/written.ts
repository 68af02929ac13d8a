import type { IDataObject } from 'n8n-workflow';

import { isTooComplex } from '../base/json';

/** Understands the ways in which models, and people who paste, write lists and JSON. */

/** Returns what stands in a code fence of Markdown; a text without one stays. */
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

/** Returns the list or object that a text is as JSON; undefined for any other text. */
export function jsonIn(text: string): object | undefined {
	// JSON.parse takes long for a million brackets.
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
	// Every second part stands between two quotes; an even number of parts has a quote without its partner.
	const between = parts.filter((_, index) => index % 2 === 0).map((part) => part.trim());
	const isList = parts.length > 1 && parts.length % 2 === 1 && between[0] === '';
	return isList && between.every((part) => part === '' || part === ',')
		? parts.filter((_, index) => index % 2 === 1)
		: undefined;
}

/** A bullet, a number or a box in front of an entry of a list. */
const BULLET = /^(?:[-*•–—+>]|\d{1,3}[.)])\s+(?:\[[ x]?\]\s+)?/i;

/** Returns a line without a bullet in front. */
export const withoutBullet = (line: string) => line.replace(BULLET, '');

/** Returns an entry of a list without a bullet in front and quotes around it. */
function bare(line: string): string {
	const text = withoutBullet(line.trim());
	const [, inside] = /^["'`“„«‘]([^"'`“”„«»‘’]*)["'`“”»’]$/.exec(text) ?? [];
	return inside ?? text;
}

/** Splits a line of words, such as domains, at blanks, bars, and commas and semicolons of any script. */
export function wordsIn(line: string): string[] {
	return line.split(/[\s,;|，、；،؛]+/).filter((word) => word !== '');
}

/** Splits a line of paths such as `/blog, /docs`; regular expressions may hold commas and stay whole. */
export function pathsIn(line: string, isPath: (text: string) => boolean): string[] {
	const entry = bare(line);
	const parts = wordsIn(entry).map(bare);
	return parts.every(isPath) ? parts : [entry];
}

/** Names under which tables, feeds and models have addresses, in small letters and without blanks. */
const NAMES = [
	...['url', 'urls', 'link', 'links', 'href', 'hyperlink', 'loc', 'uri', 'website'],
	...['pageurl', 'websiteurl', 'siteurl', 'permalink', 'sourceurl'],
];

/** Returns what a record has as its address or addresses; undefined if it has none. */
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
