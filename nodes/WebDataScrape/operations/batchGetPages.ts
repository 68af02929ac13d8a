import { jobIdField } from '../../shared/fields/jobLocator';
import { ifRunning, maxWaitMinutes, pageSettings } from '../../shared/fields/jobOptions';
import { limitField, returnAllField, splitIntoItems } from '../../shared/fields/options';
import { pagesAs } from '../../shared/fields/shapes';
import { failedUrls } from '../../shared/jobs/failedUrls';
import { checkPageSettings, pagesOf } from '../../shared/jobs/jobPages';
import { waitForEnd } from '../../shared/jobs/waitForJob';
import type { Operation } from '../../shared/run/operation';
import { sentences } from '../../shared/base/text';
import { batchJob } from './batchJob';

const jobId = jobIdField('batch');

/** Returns an item per page of a batch, and one per URL without a page (api/beyond.openapi.yaml). */
export const batchGetPages: Operation = {
	name: 'Batch: Get Pages',
	value: 'batchGetPages',
	action: 'Get pages of batch',
	description: 'Get the pages of an earlier batch, and why others are missing',
	method: 'GET',
	path: '/v2/batch/scrape/{jobId}',
	fields: [jobId, returnAllField, limitField],
	options: [ifRunning, maxWaitMinutes, ...pageSettings],
	results: batchJob.results,
	check: checkPageSettings,
	execute: async (task) => {
		const { form } = task;
		const id = form.need(jobId);
		const waits = form.get(ifRunning) === 'wait';
		const ended = waits ? await waitForEnd(task, batchJob, id) : undefined;
		const done = await pagesOf(task, batchJob, id, ended);
		const { items: pages, about } = done;
		const limit = form.get(limitField) ?? Infinity;
		// A file's item says how many pages it contains.
		const counts = pages.map(({ json }) =>
			form.get(pagesAs) === 'files' ? Number(json.pages) : 1,
		);
		const count = counts.reduce((sum, each) => sum + each, 0);
		if (form.get(splitIntoItems) === false || count >= limit) return done;
		const { failed, warning } = await failedUrls(task, batchJob, id, about?.batchStatus);
		if (warning !== undefined) {
			if (pages.length === 0) pages.push({ json: { ...about } });
			for (const { json } of pages) {
				json.batchWarning = sentences([json.batchWarning, warning]);
			}
		}
		const others = failed.map(({ url, reason }) => ({
			json: { metadata: { sourceURL: url, error: reason }, ...about },
		}));
		return { ...done, items: [...pages, ...others.slice(0, limit - count)] };
	},
};
