import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../shared/json';
import { fitsAny } from '../shared/trigger/pattern';

/** What is compared of a page's text: its lines without blank ones, spaces at their end and those that fit a pattern. */
export function comparedText(text: string, ignored: string[]): string {
	return text
		.split(/\r?\n/)
		.map((line) => line.trimEnd())
		.filter((line) => line.trim() !== '' && !fitsAny(line, ignored))
		.join('\n');
}

/**
 * Extracted data as text: a line for each value, e.g. `plans[0].price: 12`, or several where the value has several, without
 * values that fit a pattern. Fields come in alphabetical order, as an extraction may give them in any.
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
