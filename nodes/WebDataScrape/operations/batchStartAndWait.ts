import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { failOnPageErrors, downloadFiles } from '../../shared/fields/options';
import { batchPageShape } from '../../shared/fields/results';
import { maxWaitMinutes, startJob, waitForEnd } from '../../shared/jobs/waitForJob';
import { spend } from '../../shared/engine/spending';
import { creditBudget } from '../../shared/fields/prices';
import type { Operation, Task } from '../../shared/operation';
import { batchFields, batchSettings, urlList } from './batchFields';
import { batchJob, failedUrls } from './batchJob';
import { readPages } from '../../shared/jobs/jobPages';
import {
	keyOfUrl,
	keysOfPage,
	batchPrice,
	sharedBatchOf,
	shareBatch,
	taskForAll,
} from './sharedBatch';

/** What came of a batch: the pages by the key of their URL, and why URLs have none. */
interface Outcome {
	id: string;
	pages: Map<string, IDataObject[]>;
	/** Pages of URLs that nobody asked for in that form. */
	others: IDataObject[];
	reasons: Map<string, string>;
}

/** POST /v2/batch/scrape (beyond the document), then its status until it has ended, then an item per page. */
export const batchStartAndWait: Operation = {
	name: 'Batch: Start and Wait',
	value: 'batchStartAndWait',
	action: 'Scrape many pages in one job',
	description: 'Scrape the pages of all items in one job, wait until it ends, and get the pages',
	method: 'POST',
	path: '/v2/batch/scrape',
	fields: batchFields,
	options: [maxWaitMinutes, failOnPageErrors, downloadFiles, ...batchSettings, creditBudget],
	results: batchPageShape,
	gather: shareBatch,
	execute: async (task) => {
		const batch = sharedBatchOf<Outcome>(task);
		batch.outcome ??= spend(task, batchPrice(task), async () => await scrapeAll(task));
		const { others, ...outcome } = await batch.outcome;
		const [first] = batch.items;
		const extra = task.form.place.itemIndex === first ? others : [];
		return [...pagesOfItem(task, outcome), ...extra.map((page) => pageItem(page, outcome.id))];
	},
};

async function scrapeAll(task: Task): Promise<Outcome> {
	const { id, invalidURLs } = await startJob(taskForAll(task), batchJob);
	await waitForEnd(task, batchJob, id);
	const pages = new Map<string, IDataObject[]>();
	const others: IDataObject[] = [];
	const { urls } = sharedBatchOf(task);
	for await (const chunk of readPages(task, batchJob, id)) {
		for (const page of chunk) {
			const key = keysOfPage(page).find((one) => urls.has(one));
			if (key === undefined) others.push(page);
			else pages.set(key, [...(pages.get(key) ?? []), page]);
		}
	}
	const reasons = new Map<string, string>();
	for (const url of (invalidURLs ?? []) as string[]) {
		reasons.set(keyOfUrl(url), 'The service does not take this URL');
	}
	const isMissing = [...urls.keys()].some((key) => !pages.has(key) && !reasons.has(key));
	if (isMissing) {
		for (const { url, reason } of await failedUrls(task, id)) reasons.set(keyOfUrl(url), reason);
	}
	return { id, pages, others, reasons };
}

/** An item for each page of an item's URLs, in their order, and for each URL that has none. */
function pagesOfItem(
	{ form }: Task,
	{ id, pages, reasons }: Omit<Outcome, 'others'>,
): INodeExecutionData[] {
	const urls = new Map(form.need(urlList).map((url) => [keyOfUrl(url), url]));
	return [...urls].flatMap(([key, url]) => {
		const error = reasons.get(key) ?? 'The service gave no page for this URL';
		const found = pages.get(key) ?? [{ metadata: { sourceURL: url, error } }];
		return found.map((page) => pageItem(page, id));
	});
}

const pageItem = (page: IDataObject, batchId: string): INodeExecutionData => ({
	json: { ...page, batchId },
});
