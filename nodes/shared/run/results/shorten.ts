import type { IDataObject } from 'n8n-workflow';

import { beginningOf } from '../../base/text';

/** The end of a shortened text. */
const SHORTENED = /… \(shortened, (\d+) characters in all\)$/;

/**
 * Truncates every string in the JSON to `maxLength` characters (and every list, with `lists`), noting the original
 * length. Entries of a shortened list get at most half of its length, so that large ones don't leave it empty.
 */
export function shortenTexts(
	json: IDataObject,
	maxLength: number,
	{ lists = false } = {},
): IDataObject {
	const cut = (value: unknown, length: number): unknown => {
		if (typeof value === 'string') {
			if (value.length <= length) return value;
			// A text may already have been shortened.
			const all = SHORTENED.exec(value)?.[1] ?? value.length;
			return `${beginningOf(value, length)}… (shortened, ${all} characters in all)`;
		}
		if (Array.isArray(value)) {
			return lists ? cutList(value, length) : value.map((entry) => cut(entry, length));
		}
		if (typeof value === 'object' && value !== null) {
			return Object.fromEntries(
				Object.entries(value).map(([key, entry]) => [key, cut(entry, length)]),
			);
		}
		return value;
	};
	const cutList = (list: unknown[], length: number): unknown[] => {
		const kept: unknown[] = [];
		let room = length;
		for (const entry of list) {
			const short = cut(entry, Math.floor(length / 2));
			room -= JSON.stringify(short).length + 1;
			if (room < 0) return [...kept, `… (shortened, ${list.length} entries in all)`];
			kept.push(short);
		}
		return kept;
	};
	return cut(json, maxLength) as IDataObject;
}
