import { jobIdField } from '../../shared/fields/jobId';
import { failOnPageErrors } from '../../shared/fields/options';
import { limitField, returnAllField } from '../../shared/fields/returnAll';
import { checkPageSettings, ifRunning, pageSettings, pagesOf } from '../../shared/jobs/jobPages';
import { maxWaitMinutes, waitForEnd } from '../../shared/jobs/waitForJob';
import type { Operation } from '../../shared/operation';
import { batchJob, failedUrls } from './batchJob';

const jobId = jobIdField('batch');

/** GET /v2/batch/scrape/{id} (beyond the document) and every `next`: an item per page. */
export const batchGetPages: Operation = {
	name: 'Batch: Get Pages',
	value: 'batchGetPages',
	action: 'Get the pages of a batch',
	description: 'Get the content of all pages of a batch that was started before',
	method: 'GET',
	path: '/v2/batch/scrape/{jobId}',
	fields: [jobId, returnAllField, limitField],
	options: [ifRunning, maxWaitMinutes, ...pageSettings],
	results: batchJob.results,
	check: checkPageSettings,
	execute: async (task) => {
		const id = task.form.need(jobId);
		if (task.form.get(ifRunning) === 'wait') await waitForEnd(task, batchJob, id);
		const pages = await pagesOf(task, batchJob, id);
		if (task.form.get(failOnPageErrors) !== true) return pages;
		const failed = (await failedUrls(task, id)).map(({ url, reason }) => ({
			json: { metadata: { sourceURL: url, error: reason }, batchId: id },
		}));
		return [...pages, ...failed];
	},
};
