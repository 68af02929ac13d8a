import { ifRunning, maxWaitMinutes, pageSettings } from '../../shared/fields/jobOptions';
import { limitField, returnAllField } from '../../shared/fields/options';
import { checkPageSettings, pagesOf } from '../../shared/jobs/jobPages';
import type { Operation } from '../../shared/run/operation';
import { crawlField } from './crawlField';
import { crawlJob, pagesOnceEnded } from './job';

/** Reads the crawl's status and follows every `next`: an item per page. */
export const getPages: Operation = {
	name: 'Get Pages',
	value: 'getPages',
	action: 'Get pages of crawl',
	description: 'Get the content of all pages of a crawl, however large it is',
	method: 'GET',
	path: '/v1/crawl/{crawlId}',
	fields: [crawlField, returnAllField, limitField],
	options: [ifRunning, maxWaitMinutes, ...pageSettings],
	results: crawlJob.results,
	check: checkPageSettings,
	execute: async (task) => {
		const crawlId = task.form.need(crawlField);
		if (task.form.get(ifRunning) === 'wait') return await pagesOnceEnded(task, crawlId);
		return await pagesOf(task, crawlJob, crawlId);
	},
};
