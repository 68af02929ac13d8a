import type { IDataObject, IExecutePaginationFunctions, INodeExecutionData } from 'n8n-workflow';

import { callService } from '../client/call';
import { creditsIn, warningIn } from '../client/response';
import type { ServiceCall } from '../client/types';
import { spend } from './creditBudget';
import { ServiceError, knowing } from '../client/errors/serviceError';
import { errorItem, withWholeMessage, type NodeError } from '../client/errors/nodeErrors';
import { includeOtherFields, maxConcurrent, maxWait, splitIntoItems } from '../fields/options';
import { isTool, type Field, type ItemPlace, type Read } from '../form/field';
import { compose, shownFields } from '../form/form';
import { checkedId } from '../form/ids';
import { allLabels, labelOf } from '../form/labels';
import { hasContent } from '../base/json';
import { asSentence, sentences, textOf } from '../base/text';
import type { Operation, Task } from './operation';
import { checkResult, logWarning, reportNothing, withRest } from './results/response';
import { holdsPages, includeRunDetails } from '../fields/shapes';
import { boundedError } from './results/toolResponse';
import { finishItems, rowOf } from './items';
import { httpOf, type RequestData } from './requestOptions';
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
		const check = (round: Round) => checkedItem(operation, fields, context, requestData, round);
		return await run.perform(context.getItemIndex(), check, async ({ checked, ...item }, round) => {
			const task = { ...(await run.callerFor(context)), run, round, context, ...item };
			const price = operation.price?.(item.form.body);
			const work = async () =>
				await (operation.execute?.(task, checked) ?? sendAndSplit(operation, task));
			const done = await (price ? spend(task, price, work) : work()).catch((error: unknown) => {
				throw ofPage(error, operation, item.call);
			});
			const items = await finishItems(done, task, operation);
			const isSummed = operation.method === 'POST' && item.form.get(includeRunDetails) === true;
			return { ...done, items, isSummed };
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

/**
 * Composes and checks an item's form and its call without sending anything. Returns them with what the operation's own
 * check returned, and the job named in the path. Throws NodeOperationError.
 */
export function composeCall(operation: Operation, fields: Field[], read: Read, place: ItemPlace) {
	const { method, path: ownPath, otherPath } = operation;
	const form = compose(fields, read, place);
	const checked = operation.check?.(form);
	let jobId: string | undefined;
	const path = (otherPath?.(form) ?? ownPath).replace(/\{(\w+)\}/g, (_, name: string) => {
		const label = operation.fields.find((field) => field.name === name)?.displayName ?? name;
		form.path[name] = jobId = checkedId(form.path[name], { ...place, labels: [label] });
		return encodeURIComponent(jobId);
	});
	const { query, body } = form;
	const call: ServiceCall = {
		method,
		path,
		...(hasContent(query) && { query }),
		...(hasContent(body) && { body }),
	};
	return { form, call, jobId, checked };
}

/** Returns an item's checked call, and how to send it. Throws NodeOperationError. */
function checkedItem(
	operation: Operation,
	fields: Field[],
	context: IExecutePaginationFunctions,
	requestData: RequestData,
	round: Round,
): Pick<Task, 'form' | 'call' | 'settings'> & { checked: unknown } {
	const place = placeOf(context);
	const read = (name: string) => context.getNodeParameter(name, null as never) as unknown;
	// As the operation's routing declares them to n8n.
	const { method, url: path } = requestData.options as Pick<ServiceCall, 'method'> & {
		url: string;
	};
	const declared = { ...operation, method, path };
	const { form, call, jobId, checked } = composeCall(declared, fields, read, place);
	const http = httpOf(context, requestData, place);
	operation.prepare?.(form, context, round, checked);
	return {
		checked,
		form,
		call,
		settings: {
			jobId,
			maxConcurrent: form.get(maxConcurrent),
			maxWaitMs: form.get(maxWait),
			http,
			hasField: (label) => allLabels(fields).has(label),
			// If several fields fill the same path, the first one counts; Additional Body Fields may contain hidden
			// ones.
			nameOf: (trail) => labelOf([...shownFields(fields, read, place), ...fields], trail),
		},
	};
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
	const said = warningIn(body) || body.error;
	reportNothing(task, message, sentences([said && asSentence(textOf(said)), remedy]));
}
