import type { IDataObject, INode, NodeApiError } from 'n8n-workflow';

import { plainError } from './errors';
import { shortened } from './json';

interface Place {
	node: INode;
	itemIndex?: number;
}

/** The error for a good response without what it is asked for; the error output has what came instead. */
export function noListError(
	what: string,
	response: IDataObject,
	{ node, itemIndex }: Place,
): NodeApiError {
	const error = plainError(
		node,
		{
			message: `The service's response has no list of ${what}`,
			description: `A request that costs credits may have been billed all the same. If this keeps happening, check that Base URL in the credential leads to a Web Data Service. Received: “${shortened(JSON.stringify(response))}”.`,
		},
		{ itemIndex },
	);
	error.context.service = { data: response };
	return error;
}

/**
 * The list of a response, which errors call `what`; null is an empty one. Throws NodeApiError where there is none, but
 * workflows of version 1 get nothing there.
 */
export function neededList(
	response: IDataObject,
	name: string,
	place: Place,
	what = name,
): unknown[] {
	const list = response[name];
	if (Array.isArray(list)) return list;
	if (list === null || place.node.typeVersion === 1) return [];
	throw noListError(what, response, place);
}
