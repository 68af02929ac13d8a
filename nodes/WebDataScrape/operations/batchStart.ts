import type { IDataObject } from 'n8n-workflow';

import { creditBudget, spend } from '../../shared/credits/budget';
import { below } from '../../shared/form/checks';
import { noUrl } from '../../shared/form/urls';
import { startJob } from '../../shared/jobs/waitForJob';
import type { Operation } from '../../shared/operation';
import { withInvalidUrls } from '../../shared/url';
import { batchFields, batchSettings, urlList } from './batchFields';
import { batchJob } from './batchJob';
import { checkUrls, shareBatch, sharedBatchOf, taskForAll } from './sharedBatch';

/** Starts the jobs (api/beyond.openapi.yaml): an item per job, paired with all items that share it. */
export const batchStart: Operation = {
	name: 'Batch: Start',
	value: 'batchStart',
	action: 'Start scraping many pages',
	description: 'Start a job that scrapes many pages, and get its ID',
	method: 'POST',
	path: '/v2/batch/scrape',
	fields: batchFields,
	options: [...batchSettings, creditBudget],
	check: checkUrls,
	gather: shareBatch,
	execute: async (task) => {
		const batch = await sharedBatchOf(task);
		const whole = await taskForAll(task, batch);
		const others = [...batch.others.keys()];
		if (batch.urls.size === 0) throw noUrl(others, below(task.form.place, urlList.displayName));
		batch.outcome ??= spend(whole, batch.urls.size, async () => await startJob(whole, batchJob));
		const started = await batch.outcome;
		const [first] = batch.items.keys();
		if (task.form.place.itemIndex !== first) return [];
		return [
			{
				json: {
					...withInvalidUrls(started as IDataObject, others),
					urls: batch.urls.size + others.length,
				},
				pairedItem: [...batch.items.keys()].map((item) => ({ item })),
			},
		];
	},
};
