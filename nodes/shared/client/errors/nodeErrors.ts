import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';

import { withoutStop } from '../../base/text';
import type { Failure } from './texts';
import { ServiceError, Stopped } from './serviceError';

/** An error ready for the user: n8n's own class, with message, description and item. */
export type NodeError = NodeApiError | NodeOperationError;

export interface NodeItem {
	node: INode;
	itemIndex?: number;
	/** Whether a model reads the error's message, and n8n may replace it. */
	isForModel?: boolean;
}

/** Codes that make n8n replace a message containing them, perhaps with the advice to try again immediately. */
const CODED = /ECONN(REFUSED|RESET|ABORTED)|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH/;

/** Turns any error into one of n8n's own; an error that already is one stays unchanged. */
export function nodeErrorOf(error: unknown, item: NodeItem): NodeError {
	const { node, itemIndex } = item;
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	if (error instanceof ServiceError) return apiErrorOf(error, item);
	if (!(error instanceof Stopped))
		return new NodeOperationError(node, error as Error, { itemIndex });
	const description = error.job && `Job: ${error.job.id}.`;
	const about = { itemIndex, description, level: 'warning' } as const;
	const cancelled = new NodeOperationError(node, 'The execution was cancelled', about);
	if (error.job) cancelled.context.service = { jobId: error.job.id };
	return cancelled;
}

function apiErrorOf(error: ServiceError, { node, itemIndex, isForModel }: NodeItem): NodeApiError {
	const { service, jobId, data, failure, reason = '' } = error.details;
	const saysReason = !isForModel || !CODED.test(reason);
	const serviceInfo = { ...service, ...(jobId !== undefined && { jobId }), ...(data && { data }) };
	// The original error isn't set as the cause, because errors from n8n and axios contain the request, including the
	// key.
	const apiError = new NodeApiError(node, {}, { itemIndex, level: 'warning' });
	// NodeApiError replaces messages that contain words such as ECONNRESET, even in a quote.
	Object.assign(apiError, {
		message: error.message,
		description: error.describedWith(saysReason ? reason : ''),
		messages: [],
		httpCode: error.status === undefined ? null : String(error.status),
		...(failure && { failure }),
	});
	if (Object.keys(serviceInfo).length > 0) apiError.context.service = serviceInfo;
	return apiError;
}

/** Returns why a poll failed, which decides how long n8n's durable mode waits. */
export function failureOf(error: unknown): Failure {
	if (error instanceof ServiceError) {
		const { failure } = error.details;
		if (failure) return failure;
		if (error.status === 400 || error.status === 404) return { cause: 'configuration-invalid' };
	}
	const isMistake = error instanceof NodeOperationError;
	return { cause: isMistake ? 'configuration-invalid' : 'temporarily-unavailable' };
}

/**
 * Returns an error as an item with everything known about it. n8n sends an item with exactly these keys to the error
 * branch, with the fields of its input item added. If that item has an `error` field, n8n keeps only the message. n8n
 * also treats `json.error` of the first item as a reason for Retry On Fail, which is why a node run keeps its
 * responses.
 */
export function errorItem(error: NodeError, { node, itemIndex = 0 }: NodeItem): INodeExecutionData {
	return { json: failedJson(error, node), pairedItem: { item: itemIndex } };
}

/** Returns the same as `errorJson`; where n8n has no error branch, with the page and the reason at the top. */
export function failedJson(error: NodeError, { onError }: INode, data?: IDataObject): IDataObject {
	const json = errorJson(error, data);
	const { url, reason } = json.error as IDataObject;
	return onError === 'continueErrorOutput' || url === undefined ? json : { url, reason, ...json };
}

/**
 * Returns `{ message, error: { message, description, httpStatus?, data?, … } }`; `data` was paid for despite the error.
 */
export function errorJson(error: NodeError, data?: IDataObject): IDataObject {
	const { message, description, context } = error;
	const details: IDataObject = { message, description };
	if (error instanceof NodeApiError && error.httpCode) details.httpStatus = Number(error.httpCode);
	Object.assign(details, context.service);
	if (data !== undefined) details.data = data;
	return { message, error: details };
}

/**
 * Puts the description of a tool's error into its message, because n8n's AI Agent only passes the message to the model.
 */
export function withWholeMessage(error: NodeError): NodeError {
	const { description } = error;
	if (description && !error.message.includes(description)) {
		error.message = `${withoutStop(error.message)}. ${description}`;
	}
	return error;
}
