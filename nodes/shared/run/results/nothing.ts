import type { IDataObject } from 'n8n-workflow';

import { warningIn } from '../../client';
import { textOf } from '../../base/text';
import { ServiceError } from '../../client/errors/serviceError';
import { isTool } from '../../form/field';
import type { Task } from '../operation';

/** Writes to n8n's log why an item has no result. An item that said so would look like a result to later nodes. */
function logNothing({ context, form }: Task, reason: string): void {
	const { node, itemIndex } = form.place;
	context.logger.warn(`“${node.name}” has no result for item ${itemIndex + 1}: ${reason}`);
}

/** Writes the warning of a response without results to n8n's log, if it has one. */
export function logWarning(task: Task, body: IDataObject): void {
	const warning = warningIn(body);
	if (warning) logNothing(task, textOf(warning));
}

/**
 * Reports why an item has no result: throws ServiceError if the node has an error output, otherwise writes it to n8n's
 * log. A tool puts it into its response.
 */
export function reportNothing(task: Task, message: string, description: string): void {
	const { node } = task.form.place;
	if (isTool(node)) return;
	if (node.onError === 'continueErrorOutput') throw new ServiceError(message, { description });
	logNothing(task, `${message}. ${description}`);
}
