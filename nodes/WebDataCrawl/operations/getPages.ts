import { ifRunning, maxWaitMinutes, pageSettings } from '../../shared/fields/jobOptions';
import { limitField, returnAllField } from '../../shared/fields/options';
import { checkPageSettings, getPagesOf } from '../../shared/jobs/jobPages';
import type { Operation } from '../../shared/run/operation';
import { crawlField } from './crawlField';
import { crawlJob } from '../../shared/jobs/crawlJob';
import { crawlJobOf, statusVersion } from './statusVersion';

/** Reads the crawl's status, follows each `next` link, and returns one item per page. */
export const getPages: Operation = {
	name: 'Get Pages of Crawl',
	description: 'Get the content of all pages of a crawl, however large it is',
	method: 'GET',
	path: '/v2/crawl/{crawlId}',
	fields: [crawlField, returnAllField, limitField],
	options: [ifRunning, maxWaitMinutes, ...pageSettings, statusVersion],
	results: crawlJob.results,
	check: checkPageSettings,
	execute: getPagesOf(crawlJobOf, crawlField),
};
