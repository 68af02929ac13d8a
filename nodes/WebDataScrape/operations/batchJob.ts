import { jobIdField } from '../../shared/fields/jobLocator';
import { batchPageShape } from '../../shared/fields/shapes';
import type { PagedJob } from '../../shared/jobs/readJob';

/** A batch; its status and pages come from GET /v2/batch/scrape/{id} (api/beyond.openapi.yaml). */
export const batchJob: PagedJob = {
	what: 'batch',
	paths: ['/v2/batch/scrape/'],
	getBy: 'Get Pages of Batch',
	results: batchPageShape,
	listsFailed: true,
};

export const jobId = jobIdField('batch');
