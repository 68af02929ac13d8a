import type { IDataObject } from 'n8n-workflow';

/**
 * The results of a search, each with its `source` (web, images, news, or one the service adds) and with the query
 * and `tbs` that found it, as they were sent: that shows what the operators and the time filter became.
 * A warning of the service is repeated on each, so that splitting doesn't lose it.
 */
export function searchResults(answer: IDataObject, { body }: { body: IDataObject }): IDataObject[] {
	const { data, warning } = answer;
	const sent: IDataObject = { query: body.query };
	if (body.tbs !== undefined) sent.tbs = body.tbs;
	if (warning) sent.searchWarning = warning;
	return Object.entries((data ?? {}) as IDataObject).flatMap(([source, results]) =>
		Array.isArray(results)
			? (results as IDataObject[]).map((result) => ({ source, ...sent, ...result }))
			: [],
	);
}
