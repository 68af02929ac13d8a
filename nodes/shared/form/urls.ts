import type { IDataObject } from 'n8n-workflow';

import { isDeeperThan, isObject } from '../base/json';
import { shortened, trimmed } from '../base/text';
import { parsedUrl } from '../base/url';
import { SAYS_NOTHING, asText, invalid, isEmpty, emptyError, quoted, reading } from './checks';
import type { Place } from './field';
import { checkEntries } from './values';
import {
	SEARCHED,
	addressIn,
	columnIn,
	hasCells,
	hasComment,
	jsonIn,
	withPlainLinks,
	withoutBullet,
	withoutFence,
	withoutMarks,
	wordsIn,
} from './written';
import { hostOf, isHost, isSite, siteHostOf } from './hosts';
import { wrappedAddressOf } from './wrappedLinks';
import { type Read, ALONE, isTemplate, notUrl } from './notUrls';
import { MOST_URLS } from '../base/limits';
import { checkAddress } from './texts';

/** An entry of a list of URLs: the URL, or the original text and why it isn't a URL. */
export interface UrlEntry {
	url: string;
	reason?: string;
}

const ALL_BELOW = {
	problem: 'which has an asterisk at its end',
	remedy:
		'Remove it. For all pages below a URL, use Web Data Crawl, or Web Data Scrape → List Pages of Site.',
};

/** Returns a single URL as it should be sent; undefined for nothing. Throws for anything else. */
export const url = (entered: unknown, place: Place) =>
	oneUrl(entered, place, 'Enter one URL; other URLs need items of their own.');

/** Returns the same as `url`; for more than one, the error gives this advice. */
export function oneUrl(entered: unknown, place: Place, advice: string): string | undefined {
	const [first, second] = filledIn(entered, place);
	if (second !== undefined)
		throw invalid(place, `is ${quoted(entered)}, which is more than one URL`, advice);
	if (first?.problem === undefined) return first?.text;
	throw invalid(place, `is ${quoted(first.text)}, ${first.problem}`, first.remedy!);
}

/**
 * Returns URLs as they should be sent; undefined if there are none. Throws for an entry that isn't a URL. With `mayBeAll`,
 * one may end in an asterisk, for all pages below it.
 */
export function urls(entered: unknown, place: Place, mayBeAll = false): string[] | undefined {
	const found = filledIn(entered, place, mayBeAll);
	for (const [index, { text, problem, remedy }] of found.entries()) {
		if (problem === undefined) continue;
		throw invalid(place, `has ${quoted(text)} (number ${index + 1}), ${problem}`, remedy!);
	}
	return found.length > 0 ? found.map(({ text }) => text) : undefined;
}

/** Returns the URLs, and any entries that aren't URLs, each with the reason; undefined if there are neither. */
export function urlEntries(
	entered: unknown,
	place: Place,
	mayBeAll = false,
): UrlEntry[] | undefined {
	if (typeof entered === 'string' ? trimmed(entered) === '' : isEmpty(entered)) return undefined;
	const found = readAll(entered, place, mayBeAll).map(({ text, problem }): UrlEntry => {
		if (problem === undefined) return { url: text };
		return { url: text || '""', reason: `${problem.replace('which', 'This')}, so it was not sent` };
	});
	return found.length > 0 ? found : undefined;
}

/**
 * Returns the same as `urlEntries`, but only accepts invalid entries in a list, such as that of a page's links. In
 * typed lines, it rejects them.
 */
export function linkEntries(entered: unknown, place: Place): UrlEntry[] | undefined {
	if (typeof entered !== 'string' || jsonIn(entered) !== undefined)
		return urlEntries(entered, place);
	return urls(entered, place)?.map((text) => ({ url: text }));
}

/**
 * Returns the URLs in a body, and leaves only those to be sent in it. With `isLenient`, invalid entries get a reason
 * instead of causing an error. Throws NodeOperationError, also if there are no URLs. `mayBeAll` is that of `urls`.
 */
export function takeUrls(
	body: IDataObject,
	place: Place,
	isLenient: boolean,
	mayBeAll = false,
): UrlEntry[] {
	const entries = reading(place, () =>
		isLenient
			? urlEntries(body.urls, place, mayBeAll)
			: urls(body.urls, place, mayBeAll)?.map((text): UrlEntry => ({ url: text })),
	);
	if (entries === undefined) throw emptyError(place);
	body.urls = entries.filter(({ reason }) => reason === undefined).map((entry) => entry.url);
	return entries;
}

/** Returns the entries that aren't URLs. */
export function leftOutOf(entries: UrlEntry[]): string[] {
	return entries.filter(({ reason }) => reason !== undefined).map((entry) => entry.url);
}

