import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Report } from './crawlState';

/**
 * What is reported of one crawl: the service's status response without its pages, with the crawl's id,
 * URL, creation date (where known) and `event`. `fetchError` says why there is no more than that.
 * Not named `error`: n8n takes an item with a truthy `error` for a failed one.
 */
function summaryOfReport({ crawl, outcome }: Report): IDataObject {
	const { response = {} } = outcome;
	const createdAt =
		response.createdAt ??
		(crawl.createdAt === undefined ? undefined : new Date(crawl.createdAt).toISOString());
	return {
		...response,
		id: crawl.id,
		...(crawl.url !== undefined && { url: crawl.url }),
		status: response.status ?? 'unknown',
		...(createdAt !== undefined && { createdAt }),
		...(outcome.kind === 'ended'
			? { event: outcome.event }
			: { event: 'unreachable', fetchError: outcome.reason }),
	};
}

/**
 * A report as items: the summary, or those of its pages with the summary in `crawl`. A crawl without
 * pages, or whose pages couldn't be had, is one item all the same: no end goes unnoticed.
 */
export function reportToItems(report: Report, withPages: boolean): INodeExecutionData[] {
	const crawl = summaryOfReport(report);
	if (!withPages) return [{ json: crawl }];
	const pages = report.outcome.kind === 'ended' ? (report.outcome.pages ?? []) : [];
	if (pages.length === 0) return [{ json: { crawl } }];
	return pages.map((page) => ({ ...page, json: { ...page.json, crawl } }));
}
