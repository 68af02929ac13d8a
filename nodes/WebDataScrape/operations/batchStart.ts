import type { IDataObject } from 'n8n-workflow';

import { creditBudget } from '../../shared/run/creditBudget';
import { below } from '../../shared/form/checks';
import { type UrlEntry, checkAreUrls } from '../../shared/form/urls';
import { jobOfId } from '../../shared/jobs/job';
import { startJob, withInvalidUrls } from '../../shared/jobs/startJob';
import type { StartedJob } from '../../shared/client/errors/serviceError';
import type { Operation } from '../../shared/run/operation';
import { batchFields, batchPageOptions, batchSettings, urlList } from './batchFields';
import { batchJob } from './batchJob';
import { checkUrls, isOfFirst, onceForAll, shareBatch, sharedBatchOf } from './sharedBatch';

interface StartedBatch {
	response: IDataObject;
	credits?: undefined;
	job: StartedJob;
}

/** Starts the jobs (api/beyond.openapi.yaml): an item per job, paired with all items that share it. */
export const batchStart: Operation<UrlEntry[]> = {
	name: 'Start Scraping Many Pages',
	description: 'Start a job that scrapes many pages, and get its ID',
	method: 'POST',
	path: '/v2/batch/scrape',
	fields: batchFields,
	options: [...batchPageOptions, ...batchSettings, creditBudget],
	check: checkUrls,
	prepare: shareBatch,
	execute: async (task, entries) => {
		const batch = await sharedBatchOf<StartedBatch>(task);
		if (batch.urls.size === 0) checkAreUrls(entries, below(task.form.place, urlList.displayName));
		const { response, job } = await onceForAll(task, batch, async (whole) => {
			const started = await startJob(whole, batchJob);
			return { response: started, job: jobOfId(batchJob, started.id) };
		});
		if (!isOfFirst(task, batch)) return { items: [], job };
		const json = { ...withInvalidUrls(response, [...batch.others.keys()]), urls: batch.urls.size };
		const pairedItem = [...batch.items.keys()].map((item) => ({ item }));
		return { items: [{ json, pairedItem }], job };
	},
};
