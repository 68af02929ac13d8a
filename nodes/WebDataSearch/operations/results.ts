import type { IDataObject } from 'n8n-workflow';

/**
 * The results of a search, each with its `source` (web, images, news, or one the service adds).
 * A warning of the service is repeated on each, so that splitting doesn't lose it.
 */
export function searchResults(answer: IDataObject): IDataObject[] {
	const { data, warning } = answer;
	return Object.entries((data ?? {}) as IDataObject).flatMap(([source, results]) =>
		Array.isArray(results)
			? (results as IDataObject[]).map((result) => ({
					source,
					...result,
					...(warning ? { searchWarning: warning } : {}),
				}))
			: [],
	);
}
