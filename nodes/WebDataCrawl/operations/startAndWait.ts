import { maxWaitMinutes, pageSettings } from '../../shared/fields/jobOptions';
import { pageEntries } from '../../shared/fields/schema';
import { startJob, withStartWarning } from '../../shared/jobs/startJob';
import { waitForEnd } from '../../shared/jobs/waitForJob';
import { numberOf } from '../../shared/base/json';
import { checkPageCount, checkPageSettings, pagesOf } from '../../shared/jobs/jobPages';
import { crawlPrice } from '../../shared/fields/prices';
import type { Operation } from '../../shared/run/operation';
import { crawlJob } from '../../shared/jobs/crawlJob';
import { maxPages, startFields, startOptions, startSettings } from './startFields';

/** Starts a crawl, waits until it has ended, then returns an item per page (api/beyond.openapi.yaml). */
export const startAndWait: Operation = {
	name: 'Crawl Site and Get Pages',
	description: 'Start a crawl, wait until it ends, and get its pages; best for small crawls',
	method: 'POST',
	path: '/v2/crawl',
	fields: [...startFields, pageEntries],
	options: [...startOptions, maxWaitMinutes, ...pageSettings, ...startSettings],
	results: crawlJob.results,
	price: crawlPrice,
	check: (form) => {
		checkPageSettings(form);
		checkPageCount(form, numberOf(form.body.limit), maxPages.displayName);
	},
	execute: async (task) => {
		const started = await startJob(task, crawlJob, { isAwaited: true });
		const of = { task, job: crawlJob, id: started.id };
		const asked = numberOf(task.form.body.limit) || undefined;
		const end = await waitForEnd(of, { asked });
		const status = withStartWarning(started, end.status);
		return await pagesOf(of, { end: { ...end, status }, asked });
	},
};
