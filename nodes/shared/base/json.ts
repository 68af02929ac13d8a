import type { IDataObject } from 'n8n-workflow';

import { isBlank } from './text';
import { MAX_DEPTH, MAX_VALUES } from './limits';

// Character codes, which compare several times faster than characters.
const [QUOTE, COMMA, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Array.from(
	'",\\[]{}',
	(character) => character.charCodeAt(0),
);

export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value at a path such as `metadata.title`; undefined if there is none. */
export function valueAt(object: IDataObject, path: string): unknown {
	return path
		.split('.')
		.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), object);
}

/** Sets a value under a dotted path, creating the objects along the way. */
export function setAt(target: IDataObject, path: string, value: unknown): void {
	const keys = path.split('.');
	const last = keys.pop() as string;
	let object = target;
	for (const key of keys) object = (object[key] ??= {}) as IDataObject;
	object[last] = value as IDataObject;
}

/** Returns the objects in a list; empty if it isn't a list. */
export function objectsOf(value: unknown): IDataObject[] {
	return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Whether a value is nothing: undefined, null, a blank text, an empty list or an empty object. */
export function isNothing(value: unknown): boolean {
	if (typeof value === 'string') return isBlank(value);
	if (typeof value !== 'object' || value === null) return value === undefined || value === null;
	return !(value instanceof Date) && Object.keys(value).length === 0;
}

export const hasContent = (value: unknown): boolean => !isNothing(value);

export function without<T extends object, Key extends keyof T>(
	object: T,
	...names: Key[]
): Omit<T, Key> {
	const kept = Object.entries(object).filter(([name]) => !names.includes(name as Key));
	return Object.fromEntries(kept) as Omit<T, Key>;
}

/** Returns a value as a number, even if the service sent it as text; 0 for anything else. */
export function numberOf(given: unknown): number {
	return typeof given === 'number' || typeof given === 'string' ? Number(given) || 0 : 0;
}

/** The character U+0000 in JSON, which PDFs and pages contain, but which databases refuse. */
const NUL = '\\u0000';

/** Returns the parsed JSON of a string, without U+0000 in its texts; undefined if it is invalid. */
export function parsedJson(text: string): unknown {
	// An escaped backslash isn't the beginning of an escape.
	const clean = text.includes(NUL) ? text.replace(/(\\\\)|\\u0000/g, '$1') : text;
	try {
		return JSON.parse(clean.charCodeAt(0) === 0xfeff ? clean.slice(1) : clean);
	} catch {
		return undefined;
	}
}

/** Returns a value as it will be sent: dates as text. */
export const asSent = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/**
 * Returns what makes a JSON text more than n8n can work with: so many values that they would take far more memory than
 * the text (60 MB of `[{},{},…]` take 1.7 GB), or too many levels. Skips from string to string, so long strings, as in
 * pages, take almost no time.
 */
export function excessOf(text: string): 'tooLarge' | 'tooDeep' | undefined {
	let values = 0;
	let depth = 0;
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		const opens = code === OPEN_OBJECT || code === OPEN_LIST;
		if (code === QUOTE) at = endOfString(text, at);
		else if (opens) depth++;
		else if (code === CLOSE_OBJECT || code === CLOSE_LIST) depth--;
		if (opens || code === COMMA) values++;
		if (values > MAX_VALUES) return 'tooLarge';
		if (depth > MAX_DEPTH) return 'tooDeep';
	}
	return undefined;
}

/** Returns the approximate memory of a JSON value, in bytes: its strings, plus a little for each value. */
export function sizeOf(value: unknown): number {
	if (typeof value === 'string') return value.length;
	if (typeof value !== 'object' || value === null) return 8;
	const entries: unknown[] = Array.isArray(value) ? value : Object.values(value);
	return entries.reduce<number>((sum, entry) => sum + sizeOf(entry), 32);
}

/** Whether a value is nested more deeply than this, or contains itself. */
export function isDeeperThan(levels: number, value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return false;
	return levels === 0 || Object.values(value).some((entry) => isDeeperThan(levels - 1, entry));
}

function endOfString(text: string, start: number): number {
	for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
		let first = end;
		while (text.charCodeAt(first - 1) === BACKSLASH) first--;
		if ((end - first) % 2 === 0) return end;
	}
	return text.length;
}
