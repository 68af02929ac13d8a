import type { IDataObject, IPollFunctions, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { followPages } from '../shared/jobs/pages';
import {
	callService,
	listOf,
	pathSegment,
	type CallSettings,
	type ServiceCall,
} from '../shared/transport';
import type { SeenCrawl } from './crawlWatch';
import type { CrawlService } from './poll';

/** How long (ms) a request for a list waits for a rate limit; longer ones are n8n's to wait for. */
const MAX_LIST_WAIT_MS = 10_000;

/** Timeouts (ms) of one request: for a list, and for a crawl with up to 10 MB of pages. */
const LIST_TIMEOUT_MS = 10_000;
const CRAWL_TIMEOUT_MS = 30_000;

const forLists: CallSettings = {
	maxWaitMs: MAX_LIST_WAIT_MS,
	http: { timeout: LIST_TIMEOUT_MS },
};

/** Activity answers hold 100 jobs at most; more than this many are not read in one poll. */
const ACTIVITY_PAGE_SIZE = 100;
const MAX_ACTIVITY_PAGES = 100;

/** The statuses of a service that has no activity endpoint, or not for this key. */
const NO_ACTIVITY_CODES = new Set(['400', '403', '404', '405', '501']);

/** The statuses of the activity list that hold for every other request, too. */
const COMMON_CODES = new Set(['401', '402', '429']);

/**
 * The requests of a poll, made with the node's credential. `limit` is how many pages of a crawl are
 * wanted. All throw what `callService` throws.
 */
export function crawlService(poll: IPollFunctions, limit: number | undefined): CrawlService {
	// n8n polls with one context for as long as the workflow is active, and the request path keeps the
	// credential it has read per context: one of its own per poll, and a changed key is used at once.
	const context = Object.create(poll) as IPollFunctions;
	// The v1 status is the one the API document shows.
	const statusCall = (id: string): ServiceCall => ({
		method: 'GET',
		path: `/v1/crawl/${pathSegment(id, 'Crawl', context.getNode())}`,
	});

	return {
		async listActive() {
			const { body } = await callService(
				context,
				{ method: 'GET', path: '/v2/crawl/active' },
				forLists,
			);
			if (!Array.isArray(body.crawls)) {
				throw new NodeApiError(context.getNode(), body as JsonObject, {
					message: 'The list of active crawls holds no crawls',
					description: 'Check that the Base URL of the credential leads to a Web Data Service.',
				});
			}
			return seenCrawls(body.crawls as IDataObject[], (crawl) => crawl.url);
		},

		async activity(isEnough) {
			const entries: SeenCrawl[] = [];
			let cursor: unknown;
			try {
				for (let read = 0; read < MAX_ACTIVITY_PAGES; read++) {
					const { body } = await callService(
						context,
						{
							method: 'GET',
							path: '/v2/team/activity',
							query: {
								endpoint: 'crawl',
								limit: ACTIVITY_PAGE_SIZE,
								...(typeof cursor === 'string' && { cursor }),
							},
						},
						forLists,
					);
					const page = seenCrawls(listOf(body.data), ({ target }) => target);
					entries.push(...page);
					const more = body.has_more === true && typeof body.cursor === 'string';
					if (!more || isEnough(entries, page)) return entries;
					cursor = body.cursor;
				}
				context.logger.warn(
					'The service reports more crawls than one poll reads; old ones are left out',
				);
				return entries;
			} catch (error) {
				const code = String((error as { httpCode?: unknown }).httpCode);
				if (NO_ACTIVITY_CODES.has(code)) return 'missing';
				if (COMMON_CODES.has(code)) throw new NodeApiError(context.getNode(), error as JsonObject);
				context.logger.warn(`The activity list could not be read: ${(error as Error).message}`);
				return undefined;
			}
		},

		async status(id, finishBy) {
			try {
				const settings = { jobId: id, ...within(finishBy) };
				return (await callService(context, statusCall(id), settings)).body;
			} catch (error) {
				if (String((error as { httpCode?: unknown }).httpCode) === '404') return undefined;
				throw new NodeApiError(context.getNode(), error as JsonObject);
			}
		},

		async pages(id, body, finishBy) {
			const pages: IDataObject[] = [];
			const first = { status: 200, body };
			const settings = { jobId: id, limit, ...within(finishBy) };
			for await (const part of followPages(context, statusCall(id), first, settings)) {
				for (const page of part) pages.push(page);
				// Nobody waits for them any longer.
				if (Date.now() > finishBy) {
					throw new NodeOperationError(context.getNode(), 'The poll is over');
				}
			}
			return pages;
		},
	};
}

/** Settings that keep one request within a poll's time. */
function within(finishBy: number) {
	const left = Math.max(1_000, finishBy - Date.now());
	return {
		maxWaitMs: Math.min(left, MAX_LIST_WAIT_MS),
		http: { timeout: Math.min(left, CRAWL_TIMEOUT_MS) },
	};
}

function seenCrawls(entries: unknown[], urlOf: (entry: IDataObject) => unknown): SeenCrawl[] {
	return entries.flatMap((entry) => {
		const { id, endpoint = 'crawl', created_at: createdAt } = entry as IDataObject;
		if (typeof id !== 'string' || id === '' || endpoint !== 'crawl') return [];
		const url = urlOf(entry as IDataObject);
		const date = Date.parse(String(createdAt));
		return [
			{
				id,
				...(typeof url === 'string' && { url }),
				...(Number.isFinite(date) && { createdAt: date }),
			},
		];
	});
}
