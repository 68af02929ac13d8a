import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../base/json';
import { MOST_URLS } from '../base/limits';
import { trimmed, withoutEnd } from '../base/text';
import { parsedUrl } from '../base/url';
import { asText, checkFixed, emptyError, invalid, quoted, reading } from './checks';
import type { Place } from './field';
import { checkEntries, jsonList } from './values';

/** Matches a host without its scheme, such as `example.com`, at the beginning of a text. */
const HOST = /^(?:[\p{L}\p{N}_-]+\.)+\p{L}[\p{L}\p{M}\p{N}-]*(?::\d+)?(?=[/?#]|$)/u;

const BEGINNING = /^https?:\/\/[^\s/?#]/i;

/** Matches what no single URL has: tabs, line breaks, and another URL behind a blank, or a semicolon or bar of its path. */
const SEVERAL = /[\t\n\r]|\shttps?:\/\/|^[^?]*[;|]https?:\/\//i;

/** Whether a text has a part that a person or a program was to fill in, e.g. `https://example.com/${id}`. */
export const isHollow = (text: string): boolean => /\{\{|\$\{/.test(text);

/** Returns a text with the scheme that a bare host lacks. */
const withHttps = (text: string) => (HOST.test(text) ? `https://${text}` : text);

/** Returns a URL of the web as WHATWG's `URL` writes it, also for a bare host; undefined for any other text. */
export function urlOf(text: string): string | undefined {
	const whole = withHttps(text);
	// `URL` leaves tabs and line breaks out, and takes a second URL for a part of the first.
	if (!BEGINNING.test(whole) || isHollow(whole) || SEVERAL.test(whole)) return undefined;
	return parsedUrl(whole)?.href;
}

/** An entry of a list of URLs: the URL to send, or the original text and why it isn't sent. */
export interface UrlEntry {
	url: string;
	reason?: string;
}

/**
 * Returns the parts of a word, at commas; in one with paths, at those before another URL, unless the first one alone
 * has URLs in its query.
 */
function atCommas(word: string): string[] {
	const parts = word.split(word.includes('/') ? /,(?=https?:\/\/)/i : ',');
	const last = parts.findLastIndex((part) => part.replace(/^[^?]*/, '').includes('://'));
	return (last === 0 ? [word] : parts).map((part) => withoutEnd(part, ','));
}

/** Returns the words of a line, at blanks and commas. */
const wordsOf = (line: string): string[] => line.split(/\s/).flatMap(atCommas).filter(Boolean);

/** Returns the texts in a line: several if each alone is a URL, or each a bare host. */
function textsIn(line: string): string[] {
	const parts = wordsOf(line);
	const areUrls = parts.every((part) => urlOf(part) !== undefined);
	// A bare word after a whole URL belongs to that, as in `https://a.example/Annual Report.pdf`.
	const areAlike = new Set(parts.map((part) => BEGINNING.test(part))).size === 1;
	return parts.length > 1 && areUrls && areAlike ? parts : [line];
}

/** Returns the entries of a text, which has one per line, or of a list; an object of ours stands for its `url`. */
function entriesIn(entered: unknown): unknown[] {
	if (typeof entered !== 'string') return [entered].flat();
	const text = trimmed(entered);
	const list = jsonList(text);
	if (list !== undefined) return list;
	const all = text.split('\n').map(trimmed).filter(Boolean);
	const areCommaLines = all.length > 1 && all.slice(0, -1).every((line) => line.endsWith(','));
	const written = areCommaLines ? all.map((line) => withoutEnd(line, ',')) : all;
	const parts = written.flatMap(wordsOf);
	// They are too many anyway, and reading each as a URL would take long.
	return parts.length > MOST_URLS ? parts : written.flatMap(textsIn);
}

/** Returns what an entry of a URL is read as; `mayBeAll` accepts an asterisk at its end, for all pages below it. */
function urlEntry(entry: unknown, mayBeAll: boolean): UrlEntry {
	const given = isObject(entry) ? (entry.url ?? entry) : entry;
	const url = typeof given === 'string' ? urlOf(trimmed(given)) : undefined;
	if (url === undefined) return { url: asText(given), reason: 'not a URL' };
	return /^[^?#]*\*$/.test(url) && !mayBeAll ? { url, reason: 'the URL of many pages' } : { url };
}

/** Throws for an entry that isn't the URL of a page; of several, it says which. */
export function checkAreUrls(entries: UrlEntry[], place: Place): void {
	const index = entries.findIndex(({ reason }) => reason !== undefined);
	if (index < 0) return;
	const { url: entered, reason } = entries[index];
	const [verb, which] = entries.length > 1 ? ['has', ` (number ${index + 1})`] : ['is', ''];
	throw invalid(
		place,
		`${verb} ${quoted(entered)}${which}, which is ${reason}`,
		reason === 'not a URL'
			? 'Write it like https://example.com/page, without other text and parts to fill in.'
			: 'Remove the asterisk. For all pages below a URL, use Web Data Crawl, or Web Data Scrape → List Pages of Site.',
	);
}

/** Returns a single URL as it is sent. Throws for anything else. */
export function oneUrl(entered: unknown, place: Place, advice: string): string {
	if (typeof entered === 'string') {
		checkFixed(entered, place);
		if (entriesIn(withHttps(trimmed(entered))).length > 1)
			throw invalid(place, `is ${quoted(entered)}, which is more than one URL`, advice);
	}
	const entry = urlEntry(entered, false);
	checkAreUrls([entry], place);
	return entry.url;
}

/** Returns a single URL as it is sent. Throws for anything else. */
export const url = (entered: unknown, place: Place) =>
	oneUrl(entered, place, 'Enter one URL; other URLs need items of their own.');

/** Returns the URLs, and the entries that aren't URLs, each with the reason. */
function urlEntries(entered: unknown, place: Place, mayBeAll: boolean): UrlEntry[] {
	if (typeof entered === 'string') checkFixed(entered, place);
	const list = entriesIn(entered ?? []);
	checkEntries(list, place, MOST_URLS);
	return list.map((entry) => urlEntry(entry, mayBeAll));
}

/** Returns URLs as they are sent. Throws for an entry that isn't a URL. */
export function urls(entered: unknown, place: Place, mayBeAll = false): string[] {
	const entries = urlEntries(entered, place, mayBeAll);
	checkAreUrls(entries, place);
	return entries.map((entry) => entry.url);
}

/**
 * Returns the entries of a body's URLs, and keeps in it only those to be sent. If it is lenient, entries that aren't URLs
 * get a reason; otherwise they are an error. Throws NodeOperationError, also for none.
 */
export const checkedEntries = (
	body: IDataObject,
	place: Place,
	isLenient: boolean,
	mayBeAll = false,
): UrlEntry[] =>
	reading(place, () => {
		const entries = urlEntries(body.urls, place, mayBeAll);
		if (entries.length === 0) throw emptyError(place);
		if (!isLenient) checkAreUrls(entries, place);
		body.urls = entries.filter(({ reason }) => reason === undefined).map((entry) => entry.url);
		return entries;
	});

/** Returns the entries that aren't URLs. */
export const leftOutOf = (entries: UrlEntry[]): string[] =>
	entries.filter(({ reason }) => reason !== undefined).map((entry) => entry.url);
