import type { IDataObject } from 'n8n-workflow';

import { sentences, shortened, trimmed } from '../base/text';
import { parsedUrl } from '../base/url';
import { asText, checkExpression, invalid, isEmpty, missing, quoted } from './checks';
import type { Place } from './field';
import { checkEntries, jsonTexts, lines } from './values';
import { urlsIn } from './written';

/** Holds an entry of a list of URLs: the URL, or the entry as text and the reason why it is none. */
export interface UrlEntry {
	url: string;
	reason?: string;
}

const NO_URL = 'This is not the URL of a web page, so it was not sent';

/** Takes URLs, one per line or an array, each as `url()` gives it. Throws for an invalid one. */
export function urls(entered: unknown, place: Place): string[] | undefined {
	return checkedUrls(entered, place, readUrl);
}

/** Takes URLs for the service to judge: rejects only several in an entry, and text around one. */
export function urlLines(entered: unknown, place: Place): string[] | undefined {
	return checkedUrls(entered, place, readOne);
}

/**
 * Takes URLs of which some may be none, as in a page's list of links: an entry of an array that is no URL gets a reason.
 * Somebody can correct typed lines, so `ofText` checks those, and may throw.
 */
export function urlEntries(
	entered: unknown,
	place: Place,
	ofText: typeof urls = urls,
): UrlEntry[] | undefined {
	const list = typeof entered === 'string' ? jsonTexts(entered) : entered;
	if (!Array.isArray(list)) return ofText(entered, place)?.map((text) => ({ url: text }));
	checkEntries(list, place);
	const found = list.map((entry): UrlEntry => {
		const text = typeof entry === 'string' ? trimmed(entry) : shortened(asText(entry));
		const read = typeof entry === 'string' ? readUrl(unmarked(unmarked(text))) : undefined;
		return read?.url === undefined ? { url: text || '""', reason: NO_URL } : { url: read.url };
	});
	return found.length > 0 ? found : undefined;
}

/**
 * Takes the URLs of a body and leaves in it those to send. `isLenient`: see `urlEntries`; otherwise `strict` checks all
 * entries. Throws NodeOperationError, also for none.
 */
export function takeUrls(
	body: IDataObject,
	place: Place,
	{ isLenient, strict }: { isLenient: boolean; strict: typeof urls },
): UrlEntry[] {
	if (isEmpty(body.urls)) throw missing(place);
	const entries = isLenient
		? urlEntries(body.urls, place, urlLines)
		: strict(body.urls, place)?.map((text): UrlEntry => ({ url: text }));
	if (entries === undefined) throw missing(place);
	body.urls = entries.filter(({ reason }) => reason === undefined).map((entry) => entry.url);
	return entries;
}

/** Lists the entries that are no URLs. */
export function leftOutOf(entries: UrlEntry[]): string[] {
	return entries.filter(({ reason }) => reason !== undefined).map((entry) => entry.url);
}

/** Makes the error for a list without any URL; it names the entries. */
export function noUrl(entries: string[], place: Place): Error {
	return invalid(
		place,
		`has no URL of a web page, only ${quoted(entries.join(', '))}`,
		'Give at least one that begins with http:// or https://.',
	);
}

function checkedUrls(entered: unknown, place: Place, read: ReadUrl): string[] | undefined {
	const list = lines(entered, place) ?? [];
	// A URL may end with a comma, but not every URL of a list.
	const isEnd = list.length > 1 && list.slice(0, -1).every((entry) => entry.endsWith(','));
	const found: string[] = [];
	for (const line of list) {
		const one = unmarked(isEnd ? line.replace(/,$/, '') : line);
		// An entry of an array counts as one, whatever it holds.
		for (const entry of typeof entered === 'string' ? urlsIn(one) : [one]) {
			const which = () => `has ${quoted(unmarked(entry))} (number ${found.length + 1})`;
			found.push(checked(read(unmarked(entry)), which, 'Enter one per line.', place));
		}
	}
	return found.length > 0 ? found : undefined;
}

/** Strips an entry of a list of what it was pasted with: a bullet or number, and quotes and a comma from code. */
function unmarked(entry: string): string {
	return trimmed(bare(entry.replace(/^([-*•–—]|\d{1,3}[.)])\s+/, '')));
}

