import type {
	IDataObject,
	IExecutePaginationFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
	DeclarativeRestApiSettings,
} from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { compose } from './form/compose';
import type { Field, Place } from './form/field';
import { TOOL_TEXT_LENGTH } from './form/options';
import { callOnceOnly } from './jobs';
import type { CallSettings, ServiceCall } from './transport';
import { downloadFiles, pathSegment, runOf } from './transport';

/** What an operation of a node is: its entry in the dropdown, its form, its call, and what comes out. */
export interface Operation {
	name: string;
	value: string;
	/** Sentence case, as the node panel lists it. */
	action: string;
	description: string;
	method: ServiceCall['method'];
	/** With names of path fields in braces, e.g. `/v2/agent/{jobId}`. */
	path: string | ((form: Form) => string);
	/** In the order the form shows them. */
	fields: Field[];
	/** What can't be checked field by field, before anything is sent. Throws NodeOperationError. */
	check?: (form: Form) => void;
	/** Results in an answer, an item each; without it the answer is the one item. */
	split?: (answer: IDataObject, form: Form) => IDataObject[];
	/** Everything after the checks, for operations that make more than one call. */
	execute?: (task: Task) => Promise<INodeExecutionData[]>;
}

/** What the user filled in for one item. */
export interface Form {
	/** A checked value that stays in the node, if the user set it. */
	setting: <T>(name: string) => T | undefined;
	/** What the path fields hold, by field name. */
	ids: Record<string, string>;
	/** The composed body, as it is sent. */
	body: IDataObject;
	place: Required<Place>;
}

/** One item's work: its checked call and how to send it. */
export interface Task {
	context: IExecutePaginationFunctions;
	form: Form;
	call: ServiceCall;
	settings: CallSettings;
}

type Failure = NodeApiError | NodeOperationError;
type RequestData = DeclarativeRestApiSettings.ResultOptions;
/** What n8n's Request Options and the credential's domain limits (newer n8n) become. */
type RequestOptions = IHttpRequestOptions & { allowedDomains?: string };

/** The operation dropdown and the fields of all operations, each shown for those that have it. */
export function propertiesOf(operations: Operation[]): INodeProperties[] {
	const fields = new Map<Field, string[]>();
	for (const operation of operations) {
		for (const field of operation.fields) {
			fields.set(field, [...(fields.get(field) ?? []), operation.value]);
		}
	}
	return [
		// The rule can't see that the first operation has a value.
		// eslint-disable-next-line n8n-nodes-base/node-param-default-missing
		{
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			default: operations[0].value,
			options: operations.map(dropdownEntry),
		},
		...[...fields].map(([field, values]) => ({
			...field,
			displayOptions: {
				...field.displayOptions,
				show: { operation: values, ...field.displayOptions?.show },
			},
		})),
	];
}

/**
 * The routing of an operation. n8n wraps a pagination function around the whole call of an item, even a single
 * one, so that is where checking, the request path and the items are.
 */
function dropdownEntry(operation: Operation): INodePropertyOptions {
	const { name, value, action, description, method } = operation;
	return {
		name,
		value,
		action,
		description,
		routing: {
			request: { method },
			send: { paginate: true },
			operations: {
				async pagination(this: IExecutePaginationFunctions, requestData: RequestData) {
					return await runOperation(operation, this, requestData);
				},
			},
		},
	};
}

/**
 * Runs an operation for one item. Nothing is sent before all items of the node run were checked; what it returns
 * is paired with the item. With "continue on fail" a failure is returned as an item that carries it.
 */
async function runOperation(
	operation: Operation,
	context: IExecutePaginationFunctions,
	requestData: RequestData,
): Promise<INodeExecutionData[]> {
	const itemIndex = context.getItemIndex();
	try {
		const run = runOf(context);
		const task = run.check(() => prepare(operation, context, requestData));
		return await run.perform(itemIndex, async () => {
			const execute = operation.execute ?? (async () => await callOnce(operation, task));
			return await finished(await execute(task), task);
		});
	} catch (error) {
		const failure = failureOf(error, context);
		if (!context.continueOnFail()) throw failure;
		return [failedItem(failure, itemIndex)];
	}
}

function failureOf(error: unknown, context: IExecutePaginationFunctions): Failure {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	return new NodeOperationError(context.getNode(), error as Error, {
		itemIndex: context.getItemIndex(),
	});
}

