import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../shared/base/json';
import { breathing } from '../shared/base/time';
import { fitterOf } from '../shared/trigger/pattern';

/** Maximum length of the text of extracted data, in characters. */
const MAX_DATA_TEXT = 5_000_000;

/** Returns the lines that match no pattern, as one text. */
async function withoutIgnored(lines: string[], ignored: string[]): Promise<string> {
	const isIgnored = fitterOf(ignored);
	const kept: string[] = [];
	for await (const line of breathing(lines)) {
		if (!isIgnored(line)) kept.push(line);
	}
	return kept.join('\n');
}

/** Returns a string without what isn't compared: blank lines, trailing spaces, and lines that match a pattern. */
export async function comparedText(text: string, ignored: string[]): Promise<string> {
	const lines = text.split('\n').map((line) => line.trimEnd());
	return await withoutIgnored(
		lines.filter((line) => line !== ''),
		ignored,
	);
}

/**
 * Returns extracted data as text, one line per value, e.g. `plans[0].price: 12`, or several for a value with line
 * breaks. Values that match a pattern are left out. Fields are sorted alphabetically, because extractions return them
 * in any order. Undefined if the text would be too long: each line repeats all names above its value, and these may be
 * long.
 */
export async function dataText(
	data: IDataObject | IDataObject[],
	ignored: string[],
): Promise<string | undefined> {
	const lines: string[] = [];
	let length = 0;
	const write = (value: unknown, path: string): boolean => {
		// AI gives a field that it can't find as null, or not at all.
		if (value === null) return true;
		if (Array.isArray(value) && value.length > 0) {
			return value.every((entry, index) => write(entry, `${path}[${index}]`));
		}
		if (isObject(value) && Object.keys(value).length > 0) {
			const keys = Object.keys(value).sort();
			return keys.every((key) => write(value[key], path === '' ? key : `${path}.${key}`));
		}
		const text = typeof value === 'string' ? value : JSON.stringify(value);
		const line = path === '' ? text : `${path}: ${text}`;
		length += line.length;
		lines.push(line);
		return length <= MAX_DATA_TEXT;
	};
	if (!write(data, '')) return undefined;
	return await withoutIgnored(lines, ignored);
}
