import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { addFiles } from './downloads/files';
import { errorJson, nodeErrorOf } from '../client/errors/nodeErrors';
import { ServiceError, type StartedJob, withJob } from '../client/errors/serviceError';
import {
	downloadFiles,
	failedPages,
	maxTextLength,
	splitIntoItems,
	TOOL_TEXT_LENGTH,
} from '../fields/options';
import { isTool } from '../form/field';
import type { Form } from '../form/form';
import type { Operation, Task } from './operation';
import type { Done } from './nodeRun';
import { hasPageContent, pageFailure } from './results/pageFailure';
import {
	type ResultShape,
	isContent,
	maxResponseLength,
	pagesAs,
	TOOL_RESPONSE_LENGTH,
} from '../fields/shapes';
import { shortenTexts } from './results/shorten';
import { simplifierFor } from './results/simplify';
import { boundedResponse } from './results/toolResponse';
import { MAX_ITEMS } from '../base/limits';
import { breathing } from '../base/time';

/** Pairs and simplifies items, adds files and shortens strings. A tool's response is also cut to its maximum length. */
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
	const simplified = results === undefined || isWhole ? undefined : simplifierFor(results, form);
	const failed = new Set<INodeExecutionData>();
	const fail = (item: INodeExecutionData, error: unknown) => {
		if (!continues) throw job ? withJob(error, job, { credits }) : error;
		item.json = errorJson(nodeErrorOf(error, form.place), item.json);
		failed.add(item);
	};
	for await (const item of breathing(items)) {
		item.pairedItem ??= { item: itemIndex };
		const isError = !isWhole && countsAsError(item.json, form, results);
		const getBy = mayCost ? job?.getBy : undefined;
		const failure = isError ? pageFailure(item.json, { continues, mayCost, getBy }) : undefined;
		if (failure) fail(item, failure);
	}
	// Files come first, because a shortened link or embedded file is useless.
	if (form.get(downloadFiles) === true) {
		const sound = items.filter((item) => !failed.has(item));
		for (const { item, error } of await addFiles(task, sound, !continues, job?.id))
			fail(item, error);
	}
	for await (const item of breathing(items)) {
		if (failed.has(item)) continue;
		if (simplified) item.json = simplified(item.json);
		if (maxLength > 0) item.json = shortenTexts(item.json, maxLength);
	}
	if (!isTool(node)) return items;
	if (items.length === 0) return [noResults(task, about)];
	return boundedResponse(items, form.get(maxResponseLength) ?? TOOL_RESPONSE_LENGTH);
}

/**
 * Whether a result counts as an error if its page failed: always, if the form says so; by default, only without
 * content.
 */
function countsAsError(json: IDataObject, form: Form, shape: ResultShape = []): boolean {
	const choice = form.get(failedPages);
	if (choice !== 'auto') return choice === 'errors';
	const others = shape.filter((field) => !isContent(field)).map(({ name }) => name);
	return form.place.node.onError === 'continueErrorOutput' && !hasPageContent(json, others);
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

/** Returns an item that says there are no results. Without it, a model would get an empty string. */
function noResults({ form }: Task, about: Done['about']): INodeExecutionData {
	const json = { note: 'There are no results.', ...about };
	return { json, pairedItem: { item: form.place.itemIndex } };
}
