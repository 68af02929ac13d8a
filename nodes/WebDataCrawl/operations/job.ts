import type { Job } from '../../shared/jobs/waitForJob';

/** GET /v1/crawl/{id} (Crawl status) tells how a crawl stands; it gives the same pages as v2. */
export const crawlJob: Job = { what: 'crawl', path: '/v1/crawl/' };
