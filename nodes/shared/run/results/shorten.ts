import type { IDataObject } from 'n8n-workflow';

import { beginningOf } from '../../base/text';

/** The end of a shortened text, and the last entry or field of a shortened list or object. */
const SHORTENED = /… \(shortened, (\d+) (?:characters|entries|fields) in all\)$/;

/** Minimum number of characters that a field takes in JSON. */
const SHORTEST_FIELD = 5;

/**
 * Truncates every string in the JSON to `maxLength` characters, with a note on the original length among them. With
 * `lists`, also every list, and every object with more fields than fit into that length. Each entry of a shortened list
 * gets at most half of the list's length, so that large entries don't leave it empty.
 */
export function shortenTexts(
	json: IDataObject,
	maxLength: number,
	{ lists = false } = {},
): IDataObject {
	const cut = (value: unknown, length: number): unknown => {
		if (typeof value === 'string') {
			if (value.length <= length) return value;
			const whole = lengthNote(value, value.length, 'characters');
			const note = whole.length < length ? whole : '…';
			return beginningOf(value, length - note.length) + note;
		}
		if (Array.isArray(value)) {
			return lists ? cutList(value, length) : value.map((entry) => cut(entry, length));
		}
		if (typeof value === 'object' && value !== null) {
			const entries = Object.entries(value);
			const most = lists ? Math.floor(length / SHORTEST_FIELD) : Infinity;
			const kept = entries.slice(0, most).map(([key, entry]) => [key, cut(entry, length)]);
			if (entries.length > most)
				kept.push(['…', lengthNote(entries.at(-1)![1], entries.length, 'fields')]);
			return Object.fromEntries(kept);
		}
		return value;
	};
	const cutList = (list: unknown[], length: number): unknown[] => {
		const kept: unknown[] = [];
		let room = length;
		for (const entry of list) {
			const short = cut(entry, Math.floor(length / 2));
			room -= JSON.stringify(short).length + 1;
			if (room < 0) return [...kept, lengthNote(list.at(-1), list.length, 'entries')];
			kept.push(short);
		}
		return kept;
	};
	return cut(json, maxLength) as IDataObject;
}

/**
 * Returns the note on how much there was before it was shortened; `end` shows whether it had already been shortened.
 */
function lengthNote(end: unknown, count: number, what: string): string {
	const before = typeof end === 'string' ? SHORTENED.exec(end) : undefined;
	return `… (shortened, ${before?.[1] ?? count} ${what} in all)`;
}
