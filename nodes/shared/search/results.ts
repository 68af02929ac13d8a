import type { IDataObject } from 'n8n-workflow';

import type { Field } from '../form/field';
import { hasContent, isObject, warningIn } from '../json';
import { noListError } from '../results/required';
import { includeSearchInfo } from './fields';

/** The search as it was sent, and how to read the form where there is one. */
interface SentSearch {
	body: IDataObject;
	get?: <Value>(field: Field<Value>) => Value | undefined;
}

/**
 * Gives the results of a search, each with its `source` (web, images, news, or one the service adds) and with the query
 * and `tbs` that found it, as they were sent: that shows what the operators and the time filter became. Results without
 * a source, as older services send them, are of the web.
 * A warning of the service is repeated on each, so that splitting doesn't lose it. With Include Search Info each has
 * `search` (id, creditsUsed, results, warning) too, and a search without results is one item with that alone.
 */
export function searchResults(response: IDataObject, { body, get }: SentSearch): IDataObject[] {
	const { data, id, creditsUsed } = response;
	const warning = warningIn(response);
	const sent: IDataObject = { query: body.query };
	if (body.tbs !== undefined) sent.tbs = body.tbs;
	if (warning) sent.searchWarning = warning;
	const bySource = Array.isArray(data) ? { web: data } : ((data ?? {}) as IDataObject);
	const found = Object.entries(bySource).flatMap(([source, results]) =>
		Array.isArray(results) ? results.map((result) => withOrigin(result, { source, ...sent })) : [],
	);
	if (get?.(includeSearchInfo) !== true) return found;
	const search = { id, creditsUsed, results: found.length, ...(warning ? { warning } : {}) };
	if (found.length === 0) return [{ ...sent, search }];
	return found.map((result) => ({ ...result, search }));
}

/** Gives the results of a node's search. Throws ServiceError as `checkFound` does. */
export function splitSearch(response: IDataObject, form: SentSearch): IDataObject[] {
	checkFound(response);
	return searchResults(response, form);
}

/** Results of these sources are read; anything else may be in `data`. */
const SOURCES = ['web', 'images', 'news'];

/**
 * Rejects a response that doesn't say what was found: in a list, or in lists by source, of which some services leave out
 * those without results, up to all of them. No data at all is no answer, since a search is paid for, and one list can't
 * stand for another that can't be read. Throws ServiceError.
 */
export function checkFound(response: IDataObject): void {
	const { data } = response;
	const lists = isObject(data) ? Object.values(data).filter((list) => list !== null) : [data];
	const isRead = lists.length === 0 || lists.some(Array.isArray);
	const given = isObject(data) ? SOURCES.map((source) => data[source]) : [];
	const isOdd = given.some((list) => !Array.isArray(list) && hasContent(list));
	if (isRead && !isOdd) return;
	throw noListError('results', response);
}

/** Adds to a result where it comes from. A field of the result keeps its name; ours is then called searchSource etc. */
function withOrigin(given: unknown, origin: IDataObject): IDataObject {
	const result: IDataObject = isObject(given) ? given : { result: given as string };
	const added = Object.entries(origin).map(([name, value]) => {
		const isTaken = Object.hasOwn(result, name) && result[name] !== value;
		return [isTaken ? `search${name[0].toUpperCase()}${name.slice(1)}` : name, value];
	});
	return { ...Object.fromEntries(added), ...result };
}
