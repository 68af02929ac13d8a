import type {
	IDataObject,
	IExecutePaginationFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
} from 'n8n-workflow';

import { type ServiceCall, creditsIn, callService, warningIn } from '../client';
import { spend } from './creditBudget';
import { ServiceError, knowing } from '../client/errors/serviceError';
import { errorItem, withWholeMessage, type NodeError } from '../client/errors/nodeErrors';
import { includeOtherFields, maxConcurrent, maxWait, splitIntoItems } from '../fields/options';
import { shownFields } from '../form/compose';
import { isTool, type Field, type ItemPlace } from '../form/field';
import { allLabels, labelOf } from '../form/labels';
import { sizeOf } from '../base/json';
import { sentences, textOf } from '../base/text';
import type { Operation, Task } from './operation';
import { checkResult } from './results/required';
import { withRest } from './results/rest';
import { logWarning, reportNothing } from './results/nothing';
import { holdsPages, includeRunDetails } from '../fields/shapes';
import { boundedError } from './results/toolResponse';
import { finishItems, rowOf } from './items';
import { type Endpoint, composeCall } from './operationForm';
import { httpOf, timeoutOf, type RequestData } from './requestOptions';
import { type Done, nodeRunOf } from './nodeRun';
import type { Round } from './round';

/**
 * Runs an operation for one item; `fields` are all fields of its form. Nothing is sent before all items of the round
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
		const { method, url } = requestData.options as Required<IHttpRequestOptions>;
		const endpoint = { method, path: url } as Endpoint;
		const check = (round: Round) => checked({ operation, fields, endpoint }, context, round);
		return await run.perform(context.getItemIndex(), check, async (item, round) => {
			const { form, call, settings, checked: found } = item;
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
			const done = await execute(operation, task, found).catch((error: unknown) => {
				throw ofPage(error, operation, call);
			});
			const items = await finishItems(done, task, operation);
			if (!done.isCounted) run.held.bytes += sizeOf(items.map(({ json }) => json));
			if (operation.method === 'POST' && form.get(includeRunDetails) === true) run.sum(items);
			return { ...done, items };
		});
	});
}

/** Returns the error of a call for a page with its address and the reason, as those of a page that came as a result. */
function ofPage(error: unknown, { results = [] }: Operation, { body }: ServiceCall): unknown {
	const isOfPage = holdsPages(results) && typeof body?.url === 'string';
	if (!isOfPage || !(error instanceof ServiceError)) return error;
	const { service } = error.details;
	return error.with({ service: { url: body.url, reason: error.message, ...service } });
}

/** Runs one item's part of a node run; with "continue on fail", a failure is returned as an item. */
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
		const item = errorItem(failure, { node, itemIndex: context.getItemIndex() });
		if (isTool(node)) return boundedError(item);
		// n8n itself adds the row's fields on the error branch.
		const hasOthers = context.getNodeParameter(`options.${includeOtherFields.name}`, false);
		if (hasOthers === true && node.onError !== 'continueErrorOutput')
			item.json = { ...rowOf(placeOf(context)), ...item.json };
		return [item];
	}
}

/** Returns the item's index, the number of items, and what else error messages need. */
export function placeOf(context: IExecutePaginationFunctions): ItemPlace {
	const node = context.getNode();
	// The data of a tool belongs to its agent.
	const items: Array<Partial<INodeExecutionData>> | null | undefined = isTool(node)
		? [{}]
		: context.getExecuteData().data.main?.[0];
	const itemIndex = context.getItemIndex();
	return {
		node,
		itemIndex,
		itemCount: items?.length,
		item: isTool(node) ? undefined : () => items?.[itemIndex]?.json ?? {},
		timezone: context.getTimezone(),
		evaluate: (expression) => context.evaluateExpression(expression, itemIndex),
		labels: [],
	};
}

/** Returns an item's checked call and how to send it. Throws NodeOperationError. */
function checked(
	{ operation, fields, endpoint }: { operation: Operation; fields: Field[]; endpoint: Endpoint },
	context: IExecutePaginationFunctions,
	round: Round,
): Pick<Task, 'form' | 'call' | 'settings'> & { checked: unknown } {
	const place = placeOf(context);
	const read = (name: string) => context.getNodeParameter(name, null as never) as unknown;
	const {
		form,
		call,
		jobId,
		checked: found,
	} = composeCall(operation, fields, read, place, endpoint);
	const maxWaitSeconds = form.get(maxWait);
	const timeout = timeoutOf(context, place);
	operation.checkItem?.(form, context);
	// This comes last, because a rejected item doesn't take part.
	operation.gather?.(round, form, context, found);
	return {
		checked: found,
		form,
		call,
		settings: {
			jobId,
			maxConcurrent: form.get(maxConcurrent),
			maxWaitMs: maxWaitSeconds === undefined ? undefined : maxWaitSeconds * 1000,
			http: { timeout },
			hasField: (label) => allLabels(fields).has(label),
			// If several fields fill the same path, the first one counts; Additional Body Fields may contain hidden
			// ones.
			nameOf: (trail) => labelOf([...shownFields(fields, read, place), ...fields], trail),
		},
	};
}

/** Does everything after the checks, within the Credit Budget. */
async function execute(operation: Operation, task: Task, found: unknown): Promise<Done> {
	const work = async () =>
		await (operation.execute?.(task, found) ?? sendAndSplit(operation, task));
	const { price } = operation;
	return await (price ? spend(task, price(task.form.body), work) : work());
}

/** Makes a call and returns one item per result, or the whole response as one item if splitting is off. */
async function sendAndSplit(operation: Operation, task: Task): Promise<Done> {
	const { resultsKey, select, send, split } = operation;
	const { form } = task;
	const { body } = await (send?.(task) ?? callService(task, task.call, task.settings));
	const credits = creditsIn(body);
	const resultsOf = () => {
		const kept = select?.(body, form) ?? body;
		if (split === undefined || form.get(splitIntoItems) === false) return [kept];
		const results = split(kept, form);
		return resultsKey === undefined ? results : withRest(results, kept, resultsKey, form);
	};
	const mayBeBilled = operation.price !== undefined && credits !== 0;
	const results = knowing({ credits, mayBeBilled }, resultsOf);
	// A list may be empty, and the response to a start or a cancellation may have nothing more to say.
	const mayBeEmpty = task.call.method !== 'GET' || Object.values(body).some(Array.isArray);
	if (!mayBeEmpty && results.length > 0) checkResult('result', body);
	const warning = warningIn(body);
	if (results.length === 0) knowing({ credits }, () => reportIfNothing(operation, task, body));
	return {
		items: results.map((json) => ({ json })),
		credits,
		about: warning ? { warning } : undefined,
	};
}

/** Reports that a call had no results, unless that is no cause for concern. */
function reportIfNothing({ ifNothing }: Operation, task: Task, body: IDataObject): void {
	if (ifNothing === undefined) return logWarning(task, body);
	const [message, remedy] = ifNothing;
	reportNothing(task, message, sentences([textOf(warningIn(body) || ''), remedy]));
}
