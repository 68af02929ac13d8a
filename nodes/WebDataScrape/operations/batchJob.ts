import { batchPageShape } from '../../shared/results/shapes';
import type { PagedJob } from '../../shared/jobs/jobPages';

/** GET /v2/batch/scrape/{id} (api/beyond.openapi.yaml) tells how a batch stands and gives its pages. */
export const batchJob: PagedJob = {
	what: 'batch',
	path: '/v2/batch/scrape/',
	getBy: 'Batch: Get Pages',
	prefix: 'batch',
	results: batchPageShape,
};
