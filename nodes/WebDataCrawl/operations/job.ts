import { crawlPageShape } from '../../shared/fields/shapes';
import { type PagedJob, pagesOf } from '../../shared/jobs/jobPages';
import { waitForEnd } from '../../shared/jobs/waitForJob';
import type { Done } from '../../shared/run/nodeRun';
import type { Task } from '../../shared/run/operation';

/**
 * A crawl; its status comes from v1 (CrawlStatus in api/openapi.yaml). It has the same pages as v2, but only v2 has
 * warnings and says what failed.
 */
export const crawlJob: PagedJob = {
	what: 'crawl',
	path: '/v1/crawl/',
	getBy: 'Get Pages',
	alsoListedIn: '"List Active"',
	prefix: 'crawl',
	results: crawlPageShape,
	reasons: {
		path: '/v2/crawl/',
		remedy:
			'Check the URL in a browser, and that Include Paths, Exclude Paths and the robots.txt of the site allow it. "Get Errors" lists what failed, which costs nothing.',
	},
};

/** Waits until a crawl has ended, and returns its pages. Throws ServiceError. */
export async function pagesOnceEnded(task: Task, id: string): Promise<Done> {
	const ended = await waitForEnd(task, crawlJob, id);
	return await pagesOf(task, crawlJob, id, ended);
}
