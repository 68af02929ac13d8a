import type { IExecutePaginationFunctions, INodeExecutionData } from 'n8n-workflow';

import { creditsIn, spend } from './creditBudget';
import { errorItem, withWholeMessage, type NodeError } from '../client/errors/nodeErrors';
import { maxConcurrent, maxWait, splitIntoItems } from '../fields/options';
import { shownFields } from '../form/compose';
import { isTool, type Field, type ItemPlace } from '../form/field';
import { labelOf } from '../form/labels';
import { sizeOf, warningIn } from '../base/json';
import type { Operation, Task } from './operation';
import { checkResult } from './results/required';
import { simplify } from '../fields/shapes';
import { boundedError } from './results/toolResponse';
import { callService } from '../client';
import { finishItems } from './items';
import { composeCall } from './operationForm';
import { httpOf, timeoutOf, type RequestData } from './requestOptions';
import { type Done, nodeRunOf } from './nodeRun';
import type { Round } from './round';

/**
 * Runs an operation for one item; `fields` are all fields of its form. Nothing is sent before all items of the node run
 * are checked. The returned items are paired with the input item. With "continue on fail", a failure is returned as an
 * item.
 */
export async function runOperation(
	operation: Operation,
	fields: Field[],
	context: IExecutePaginationFunctions,
	requestData: RequestData,
): Promise<INodeExecutionData[]> {
	return await withFailures(context, async () => {
		const run = nodeRunOf(context);
		const check = (round: Round) => checked(operation, fields, context, round);
		return await run.perform(context.getItemIndex(), check, async (item, round) => {
			const { form, call, settings } = item;
			const caller = await run.callerFor(context);
			const http = { ...settings.http, ...httpOf(requestData) };
			const task = {
				...caller,
				run,
				round,
				context,
				form,
				call,
				settings: { ...settings, http },
			};
			const done = await execute(operation, task);
			const items = await finishItems(done, task, operation);
			// A job adds the size of its pages as they arrive.
			if (operation.execute === undefined) run.held.bytes += sizeOf(items.map(({ json }) => json));
			if (operation.method === 'POST' && form.get(simplify) === true) run.sum(items);
			return { ...done, items };
		});
	});
}

/** Runs an item's part of a node run; with "continue on fail", a failure is returned as an item. */
export async function withFailures(
	context: IExecutePaginationFunctions,
	work: () => Promise<INodeExecutionData[]>,
): Promise<INodeExecutionData[]> {
	try {
		return await work();
	} catch (error) {
		const failure = error as NodeError;
		const node = context.getNode();
		if (!context.continueOnFail()) throw isTool(node) ? withWholeMessage(failure) : failure;
		const item = errorItem(failure, context.getItemIndex());
		return isTool(node) ? boundedError(item) : [item];
	}
}

/** Returns the item's index and the number of items. */
export function placeOf(context: IExecutePaginationFunctions): ItemPlace {
	const node = context.getNode();
	// A tool's data belongs to its agent.
	const items: Array<Partial<INodeExecutionData>> | null | undefined = isTool(node)
		? [{}]
		: context.getExecuteData().data.main?.[0];
	const itemIndex = context.getItemIndex();
	return {
		node,
		itemIndex,
		itemCount: items?.length,
		fieldNames: isTool(node) ? undefined : () => Object.keys(items?.[itemIndex]?.json ?? {}),
		timezone: context.getTimezone(),
		labels: [],
	};
}

/** Returns an item's checked call and how to send it. Throws NodeOperationError. */
function checked(
	operation: Operation,
	fields: Field[],
	context: IExecutePaginationFunctions,
	round: Round,
): Pick<Task, 'form' | 'call' | 'settings'> {
	const place = placeOf(context);
	const read = (name: string) => context.getNodeParameter(name, null as never) as unknown;
	const { form, call, jobId } = composeCall(operation, fields, read, place);
	const maxWaitSeconds = form.get(maxWait);
	const timeout = timeoutOf(context, place);
	// Last, because a rejected item doesn't take part.
	operation.gather?.(round, form, context);
	return {
		form,
		call,
		settings: {
			jobId,
			maxConcurrent: form.get(maxConcurrent),
			maxWaitMs: maxWaitSeconds === undefined ? undefined : maxWaitSeconds * 1000,
			http: { timeout },
			// If several fields fill a place, the first counts; Additional Body Fields may contain hidden ones.
			nameOf: (trail) => labelOf([...shownFields(fields, read, place), ...fields], trail),
		},
	};
}

/** Does what follows the checks, within the Credit Budget. */
async function execute(operation: Operation, task: Task): Promise<Done> {
	const work = async () => await (operation.execute?.(task) ?? sendAndSplit(operation, task));
	const { price } = operation;
	return await (price ? spend(task, price(task.form.body), work) : work());
}

/** Makes one call and returns one item per result, or the whole response as one item if splitting is off. */
async function sendAndSplit(operation: Operation, task: Task): Promise<Done> {
	const { select, send, split } = operation;
	const { form } = task;
	const { body } = await (send?.(task) ?? callService(task, task.call, task.settings));
	const warning = warningIn(body);
	const kept = select?.(body, form) ?? body;
	const isSplit = split !== undefined && form.get(splitIntoItems) !== false;
	const results = isSplit ? split(kept, form) : [kept];
	// A list may be empty, and the response to a start or a cancellation may have nothing else to say.
	const mayBeEmpty = task.call.method !== 'GET' || Object.values(body).some(Array.isArray);
	if (!mayBeEmpty && results.length > 0) checkResult('result', body);
	return {
		items: results.map((json) => ({ json })),
		credits: creditsIn(body),
		about: warning ? { warning } : undefined,
	};
}
