import type { INodeExecutionData } from 'n8n-workflow';

import {
	downloadFiles,
	failOnPageErrors,
	maxTextLength,
	splitIntoItems,
	TOOL_TEXT_LENGTH,
} from '../fields/options';
import { maxResponseLength, pagesAs, TOOL_RESPONSE_LENGTH } from '../fields/results';
import { isTool } from '../form/field';
import type { Operation, Task } from '../operation';
import { addFiles, MAX_DOWNLOADS, nodeErrorOf, plainError } from '../transport';
import { pageFailure } from './failedPages';
import { errorJson } from './failures';
import { leaner } from './lean';
import { withJobId } from './spending';
import { boundedResponse } from './toolResponse';
import { truncated } from './truncated';

/** Most items of one input item: n8n passes them as arguments of one call, which takes some 120,000. */
export const MAX_ITEMS = 100_000;

/**
 * The items of an operation as the node gives them: paired, with their files, reduced to the fields asked for, texts
 * cut to the length asked for; those of a tool within the length of its response.
 */
export async function finishItems(
	items: INodeExecutionData[],
	task: Task,
	operation: Operation,
): Promise<INodeExecutionData[]> {
	checkCount(items.length, task, operation);
	const { results } = operation;
	const { form } = task;
	const { itemIndex, node } = form.place;
	const maxLength = form.get(maxTextLength) ?? (isTool(node) ? TOOL_TEXT_LENGTH : 0);
	const isWhole = form.get(splitIntoItems) === false;
	const continues = task.context.continueOnFail();
	const failPages = form.get(failOnPageErrors) === true;
	const lean = results === undefined || isWhole ? undefined : leaner(results, form);
	const failed = new Set<INodeExecutionData>();
	for (const item of items) {
		item.pairedItem ??= { item: itemIndex };
		const failure = failPages ? pageFailure(item.json, form.place, continues) : undefined;
		if (failure === undefined) continue;
		if (!continues) throw withJobId(failure, task);
		item.json = errorJson(failure, item.json);
		failed.add(item);
	}
	// Files first: a truncated link or embedded file is no longer usable.
	if (form.get(downloadFiles) === true) await addAllFiles(items, task, failed);
	for (const item of items) {
		if (failed.has(item)) continue;
		if (lean) item.json = lean(item.json);
		if (maxLength > 0) item.json = truncated(item.json, maxLength);
	}
	if (!isTool(node)) return items;
	if (items.length === 0) return [noResults(task)];
	return boundedResponse(items, form.get(maxResponseLength) ?? TOOL_RESPONSE_LENGTH);
}

/** Rejects more items than n8n takes. Throws NodeApiError that says how to get them without paying again. */
function checkCount(count: number, task: Task, { name, options = [] }: Operation): void {
	const { form, settings, used } = task;
	const { place } = form;
	if (isTool(place.node) || count <= MAX_ITEMS) return;
	const jobId = used.jobId ?? settings.jobId;
	const getPages = name.replace('Start and Wait', 'Get Pages');
	throw plainError(place, {
		message: `There are ${count} items, more than n8n takes of one input item`,
		description: options.includes(pagesAs)
			? `Use "${getPages}" with the job ID ${jobId} and ${pagesAs.displayName} set to Files of Pages: reading the pages costs nothing.`
			: options.includes(splitIntoItems)
				? `Turn ${splitIntoItems.displayName} off, or ask for fewer of them.`
				: 'Ask for fewer of them.',
		jobId,
	});
}

/** What a model reads where there is nothing to give: of no items it would get an empty text. */
function noResults({ form, about }: Task): INodeExecutionData {
	const json = { note: 'There are no results.', ...about };
	return { json, pairedItem: { item: form.place.itemIndex } };
}

/**
 * Downloads the files of items that have not failed, of as many at once as the run downloads, and adds to `failed` those whose files
 * can't be had. Throws what was thrown first, once all that had begun by then has ended: files that come after the node
 * has failed would be nobody's.
 */
async function addAllFiles(
	items: INodeExecutionData[],
	task: Task,
	failed: Set<INodeExecutionData>,
): Promise<void> {
	const rest = items.filter((item) => !failed.has(item)).values();
	const errors: unknown[] = [];
	const worker = async () => {
		for (const item of rest) {
			if (errors.length > 0) return;
			try {
				if (!(await addFilesOrFail(item, task))) failed.add(item);
			} catch (error) {
				errors.push(error);
			}
		}
	};
	const { maxConcurrent = MAX_DOWNLOADS } = task.settings;
	await Promise.all(Array.from({ length: maxConcurrent }, worker));
	if (errors.length > 0) throw errors[0];
}

/**
 * Downloads the files of an item and says whether all are there. With "continue on fail" a file that can't be had fails
 * that item alone; what was paid for stays in its `error.data`.
 */
async function addFilesOrFail(item: INodeExecutionData, task: Task): Promise<boolean> {
	const { run, context, form, settings, used } = task;
	try {
		await addFiles(task, item, { ...settings, jobId: settings.jobId ?? used.jobId });
		return true;
	} catch (error) {
		const failure = nodeErrorOf(error, run.node, form.place.itemIndex);
		if (!context.continueOnFail()) throw failure;
		item.json = errorJson(failure, item.json);
		return false;
	}
}
