import type {
	DeclarativeRestApiSettings,
	IExecutePaginationFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
} from 'n8n-workflow';

import { maxConcurrent, maxWait, splitIntoItems } from '../fields/options';
import { compose } from '../form/compose';
import type { Field } from '../form/field';
import { labelOf } from '../form/labels';
import type { Operation, Task } from '../operation';
import { pathSegment, runOf } from '../transport';
import { errorItem, nodeErrorOf } from './failures';
import { finishItems } from './items';
import { filledForm } from './operationForm';
import { sendOnce } from './sendOnce';

export type RequestData = DeclarativeRestApiSettings.ResultOptions;
/** What n8n's Request Options and the credential's domain limits (newer n8n) become. */
type RequestOptions = IHttpRequestOptions & { allowedDomains?: string };

/**
 * Runs an operation, whose whole form has `fields`, for one item. Nothing is sent before all items of the node run were checked; what it returns
 * is paired with the item. With "continue on fail" a failure is returned as an item that carries it.
 */
export async function runOperation(
	operation: Operation,
	fields: Field[],
	context: IExecutePaginationFunctions,
	requestData: RequestData,
): Promise<INodeExecutionData[]> {
	const itemIndex = context.getItemIndex();
	try {
		const run = runOf(context);
		const task = run.check(() => prepare(operation, fields, context, requestData));
		return await run.perform(itemIndex, async () => {
			const execute = operation.execute ?? (async () => await sendAndSplit(operation, task));
			return await finishItems(await execute(task), task, operation);
		});
	} catch (error) {
		const failure = nodeErrorOf(error, context);
		if (!context.continueOnFail()) throw failure;
		return [errorItem(failure, itemIndex)];
	}
}

/** Composes and checks an item's call; nothing is sent. Throws NodeOperationError. */
function prepare(
	operation: Operation,
	fields: Field[],
	context: IExecutePaginationFunctions,
	requestData: RequestData,
): Task {
	const [node, itemIndex] = [context.getNode(), context.getItemIndex()];
	const place = { node, itemIndex, timezone: context.getTimezone(), labels: [] };
	const read = (name: string) => context.getNodeParameter(name, null as never) as unknown;
	const composed = compose(fields, read, place);
	const form = filledForm(composed, place);
	operation.check?.(form);
	const template = typeof operation.path === 'string' ? operation.path : operation.path(form);
	const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
		const label = operation.fields.find((field) => field.name === name)?.displayName ?? name;
		return pathSegment(composed.path[name], label, node, itemIndex);
	});
	const { proxy, timeout, skipSslCertificateValidation, allowedDomains } =
		requestData.options as Partial<RequestOptions>;
	const maxWaitSeconds = form.get(maxWait);
	return {
		context,
		form,
		call: {
			method: operation.method,
			path,
			...(Object.keys(composed.query).length > 0 ? { query: composed.query } : {}),
			...(operation.method === 'POST' ? { body: composed.body } : {}),
		},
		settings: {
			itemIndex,
			maxConcurrent: form.get(maxConcurrent),
			maxWaitMs: maxWaitSeconds === undefined ? undefined : maxWaitSeconds * 1000,
			http: { proxy, timeout, skipSslCertificateValidation, allowedDomains },
			nameOf: (trail) => labelOf(fields, trail, node),
		},
	};
}

/** One call: the items of its response, one each result, or the response as it came where splitting is off. */
async function sendAndSplit(operation: Operation, task: Task): Promise<INodeExecutionData[]> {
	const { split } = operation;
	const { body } = await sendOnce(task);
	const isSplit = split !== undefined && task.form.get(splitIntoItems) !== false;
	return (isSplit ? split(body, task.form) : [body]).map((json) => ({ json }));
}
