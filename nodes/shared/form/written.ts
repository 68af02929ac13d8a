import type { IDataObject } from 'n8n-workflow';

import { excessOf } from '../base/json';
import { LONGEST_SEARCHED, trimmed } from '../base/text';

/** Reads lists and JSON the way models write them and people paste them. */

/** Returns the content of a Markdown code fence; a string without one stays unchanged. */
export function withoutFence(text: string): string {
	return /^\s*```\w*[ \t]*\r?\n([^]*?)\r?\n?```\s*$/.exec(text)?.[1] ?? text;
}

/**
 * Returns parsed JSON, with or without a code fence. Also accepts a list of strings in single quotes, as Python prints
 * it, even without commas. Throws JSON.parse's error.
 */
export function writtenJson(text: string): unknown {
	const bare = withoutFence(text);
	return singleQuoted(bare.trim()) ?? JSON.parse(bare.trim());
}

/** Returns the list or object that a string contains as JSON; undefined for any other string. */
export function jsonIn(text: string): object | undefined {
	// JSON.parse would take long for a million brackets.
	if (!/^\s*(?:[[{]|```)/.test(text) || excessOf(text)) return undefined;
	try {
		const parsed = writtenJson(text);
		return typeof parsed === 'object' && parsed !== null ? parsed : undefined;
	} catch {
		return undefined;
	}
}

/** Returns the strings of a list in single quotes; undefined for anything else. */
function singleQuoted(list: string): string[] | undefined {
	if (!list.startsWith('[') || !list.endsWith(']') || /["\\]/.test(list)) return undefined;
	const parts = list.slice(1, -1).split("'");
	// Every other part is between two quotes; if the number of parts is even, a quote has no partner.
	const between = parts.filter((_, index) => index % 2 === 0).map((part) => part.trim());
	const isList = parts.length > 1 && parts.length % 2 === 1 && between[0] === '';
	return isList && between.every((part) => part === '' || part === ',')
		? parts.filter((_, index) => index % 2 === 1)
		: undefined;
}

/** Matches a bullet, a number or a checkbox before an entry of a list. A year before a word is none. */
const BULLET = /^(?:[-*•–—+>]|\d{1,3}[.)]|\d+[.)](?=\s+https?:))\s+(?:\[[ x]?\]\s+)?/i;

/** Returns a line without a leading bullet. */
export const withoutBullet = (line: string) => line.replace(BULLET, '');

/** Matches a line with a bullet that no word, phrase or selector begins with. */
const LISTED = /^\s*[-*•–—]\s+(?=\S)/;

/** Returns the lines of a list without the bullet that each of them begins with; any other lines unchanged. */
export function withoutBullets(lines: string[]): string[] {
	const filled = lines.filter((line) => line.trim() !== '');
	const isList = filled.length > 1 && filled.every((line) => LISTED.test(line));
	return isList ? lines.map((line) => withoutBullet(line.trim())) : lines;
}

/** Returns an entry of a list without a leading bullet and surrounding quotes. */
function bare(line: string): string {
	const text = withoutBullet(line.trim());
	const [, inside] = /^["'`“„«‘]([^"'`“”„«»‘’]*)["'`“”»’]$/.exec(text) ?? [];
	return inside ?? text;
}

/** Returns a value without quotes around it, as models and sheets put them around numbers and single words. */
export function unquoted(entered: unknown): unknown {
	if (typeof entered !== 'string' || entered.length > LONGEST_SEARCHED) return entered;
	return /^\s*(["'`“„«])([^"'`“”„«»]*)["'`“”»]\s*$/.exec(entered)?.[2] ?? entered;
}

/** Splits a line of words, such as domains, at spaces, vertical bars, and commas and semicolons of any script. */
export function wordsIn(line: string): string[] {
	return line.split(/[\s,;|，、；،؛]+/).filter((word) => word !== '');
}

/** Splits a line of paths such as `/blog, /docs`; regular expressions may contain commas, so they stay whole. */
export function pathsIn(line: string, isPath: (text: string) => boolean): string[] {
	const entry = bare(line);
	const parts = wordsIn(entry)
		.map(bare)
		.filter((part) => part !== '');
	return parts.every(isPath) ? parts : [entry];
}

/** Matches a tag around a link; any other word in angle brackets stands for something to fill in, such as `<id>`. */
const TAG =
	/<\/?(?:a|abbr|b|blockquote|body|br|cite|code|div|em|font|guid|h[1-6]|html|i|item|li|link|loc|nobr|ol|p|pre|q|s|small|span|strong|sub|sup|table|tbody|td|th|tr|u|ul|url)\s?\/?>/gi;

/** Returns a string with links in HTML, Slack, Markdown and wikis reduced to their addresses, without escapes and tags. */
export function withPlainLinks(text: string): string {
	const links = [
		...text.matchAll(/(?:<[a-z][^<>]*?\s|^[ \t]*)href=(?:"([^"<>]*)"|'([^'<>]*)'|([^\s"'<>]+))/gim),
	].map(([, ...found]) => found.join(''));
	return (links.length > 0 ? links.join('\n') : text)
		.replace(/\\(?=[!-/:-@[\]^_`{-~])/g, '')
		.replace(/&(?:amp|#0*38|#x0*26);/gi, '&')
		.replace(TAG, ' ')
		.replace(/<!\[CDATA\[|\]\]>/gi, ' ')
		.replace(/\*\*(https?:[^\s*]+)\*\*/gi, ' $1 ')
		.replace(/&(?:nbsp|quot|lt|gt);|【\d[^【】]*】|<[@#!][^<>]*>|<mailto:[^<>]*>/gi, ' ')
		.replace(/\\[rn](?=\\[rn]|https?:|\s|$)/gi, '\n')
		.replace(/<(https?:[^<>|]*)(?:\|[^<>]*)?>/gi, ' $1 ')
		.replace(/!?\[[^[\]]*\]\(((?:[^()\s]|\([^()\s]*\))*)(?:\s[^()]*)?\)/g, ' $1 ')
		.replace(/\[(https?:[^\s[\]]+)\s(?!https?:)[^[\]./]*\]/gi, ' $1 ');
}

/** Characters that surround an address in mails, chats and code, and that never end one. */
const AROUND = ' ,;|"\'`<>“„«‘”»’([「『（【《」』）】》。，、！？；：،؛؟।';

/** Matches a stop that belongs to an address: behind an abbreviation, or behind a letter of a script with such stops. */
const OWN_STOP = /(?:[_ .+-]|%20)(?:\p{Lu}|Inc|Ltd|Co|Corp|Jr|Sr|Bros|etc)\.$|\p{Lo}[。！？]$/u;

/**
 * Returns a string without the punctuation that follows its address, such as a sentence's full stop or a closing
 * bracket.
 */
export function withoutMarks(text: string): string {
	const count = (mark: string) => text.split(mark).length - 1;
	const closed: Record<string, number> = {
		')': count(')') - count('('),
		']': count(']') - count('['),
		'}': count('}') - count('{'),
		'"': count('"') % 2,
		"'": count("'") % 2,
	};
	const hasPath = /^(?:https?:\/\/)?[^/:]+(?::\d+)?\/./i.test(text);
	let end = text.length;
	for (; end > 0; end--) {
		const mark = text[end - 1];
		const isStop = mark === '.' && hasPath && text[end - 2] !== '.';
		const isOwn = hasPath && OWN_STOP.test(text.slice(Math.max(0, end - 8), end));
		if (isOwn || (mark in closed ? closed[mark]-- <= 0 : !isStop && !AROUND.includes(mark))) break;
	}
	return trimmed(text.slice(0, end));
}

/** Matches the words of a search in a query, which may have blanks. */
export const SEARCHED = /[?&](?:q|query|search|s|k|text|keywords?|term)=[^&#]*$/i;

/** Matches cells of a table: a number, a name, and what no path has. */
const [NUMBER, NAME] = [/^\d+(?:\.\d+)?$/, /^\p{Lu}\p{L}+$/u];
const TEXT = /^\p{Lu}\p{L}*\s|^[^/@]+@[^/@]+$/u;

/** Whether what follows a host has a comment behind it. */
export function hasComment(rest: string): boolean {
	if (/[「『（【《。；؛؟।]./u.test(rest)) return true;
	if (SEARCHED.test(rest)) return false;
	const isTold =
		/\t|\s[-–—(|"“«[#]|\s\/\/\s|\]\[|\s\p{Extended_Pictographic}|[,;.:!]\s|(?:\s\S+){3}/u.test(
			rest,
		);
	return (
		/\s[a-z\d-]+(?:\.[a-z\d-]+)+\/\S/i.test(rest) || (isTold && !/\.(?!\d+$)\w{2,5}$/.test(rest))
	);
}

/** Whether what follows a host has the other cells of its row behind it. */
export function hasCells(rest: string): boolean {
	const [path] = rest.split(/[?#]/, 1);
	const cells = path.split(/[,;|]/).slice(1);
	const has = (pattern: RegExp) => cells.some((cell) => pattern.test(cell));
	return /\||;(?![\w.-]*=)/.test(path) || has(TEXT) || (has(NUMBER) && has(NAME));
}

/** Returns the cells of the column with addresses, if lines are a table with a header; other lines unchanged. */
export function columnIn(lines: string[]): string[] {
	const [header = '', ...rows] = lines;
	const [mark] = /[,;|\t]/.exec(header) ?? [];
	const isHeader = header.length <= LONGEST_SEARCHED && !/[.:/]/.test(header);
	if (mark === undefined || rows.length === 0 || !isHeader) return lines;
	const names = header.split(mark).map((name) => name.replace(/"/g, '').trim());
	const column = names.findIndex((name) => addressIn({ [name]: name }) !== undefined);
	return column < 0 ? lines : rows.map((row) => row.split(mark)[column] ?? '');
}

/** Names that tables, feeds and models use for fields with addresses, in lower case and without spaces. */
const NAMES = [
	...['url', 'urls', 'link', 'links', 'href', 'hyperlink', 'loc', 'uri', 'website'],
	...['pageurl', 'websiteurl', 'siteurl', 'permalink', 'sourceurl'],
	// An item of n8n.
	'json',
];

/** Returns the address or addresses in a record; undefined if it has none. */
export function addressIn(record: IDataObject): unknown {
	const names = Object.keys(record).filter((name) => (record[name] ?? '') !== '');
	const plainNames = names.map((name) =>
		name
			.slice(0, 20)
			.toLowerCase()
			.replace(/[\s_-]/g, ''),
	);
	const place = NAMES.map((one) => plainNames.indexOf(one)).find((index) => index >= 0);
	return place === undefined ? undefined : record[names[place]];
}
