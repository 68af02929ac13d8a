import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { ServiceError, hasStatus } from '../shared/client/errors/serviceError';
import { markedPage } from '../shared/run/results/pageFailure';
import { simplifierFor } from '../shared/run/results/simplify';
import { listIn } from '../shared/run/results/response';
import { pagesAs } from '../shared/fields/jobOptions';
import { pageShape } from '../shared/fields/shapes';
import { activityOf, withJobs } from '../shared/jobs/jobLists';
import { CollectedPages, collectPages } from '../shared/jobs/collectedPages';
import { crawlJob } from '../shared/jobs/crawlJob';
import { blockedUrls, errorsIn } from '../shared/jobs/failedUrls';
import { type JobStatus, isUnknown, statusOf } from '../shared/jobs/job';
import { missingOf, shortfallOf } from '../shared/jobs/jobEnd';
import { jobStateOf } from '../shared/jobs/jobState';
import { FileRoom } from '../shared/run/downloads/fileRoom';
import { PageFiles } from '../shared/jobs/pageFiles';
import { objectsOf } from '../shared/base/json';
import { sentences, textOf } from '../shared/base/text';
import { usableId } from '../shared/base/url';
import type { ServiceCall } from '../shared/client/types';
import type { Place } from '../shared/form/field';
import type { Form } from '../shared/form/form';
import type { Poll, Within } from '../shared/trigger/runPoll';
import type { SeenCrawl } from './crawlWatch';
import * as form from './fields';

/** Request timeouts (ms): for a list, and for a crawl with up to 10 MB of pages. */
const LIST_TIMEOUT_MS = 10_000;
const CRAWL_TIMEOUT_MS = 30_000;

/** Maximum length of a URL that is remembered, in characters. */
const MAX_URL_LENGTH = 2_000;

/** The requests of a poll; each throws if the service can't be reached or doesn't respond in the poll's time. */
export type CrawlRequests = ReturnType<typeof requestsOf>;

/** Returns the requests of a poll; the form says what to do with pages. All throw `callService`'s errors. */
export function requestsOf(poll: Poll, { get, value }: Form<Place>) {
	const limit = value(form.returnAll) ? undefined : value(form.limit);
	const simplified = simplifierFor(pageShape, { get });
	const room = new FileRoom();
	const list = async (path: string, query?: IDataObject, within: Within = {}) =>
		(await poll.call({ method: 'GET', path, query }, { timeoutMs: LIST_TIMEOUT_MS, ...within }))
			.body;
	const withinOf = (jobId: string) => ({ timeoutMs: CRAWL_TIMEOUT_MS, jobId });
	return {
		/** Returns the running crawls; a patient request waits for a rate limit as long as there is time. */
		async active(isPatient?: boolean): Promise<SeenCrawl[]> {
			const body = await list('/v2/crawl/active', undefined, { isPatient });
			return seenCrawls(listIn(withJobs(body, 'crawls'), 'crawls'));
		},

		/** Yields the crawls started recently, newest first, page by page. */
		async *activity(finishBy?: number, isPatient?: boolean): AsyncGenerator<SeenCrawl[]> {
			const ask = async (query: IDataObject) =>
				await list('/v2/team/activity', query, { finishBy, isPatient });
			for await (const { body } of activityOf(ask, { endpoint: 'crawl' })) {
				yield seenCrawls(listIn(body, 'data', 'jobs'));
			}
		},

		/** Returns the status of a crawl; undefined if the service doesn't know it. */
		async status(id: string): Promise<JobStatus | undefined> {
			const send = async (call: ServiceCall) => await poll.call(call, withinOf(id));
			return await statusOf(poll.caller.account, crawlJob, id, send).catch((error: unknown) => {
				if (isUnknown(error)) return undefined;
				throw error;
			});
		},

		/** Returns how many pages a crawl lists as failed or forbidden; 0 if the list can't be read. */
		async countFailed({ call }: JobStatus, jobId: string): Promise<number> {
			return await list(`${call.path}/errors`, undefined, { jobId }).then(
				(body) => errorsIn(body).length + blockedUrls(body).length,
				(error: unknown) => {
					if (stopsPoll(error)) throw error;
					return 0;
				},
			);
		},

		/**
		 * Returns the pages of a crawl, starting with those of its status response: an item per page, or per file of
		 * pages.
		 */
		async pages(id: string, found: JobStatus, withoutPage: number): Promise<INodeExecutionData[]> {
			const { body, call, status } = found;
			const { helpers } = poll.context;
			const files =
				get(pagesAs) === 'files' ? new PageFiles(helpers, room, 'crawl', id, {}) : undefined;
			const collected = new CollectedPages(files ? undefined : { bytes: 0 });
			const settings = {
				...{ ...poll.settings(withinOf(id)), limit, collected },
				kept: (page: IDataObject) => simplified(markedPage(page)),
				take: async (fresh: IDataObject[]) => await files?.add(fresh),
			};
			await collectPages(poll.caller, call, { status, body }, settings);
			const items: INodeExecutionData[] = files?.items ?? collected.pages.map((json) => ({ json }));
			const { overflow, received, count } = collected;
			const isWhole = overflow === undefined && count < (limit ?? Infinity);
			const missing = isWhole ? missingOf(body, received, { withoutPage }) : 0;
			const state = jobStateOf(body.status);
			const shortfall =
				missing > 0 ? shortfallOf(crawlJob, id, received, missing, state) : undefined;
			// The pages may just be late; those of a failed crawl may never come.
			if (items.length === 0 && shortfall !== undefined && state !== 'failed') {
				throw new ServiceError(shortfall, { description: '' });
			}
			const crawlWarning = sentences([
				collected.warning,
				shortfall && `${shortfall}.`,
				overflow && `${overflow}: get the others with Web Data Crawl → Get Pages of Crawl.`,
			]);
			if (crawlWarning !== '') for (const { json } of items) json.crawlWarning = crawlWarning;
			return items;
		},
	};
}

/** Whether an error affects all requests alike, such as one about the key, the plan or the rate. */
export const stopsPoll = (error: unknown): boolean => hasStatus(error, 401, 402, 429);

/** Returns the crawls in a list; the active list calls the URL `url`, the activity list `target`. */
function seenCrawls(list: unknown[]): SeenCrawl[] {
	return objectsOf(list).flatMap(
		({ id: given, endpoint = 'crawl', url, target = url, created_at: created }) => {
			const id = usableId(given);
			if (id === undefined || endpoint !== 'crawl') return [];
			const isUrl = typeof target === 'string' && target !== '' && target.length <= MAX_URL_LENGTH;
			const createdAt = Date.parse(textOf(created));
			return [{ id, ...(isUrl && { url: target }), ...(createdAt >= 0 && { createdAt }) }];
		},
	);
}
