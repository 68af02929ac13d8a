import { textOf } from './json';

/** URLs by their keys: of several ways to write one, the first. */
export function byKey(urls: string[]): Map<string, string> {
	const found = new Map<string, string>();
	for (const url of urls) {
		const key = keyOfUrl(url);
		if (!found.has(key)) found.set(key, url);
	}
	return found;
}

/** What two ways to write one URL have in common. A service puts http:// in front of a URL without a protocol. */
export function keyOfUrl(url: unknown): string {
	const text = textOf(url).trim();
	const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
	try {
		return new URL(whole).href;
	} catch {
		return text;
	}
}
