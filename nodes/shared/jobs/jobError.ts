import { NodeApiError, type IDataObject } from 'n8n-workflow';

import type { Place } from '../form/field';

/** What an error says, and what the error output gives beside it. */
interface JobErrorText {
	message: string;
	description: string;
	jobId?: string;
	/** What the job gave all the same. */
	data?: IDataObject;
}

/** An error about a job, ready for the user; the error output has its job ID and what the job gave. */
export function jobError(
	{ node, itemIndex }: Pick<Place, 'node' | 'itemIndex'>,
	{ message, description, ...service }: JobErrorText,
): NodeApiError {
	const error = new NodeApiError(node, {}, { itemIndex });
	// Set afterwards, since NodeApiError replaces a text in which it finds ECONNREFUSED and the like.
	Object.assign(error, { message, description });
	error.context.service = service;
	return error;
}
