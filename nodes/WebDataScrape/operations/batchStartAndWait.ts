import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { simplifierFor } from '../../shared/run/results/simplify';
import { creditBudget, creditsIn } from '../../shared/run/creditBudget';
import { downloadFiles, failOnPageErrors } from '../../shared/fields/options';
import { maxWaitMinutes } from '../../shared/fields/jobOptions';
import { fieldsToReturn, pagesAs } from '../../shared/fields/shapes';
import { failedUrls, leftReason } from '../../shared/jobs/failedUrls';
import {
	checkNoPages,
	checkNotCancelled,
	checkPageCount,
	checkPageSettings,
	checkOverflow,
	collectedFor,
	endWarning,
	filesFor,
	firstResponse,
	readPages,
	keptFields,
	warningText,
} from '../../shared/jobs/jobPages';
import { jobStateOf } from '../../shared/jobs/jobState';
import { type StartedJob, naming } from '../../shared/client/errors/serviceError';
import { jobOfId, startJob, waitForEnd } from '../../shared/jobs/waitForJob';
import type { Operation, Task } from '../../shared/run/operation';
import { sentences } from '../../shared/base/text';
import { breathe } from '../../shared/base/time';
import { batchFields, batchSettings, urlList } from './batchFields';
import { batchJob } from './batchJob';
import { BatchPages } from './batchPages';
import {
	type SharedBatch,
	checkUrls,
	entriesOf,
	onceForAll,
	shareBatch,
	sharedBatchOf,
} from './sharedBatch';

interface BatchOutcome {
	job?: StartedJob;
	credits?: number;
	about: IDataObject;
	pages: BatchPages;
	/** What belongs to all items: pages of URLs that nobody asked for, and files of pages. */
	others: INodeExecutionData[];
}

/** Starts the jobs, waits until they have ended, then returns an item per page (api/beyond.openapi.yaml). */
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
		checkUrls(form);
		checkPageSettings(form);
		checkPageCount(form, entriesOf(form).length, urlList.displayName);
	},
	gather: shareBatch,
	execute: async (task) => {
		const batch = await sharedBatchOf<BatchOutcome>(task);
		if (batch.urls.size === 0) {
			const nothing = { about: {}, pages: new BatchPages(batch.urls), others: [] };
			batch.outcome ??= Promise.resolve(nothing);
		}
		const { about, pages, others, job } = await onceForAll(
			task,
			batch,
			async (whole) => await scrapeAll(whole, batch),
		);
		for (const [entry, reason] of batch.others) pages.explain(entry, reason);
		// All items get here at the same time.
		await breathe();
		const { itemIndex } = task.form.place;
		const [first] = batch.items.keys();
		const own = pages.of(batch.items.get(itemIndex)!);
		const extra = itemIndex === first ? others : [];
		return { items: [...own.map((page) => ({ json: { ...page, ...about } })), ...extra], job };
	},
};

async function scrapeAll(task: Task, batch: SharedBatch): Promise<BatchOutcome> {
	const { id, invalidURLs } = await startJob(task, batchJob);
	const end = await waitForEnd(task, batchJob, id);
	const job = jobOfId(batchJob, id);
	const credits = creditsIn(end);
	const read = async () => await readAll(task, batch, end, { id, invalidURLs });
	const outcome = await naming(job, read, { credits });
	return { ...outcome, job, credits: credits ?? outcome.credits };
}

/** Returns the pages of a batch that has ended. */
async function readAll(
	task: Task,
	batch: SharedBatch,
	end: IDataObject,
	{ id, invalidURLs }: { id: string; invalidURLs: unknown },
): Promise<BatchOutcome> {
	const about: IDataObject = { batchId: id, batchStatus: end.status };
	const pages = new BatchPages(batch.urls);
	const files = filesFor(task, batchJob, id, about);
	const simplified = simplifierFor(batchJob.results, task.form);
	const collected = collectedFor(task);
	const first = await firstResponse(task, batchJob, id, end);
	for await (const chunk of readPages(task, batchJob, id, collected, first)) {
		const fresh = collected.add(chunk.map((page) => keptFields(page, task.form)));
		for (const page of fresh) pages.add(page, files === undefined);
		await files?.add(fresh.map(simplified));
		checkOverflow(collected, batchJob, id);
	}
	for (const url of Array.isArray(invalidURLs) ? invalidURLs : []) {
		pages.explain(url, 'The service does not accept this URL');
	}
	pages.pairLikely();
	let unread: string | undefined;
	if (pages.missing.length > 0) {
		const { failed, warning } = await failedUrls(task, batchJob, id, end.status);
		for (const { url, reason } of failed) pages.explain(url, reason);
		unread = warning;
	}
	const isEmpty = collected.count + pages.explained === 0;
	if (isEmpty) {
		checkNoPages(batchJob, { id, body: first.body, collected });
		checkNotCancelled(task, batchJob, id, first.body);
	}
	if (jobStateOf(end.status) === 'cancelled') {
		for (const key of pages.missing) pages.explain(key, leftReason(batchJob.what));
	}
	const warning = sentences([
		endWarning(batchJob, end),
		warningText(end),
		...collected.warnings(end.completed),
		unread,
	]);
	if (warning !== '') about.batchWarning = warning;
	const pairedItem = [...batch.items.keys()].map((item) => ({ item }));
	const strays = pages.others.map((json) => ({ json }));
	const others = [...strays, ...(files?.items ?? [])].map((item) => ({
		...item,
		json: { ...item.json, ...about },
		pairedItem,
	}));
	return { about, pages, others, credits: collected.credits };
}
