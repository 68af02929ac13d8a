import { batchPageShape } from '../../shared/fields/shapes';
import type { PagedJob } from '../../shared/jobs/jobPages';

/** A batch; its status and pages come from GET /v2/batch/scrape/{id} (api/beyond.openapi.yaml). */
export const batchJob: PagedJob = {
	what: 'batch',
	path: '/v2/batch/scrape/',
	getBy: 'Batch: Get Pages',
	prefix: 'batch',
	results: batchPageShape,
};
