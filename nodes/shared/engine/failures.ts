import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { withoutStop } from '../text';
import type { NodeError } from '../transport';

/**
 * An error as an item with what is known of it. n8n sends an item with just these keys to the error branch, with
 * the fields of its input item beside them; it would throw all but the message away if the item had an `error` of its
 * own. It also takes `json.error` of a first item as a reason for Retry On Fail, which is why a node
 * run keeps the responses.
 */
export function errorItem(error: NodeError, itemIndex: number): INodeExecutionData {
	return { json: errorJson(error), pairedItem: { item: itemIndex } };
}

/** `{ message, error: { message, description, httpStatus?, data?, … } }`; `data` is what was paid for all the same. */
export function errorJson(error: NodeError, data?: IDataObject): IDataObject {
	const { message, description, context } = error;
	const details: IDataObject = { message, description };
	if (error instanceof NodeApiError && error.httpCode) details.httpStatus = Number(error.httpCode);
	Object.assign(details, context.service);
	if (data !== undefined) details.data = data;
	return { message, error: details };
}

/** n8n replaces a message that has such a code with its own, some of which say to try again at once. Our reasons are short. */
const CODED_REASON =
	/ Reason: (ECONNREFUSED|ECONNRESET|ECONNABORTED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH).{0,400}?\.(?= |$)/;

/** The error of a tool with its description in its message, which is all that n8n's AI Agent tells the model of it. */
export function withWholeMessage(error: NodeError): NodeError {
	const description = error.description?.replace(CODED_REASON, '');
	if (description && !error.message.includes(description)) {
		error.description = description;
		error.message = `${withoutStop(error.message)}. ${description}`;
	}
	return error;
}
