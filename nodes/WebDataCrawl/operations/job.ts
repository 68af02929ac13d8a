import { crawlPageShape } from '../../shared/fields/results';
import type { PagedJob } from '../../shared/jobs/jobPages';

/**
 * GET /v1/crawl/{id} (CrawlStatus in api/openapi.yaml) tells how a crawl stands; it gives the same pages as v2, which alone
 * warns.
 */
export const crawlJob: PagedJob = {
	what: 'crawl',
	path: '/v1/crawl/',
	getBy: 'Get Pages',
	prefix: 'crawl',
	results: crawlPageShape,
	warningPath: '/v2/crawl/',
};
