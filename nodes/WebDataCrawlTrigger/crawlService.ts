import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { ServiceError } from '../shared/errors/serviceError';

import { listIn } from '../shared/results/required';
import { CollectedPages } from '../shared/jobs/collectedPages';
import { followPages } from '../shared/jobs/followPages';
import { jobStateOf } from '../shared/jobs/jobState';
import { PageFiles } from '../shared/jobs/pageFiles';
import { checkedId } from '../shared/form/values';
import { pathTo } from '../shared/url';
import type { ServiceCall } from '../shared/transport';
import type { Poll } from '../shared/trigger/runPoll';
import type { SeenCrawl } from './crawlState';
import { type CrawlService, stopsPoll } from './poll';

/** Timeouts (ms) of one request: for a list, and for a crawl with up to 10 MB of pages. */
const LIST_TIMEOUT_MS = 10_000;
const CRAWL_TIMEOUT_MS = 30_000;

/** Activity responses hold 100 jobs at most; more than this many are not read in one poll. */
const ACTIVITY_PAGE_SIZE = 100;
const MAX_ACTIVITY_PAGES = 100;

/** The statuses of a service that has no activity endpoint, or not for this key. */
const NO_ACTIVITY = new Set([400, 403, 404, 405, 501]);

const TOO_MANY =
	'The service reports more crawls than one poll can read: those further back follow in later polls, as far as there is time';

/** What becomes of the pages of a crawl. */
export interface PageOutput {
	/** How many of a crawl are wanted; undefined: all. */
	limit?: number;
	/** Whether they go into files, chunk by chunk, instead of items. */
	asFiles: boolean;
	/** Reduces a page to what is wanted of it. */
	lean: (page: IDataObject) => IDataObject;
}

/** The requests of a poll. All throw what `callService` throws. */
export function crawlService(poll: Poll, { limit, asFiles, lean }: PageOutput): CrawlService {
	const { context } = poll;
	return {
		async listActive(finishBy) {
			const within = { finishBy, timeoutMs: LIST_TIMEOUT_MS };
			const { body } = await poll.call({ method: 'GET', path: '/v2/crawl/active' }, within);
			return seenCrawls(listIn(body, 'crawls'), (crawl) => crawl.url);
		},

		async activity(isEnough, finishBy) {
			const crawls: SeenCrawl[] = [];
			let cursor: string | undefined;
			try {
				for (let read = 0; read < MAX_ACTIVITY_PAGES && Date.now() < finishBy; read++) {
					const within = { finishBy, timeoutMs: LIST_TIMEOUT_MS };
					const { body } = await poll.call(activityCall(cursor), within);
					const jobs = listIn(body, 'data', 'jobs');
					const page = seenCrawls(jobs, ({ target }) => target);
					for (const crawl of page) crawls.push(crawl);
					cursor = nextCursor(body);
					if (cursor === undefined || isEnough(crawls, page)) return { crawls, isComplete: true };
				}
			} catch (error) {
				const { status } = error as Partial<ServiceError>;
				if (NO_ACTIVITY.has(status ?? 0) && crawls.length === 0) return 'missing';
				// A rate limit of this list alone leaves the active list at work.
				if (stopsPoll(error) && status !== 429) throw asServiceError(error);
				context.logger.warn(`The activity list could not be read: ${(error as Error).message}`);
				return crawls.length === 0 ? undefined : { crawls, isComplete: false };
			}
			context.logger.warn(TOO_MANY);
			return { crawls, isComplete: false };
		},

		async status(id, finishBy) {
			try {
				const within = { finishBy, timeoutMs: CRAWL_TIMEOUT_MS, jobId: id };
				return (await poll.call(statusCall(poll, id), within)).body;
			} catch (error) {
				const { status, details } = error as Partial<ServiceError>;
				// A proxy on the way, or a service without this endpoint, says nothing of the crawl.
				if (status === 404 && details?.service?.serviceError !== undefined) return undefined;
				throw asServiceError(error);
			}
		},

		async pages(id, body, finishBy) {
			const files = asFiles ? new PageFiles(context.helpers, `crawl-${id}`, {}) : undefined;
			const collected = new CollectedPages(false);
			const items: INodeExecutionData[] = files?.items ?? [];
			const within = { finishBy, timeoutMs: CRAWL_TIMEOUT_MS, jobId: id };
			const settings = { ...poll.settings(within), limit, collected };
			const first = { status: 200, body };
			for await (const part of followPages(poll.caller, statusCall(poll, id), first, settings)) {
				const pages = collected.add(part).map(lean);
				if (files) await files.add(pages);
				else for (const page of pages) items.push({ json: page });
			}
			const message = collected.shortfall(body.completed);
			// They may just be late; but a crawl that failed may never have any.
			if (items.length === 0 && message !== undefined && jobStateOf(body.status) !== 'failed') {
				throw new ServiceError(message, { description: '' });
			}
			const isWhole = collected.received < (limit ?? Infinity);
			const crawlWarning = collected.warnings(isWhole && body.completed).join(' ');
			if (crawlWarning !== '') for (const { json } of items) json.crawlWarning = crawlWarning;
			return items;
		},
	};
}

const asServiceError = (error: unknown) => error as ServiceError;

function activityCall(cursor: string | undefined): ServiceCall {
	return {
		method: 'GET',
		path: '/v2/team/activity',
		query: {
			endpoint: 'crawl',
			limit: ACTIVITY_PAGE_SIZE,
			...(cursor !== undefined && { cursor }),
		},
	};
}

function nextCursor({ has_more: hasMore, cursor }: IDataObject): string | undefined {
	return hasMore === true && typeof cursor === 'string' ? cursor : undefined;
}

/** The v1 status is the one that api/openapi.yaml has. */
function statusCall(poll: Poll, id: string): ServiceCall {
	const checked = checkedId(id, { node: poll.context.getNode(), labels: ['Crawl'] });
	return { method: 'GET', path: pathTo('/v1/crawl/', checked) };
}

function seenCrawls(entries: unknown[], urlOf: (entry: IDataObject) => unknown): SeenCrawl[] {
	return entries.flatMap((entry) => {
		const { id, endpoint = 'crawl', created_at: created } = (entry ?? {}) as IDataObject;
		if (typeof id !== 'string' || id === '' || endpoint !== 'crawl') return [];
		const url = urlOf(entry as IDataObject);
		const createdAt = dateOf(created);
		return [
			{
				id,
				...(typeof url === 'string' && { url }),
				...(createdAt !== undefined && { createdAt }),
			},
		];
	});
}

/** Numbers below this are seconds since 1970 (until the year 5138), others ms (since 1973). */
const LEAST_MS = 1e11;

/** A date of the service in ms: an ISO date, or seconds or ms since 1970. Undefined for anything else. */
export function dateOf(value: unknown): number | undefined {
	const text = typeof value === 'string' ? value.trim() : value;
	const number = typeof text === 'string' && /^\d+(\.\d+)?$/.test(text) ? Number(text) : text;
	if (typeof number === 'number') {
		if (!Number.isFinite(number) || number <= 0) return undefined;
		return Math.round(number < LEAST_MS ? number * 1_000 : number);
	}
	const date = typeof number === 'string' ? Date.parse(number) : NaN;
	return Number.isFinite(date) ? date : undefined;
}
