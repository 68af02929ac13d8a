import type { IDataObject } from 'n8n-workflow';

import { shortened, trimmed } from '../base/text';
import { parsedUrl } from '../base/url';
import { asText, checkExpression, invalid, isEmpty, emptyError, quoted } from './checks';
import type { Place } from './field';
import { jsonTexts, lines } from './values';
import { urlsIn } from './written';

/** An entry of a list of URLs: the URL, or the entry as text and the reason why it isn't one. */
export interface UrlEntry {
	url: string;
	reason?: string;
}

const NO_URL = 'This is not the URL of a web page, so it was not sent';

/** Returns URLs entered one per line or as an array, each checked as by `url()`. Throws for an invalid one. */
export function urls(entered: unknown, place: Place): string[] | undefined {
	return checkedUrls(entered, place, checkUrl);
}

/** Returns URLs that the service will judge: throws only for several in an entry, or for text around one. */
export function urlLines(entered: unknown, place: Place): string[] | undefined {
	return checkedUrls(entered, place, checkOne);
}

/**
 * Returns the entries of a list that may contain other things than URLs, such as a page's links; these get a reason if
 * the list is an array. Typed lines can be corrected, so `ofText` checks those, and may throw.
 */
export function urlEntries(
	entered: unknown,
	place: Place,
	ofText: typeof urls = urls,
): UrlEntry[] | undefined {
	const list = typeof entered === 'string' ? jsonTexts(entered) : entered;
	if (!Array.isArray(list)) return ofText(entered, place)?.map((text) => ({ url: text }));
	const found = list.map((entry): UrlEntry => {
		try {
			const [text] = urls([entry], place) ?? [];
			if (text !== undefined) return { url: text };
		} catch {
			// It gets its reason below, like the others.
		}
		const text = typeof entry === 'string' ? trimmed(entry) : shortened(asText(entry));
		return { url: text || '""', reason: NO_URL };
	});
	return found.length > 0 ? found : undefined;
}

/**
 * Takes the URLs out of a body, leaves those to send in it, and returns all entries. `isLenient`: see `urlEntries`;
 * otherwise `strict` checks all entries. Throws NodeOperationError, also if there are none.
 */
export function takeUrls(
	body: IDataObject,
	place: Place,
	{ isLenient, strict }: { isLenient: boolean; strict: typeof urls },
): UrlEntry[] {
	if (isEmpty(body.urls)) throw emptyError(place);
	const entries = isLenient
		? urlEntries(body.urls, place, urlLines)
		: strict(body.urls, place)?.map((text): UrlEntry => ({ url: text }));
	if (entries === undefined) throw emptyError(place);
	body.urls = entries.filter(({ reason }) => reason === undefined).map((entry) => entry.url);
	return entries;
}

/** Returns the entries that aren't URLs. */
export function leftOutOf(entries: UrlEntry[]): string[] {
	return entries.filter(({ reason }) => reason !== undefined).map((entry) => entry.url);
}

/** Returns the error for a list without any URL; it names the entries. */
export function noUrl(entries: string[], place: Place): Error {
	return invalid(
		place,
		`has no URL of a web page, only ${quoted(entries.join(', '))}`,
		'Give at least one that begins with http:// or https://.',
	);
}

function checkedUrls(entered: unknown, place: Place, check: UrlCheck): string[] | undefined {
	// An entry of an array counts as one, whatever it contains.
	const split = typeof entered === 'string' ? urlsIn : (entry: string) => [entry];
	const list = withoutMarks(withoutMarks(lines(entered, place))?.flatMap(split));
	return list?.map((entry, index) => {
		const which = `has ${quoted(entry)} (number ${index + 1})`;
		return check(entry, which, 'Enter one per line.', place);
	});
}

/** Strips the entries of a list of what they were pasted with: bullets or numbers, and quotes and commas from code. */
function withoutMarks(list: string[] | undefined): string[] | undefined {
	// A single URL may really end with a comma, but hardly every one in a list.
	const isEnd = list?.slice(0, -1).every((entry) => entry.endsWith(',')) && list.length > 1;
	return list?.map((entry) =>
		trimmed(bare(entry.replace(/^([-*•–—]|\d{1,3}[.)])\s+/, '')).replace(isEnd ? /,$/ : '', '')),
	);
}

