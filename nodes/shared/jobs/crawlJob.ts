import { crawlPageShape } from '../fields/shapes';
import type { PagedJob } from './readJob';

const V1 = '/v1/crawl/';
const V2 = '/v2/crawl/';

/**
 * A crawl. It is read on v2, which starts it, as services may not know it elsewhere; v1 (CrawlStatus in api/openapi.yaml)
 * gives the same pages, but doesn't warn.
 */
export const crawlJob: PagedJob = {
	what: 'crawl',
	paths: [V2, V1],
	getBy: 'Get Pages',
	alsoListedIn: '"List Active"',
	prefix: 'crawl',
	results: crawlPageShape,
	remedy:
		'Check the URL in a browser, and that Include Paths, Exclude Paths and the robots.txt of the site allow it. "Get Errors" lists what failed, which costs nothing.',
};

/** A crawl that is read on v1. */
export const crawlJobV1: PagedJob = { ...crawlJob, paths: [V1, V2] };
