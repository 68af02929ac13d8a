import type { IDataObject, INodeListSearchResult, INodeType } from 'n8n-workflow';

import { ServiceError, hasStatus } from '../client/errors/serviceError';
import { objectsIn } from '../run/results/response';
import { without } from '../base/json';
import { textOf } from '../base/text';
import { isoOf } from '../base/time';
import { askForList } from '../run/requestOptions';

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
 * starting at a cursor if given, each with the cursor of the next one. `ask` requests a part. Ends at a repeated
 * cursor, which would be followed forever.
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

export type ListSearch = NonNullable<NonNullable<INodeType['methods']>['listSearch']>[string];

/** Finds the team's running crawls (GET /v2/crawl/active) by any part of their URL or ID. */
export const searchActiveCrawls: ListSearch = async function (filter) {
	const body = await askForList(this, '/v2/crawl/active');
	return {
		results: matching(objectsIn(withJobs(body, 'crawls'), 'crawls'), filter, ({ url }) => url),
	};
};

/**
 * Maximum number of pages of a list that are searched at a time for entries matching a filter: n8n asks for more only
 * when somebody scrolls through the matches.
 */
const MOST_PAGES = 10;

const ENOUGH_FOUND = 20;

/** Returns a search for the team's jobs of the last 24 hours, by their endpoint (GET /v2/team/activity). */
export function searchJobsOf(endpoint: 'agent' | 'batch_scrape' | 'extract'): ListSearch {
	return async function (filter, token) {
		const results: INodeListSearchResult['results'] = [];
		let paginationToken: string | undefined;
		let pages = 0;
		const ask = async (query: IDataObject) =>
			await askForList(this, '/v2/team/activity', query).catch((error: unknown) => {
				throw hasStatus(error, 404, 500)
					? new ServiceError(NO_LIST, { description: ENTER_ID })
					: error;
			});
		for await (const { body, cursor } of activityOf(ask, { endpoint }, token)) {
			const jobs = objectsIn(body, 'data', { what: 'jobs' });
			results.push(...matching(jobs, filter, ({ target }) => target));
			paginationToken = cursor;
			pages++;
			if (!filter || results.length >= ENOUGH_FOUND || pages >= MOST_PAGES) break;
		}
		return { results, paginationToken };
	};
}

const NO_LIST = 'This service does not list its jobs: choose By ID';
const ENTER_ID = 'Enter the ID returned when the job was started.';

/** Returns the jobs that have an ID and whose target or ID contains the filter's text, ignoring case. */
export function matching(
	jobs: IDataObject[],
	filter = '',
	subjectOf: (job: IDataObject) => unknown,
): INodeListSearchResult['results'] {
	const wanted = filter.toLowerCase();
	return jobs
		.filter(({ id }) => typeof id === 'string' && id !== '')
		.map((job) => {
			const [id, subject] = [String(job.id), subjectOf(job)];
			// The time comes first, since n8n cuts off long names.
			const about = `(${startOf(job.created_at)}${id})`;
			return { name: typeof subject === 'string' ? `${subject} ${about}` : id, value: id };
		})
		.filter(({ name }) => name.toLowerCase().includes(wanted));
}

/** Returns when a job started, to the second, followed by a separator; empty if the service sends no date. */
function startOf(created: unknown): string {
	const [day, time] = isoOf(created)?.split('T') ?? [];
	return day === undefined ? '' : `${day} ${time.slice(0, 8)} UTC, `;
}
