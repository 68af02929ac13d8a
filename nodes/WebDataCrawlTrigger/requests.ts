import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { ServiceError } from '../shared/client/errors/serviceError';
import { simplifierFor } from '../shared/run/results/simplify';
import { listIn } from '../shared/run/results/required';
import { pageShape, pagesAs } from '../shared/fields/shapes';
import { CollectedPages } from '../shared/jobs/collectedPages';
import { followPages } from '../shared/jobs/followPages';
import { jobStateOf } from '../shared/jobs/jobState';
import { fileRoomOf } from '../shared/run/downloads/fileRoom';
import { PageFiles } from '../shared/jobs/pageFiles';
import { objectsOf } from '../shared/base/json';
import { sentences, textOf } from '../shared/base/text';
import { isSegment, pathTo } from '../shared/base/url';
import type { ServiceCall } from '../shared/client';
import type { TriggerForm } from '../shared/trigger/form';
import type { Poll } from '../shared/trigger/runPoll';
import type { SeenCrawl } from './crawlState';
import * as form from './fields';

/** Longest time (ms) of a request: for a list, and for a crawl with up to 10 MB of pages. */
const LIST_TIMEOUT_MS = 10_000;
const CRAWL_TIMEOUT_MS = 30_000;

/** Longest URL that is remembered, in characters. */
const MAX_URL_LENGTH = 2_000;

/** Most jobs in a response with activity. */
const ACTIVITY_PAGE_SIZE = 100;

/** The requests of a poll; each throws if the service can't be reached, or not by `finishBy` (ms since 1970). */
export type CrawlRequests = ReturnType<typeof requestsOf>;

/** Returns the requests of a poll; the form says what to do with pages. All throw `callService`'s errors. */
export function requestsOf(poll: Poll, { get, added }: TriggerForm) {
	const limit = get(form.returnAll) ? undefined : get(form.limit);
	const simplified = simplifierFor(pageShape, { get: added });
	const list = async (call: ServiceCall, finishBy: number, isPatient = false) =>
		(await poll.call(call, { finishBy, timeoutMs: LIST_TIMEOUT_MS, isPatient })).body;
	return {
		/** Returns the running crawls; a patient request waits for a rate limit as long as there is time. */
		async active(finishBy: number, isPatient?: boolean): Promise<SeenCrawl[]> {
			const body = await list({ method: 'GET', path: '/v2/crawl/active' }, finishBy, isPatient);
			return seenCrawls(listIn(body, 'crawls'));
		},

		/** Yields the crawls started recently, newest first, page by page. */
		async *activity(finishBy: number, isPatient?: boolean): AsyncGenerator<SeenCrawl[]> {
			const query: IDataObject = { endpoint: 'crawl', limit: ACTIVITY_PAGE_SIZE };
			for (;;) {
				const call = { method: 'GET' as const, path: '/v2/team/activity', query: { ...query } };
				const body = await list(call, finishBy, isPatient);
				yield seenCrawls(listIn(body, 'data', 'jobs'));
				if (body.has_more !== true || typeof body.cursor !== 'string') return;
				query.cursor = body.cursor;
			}
		},

		/** Returns the status of a crawl; undefined if the service doesn't know it. */
		async status(id: string, finishBy: number): Promise<IDataObject | undefined> {
			const within = { finishBy, timeoutMs: CRAWL_TIMEOUT_MS, jobId: id };
			const response = await poll.call(statusCall(id), within).catch((error: unknown) => {
				if (isUnknown(error)) return undefined;
				throw error;
			});
			return response?.body;
		},

		/** Returns the pages of a response of `status`, following `next`: an item per page, or per file of pages. */
		async pages(id: string, body: IDataObject, finishBy: number): Promise<INodeExecutionData[]> {
			const { helpers } = poll.context;
			const room = fileRoomOf(poll.caller.run);
			const isFiled = added(pagesAs) === 'files';
			const files = isFiled ? new PageFiles(helpers, room, 'crawl', id, {}) : undefined;
			const collected = new CollectedPages(false, isFiled ? undefined : { bytes: 0 });
			const items: INodeExecutionData[] = files?.items ?? [];
			const within = { finishBy, timeoutMs: CRAWL_TIMEOUT_MS, jobId: id };
			const settings = { ...poll.settings(within), limit, collected };
			const first = { status: 200, body };
			for await (const part of followPages(poll.caller, statusCall(id), first, settings)) {
				const pages = collected.add(part).map(simplified);
				if (files) await files.add(pages);
				else for (const page of pages) items.push({ json: page });
				if (collected.overflow !== undefined) break;
			}
			const message = collected.shortfall(body.completed);
			// They may just be late, unless the crawl failed: then it may never have any.
			if (items.length === 0 && message !== undefined && jobStateOf(body.status) !== 'failed') {
				throw new ServiceError(message, { description: '' });
			}
			const isWhole = collected.received < (limit ?? Infinity);
			const { overflow } = collected;
			const crawlWarning = sentences([
				...collected.warnings(isWhole && body.completed),
				overflow && `${overflow}: get the others with Web Data Crawl → Get Pages.`,
			]);
			if (crawlWarning !== '') for (const { json } of items) json.crawlWarning = crawlWarning;
			return items;
		},
	};
}

/** Returns the call for the status in v1, because that is the one in api/openapi.yaml. */
function statusCall(id: string): ServiceCall {
	return { method: 'GET', path: pathTo('/v1/crawl/', id) };
}

/**
 * Whether the service itself says that it doesn't know a job. A proxy, or a service without the endpoint, doesn't
 * count.
 */
function isUnknown(error: unknown): boolean {
	const isRejected = error instanceof ServiceError && error.status === 404;
	return isRejected && error.details.service?.serviceError !== undefined;
}

/** Whether an error concerns every request alike, as one about the key, the plan or the rate does. */
export function stopsPoll(error: unknown): boolean {
	return error instanceof ServiceError && [401, 402, 429].includes(error.status ?? 0);
}

/** Returns the crawls in a list; the active list calls the URL `url`, the activity list `target`. */
function seenCrawls(list: unknown[]): SeenCrawl[] {
	return objectsOf(list).flatMap(
		({ id, endpoint = 'crawl', url, target = url, created_at: created }) => {
			if (typeof id !== 'string' || !isSegment(id) || endpoint !== 'crawl') return [];
			const isUrl = typeof target === 'string' && target !== '' && target.length <= MAX_URL_LENGTH;
			const createdAt = Date.parse(textOf(created));
			return [{ id, ...(isUrl && { url: target }), ...(createdAt >= 0 && { createdAt }) }];
		},
	);
}
