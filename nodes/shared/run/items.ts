import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { addFiles } from './downloads/files';
import { failedJson, nodeErrorOf } from '../client/errors/nodeErrors';
import { ServiceError, type StartedJob, costing, withJob } from '../client/errors/serviceError';
import {
	downloadFiles,
	failedPages,
	includeOtherFields,
	maxResponseLength,
	maxTextLength,
	splitIntoItems,
	TOOL_RESPONSE_LENGTH,
	TOOL_TEXT_LENGTH,
} from '../fields/options';
import { type Place, isTool } from '../form/field';
import type { Operation, Task } from './operation';
import type { Done } from './nodeRun';
import { pageFailure } from './results/pageFailure';
import { pagesAs } from '../fields/jobOptions';
import { shortenTexts } from './results/shorten';
import { resultsFor } from './results/simplify';
import { boundedResponse } from './results/toolResponse';
import { isObject, without } from '../base/json';
import { MAX_ITEMS } from '../base/limits';
import { breathing } from '../base/time';

/**
 * Returns the items for n8n: paired, with failed pages as errors, with files, one per entry if wanted, simplified,
 * shortened, and with the input's fields. A tool's response is also cut to its maximum length. Throws the error of a
 * failed page or a missing file unless the node continues.
 */
export async function finishItems(
	{ items, job, credits, about }: Done,
	task: Task,
	operation: Operation,
): Promise<INodeExecutionData[]> {
	checkItemCount(items.length, { task, job }, operation);
	const { results } = operation;
	const { form } = task;
	const { itemIndex, node } = form.place;
	const maxLength = form.get(maxTextLength) ?? (isTool(node) ? TOOL_TEXT_LENGTH : 0);
	const isWhole = form.get(splitIntoItems) === false;
	const continues = task.context.continueOnFail();
	const mayCost = task.call.method === 'POST';
	const shaped = isWhole || results === undefined ? undefined : resultsFor(results, form);
	const hasOthers = form.get(includeOtherFields) === true;
	const failed = new Set<INodeExecutionData>();
	const fail = (item: INodeExecutionData, error: unknown) => {
		if (!continues) throw job ? withJob(error, job, { credits }) : error;
		item.json = failedJson(nodeErrorOf(error, form.place), node, item.json);
		failed.add(item);
	};
	const asked = hasOthers ? askedIn(form.body) : [];
	const hasBranch = node.onError === 'continueErrorOutput';
	const choice = form.get(failedPages) ?? 'auto';
	const isError = !isWhole && (choice === 'auto' ? hasBranch : choice === 'errors');
	const getBy = mayCost ? job?.getBy : undefined;
	for await (const item of breathing(items)) {
		item.pairedItem ??= { item: itemIndex };
		const failure = isError ? pageFailure(item.json, { continues, mayCost, getBy }) : undefined;
		if (failure) fail(item, failure);
	}
	// Files come first, because a shortened link or embedded file is useless.
	if (form.get(downloadFiles) === true) {
		const sound = items.filter((item) => !failed.has(item));
		for (const { item, error } of await addFiles(task, sound, !continues, job))
			fail(item, mayCost && credits !== 0 ? costing(error, { credits, mayBeBilled: true }) : error);
	}
	const finished: INodeExecutionData[] = [];
	for await (const item of breathing(items)) {
		const isFailed = failed.has(item);
		const parts = isFailed || shaped === undefined ? [item.json] : shaped(item.json);
		for (const [index, part] of parts.entries()) {
			let json = maxLength > 0 && !isFailed ? shortenTexts(part, maxLength) : part;
			// n8n itself adds them on the error branch.
			if (hasOthers && !(isFailed && hasBranch))
				json = { ...rowBeside(item, form.place, asked), ...json };
			// The files of a page are of no single entry.
			finished.push(
				index === 0 ? Object.assign(item, { json }) : { json, pairedItem: item.pairedItem },
			);
		}
	}
	checkItemCount(finished.length, { task, job }, operation);
	if (!isTool(node)) return finished;
	if (finished.length === 0) {
		// Without an item, a model would get an empty string.
		const json = { note: 'There are no results.', ...about };
		return [{ json, pairedItem: { item: itemIndex } }];
	}
	return boundedResponse(finished, form.get(maxResponseLength) ?? TOOL_RESPONSE_LENGTH);
}

/** Fields that say how a result came about; those of an earlier node would say it of this one's. */
const SAID = [
	...['pageError', 'warning', 'searchWarning', 'crawlWarning', 'batchWarning'],
	...['requestedUrl', 'cachedAt', 'statusCode', 'run'],
];

/**
 * Returns the fields of the input item that an item is paired with, but those that were asked for; none for an item of
 * several.
 */
function rowBeside(
	{ pairedItem }: INodeExecutionData,
	place: Pick<Place, 'item'>,
	asked: string[],
): IDataObject {
	const isOfSeveral = Array.isArray(pairedItem) && pairedItem.length > 1;
	return isOfSeveral ? {} : without(rowOf(place), ...asked);
}

/** Returns the fields of an input item that may stand beside a result of this node. */
export function rowOf({ item }: Pick<Place, 'item'>): IDataObject {
	const row = item?.() ?? {};
	// n8n would take an item with an earlier error for a failure.
	const failure = 'error' in row ? ['error', 'message'] : [];
	return without(row, ...SAID, ...failure);
}

/** Returns the names of the fields that a request asks for by a schema: a value of the row is none of the page. */
function askedIn(asked: unknown): string[] {
	if (Array.isArray(asked)) return asked.flatMap(askedIn);
	if (!isObject(asked)) return [];
	const names = isObject(asked.properties) ? Object.keys(asked.properties) : [];
	return [...names, ...Object.values(asked).flatMap(askedIn)];
}

/** Throws ServiceError if there are more items than n8n accepts, saying how to get them without paying again. */
function checkItemCount(
	count: number,
	{ task, job }: { task: Task; job?: StartedJob },
	{ name, options = [] }: Operation,
): void {
	const { form, settings } = task;
	if (isTool(form.place.node) || count <= MAX_ITEMS) return;
	const jobId = job?.id ?? settings.jobId;
	const getPages = job?.getBy ?? name;
	throw new ServiceError(`There are ${count} items, more than n8n accepts for one input item`, {
		description: options.includes(pagesAs)
			? `Use "${getPages}" with the job ID ${jobId} and ${pagesAs.displayName} set to JSON Files: reading the pages costs nothing.`
			: options.includes(splitIntoItems)
				? `Turn ${splitIntoItems.displayName} off, or ask for fewer of them.`
				: 'Ask for fewer of them.',
		jobId,
		getBy: job?.getBy,
	});
}
