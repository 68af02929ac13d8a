import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { leaner } from '../../shared/engine/lean';
import { spend } from '../../shared/engine/spending';
import { downloadFiles, failOnPageErrors } from '../../shared/fields/options';
import { creditBudget } from '../../shared/fields/prices';
import { fieldsToReturn, pagesAs } from '../../shared/fields/results';
import { CollectedPages } from '../../shared/jobs/collectedPages';
import {
	checkNoPages,
	checkPageCount,
	checkPageSettings,
	filesFor,
	readPages,
	thinned,
} from '../../shared/jobs/jobPages';
import { maxWaitMinutes, startJob, waitForEnd } from '../../shared/jobs/waitForJob';
import type { Operation, Task } from '../../shared/operation';
import { textOf } from '../../shared/json';
import { keyOfUrl } from '../../shared/keyOfUrl';
import { turns } from '../../shared/transport';
import { batchFields, batchSettings, urlList } from './batchFields';
import { batchJob, failedUrls } from './batchJob';
import {
	batchPrice,
	keysOfPage,
	likelyPages,
	sharedBatchOf,
	shareBatch,
	taskForAll,
	urlsOf,
	type SharedBatch,
} from './sharedBatch';

/** What came of a batch: the pages by the key of their URL, and why URLs have none. */
interface BatchOutcome {
	/** What each item says of the batch. */
	about: IDataObject;
	pages: Map<string, IDataObject[]>;
	/** Pages of URLs that nobody asked for, and files of pages where these are asked for: of all items. */
	others: INodeExecutionData[];
	/** Keys of the URLs whose pages are in files. */
	inFiles: Set<string>;
	reasons: Map<string, string>;
}

/** POST /v2/batch/scrape (api/beyond.openapi.yaml), then its status until it has ended, then an item per page. */
export const batchStartAndWait: Operation = {
	name: 'Batch: Start and Wait',
	value: 'batchStartAndWait',
	action: 'Scrape many pages in one job',
	description: 'Scrape many pages in one job, wait until it ends, and get the pages',
	method: 'POST',
	path: '/v2/batch/scrape',
	fields: batchFields,
	options: [
		maxWaitMinutes,
		pagesAs,
		fieldsToReturn,
		failOnPageErrors,
		downloadFiles,
		...batchSettings,
		creditBudget,
	],
	results: batchJob.results,
	check: (form) => {
		checkPageSettings(form);
		checkPageCount(form, urlsOf(form).length, urlList.displayName);
	},
	gather: shareBatch,
	execute: async (task) => {
		const batch = await sharedBatchOf<BatchOutcome>(task);
		const start = taskForAll(task, batch);
		batch.outcome ??= spend(
			start,
			batchPrice(task, batch),
			async () => await scrapeAll(start, batch),
		);
		const { others, ...outcome } = await batch.outcome;
		task.used.jobId ??= textOf(outcome.about.batchId);
		// All items go on at once.
		await turns.take();
		const [first] = batch.items;
		const extra = task.form.place.itemIndex === first ? others : [];
		return [...pagesOfItem(task, outcome), ...extra];
	},
};

async function scrapeAll(task: Task, batch: SharedBatch): Promise<BatchOutcome> {
	const { id, invalidURLs } = await startJob(task, batchJob);
	const end = await waitForEnd(task, batchJob, id);
	const about: IDataObject = { batchId: id, batchStatus: end.status };
	const pages = new Map<string, IDataObject[]>();
	const strays: Array<{ keys: string[]; page?: IDataObject }> = [];
	const { urls, items } = batch;
	const files = filesFor(task, batchJob, id, about);
	const inFiles = new Set<string>();
	const lean = leaner(batchJob.results, task.form);
	const collected = new CollectedPages(files === undefined);
	const give = (key: string, page?: IDataObject) => {
		if (page) pages.set(key, [...(pages.get(key) ?? []), page]);
		else inFiles.add(key);
	};
	for await (const chunk of readPages(task, batchJob, id, collected)) {
		const fresh = collected.add(chunk.map((page) => thinned(page, task.form)));
		for (const page of fresh) {
			const keys = keysOfPage(page);
			const key = keys.find((one) => urls.has(one));
			const kept = files ? undefined : page;
			if (key === undefined) strays.push({ keys, page: kept });
			else give(key, kept);
		}
		await files?.add(fresh.map(lean));
	}
	const reasons = new Map<string, string>();
	for (const url of Array.isArray(invalidURLs) ? invalidURLs : []) {
		reasons.set(keyOfUrl(url), 'The service does not accept this URL');
	}
	const missing = () =>
		[...urls.keys()].filter((key) => !pages.has(key) && !inFiles.has(key) && !reasons.has(key));
	// Services send some URLs back in a form of their own.
	const likely = likelyPages(strays, missing());
	for (const [key, { page }] of likely) give(key, page);
	const paired = new Set(likely.values());
	if (missing().length > 0) {
		for (const { url, reason } of await failedUrls(task, id)) reasons.set(keyOfUrl(url), reason);
	}
	const isEmpty = collected.count + reasons.size === 0;
	if (isEmpty) checkNoPages(task, batchJob, { id, body: end, collected });
	const warnings = [end.warning, ...collected.warnings(end.completed)].filter((one) => one);
	if (warnings.length > 0) about.batchWarning = warnings.join(' ');
	const pairedItem = items.map((item) => ({ item }));
	const strayPages = strays
		.filter((stray) => !paired.has(stray))
		.flatMap(({ page }) => (page ? [{ json: page }] : []));
	const others = [...strayPages, ...(files?.items ?? [])].map((item) => ({
		...item,
		json: { ...item.json, ...about },
		pairedItem,
	}));
	return { about, pages, inFiles, others, reasons };
}

/** An item for each page of an item's URLs, in their order, and for each URL that has none. */
function pagesOfItem(
	{ form }: Task,
	{ about, pages, inFiles, reasons }: Omit<BatchOutcome, 'others'>,
): INodeExecutionData[] {
	const urls = new Map(urlsOf(form).map((url) => [keyOfUrl(url), url]));
	return [...urls].flatMap(([key, url]) => {
		if (inFiles.has(key)) return [];
		const error = reasons.get(key) ?? 'The service gave no page for this URL';
		const found = pages.get(key) ?? [{ metadata: { sourceURL: url, error } }];
		return found.map((page) => pageItem(page, about));
	});
}

const pageItem = (page: IDataObject, about: IDataObject): INodeExecutionData => ({
	json: { ...page, ...about },
});
