import type { IDataObject } from 'n8n-workflow';

import { textOf } from './text';

/** Most values (objects, lists, and entries of both) in a response, since each takes up to 100 bytes of memory. */
export const MAX_VALUES = 2_000_000;

/** Deepest nesting in a request or a response; n8n's own code goes through what a node gives by recursion. */
export const MAX_DEPTH = 500;

// Character codes, as comparing those is several times faster than comparing characters.
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Whether a JSON value is an object, not a list. */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What stands under a path of names with dots between them, such as `metadata.title`; undefined where nothing does. */
export function valueAt(object: IDataObject, path: string): unknown {
	return path
		.split('.')
		.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), object);
}

/** The objects of a list in a response: some services send null for a page that failed. Empty if it is no list. */
export function listOf(value: unknown): IDataObject[] {
	return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Whether a value says anything: null, an empty text, an empty list and an empty object don't. */
export function hasContent(value: unknown): boolean {
	if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
	return value !== undefined && value !== null && value !== '';
}

/** What a response says besides a result. */
const WORDS = [
	'success',
	'error',
	'message',
	'code',
	'details',
	'statusCode',
	'warning',
	'warnings',
];

/** Whether a response has nothing but what may stand beside a result: whether it succeeded, and why not. */
export function hasOnlyWords(response: IDataObject): boolean {
	return Object.entries(response).every(
		([name, value]) => WORDS.includes(name) || !hasContent(value),
	);
}

/** A response with the ID of its job, first; the one that was asked for, whatever the service says. */
export function withId(id: string, response: IDataObject): IDataObject & { id: string } {
	const { id: _given, ...rest } = response;
	return { id, ...rest };
}

/** A number that a service gives, also as a text; 0 for anything else. */
export function numberOf(given: unknown): number {
	return typeof given === 'number' || typeof given === 'string' ? Number(given) || 0 : 0;
}

/** What a response warns of; newer services list it in `warnings`. */
export function warningIn({ warning, warnings }: IDataObject): IDataObject[string] {
	if (warning || !Array.isArray(warnings)) return warning;
	return warnings.map(textOf).join(' ');
}

/** The value of a JSON text; undefined where it is none. */
export function parsedJson(text: string): unknown {
	try {
		return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
	} catch {
		return undefined;
	}
}

/**
 * A value as it is when it is sent: a date as text, and without what an expression gave no value, or with `unset` in
 * its place. Without `unset` not for what has no value itself.
 */
export function asSent(value: unknown, unset?: null): unknown {
	const hasNoValue = (entry: unknown) =>
		entry === undefined || (typeof entry === 'number' && !Number.isFinite(entry));
	return JSON.parse(
		JSON.stringify(value, (_, entry: unknown) => (hasNoValue(entry) ? unset : entry)),
	);
}

/**
 * Whether a JSON text would take much more memory than its length: 60 MB of `[{},{},…]` take 1.7 GB. Goes from string to
 * string, so a text of long ones, as pages are, takes next to no time.
 */
export function isTooComplex(text: string): boolean {
	let values = 0;
	let depth = 0;
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code === QUOTE) {
			at = endOfString(text, at);
		} else if (code === COMMA) {
			values++;
		} else if (code === OPEN_OBJECT || code === OPEN_LIST) {
			values++;
			depth++;
		} else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
			depth--;
		}
		if (values > MAX_VALUES || depth > MAX_DEPTH) return true;
	}
	return false;
}

/** Whether a value is nested deeper than this; one that holds itself is, too. */
export function isDeeperThan(levels: number, value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return false;
	return levels === 0 || Object.values(value).some((entry) => isDeeperThan(levels - 1, entry));
}

/** Where the string that begins at a quote ends. */
function endOfString(text: string, start: number): number {
	for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
		let first = end;
		while (text.charCodeAt(first - 1) === BACKSLASH) first--;
		if ((end - first) % 2 === 0) return end;
	}
	return text.length;
}
