import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { type StartedJob, naming } from '../../shared/client/errors/serviceError';
import { plural, sentences, shortened } from '../../shared/base/text';
import { breathe } from '../../shared/base/time';
import { keyOfUrl } from '../../shared/base/url';
import { maxWaitMinutes, pagesAs } from '../../shared/fields/jobOptions';
import { downloadFiles, failedPages } from '../../shared/fields/options';
import { pageEntries } from '../../shared/fields/schema';
import { leftReason } from '../../shared/jobs/failedUrls';
import type { UrlEntry } from '../../shared/form/urls';
import { jobOfId } from '../../shared/jobs/job';
import {
	checkNoPages,
	checkPageCount,
	checkPageSettings,
	warningOf,
} from '../../shared/jobs/jobPages';
import { jobStateOf } from '../../shared/jobs/jobState';
import { type JobPages, type ReadOptions, readJob } from '../../shared/jobs/readJob';
import { invalidUrlsIn, startJob, withStartWarning } from '../../shared/jobs/startJob';
import { creditsOf, endOf, waitForEnd } from '../../shared/jobs/waitForJob';
import { creditBudget } from '../../shared/run/creditBudget';
import type { Operation, Task } from '../../shared/run/operation';
import { restOf } from '../../shared/run/results/response';
import { batchFields, batchPageOptions, batchSettings, urlList } from './batchFields';
import { batchJob } from './batchJob';
import { BatchPages, type Came, keyIn, keysOfPage } from './batchPages';
import {
	type SharedBatch,
	checkUrls,
	isOfFirst,
	onceForAll,
	shareBatch,
	sharedBatchOf,
} from './sharedBatch';

/** Maximum number of URLs without a page that a warning names; their items name all. */
const MOST_NAMED = 3;

interface BatchOutcome {
	job?: StartedJob;
	credits?: number;
	about: IDataObject;
	pages: BatchPages;
	/** What belongs to no single item: pages whose URLs weren't requested, and files with pages. */
	others: INodeExecutionData[];
}

/** Starts the jobs, waits until they have ended, then returns an item per page (api/beyond.openapi.yaml). */
export const batchStartAndWait: Operation<UrlEntry[]> = {
	name: 'Scrape Many Pages and Wait',
	description: 'Scrape many pages in one job, wait until it ends, and get the pages',
	method: 'POST',
	path: '/v2/batch/scrape',
	fields: [...batchFields, pageEntries],
	options: [
		...batchPageOptions,
		maxWaitMinutes,
		pagesAs,
		downloadFiles,
		failedPages,
		...batchSettings,
		creditBudget,
	],
	results: batchJob.results,
	check: (form) => {
		const entries = checkUrls(form);
		checkPageSettings(form);
		checkPageCount(form, entries.length, urlList.displayName);
		return entries;
	},
	prepare: shareBatch,
	execute: async (task) => {
		const batch = await sharedBatchOf<BatchOutcome>(task);
		if (batch.urls.size === 0) {
			const pages = new BatchPages(batch.urls, batch.others);
			batch.outcome ??= Promise.resolve({ about: {}, pages, others: [] });
		}
		const work = async (whole: Task) => await scrapeAll(whole, batch);
		const { about, pages, others, job } = await onceForAll(task, batch, work);
		// All items get here at the same time.
		await breathe();
		const own = pages.of(batch.items.get(task.form.place.itemIndex)!);
		const extra = isOfFirst(task, batch) ? others : [];
		const items = [...own.map((page) => ({ json: { ...page, ...about } })), ...extra];
		return { items, job, isCounted: true };
	},
};

async function scrapeAll(task: Task, batch: SharedBatch): Promise<BatchOutcome> {
	const started = await startJob(task, batchJob, { isAwaited: true });
	const { id } = started;
	const asked = Math.max(0, batch.urls.size - invalidUrlsIn(started).length);
	const known = { asked, owesAll: true };
	const ended = await waitForEnd({ task, job: batchJob, id }, known);
	const end = { ...ended, status: withStartWarning(started, ended.status) };
	const job = jobOfId(batchJob, id);
	const read = async () => await readAll(task, batch, started, { end, ...known });
	return { ...(await naming(job, read, { credits: creditsOf(end) })), job };
}

/** Reads the pages of a batch that has ended, and assigns them to the URLs of its items. */
async function readAll(
	task: Task,
	batch: SharedBatch,
	started: IDataObject & { id: string },
	reading: ReadOptions,
): Promise<BatchOutcome> {
	const { id } = started;
	const came: Came[] = [];
	const owed = new Set<string | undefined>(batch.urls.keys());
	const take = (one: Came) => {
		came.push(one);
		owed.delete(keyIn(batch.urls, one));
	};
	const lack = (url: unknown, reason: string) => take({ keys: [keyOfUrl(url)], reason });
	for (const url of invalidUrlsIn(started)) lack(url, 'The service does not accept this URL');
	const isKept = task.form.get(pagesAs) !== 'files';
	const of = { task, job: batchJob, id };
	const read = await readJob(of, {
		...reading,
		take: (page) => take({ keys: keysOfPage(page), ...(isKept && { page }) }),
		owes: () => owed.size > 0,
	});
	for (const { url, reason } of read.failed) lack(url, reason);
	if (came.length === 0) checkNoPages(of, read);
	const pages = new BatchPages(batch.urls, batch.others);
	await pages.take(came);
	if (jobStateOf(read.status.status) === 'cancelled') {
		for (const key of pages.missing) pages.explain(key, leftReason(batchJob.what));
	}
	const warning = sentences([warningOf(batchJob, read), missingText(batch.urls, pages, id, read)]);
	const about = {
		...read.about,
		...(warning === '' ? {} : { batchWarning: warning }),
		...restOf(read.status, task.form),
	};
	const pairedItem = [...batch.items.keys()].map((item) => ({ item }));
	const strays = pages.others.map((json) => ({ json }));
	const others = [...strays, ...(read.files?.items ?? [])].map((item) => ({
		...item,
		json: { ...item.json, ...about },
		pairedItem,
	}));
	return { about, pages, others, credits: read.credits };
}

/**
 * Returns a warning that the batch has ended without some of its URLs; empty if there are none, or if another warning
 * already explains why.
 */
function missingText(
	asked: Map<string, string>,
	{ missing, unpaired }: BatchPages,
	id: string,
	read: JobPages,
): string {
	const { status, shortfall } = read;
	if (missing.length === 0 || isPart(read) || endOf(batchJob, status) !== '') return '';
	const named = missing.slice(0, MOST_NAMED).map((key) => shortened(asked.get(key)!));
	const more = missing.length - named.length;
	return sentences([
		`Of ${asked.size} ${plural(asked.size, 'URL')}, ${missing.length} came back with neither a page nor a reason: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
		unpaired > 0 &&
			`${unpaired} ${plural(unpaired, 'page')} came under URLs that nobody asked for, and may be theirs.`,
		shortfall === undefined &&
			unpaired < missing.length &&
			`If they follow, "${batchJob.getBy}" with the job ID ${id} gets them at no cost.`,
	]);
}

/** Whether the pages or the reasons could not all be read. */
function isPart({ warnings, collected }: JobPages): boolean {
	return warnings.some((text) => text !== collected.warning);
}