/** Removes what surrounds a URL in code, chats and mails: up to three quotes or backticks, and angle brackets. */
function bare(text: string): string {
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

/** Returns a single URL; a domain without a scheme gets https://. Throws for an invalid one. */
export function url(entered: unknown, place: Place): string | undefined {
	if (typeof entered !== 'string') {
		throw invalid(place, `is ${quoted(entered)}, which is not text`, 'Enter one URL.');
	}
	checkExpression(entered, place);
	const text = trimmed(bare(trimmed(entered)));
	if (text === '') return undefined;
	const oneOnly = 'Enter one URL; other URLs need items of their own.';
	return checkUrl(text, `is ${quoted(text)}`, oneOnly, place);
}

/** Returns the URL to send, or throws; `which` names the text, `oneOnly` says how to enter several. */
type UrlCheck = (entered: string, which: string, oneOnly: string, place: Place) => string;

/** Two or more hosts in a line. A comma alone may also be part of a path or a password. */
const SEVERAL_HOSTS = /^(https?:\/\/)?(?![^/?#]*@)[^/?#,;|]+[,;|]\s*\w/i;

/** Throws for anything but a single URL. */
const checkUrl: UrlCheck = (entered, which, oneOnly, place) => {
	// An expression such as https://{{ $json.url }} often doubles the scheme.
	const entry = completed(entered.replace(/^https?:\/\/(?=https?:\/\/)/i, ''));
	const notUrl = (remedy: string) => invalid(place, `${which}, which is not a URL`, remedy);
	checkOne(entry, which, oneOnly, place);
	if (!/^https?:\/\/[^/]/i.test(entry)) {
		throw notUrl('Begin it with https://, e.g. https://example.com.');
	}
	if (/\s/.test(entry)) {
		const remedy = `Write a space within a URL as %20. ${oneOnly}`;
		throw invalid(place, `${which}, which contains a space`, remedy);
	}
	if (!isHost(hostOf(entry)))
		throw notUrl('Check its host name and port, and enter the URL alone.');
	if (/\p{Cc}|\p{Cs}/u.test(entry)) {
		throw notUrl('It contains an invisible character: copy it again, or type it.');
	}
	return entry;
};

/** The name of a file, as in relative links: no domain ends like that. */
const FILE_NAME =
	/\.(html?|php|aspx?|jsp|cgi|pdf|xml|json|csv|txt|css|js|jpe?g|png|gif|svg|webp|ico|docx?|xlsx?|pptx?|mp[34])$/;

/** Adds https:// if an entry begins with a domain, as in lists of sites: `example.com/a`. */
function completed(entry: string): string {
	const whole = `https://${entry}`;
	const isDomain = /^[\p{L}\d][^\s/\\?#@:,;|]*(:\d+)?([/?#]|$)/u.test(entry);
	// Several in a line, as models write them, may look like one with a path.
	const isOne = !/^[^?#]*[,;|]/.test(entry);
	const host = hostOf(whole);
	const isHostName = /\.[a-z][a-z\d-]+$/.test(host) && !FILE_NAME.test(host);
	return isDomain && isOne && isHostName ? whole : entry;
}

/** Throws for more than one URL, and for one with text before it. */
const checkOne: UrlCheck = (entry, which, oneOnly, place) => {
	const several = () => invalid(place, `${which}, which is more than one URL`, oneOnly);
	const begins = entry.split(/\s+/).filter((word) => /^["'`]?https?:\/\//i.test(word));
	// A path or a query may contain another URL, but not after a separator.
	if (begins.length > 1 || /^[^?#]*[,;|]\s*["'`]?https?:\/\//i.test(entry)) throw several();
	// A sentence, or a link in Markdown.
	if (!/^https?:\/\/[^/]/i.test(entry) && /[\s<(["']https?:\/\/[^/]/i.test(entry)) {
		throw invalid(place, `${which}, which is not a URL`, 'Enter the URL alone.');
	}
	if (SEVERAL_HOSTS.test(entry)) throw several();
	return entry;
};

/** Returns a URL's host; empty if it is invalid. URL.canParse() occasionally rejects international names in Node 20. */
function hostOf(text: string): string {
	return parsedUrl(text)?.hostname ?? '';
}

/** Whether a host can exist, with an asterisk standing for any text; URL accepts mistakes from expressions. */
function isHost(host: string): boolean {
	return (
		/^([\w*-]+(\.[\w*-]+)*\.?|\[[\da-f:.]+\])$/.test(host) && !/^(undefined|null|nan)$/.test(host)
	);
}
