import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { TOOL_RESPONSE_LENGTH } from '../../fields/options';
import { shortenTexts } from './shorten';

/** Room, in characters, for the note about what was left out. */
const NOTE_LENGTH = 900;

/** Length (in characters) below which strings and lists aren't shortened; whole results are left out instead. */
const SHORTEST_OF_MANY = 2_000;

/** Length (in characters) of strings and lists at which even a single result is left out if it still doesn't fit. */
const SHORTEST = 200;

/** Factor between the lengths that are tried. */
const SHORTER = 0.8;

const MOST_NAMED = 3;

/** Length of the opening bracket of the list of items; each item is followed by a comma or the closing bracket. */
const EMPTY_LENGTH = 1;

/**
 * Returns the items that fit into a tool's response. First, strings and lists are shortened, so that the model gets
 * something from each paid result. If that would leave too little of them, whole items are left out, and a note tells
 * the model so.
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
	let length = EMPTY_LENGTH;
	for (const item of items) {
		const short = cutTo(item, SHORTEST_OF_MANY);
		const longer = length + lengthOf(short);
		if (longer <= maxKept) {
			kept.push(short);
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

/** Returns a failed item as a tool's response, without its data if that can't be shortened enough. */
export function boundedError(item: INodeExecutionData): INodeExecutionData[] {
	const bounded = boundedResponse([item], TOOL_RESPONSE_LENGTH);
	if (bounded[0].json.error !== undefined) return bounded;
	const error = { ...(item.json.error as IDataObject), data: undefined };
	return boundedResponse([{ ...item, json: { ...item.json, error } }], TOOL_RESPONSE_LENGTH);
}

/** Returns how many characters of an item the model reads: n8n gives it a list of all the JSON. */
function lengthOf({ json }: INodeExecutionData): number {
	return JSON.stringify(json).length + 1;
}

/**
 * Returns the items with strings and lists shortened by little more than necessary, but not below `least`; undefined if
 * even that is too long.
 */
function fitted(
	items: INodeExecutionData[],
	maxLength: number,
	least: number,
): INodeExecutionData[] | undefined {
	if (ifFitting(items, maxLength)) return items;
	// Cut first, so that the loop doesn't process again and again what can never fit.
	const bounded = items.map((item) => cutTo(item, maxLength));
	for (let length = maxLength; length > least; length = Math.floor(length * SHORTER)) {
		const found = ifFitting(bounded, maxLength, length);
		if (found !== undefined) return found;
	}
	return ifFitting(bounded, maxLength, least);
}

/**
 * Returns the items, with strings and lists cut to `length` if given; undefined as soon as they are too long, since
 * many more may follow.
 */
function ifFitting(
	items: INodeExecutionData[],
	maxLength: number,
	length?: number,
): INodeExecutionData[] | undefined {
	const fitting: INodeExecutionData[] = [];
	let total = EMPTY_LENGTH;
	for (const item of items) {
		const short = length === undefined ? item : cutTo(item, length);
		total += lengthOf(short);
		if (total > maxLength) return undefined;
		fitting.push(short);
	}
	return fitting;
}

function cutTo(item: INodeExecutionData, length: number): INodeExecutionData {
	return { ...item, json: shortenTexts(item.json, length, { lists: true }) };
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
