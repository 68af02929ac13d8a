import type { IDataObject } from 'n8n-workflow';

import { textOf, trimmed, withoutEnd } from './text';

/** Parses a text as a URL, relative to `base` if given; undefined if it isn't one. */
export function parsedUrl(text: string, base?: string): URL | undefined {
	// An error takes ten times as long, but canParse() now and then rejects international names in Node 20.
	if (/^\p{ASCII}*$/u.test(text) && !URL.canParse(text, base)) return undefined;
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}

/** Maps URLs by their keys: of several spellings of one URL, the first. */
export function byKey(urls: string[]): Map<string, string> {
	const found = new Map<string, string>();
	for (const url of urls) {
		const key = keyOfUrl(url);
		if (!found.has(key)) found.set(key, url);
	}
	return found;
}

/**
 * Returns a canonical form, equal for two spellings of one URL. A place in a page is the same page, unless its name is a
 * route of an app, such as `#/cart` and `#!cart`. A service puts http:// in front of a URL without a scheme.
 */
export function keyOfUrl(url: unknown): string {
	const text = textOf(url).trim();
	const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
	const href = parsedUrl(whole)?.href;
	return href === undefined ? text : href.replace(/#(?![/!]).*/, '');
}

/** Adds entries that were not sent to the URLs that a service did not accept. */
export function withInvalidUrls(response: IDataObject, entries: string[]): IDataObject {
	if (entries.length === 0) return response;
	const { invalidURLs } = response;
	return {
		...response,
		invalidURLs: [...(Array.isArray(invalidURLs) ? invalidURLs : []), ...entries],
	};
}

/** Limits an ID, in characters: most have 36, and servers reject a much longer path with a puzzling error. */
export const LONGEST_ID = 200;

// Encoding alone isn't enough: proxies in front of a service decode %2F and resolve `..` before it sees the path.
const UNSAFE = /[/\\%?#]|\p{Cc}|\p{Cs}/u;

/**
 * Tells whether an ID can be one segment of a path. An ID that could lead to another endpoint can't: an empty one, `.`,
 * `..`, one with / \ % ? # a control character or half an emoji, or one that is too long.
 */
export function isSegment(id: string): boolean {
	return id !== '' && id.length <= LONGEST_ID && id !== '.' && id !== '..' && !UNSAFE.test(id);
}

/** Puts an ID, checked by `isSegment`, behind a path. */
export function pathTo(path: string, id: string): string {
	return path + encodeURIComponent(id);
}

/**
 * Matches localhost, private addresses and names of a local network. It covers the whole host, so that no other one
 * begins like it.
 */
const LOCAL_HOST =
	/^(?=(localhost|[a-z][\w-]*(?=:\d)|[\w.-]+\.(internal|lan|local)|(10|127)(\.\d+){3}|172\.(1[6-9]|2\d|3[01])(\.\d+){2}|192\.168(\.\d+){2}|\[::1\])(:\d+)?(\/|$))/i;

/**
 * Matches a text with a dot or a port before its path. Leaves out what may be the API key in the wrong field, since that
 * would be looked up as a host: a bare word, a JSON Web Token, or a part between dots that is too long for a host.
 */
const HOST = /^(?!https?:|.*:\/\/|eyJ[\w-]{15,}\.[\w-]+\.|[^/]*[^/.:]{64})(?=[^/]*[.:])/i;

/**
 * Returns the root address for an entered Base URL: with a scheme (only a local host gets http, which sends the key
 * unencrypted), and without /v1, /v2 and slashes at its end.
 */
export function rootOf(entered: string): string {
	const whole = trimmed(entered).replace(LOCAL_HOST, 'http://').replace(HOST, 'https://');
	return withoutEnd(withoutEnd(whole, '/?#').replace(/\/v[12]$/, ''), '/');
}