/** Removes what stands around a URL in code, chats and mails: up to three quotes or backticks, and angle brackets. */
function bare(text: string): string {
	if (!/^["'`<“„«‘]/.test(text)) return text;
	const [quotes = ''] = /^(["'`])\1{0,2}/.exec(text) ?? [];
	const end = text.endsWith(`${quotes},`) ? -quotes.length - 1 : -quotes.length;
	const inside = text.slice(quotes.length, end);
	const isQuoted =
		quotes !== '' &&
		inside !== '' &&
		text.slice(end).startsWith(quotes) &&
		!inside.includes(quotes);
	return (isQuoted ? inside : text).replace(/^[<“„«‘]([^<>“”„«»]+)[>”“»’],?$/, '$1');
}

/** Gives one URL; a domain without a scheme is taken as https://. Throws for an invalid one. */
export function url(entered: unknown, place: Place): string | undefined {
	if (typeof entered !== 'string') {
		throw invalid(place, `is ${quoted(entered)}, which is not text`, 'Enter one URL.');
	}
	checkExpression(entered, place);
	const text = trimmed(bare(trimmed(entered)));
	if (text === '') return undefined;
	const oneOnly = 'Enter one URL; other URLs need items of their own.';
	return checked(readUrl(text), () => `is ${quoted(text)}`, oneOnly, place);
}

/** The URL to send, or what is wrong with an entry. */
type ReadEntry =
	{ url: string } | { url?: undefined; problem: string; remedy?: string; mayBeSeveral?: true };

/** Reads an entry; throws nothing, since a list may have a hundred thousand that are no URLs. */
type ReadUrl = (entered: string) => ReadEntry;

/** Returns the URL that was read, or throws; `which` names the text, `oneOnly` says how to enter several. */
function checked(read: ReadEntry, which: () => string, oneOnly: string, place: Place): string {
	if (read.url !== undefined) return read.url;
	const { problem, remedy, mayBeSeveral } = read;
	throw invalid(
		place,
		`${which()}, which ${problem}`,
		sentences([remedy, mayBeSeveral && oneOnly]),
	);
}

const notUrl = (remedy: string): ReadEntry => ({ problem: 'is not a URL', remedy });

const SEVERAL: ReadEntry = { problem: 'is more than one URL', mayBeSeveral: true };

/** Matches two or more hosts in a line. A comma alone may also be part of a path or a password. */
const SEVERAL_HOSTS = /^(https?:\/\/)?(?![^/?#]*@)[^/?#,;|]+[,;|]\s*\w/i;

/** Accepts nothing but one URL. */
const readUrl: ReadUrl = (entered) => {
	// An expression such as https://{{ $json.url }} often doubles the scheme.
	const { entry, host } = completed(entered.replace(/^https?:\/\/(?=https?:\/\/)/i, ''));
	const one = readOne(entry);
	if (one.url === undefined) return one;
	if (!/^https?:\/\/[^/]/i.test(entry)) {
		return notUrl('Begin it with https://, e.g. https://example.com.');
	}
	if (/\s/.test(entry)) {
		const remedy = 'Write a space within a URL as %20.';
		return { problem: 'has a space in it', remedy, mayBeSeveral: true };
	}
	if (!isHost(host)) return notUrl('Check its host name and port, and enter the URL alone.');
	if (/\p{Cc}|\p{Cs}/u.test(entry)) {
		return notUrl('It contains an invisible character: copy it again, or type it.');
	}
	return one;
};

/** Matches the name of a file, as in relative links: no domain ends like that. */
const FILE_NAME =
	/\.(html?|php|aspx?|jsp|cgi|pdf|xml|json|csv|txt|css|js|jpe?g|png|gif|svg|webp|ico|docx?|xlsx?|pptx?|mp[34])$/;

/** Adds https:// if an entry begins with a domain, as in lists of sites: `example.com/a`. */
function completed(entry: string): { entry: string; host: string } {
	const isDomain = /^[\p{L}\d][^\s/\\?#@:,;|]*(:\d+)?([/?#]|$)/u.test(entry);
	// Several in a line, as models write them, may look like one with a path.
	const isOne = !/^[^?#]*[,;|]/.test(entry);
	const whole = isDomain && isOne ? `https://${entry}` : entry;
	const host = hostOf(whole);
	const isHostName = /\.[a-z][a-z\d-]+$/.test(host) && !FILE_NAME.test(host);
	return whole === entry || isHostName ? { entry: whole, host } : { entry, host: '' };
}

/** Rejects more than one URL, and one with text before it. */
const readOne: ReadUrl = (entry) => {
	const begins = entry.split(/\s+/).filter((word) => /^["'`]?https?:\/\//i.test(word));
	// A path or a query may contain another URL, but not behind a separator.
	if (begins.length > 1 || /^[^?#]*[,;|]\s*["'`]?https?:\/\//i.test(entry)) return SEVERAL;
	// A sentence, or a link in Markdown.
	if (!/^https?:\/\/[^/]/i.test(entry) && /[\s<(["']https?:\/\/[^/]/i.test(entry)) {
		return notUrl('Enter the URL alone.');
	}
	return SEVERAL_HOSTS.test(entry) ? SEVERAL : { url: entry };
};

/** Gives a URL's host, empty if invalid. */
function hostOf(text: string): string {
	return parsedUrl(text)?.hostname ?? '';
}

/** Tells whether a host can exist, with an asterisk for any text; URL accepts mistakes in expressions. */
function isHost(host: string): boolean {
	return (
		/^([\w*-]+(\.[\w*-]+)*\.?|\[[\da-f:.]+\])$/.test(host) && !/^(undefined|null|nan)$/.test(host)
	);
}
