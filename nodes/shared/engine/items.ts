import type { IDataObject, IExecutePaginationFunctions, INodeExecutionData } from 'n8n-workflow';

import { downloadFiles, maxTextLength, TOOL_TEXT_LENGTH } from '../fields/options';
import type { Task } from '../operation';
import type { CallSettings } from '../transport';
import { addFiles } from '../transport';
import { errorJson, nodeErrorOf } from './failures';

/** The items of an operation as the node gives them: paired, with their files, texts cut to the length asked for. */
export async function finishItems(
	items: INodeExecutionData[],
	{ context, form, settings }: Task,
): Promise<INodeExecutionData[]> {
	const { itemIndex, node } = form.place;
	const isTool = node.type.endsWith('Tool');
	const maxLength = form.get(maxTextLength) ?? (isTool ? TOOL_TEXT_LENGTH : 0);
	const download = form.get(downloadFiles) === true;
	for (const item of items) {
		item.pairedItem ??= { item: itemIndex };
		// Files first: a truncated link or embedded file is no longer usable.
		if (download) await addFilesOrFail(item, context, settings);
		if (maxLength > 0) item.json = truncated(item.json, maxLength) as IDataObject;
	}
	return items;
}

/**
 * Downloads the files of an item. With "continue on fail" a file that can't be had fails that item alone; what was
 * paid for stays in its `error.data`.
 */
async function addFilesOrFail(
	item: INodeExecutionData,
	context: IExecutePaginationFunctions,
	settings: CallSettings,
): Promise<void> {
	try {
		await addFiles(context, item, settings);
	} catch (error) {
		const failure = nodeErrorOf(error, context);
		if (!context.continueOnFail()) throw failure;
		item.json = errorJson(failure, item.json);
	}
}

/** The value with all texts in it cut to a length in characters; each cut says how long the text was. */
function truncated(value: unknown, maxLength: number): unknown {
	if (typeof value === 'string') {
		if (value.length <= maxLength) return value;
		return `${value.slice(0, maxLength)}… (shortened, ${value.length} characters in all)`;
	}
	if (Array.isArray(value)) return value.map((entry) => truncated(entry, maxLength));
	if (typeof value === 'object' && value !== null) {
		return Object.fromEntries(
			Object.entries(value).map(([key, entry]) => [key, truncated(entry, maxLength)]),
		);
	}
	return value;
}
