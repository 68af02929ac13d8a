import type { IDataObject } from 'n8n-workflow';

import { hasOnlyWords, warningIn } from '../../client/response';
import { ServiceError } from '../../client/errors/serviceError';
import { hasContent, isObject, without } from '../../base/json';
import { sentences, shortened, textOf } from '../../base/text';
import { isRaw } from '../../fields/shapes';
import { isTool } from '../../form/field';
import type { Form } from '../../form/form';
import type { Task } from '../operation';

/** Throws ServiceError for a response that has no result. */
export function checkResult(what: string, response: IDataObject): void {
	if (hasOnlyWords(response)) throw missingError(what, response);
}

/** Returns the error for a successful response without what it should have; the error output contains the response. */
export function missingError(what: string, response: IDataObject): ServiceError {
	return new ServiceError(`The service's response has no ${what}`, {
		description: `If this keeps happening, check that Base URL in the credential leads to a Web Data Service. Received: “${shortened(JSON.stringify(response))}”.`,
		data: response,
	});
}

/**
 * Returns the list under `name` (called `what` in errors); null counts as empty. Throws ServiceError if there is none.
 */
export function listIn(response: IDataObject, name: string, what = name): unknown[] {
	const list = response[name];
	if (Array.isArray(list)) return list;
	if (list === null) return [];
	throw missingError(`list of ${what}`, response);
}

/**
 * Returns the results in such a list, as `resultsIn` does, but without those that have no content, and with strings
 * under `textField` if it is given. Throws ServiceError as `listIn` does, and if the list has content but no results.
 */
export function objectsIn(
	response: IDataObject,
	name: string,
	{ what = name, textField = '' } = {},
): IDataObject[] {
	const list = listIn(response, name, what);
	const isText = (entry: unknown) => textField !== '' && typeof entry === 'string' && entry !== '';
	const entries = list.map((entry) => (isText(entry) ? { [textField]: entry } : entry));
	if (!entries.some(isObject) && entries.some(hasContent))
		throw missingError(`list of ${what}`, response);
	return resultsIn(entries).filter((entry) => Object.values(entry).some(hasContent));
}

/** Returns the one result of a response: its `data` or, if that is no object, the response itself. */
export const dataOf = (response: IDataObject): IDataObject[] => [
	isObject(response.data) ? response.data : response,
];

/**
 * Returns the entries of a list of results: objects unchanged; strings and lists, which no known service sends, as `{
 * result }`. Leaves out empty entries, such as the null of a failed page. Empty if it isn't a list.
 */
export function resultsIn(value: unknown): IDataObject[] {
	const list: unknown[] = Array.isArray(value) ? value : [];
	return list
		.filter((entry) => isObject(entry) || hasContent(entry))
		.map((entry) => (isObject(entry) ? entry : { result: entry as string }));
}

/**
 * Returns results together with the rest of their response: its warning and, for raw results, all other fields, as
 * `response`. `place` is the name of the part of the response with the results.
 */
export function withRest(
	results: IDataObject[],
	body: IDataObject,
	place: string,
	form: Pick<Form, 'get'>,
): IDataObject[] {
	if (!(place in body)) return results;
	const said = warningIn(body);
	const more = restOf(without(body, place), form);
	if (!said && more.response === undefined) return results;
	return results.map((result) => {
		const text = textOf(said ?? '');
		const isRepeated =
			Object.values(result).includes(text) || textOf(result.warning ?? '').includes(text);
		const warning = isRepeated ? '' : sentences([text, textOf(result.warning ?? '')]);
		const response = { ...(result.response as object), ...(more.response as object) };
		return {
			...result,
			...(warning ? { warning } : {}),
			...(more.response !== undefined && { response }),
		};
	});
}

/**
 * Returns the fields of a response that aren't results, as `response`, if results are raw; otherwise, returns nothing.
 */
export function restOf(body: IDataObject, form: Pick<Form, 'get'>): IDataObject {
	const rest = without(body, 'success', 'status', 'warning', 'warnings');
	return isRaw(form) && Object.keys(rest).length > 0 ? { response: rest } : {};
}

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
