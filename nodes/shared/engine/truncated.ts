import type { IDataObject } from 'n8n-workflow';

import { beginningOf } from '../text';

/** The JSON with all texts in it cut to a length in characters; each cut says how long the text was. */
export function truncated(json: IDataObject, maxLength: number): IDataObject {
	return truncatedValue(json, maxLength) as IDataObject;
}

function truncatedValue(value: unknown, maxLength: number): unknown {
	if (typeof value === 'string') {
		if (value.length <= maxLength) return value;
		return `${beginningOf(value, maxLength)}… (shortened, ${value.length} characters in all)`;
	}
	if (Array.isArray(value)) return value.map((entry) => truncatedValue(entry, maxLength));
	if (typeof value === 'object' && value !== null) {
		return Object.fromEntries(
			Object.entries(value).map(([key, entry]) => [key, truncatedValue(entry, maxLength)]),
		);
	}
	return value;
}
