import type { IDataObject, NodeApiError } from 'n8n-workflow';

import type { Place } from '../form/field';
import { plainError } from '../transport';

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
	const error = plainError(node, { message, description }, { itemIndex });
	error.context.service = service;
	return error;
}
