import { textOf } from './json';

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
