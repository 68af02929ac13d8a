import { crawlPageShape } from '../fields/shapes';
import type { PagedJob } from './readJob';

const V1 = '/v1/crawl/';
const V2 = '/v2/crawl/';

/**
 * A crawl. It is read from v2, which is also what starts it, because some services don't know it elsewhere. v1
 * (CrawlStatus in api/openapi.yaml) returns the same pages, but no warnings.
 */
export const crawlJob: PagedJob = {
	what: 'crawl',
	paths: [V2, V1],
	getBy: 'Get Pages of Crawl',
	alsoListedIn: '"List Active Crawls"',
	results: crawlPageShape,
	limitLabel: 'Max Pages',
	remedy:
		'Check the URL in a browser, and that Include Paths, Exclude Paths and the robots.txt of the site allow it. "Get Crawl Errors" lists what failed, which costs nothing.',
};

export const crawlJobV1: PagedJob = { ...crawlJob, paths: [V1, V2] };
