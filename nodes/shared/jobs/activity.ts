import type { IDataObject } from 'n8n-workflow';

import { without } from '../base/json';
import { textOf } from '../base/text';

/** Maximum number of jobs in a part of the list. */
export const ACTIVITY_PAGE_SIZE = 100;

/** Returns a response with its list of jobs under `name`, where other servers use another one; IDs become objects. */
export function withJobs(response: IDataObject, name: string): IDataObject {
	const found = [name, 'ids', 'data', 'jobs'].find((key) => Array.isArray(response[key]));
	if (found === undefined) return response;
	const jobs = (response[found] as unknown[]).map((entry) =>
		typeof entry === 'string' && entry !== '' ? { id: entry } : entry,
	);
	return { ...without(response, found), [name]: jobs as IDataObject[] };
}

/**
 * Yields the parts of the team's list of recent jobs, newest first (GET /v2/team/activity, api/beyond.openapi.yaml),
 * starting at a cursor if given, each with the cursor of the next one. `ask` requests a part. Ends at a repeated cursor, which would be followed forever.
 */
export async function* activityOf(
	ask: (query: IDataObject) => Promise<IDataObject>,
	query: IDataObject,
	from?: string,
): AsyncGenerator<{ body: IDataObject; cursor?: string }> {
	const seen = new Set<string>();
	for (let cursor = from; ;) {
		const body = await ask({ limit: ACTIVITY_PAGE_SIZE, ...query, ...(cursor && { cursor }) });
		cursor = body.has_more === true && body.cursor ? textOf(body.cursor) : undefined;
		yield { body: withJobs(body, 'data'), cursor };
		if (cursor === undefined || seen.has(cursor)) return;
		seen.add(cursor);
	}
}