/** Returns the error for a list without any URL: what the only entry is, or a quote of all. */
export function noUrl(entries: string[], place: Place): Error {
	if (entries.length === 1) {
		const [{ text, problem, remedy }] = readAll(entries, place, false);
		if (problem !== undefined) return invalid(place, `is ${quoted(text)}, ${problem}`, remedy!);
	}
	const list = quoted(entries.join(', '));
	return entries.every((one) => /https?:\/\/\S/i.test(one))
		? invalid(place, `has no URL alone, only ${list}`, 'Enter each URL without other text.')
		: invalid(
				place,
				`has no URL of a web page, only ${list}`,
				'Give at least one that begins with http:// or https://.',
			);
}

const filledIn = (entered: unknown, place: Place, mayBeAll = false) =>
	readAll(entered, place, mayBeAll).filter(({ text }) => text !== '');

/** Reads each entry. Throws if an expression returns nothing. */
function readAll(entered: unknown, place: Place, mayBeAll: boolean): Read[] {
	if (typeof entered === 'string') checkAddress(entered, place);
	const pieces = piecesOf(entered, place);
	checkEntries(pieces, place, MOST_URLS);
	return pieces.map((piece) => {
		if (typeof piece !== 'string') return notUrl(shortened(asText(piece)));
		checkAddress(piece, place);
		const found = read(piece);
		const isAll =
			found.problem === undefined && /^[^*?#]*\/(?:\*+|\.\*|\(\.\*\))\/?$/.test(found.text);
		return isAll && !mayBeAll ? { ...found, ...ALL_BELOW } : found;
	});
}

/** Splits an entered value into strings with one address each. Other entries of a list are kept as they are. */
function piecesOf(entered: unknown, place: Place): unknown[] {
	if (isDeeperThan(4, entered)) return [entered];
	const inside = (entry: unknown) => piecesOf(entry, place);
	if (Array.isArray(entered)) {
		checkEntries(entered, place, MOST_URLS);
		return entered.flatMap(inside);
	}
	if (isObject(entered)) {
		const named = addressIn(entered);
		return named === undefined ? [entered] : inside(named);
	}
	// Most strings are one address with nothing around it.
	if (typeof entered !== 'string') return [entered];
	if (/^[\w:/.?=&%#~+-]+$/.test(entered) && !GLUED.test(entered)) return [entered];
	const list = jsonIn(entered);
	if (list !== undefined) return inside(list);
	const lines = withPlainLinks(withoutFence(entered)).split('\n').map(trimmed);
	const filled = columnIn(lines.filter((line) => line !== ''));
	checkEntries(filled, place, MOST_URLS);
	if (filled.length === 0) return [''];
	// Parsing is expensive, so it isn't attempted for lines that don't look like JSON.
	const isOfJson = filled[0].startsWith('{') && jsonIn(filled[0]) !== undefined;
	return filled.flatMap((line) => {
		const found = isOfJson ? jsonIn(line) : undefined;
		return found === undefined ? addressesIn(line) : inside(found);
	});
}

/** Matches an address that immediately follows another one. */
const GLUED = /[a-z\d]https?:\/\//i;

/**
 * Matches what may come right before an address: a space, an opening quote or bracket, punctuation, or the end of
 * another address.
 */
const BEGINNING =
	/(?<=[\s<("'`“„«»‘[「『（【《」』）】》。，、！？；：…،؛؟।a-z\d])(?=https?:\/\/)/i;

/**
 * Matches what may precede an address: a title in brackets or quotes, a name with a colon, or the name of a function, and opening
 * quotes or brackets.
 */
const LABEL =
	/^(?:[《「『【][^《「『【》」』】]{1,60}[》」』】]|["“][^"“”]{1,60}["”]|\p{L}{1,20}[:：]|=\p{L}{1,20}(?=\())?[<("'`“„«»‘[「『（【《]*$/u;

/** Matches what stands between an address and the next one. */
const BETWEEN = /(?:[。，、！？]|(?<=[\s,;|])[<("'`“„«»‘[「『（【《])$/;

/** Splits a line at its addresses; a line with other text before them stays whole. */
function addressesIn(line: string): string[] {
	const text = withoutBullet(line);
	const parts = text.split(BEGINNING);
	const label = /^https?:/i.test(text) ? '' : parts.shift()!;
	if (parts.length === 0) {
		const words = wordsIn(text).filter((word) => !JOINT.test(word));
		const isTooMany = words.length > MOST_URLS;
		return words.length > 1 && (isTooMany || words.every(isSite)) ? words : [text];
	}
	const before = wordsIn(label);
	if (before.length === 1 && SAYS_NOTHING.test(before[0])) {
		return [...before, ...addressesIn(text.slice(label.length))];
	}
	if (!LABEL.test(label.slice(0, 80).replace(/\s/g, ''))) return [text];
	return parts.flatMap((part, index) => {
		// In a query that has URLs, a comma may be between those.
		const [own] = part.split(/[?#]/, 1);
		const path = /=https?:/i.test(part.slice(own.length)) ? own : part;
		const several = path.split(/[,;|](?=https?:\/\/)/i);
		several.push(several.pop() + part.slice(path.length));
		const isLast = index === parts.length - 1;
		return several
			.map((one) =>
				isLast
					? one
					: one
							.trimEnd()
							.replace(/\s\S{1,4}$/, '')
							.replace(BETWEEN, ''),
			)
			.flatMap(hostsIn);
	});
}

/** Matches a word between two addresses, and what separates sites behind one: a comma, or such a word. */
const JOINTS = 'and|or|und|oder|et|ou|y|o';
const JOINT = new RegExp(`^(?:${JOINTS})$`, 'i');
const SEPARATED = new RegExp(
	String.raw`^https?:\/\/(?:[^/?#@,;|，、；،؛]+[,;|，、；،؛]|[^,;]+[,;]\s|\S+\s(?:${JOINTS})\s\S+$)`,
	'i',
);

/** Splits a URL if other sites, or words for none, follow it; any other URL stays whole. */
function hostsIn(piece: string): string[] {
	if (!SEPARATED.test(piece)) return [piece];
	const [first, ...others] = wordsIn(piece).filter((word) => !JOINT.test(word));
	const areSites = others.every((one) => isSite(one) || SAYS_NOTHING.test(one));
	return areSites ? [first, ...others] : [piece];
}

/** Matches characters that sites and chats put in to break long lines. */
const UNSEEN = /[\u00ad\u200b\u2060\ufeff]/g;

/** Reads the address in a piece of text. */
function read(piece: string): Read {
	const opened = trimmed(piece.replace(UNSEEN, '')).replace(/^[<("'`“„«»‘「『（【《]+\s*/, '');
	const text = withoutMarks(opened.replace(/^(https?:[^"]*[^\s"])"[,;)\s][^]*$/i, '$1'));
	// An expression such as https://{{ $json.url }} often doubles the scheme.
	const bare = text
		.replace(/^(?:https?:?\/\/|www\.)+(?=https?:?\/\/)|^\/\//i, '')
		.replace(/^(https?)\/\//i, '$1://');
	const wrapped = wrappedAddressOf(bare);
	if (wrapped !== undefined) return read(wrapped);
	const siteHost = siteHostOf(bare);
	const address = siteHost === '' ? bare : `https://${bare}`;
	const [, origin, rest = ''] = /^(https?:\/\/[^/\\?#]+)([/\\?#][^]*)?$/i.exec(address) ?? [];
	if (origin === undefined) return notUrl(text);
	const not = (problem: string, remedy = ALONE) => ({ text, problem, remedy });
	if (/[^\P{Cc}\t]|\p{Cs}/u.test(address)) {
		return not('which has an invisible character in it', 'Copy it again, or type it.');
	}
	const [beginning, ...others] = origin.split(/\s/);
	if (others.length > 0) {
		const isFollowed = siteHostOf(beginning.slice(beginning.indexOf('//') + 2)) !== '';
		return not(`which has ${isFollowed ? 'text behind the URL' : 'a space in its host name'}`);
	}
	const site = address.slice(address.indexOf('//') + 2);
	if (
		SAYS_NOTHING.test(site) ||
		/^www\.?\/?$/i.test(site) ||
		!isHost(siteHost || hostOf(address))
	) {
		return not('which is not a URL', 'Check its host name and port, and enter the URL alone.');
	}
	if (isTemplate(rest)) {
		return not(
			'which has a part that was not filled in',
			'Turn the field into an expression, or fill it in.',
		);
	}
	if (/(?:…|(?<!\.)\.{3})[\])]?(?:\/|$)/.test(rest) && !SEARCHED.test(rest)) {
		return not('which is cut short', 'Copy the whole URL. A dot that belongs to it is %2E.');
	}
	if (hasComment(rest)) return not('which has text behind the URL');
	if (hasCells(rest)) return not('which has text behind the URL', OR_ENCODED);
	// The way browsers send it, except for the host.
	const { pathname, search, hash } = parsedUrl(address)!;
	return { text: origin + (/^[/\\]/.test(rest) ? pathname : '') + search + hash };
}

const OR_ENCODED = `${ALONE} A comma that belongs to it is %2C, a semicolon is %3B, a bar %7C.`;
