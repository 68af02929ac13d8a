import type { IDataObject, NodeApiError } from 'n8n-workflow';

import { isFrozen } from '../form/field';
import { shortened } from '../text';
import { plainError, type NodeItem } from '../transport';

/** The error for a good response without what it is asked for; the error output has what came instead. */
export function noListError(what: string, response: IDataObject, nodeItem: NodeItem): NodeApiError {
	return plainError(nodeItem, {
		message: `The service's response has no list of ${what}`,
		description: `If this request costs credits, it may have been billed. If this keeps happening, check that Base URL in the credential leads to a Web Data Service. Received: “${shortened(JSON.stringify(response))}”.`,
		data: response,
	});
}

/**
 * The list of a response, which errors call `what`; null is an empty one. Throws NodeApiError where there is none, but
 * workflows of version 1 get nothing then.
 */
export function listIn(
	response: IDataObject,
	name: string,
	nodeItem: NodeItem,
	what = name,
): unknown[] {
	const list = response[name];
	if (Array.isArray(list)) return list;
	if (list === null || isFrozen(nodeItem)) return [];
	throw noListError(what, response, nodeItem);
}