function prepare(
	operation: Operation,
	context: IExecutePaginationFunctions,
	requestData: RequestData,
): Task {
	const [node, itemIndex] = [context.getNode(), context.getItemIndex()];
	const place = { node, itemIndex, labels: [] };
	const read = (name: string) => context.getNodeParameter(name, null as never) as unknown;
	const composed = compose(operation.fields, read, place);
	const form: Form = {
		setting: <T>(name: string) => composed.settings[name] as T | undefined,
		ids: composed.path as Record<string, string>,
		body: composed.body,
		place,
	};
	operation.check?.(form);
	const template = typeof operation.path === 'string' ? operation.path : operation.path(form);
	const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
		const label = operation.fields.find((field) => field.name === name)?.displayName ?? name;
		return pathSegment(composed.path[name], label, node, itemIndex);
	});
	const { proxy, timeout, skipSslCertificateValidation, allowedDomains } =
		requestData.options as Partial<RequestOptions>;
	const maxWait = form.setting<number>('maxWait');
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
			maxConcurrent: form.setting<number>('maxConcurrent'),
			maxWaitMs: maxWait === undefined ? undefined : maxWait * 1000,
			http: { proxy, timeout, skipSslCertificateValidation, allowedDomains },
			nameOf: (trail) => nameOf(operation.fields, trail),
		},
	};
}

/** One call: the items of its answer, one each result, or the answer as it came where splitting is off. */
async function callOnce(operation: Operation, task: Task): Promise<INodeExecutionData[]> {
	const { split } = operation;
	const { body } = await callOnceOnly(task);
	const isSplit = split !== undefined && task.form.setting<boolean>('splitIntoItems') !== false;
	return (isSplit ? split(body, task.form) : [body]).map((json) => ({ json }));
}

async function finished(
	items: INodeExecutionData[],
	{ context, form, settings }: Task,
): Promise<INodeExecutionData[]> {
	const { itemIndex, node } = form.place;
	const isTool = node.type.endsWith('Tool');
	const maxLength = form.setting<number>('maxTextLength') ?? (isTool ? TOOL_TEXT_LENGTH : 0);
	const download = form.setting<boolean>('downloadFiles') === true;
	for (const item of items) {
		item.pairedItem ??= { item: itemIndex };
		// Files first: a shortened link or embedded file is none any more.
		if (download) await withFiles(item, context, settings);
		if (maxLength > 0) item.json = shortened(item.json, maxLength) as IDataObject;
	}
	return items;
}

/**
 * Downloads the files of an item. With "continue on fail" a file that can't be had fails that item alone; what was
 * paid for stays in its `error.data`.
 */
async function withFiles(
	item: INodeExecutionData,
	context: IExecutePaginationFunctions,
	settings: CallSettings,
): Promise<void> {
	try {
		await downloadFiles(context, item, settings);
	} catch (error) {
		const failure = failureOf(error, context);
		if (!context.continueOnFail()) throw failure;
		item.json = failureJson(failure, item.json);
	}
}

/** The value with all texts in it cut to a length in characters; each cut says how long the text was. */
function shortened(value: unknown, maxLength: number): unknown {
	if (typeof value === 'string') {
		if (value.length <= maxLength) return value;
		return `${value.slice(0, maxLength)}… (shortened, ${value.length} characters in all)`;
	}
	if (Array.isArray(value)) return value.map((entry) => shortened(entry, maxLength));
	if (typeof value === 'object' && value !== null) {
		return Object.fromEntries(
			Object.entries(value).map(([key, entry]) => [key, shortened(entry, maxLength)]),
		);
	}
	return value;
}

/**
 * A failure as an item with what is known of it. n8n sends an item with just these keys to the error branch, with
 * the fields of its input item beside them; it would throw all but the message away if the item had an `error` of its
 * own. It also takes `json.error` of a first item as a reason for Retry On Fail, which is why `callOnceOnly` keeps
 * what was answered before.
 */
function failedItem(error: Failure, itemIndex: number): INodeExecutionData {
	return { json: failureJson(error), pairedItem: { item: itemIndex } };
}

function failureJson(error: Failure, data?: IDataObject): IDataObject {
	const { message, description, context } = error;
	const details: IDataObject = { message, description };
	if (error instanceof NodeApiError && error.httpCode) details.httpStatus = Number(error.httpCode);
	Object.assign(details, context.service);
	if (data !== undefined) details.data = data;
	return { message, error: details };
}

/** The label of the control that fills a place of the body, e.g. `Scrape Options → Timeout (Ms)`. */
function nameOf(fields: Field[], trail: Array<string | number>): string | undefined {
	const keys = trail.filter((key) => typeof key === 'string');
	if (keys.length === 0) return undefined;
	for (const field of fields) {
		const children = (field.options ?? []).flatMap((option) =>
			'values' in option ? (option.values as Field[]) : 'type' in option ? [option as Field] : [],
		);
		if (field.wire?.spread) {
			const label = nameOf(children, trail);
			if (label !== undefined) return label;
			continue;
		}
		const own = (field.wire?.as ?? field.name).split('.');
		if (!own.every((key, index) => keys[index] === key)) continue;
		const label = nameOf(children, keys.slice(own.length));
		return label === undefined ? field.displayName : `${field.displayName} → ${label}`;
	}
	return undefined;
}

/** The objects of a list in an answer; none where the service left the list out. */
export function listOf(value: unknown): IDataObject[] {
	return Array.isArray(value) ? (value as IDataObject[]) : [];
}
