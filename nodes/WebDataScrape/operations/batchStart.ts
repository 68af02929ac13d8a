import { creditBudget, spend } from '../../shared/credits/budget';
import { startJob } from '../../shared/jobs/waitForJob';
import type { Operation } from '../../shared/operation';
import { batchFields, batchSettings } from './batchFields';
import { batchJob } from './batchJob';
import { shareBatch, sharedBatchOf, taskForAll } from './sharedBatch';

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
	gather: shareBatch,
	execute: async (task) => {
		const batch = await sharedBatchOf(task);
		const whole = taskForAll(task, batch);
		batch.outcome ??= spend(whole, batch.urls.size, async () => await startJob(whole, batchJob));
		const started = await batch.outcome;
		const [first] = batch.items.keys();
		if (task.form.place.itemIndex !== first) return [];
		return [
			{
				json: { ...(started as object), urls: batch.urls.size },
				pairedItem: [...batch.items.keys()].map((item) => ({ item })),
			},
		];
	},
};
