import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { TOOL_RESPONSE_LENGTH } from './shapes';
import { shortenTexts } from './shorten';

/** Reserves room, in characters, for the note that says what was left out. */
const NOTE_LENGTH = 900;

/** Leaves whole results out, rather than shortening the texts and lists of several to less than this. */
const SHORTEST_OF_MANY = 2_000;

/** Leaves out a lone result that doesn't fit even with texts and lists of this length (characters). */
const SHORTEST = 200;

const MOST_NAMED = 3;

/**
 * Gives the items that fit into a tool's response. First their texts and lists are shortened, so that the model gets
 * something of each paid result. If that leaves too little of them, whole items are left out, and a note tells the model.
 */
export function boundedResponse(
	items: INodeExecutionData[],
	maxLength: number,
): INodeExecutionData[] {
	const fitting = fitted(items, maxLength, SHORTEST_OF_MANY);
	if (fitting) return fitting;
	const maxKept = maxLength - NOTE_LENGTH;
	const kept: INodeExecutionData[] = [];
	const leftOut: INodeExecutionData[] = [];
	let length = lengthOf([]);
	for (const item of cutTo(items, SHORTEST_OF_MANY)) {
		const longer = length + lengthOf([item]) - 1;
		if (longer <= maxKept) {
			kept.push(item);
			length = longer;
		} else leftOut.push(item);
	}
	if (kept.length === 0) {
		kept.push(...(fitted(items.slice(0, 1), maxKept, SHORTEST) ?? []));
		leftOut.splice(0, kept.length);
	}
	if (leftOut.length === 0) return kept;
	const json = { note: noteOn(leftOut, items.length, maxLength) };
	return [...kept, { json, pairedItem: items[0].pairedItem }];
}

/** Gives a failed item as a tool's response, without its data if that can't be shortened to fit. */
export function boundedError(item: INodeExecutionData): INodeExecutionData[] {
	const bounded = boundedResponse([item], TOOL_RESPONSE_LENGTH);
	if (bounded[0].json.error !== undefined) return bounded;
	const error = { ...(item.json.error as IDataObject), data: undefined };
	return boundedResponse([{ ...item, json: { ...item.json, error } }], TOOL_RESPONSE_LENGTH);
}

/** Counts the characters that the model reads: n8n gives it the list of all JSON. */
function lengthOf(items: INodeExecutionData[]): number {
	return items.reduce((sum, { json }) => sum + JSON.stringify(json).length + 1, 1);
}

/** Shortens texts and lists as little as necessary, but to no less than `least`; undefined if even that is too long. */
function fitted(
	items: INodeExecutionData[],
	maxLength: number,
	least: number,
): INodeExecutionData[] | undefined {
	if (lengthOf(items) <= maxLength) return items;
	for (let length = maxLength; ; length *= 0.8) {
		const short = cutTo(items, Math.max(least, Math.floor(length)));
		if (lengthOf(short) <= maxLength) return short;
		if (length <= least) return undefined;
	}
}

function cutTo(items: INodeExecutionData[], length: number): INodeExecutionData[] {
	return items.map((item) => ({ ...item, json: shortenTexts(item.json, length, { lists: true }) }));
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
