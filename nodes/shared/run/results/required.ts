import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../client/errors/serviceError';
import { hasContent, isObject } from '../../base/json';
import { hasOnlyWords } from '../../client';
import { shortened } from '../../base/text';

/** Returns the error for a successful response without the expected list; the error output contains the response. */
export function noListError(what: string, response: IDataObject): ServiceError {
	return missingError(`list of ${what}`, response);
}

/** Throws ServiceError for a response that has no result. */
export function checkResult(what: string, response: IDataObject): void {
	if (hasOnlyWords(response)) throw missingError(what, response);
}

function missingError(what: string, response: IDataObject): ServiceError {
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
	throw noListError(what, response);
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
	if (!entries.some(isObject) && entries.some(hasContent)) throw noListError(what, response);
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
