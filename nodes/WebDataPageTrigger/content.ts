import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../shared/transport/json';
import { fitsAny } from '../shared/trigger/pattern';

/** The lines of a page's text that are compared: without blank ones, spaces at their end and what fits a pattern. */
export function textLines(text: string, ignored: string[]): string[] {
	return text
		.split(/\r?\n/)
		.map((line) => line.trimEnd())
		.filter((line) => line.trim() !== '' && !fitsAny(line, ignored));
}

/**
 * Extracted data as lines, one for each value, e.g. `plans[0].price: 12`. Fields come in alphabetical order, as an extraction
 * may give them in any.
 */
export function dataLines(data: IDataObject | IDataObject[], ignored: string[]): string[] {
	return leaves(data, '').filter((line) => !fitsAny(line, ignored));
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
