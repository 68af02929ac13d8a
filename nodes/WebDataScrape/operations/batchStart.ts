import { spend } from '../../shared/engine/spending';
import { creditBudget } from '../../shared/fields/prices';
import { startJob } from '../../shared/jobs/waitForJob';
import type { Operation } from '../../shared/operation';
import { batchFields, batchSettings } from './batchFields';
import { batchJob } from './batchJob';
import { batchPrice, sharedBatchOf, shareBatch, taskForAll } from './sharedBatch';

/** POST /v2/batch/scrape (api/beyond.openapi.yaml): an item per job, paired with all items that share it. */
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
		batch.outcome ??= spend(
			whole,
			batchPrice(task, batch),
			async () => await startJob(whole, batchJob),
		);
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
