import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../shared/json';
import { fitsAny } from '../shared/trigger/pattern';

/** Drops what isn't compared of a text: blank lines, spaces at line ends and lines that fit a pattern. */
export function comparedText(text: string, ignored: string[]): string {
	return text
		.split(/\r?\n/)
		.map((line) => line.trimEnd())
		.filter((line) => line.trim() !== '' && !fitsAny(line, ignored))
		.join('\n');
}

/**
 * Writes extracted data as text, a line for each value, e.g. `plans[0].price: 12`; a value with several lines takes
 * several. Values that fit a pattern are left out. Fields come in alphabetical order, because extractions give them in
 * any order.
 */
export function dataText(data: IDataObject | IDataObject[], ignored: string[]): string {
	return leaves(data, '')
		.filter((leaf) => !fitsAny(leaf, ignored))
		.join('\n');
}

function leaves(value: unknown, path: string): string[] {
	if (Array.isArray(value) && value.length > 0) {
		return value.flatMap((entry, index) => leaves(entry, `${path}[${index}]`));
	}
	if (isObject(value) && Object.keys(value).length > 0) {
		return Object.keys(value)
			.sort()
			.flatMap((key) => leaves(value[key], path === '' ? key : `${path}.${key}`));
	}
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	return [path === '' ? text : `${path}: ${text}`];
}
