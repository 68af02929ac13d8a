import type { IDataObject } from 'n8n-workflow';

import { hasContent, isObject } from '../../base/json';
import { warningIn } from '../../client/response';
import { formatsIn, markedPage } from './pageFailure';
import { missingError } from './response';
import { includeRunDetails, isRaw } from '../../fields/shapes';
import type { Form } from '../../form/form';

/** The search as it was sent, and its form. */
type SentSearch = Pick<Form, 'body' | 'get'>;

/**
 * Returns the results of a search, each with its `source` (web, images, news, or one added by the service) and with the
 * `query` and `tbs` as sent, which show what became of the operators and the time filter. Results without a source, as
 * older services send them, are from the web. Each result repeats the service's warning, so that splitting doesn't lose
 * it. With Include Run Details, it also has `search` (id, creditsUsed, results). Throws ServiceError as `listsBySource`
 * does.
 */
export function searchResults(response: IDataObject, { body, get }: SentSearch): IDataObject[] {
	const { id, creditsUsed } = response;
	const warning = warningIn(response);
	const sent: IDataObject = { query: body.query };
	if (body.tbs !== undefined) sent.tbs = body.tbs;
	if (warning) sent.searchWarning = warning;
	const hasPages = formatsIn(body).length > 0;
	const found = Object.entries(listsBySource(response)).flatMap(([source, results]) => {
		const given = Array.isArray(results) ? results.filter(hasWords) : [];
		// Images have no page.
		const isPage = hasPages && source !== 'images';
		return given.map((result) => {
			const whole = isObject(result) ? result : { result: result as string };
			return withOrigin(isPage ? markedPage(whole, body) : whole, { source, ...sent });
		});
	});
	if (get(includeRunDetails) !== true) return found;
	const search = { id, creditsUsed, results: found.length };
	return found.map((result) => ({ ...result, search }));
}

/** Whether a result has more than empty strings and numbers, such as its position. */
function hasWords(result: unknown): boolean {
	if (!isObject(result)) return hasContent(result);
	return Object.values(result).some((value) =>
		typeof value === 'string'
			? value.trim() !== ''
			: typeof value === 'object' && hasContent(value),
	);
}

/**
 * Returns the results of a node's search; raw ones with whatever `data` has besides lists, as part of `response`.
 * Throws ServiceError as `listsBySource` does.
 */
export function splitSearch(response: IDataObject, form: SentSearch): IDataObject[] {
	const results = searchResults(response, form);
	if (!isObject(response.data) || !isRaw(form)) return results;
	const others = Object.entries(response.data).filter(
		([, value]) => !Array.isArray(value) && hasContent(value),
	);
	if (others.length === 0) return results;
	const data = Object.fromEntries(others);
	return results.map((result) => ({ ...result, response: { data } }));
}

/** The sources that must be lists; lists under any other name are read, too. */
const SOURCES = ['web', 'images', 'news'];

/**
 * Returns the lists of results in a response by their source. Throws ServiceError if there are none: it has neither a
 * list nor lists by source. Some services omit empty lists, even all of them. But a response without any data isn't an
 * answer, because a search is paid for. And a readable list doesn't make up for an unreadable one.
 */
function listsBySource(response: IDataObject): IDataObject {
	const { data } = response;
	const bySource = Array.isArray(data) ? { web: data } : data;
	if (!isObject(bySource)) throw missingError('list of results', response);
	const lists = Object.values(bySource).filter((list) => list !== null);
	const isRead = lists.length === 0 || lists.some(Array.isArray);
	const isOdd = SOURCES.some(
		(source) => !Array.isArray(bySource[source]) && hasContent(bySource[source]),
	);
	if (!isRead || isOdd) throw missingError('list of results', response);
	return bySource;
}

/**
 * Returns a result with its origin added. If the result already has a field of that name, the added one is called
 * searchSource etc.
 */
function withOrigin(result: IDataObject, origin: IDataObject): IDataObject {
	const added = Object.entries(origin).map(([name, value]) => {
		const isTaken = Object.hasOwn(result, name) && result[name] !== value;
		return [isTaken ? `search${name[0].toUpperCase()}${name.slice(1)}` : name, value];
	});
	return { ...Object.fromEntries(added), ...result };
}
