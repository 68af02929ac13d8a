import { ifRunning, maxWaitMinutes, pageSettings } from '../../shared/fields/jobOptions';
import { limitField, returnAllField } from '../../shared/fields/options';
import { checkPageSettings, getPagesOf } from '../../shared/jobs/jobPages';
import type { Operation } from '../../shared/run/operation';
import { batchJob, jobId } from './batchJob';

/** Returns an item per page of a batch, and one per URL without a page (api/beyond.openapi.yaml). */
export const batchGetPages: Operation = {
	name: 'Get Pages of Batch',
	description: 'Get the pages of an earlier batch, and why others are missing',
	method: 'GET',
	path: '/v2/batch/scrape/{jobId}',
	fields: [jobId, returnAllField, limitField],
	options: [ifRunning, maxWaitMinutes, ...pageSettings],
	results: batchJob.results,
	check: checkPageSettings,
	execute: getPagesOf(() => batchJob, jobId),
};
