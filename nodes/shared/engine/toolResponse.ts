import type { INodeExecutionData } from 'n8n-workflow';

import { truncated } from './truncated';

/** Kept free for the note that says what was left out, in characters. */
const NOTE_LENGTH = 900;

/** Where texts and lists of this length are still too much for a lone result to fit, it is left out; in characters. */
const SHORTEST = 200;

/** Results left out that the note names. */
const MOST_NAMED = 3;

/**
 * The items that fit into a tool's response, in their order, and a note for the model if some were left out. An item
 * is left out as a whole. Where none fits, the first one's texts and lists are shortened, so that the model gets something.
 */
export function boundedResponse(
	items: INodeExecutionData[],
	maxLength: number,
): INodeExecutionData[] {
	// The brackets around the list, and a comma for each entry.
	const lengthOf = ({ json }: INodeExecutionData) => JSON.stringify(json).length + 1;
	const total = items.reduce((sum, item) => sum + lengthOf(item), 1);
	if (total <= maxLength) return items;

	const kept: INodeExecutionData[] = [];
	const leftOut: INodeExecutionData[] = [];
	let room = maxLength - 1 - NOTE_LENGTH;
	for (const item of items) {
		const length = lengthOf(item);
		if (length <= room) {
			kept.push(item);
			room -= length;
		} else leftOut.push(item);
	}
	if (kept.length === 0) {
		const [first] = items;
		for (let longest = room; longest >= SHORTEST; longest /= 2) {
			const short = { ...first, json: truncated(first.json, Math.floor(longest), { lists: true }) };
			if (lengthOf(short) > room) continue;
			kept.push(short);
			leftOut.shift();
			break;
		}
	}
	if (leftOut.length === 0) return kept;
	const json = { note: noteOn(leftOut, items.length, maxLength) };
	return [...kept, { json, pairedItem: items[0].pairedItem }];
}

function noteOn(leftOut: INodeExecutionData[], count: number, maxLength: number): string {
	const named = leftOut
		.map(({ json }) => json.url ?? json.id)
		.filter((name): name is string => typeof name === 'string' && name.length <= 150)
		.slice(0, MOST_NAMED);
	const names = named.length === 0 ? '' : ` Among them: ${named.join(' ')}.`;
	return (
		`${leftOut.length} of ${count} results were left out, because this response may have at most ${maxLength} characters.${names} ` +
		'To read more, ask for fewer results at a time, for something narrower, or for one of them alone. ' +
		'(Whoever set up this tool can choose fewer fields under Output, or raise Max Response Length.)'
	);
}
