import { keyOfText, textOf } from './text';

/** Longest host name, and longest part of one between dots, in characters (RFC 1035). */
const LONGEST_HOST = 253;
const LONGEST_LABEL = 63;

/** Matches the part of an address that names the user and the host. */
const AUTHORITY = /^\s*(?:(?:https?|wss?|ftp|file):[\\/]*|[\\/]{2,})([^\\/?#]*)/i;

/**
 * Whether a host is longer than any real one. For letters of some scripts, for example, Node's time grows with the
 * square of the length.
 */
function hasLongHost(text: string): boolean {
	// Node ignores these characters anywhere.
	const [, authority = ''] = AUTHORITY.exec(text.replace(/[\t\n\r]/g, '')) ?? [];
	const host = authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '');
	if (host.length > LONGEST_HOST) return true;
	return host.split(/[.。．｡]/).some((label) => label.length > LONGEST_LABEL);
}

/** Returns a string as a URL, resolved against `base` if given; undefined if it isn't one. */
export function parsedUrl(text: string, base?: string): URL | undefined {
	if (hasLongHost(text)) return undefined;
	// Throwing takes ten times as long, but in Node 20, canParse() occasionally rejects international names.
	if (/^\p{ASCII}*$/u.test(text) && !URL.canParse(text, base)) return undefined;
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}

/** Returns a string with its percent-encoding in upper case, e.g. `%C3`, because both cases mean the same. */
export const upperCodes = (text: string): string =>
	text.replace(/%(?:[a-f][\da-fA-F]|[\dA-F][a-f])/g, (code) => code.toUpperCase());

/** Returns URLs by key. If a URL is spelled in several ways, the first spelling counts. */
export function byKey(urls: string[]): Map<string, string> {
	const found = new Map<string, string>();
	for (const url of urls) {
		const key = keyOfUrl(url);
		if (!found.has(key)) found.set(key, url);
	}
	return found;
}

/**
 * Returns a canonical form, the same for all spellings of a URL. A fragment doesn't count, unless it is a route of an
 * app, such as `#/cart` and `#!cart`. Without a scheme, http:// is assumed, as services do.
 */
export function keyOfUrl(url: unknown): string {
	const text = textOf(url).trim();
	const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
	const href = parsedUrl(whole)?.href;
	return keyOfText(href === undefined ? text : upperCodes(href.replace(/#(?![/!]).*/, '')));
}

/**
 * Maximum length of an ID, in characters: most have 36, and servers reject a much longer path with a puzzling error.
 */
export const LONGEST_ID = 200;

// Encoding isn't enough: proxies in front of a service decode %2F and resolve `..` before the service sees the path.
const UNSAFE = /[/\\%?#]|\p{Cc}|\p{Cs}/u;

/**
 * Whether an ID can be a single path segment. It can't if it could lead to another endpoint: if it is empty, `.` or
 * `..`, contains / \ % ? # a control character or half an emoji, or is too long.
 */
export function isSegment(id: string): boolean {
	return id !== '' && id.length <= LONGEST_ID && id !== '.' && id !== '..' && !UNSAFE.test(id);
}

/** Returns an ID as text; undefined for a number so large that it was rounded when it was parsed: the ID of something else. */
export function usableId(id: unknown): string | undefined {
	const text = typeof id === 'string' || Number.isSafeInteger(id) ? String(id).trim() : '';
	return isSegment(text) ? text : undefined;
}
