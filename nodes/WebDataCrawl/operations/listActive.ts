import { choiceField } from '../../shared/form/controls';
import { splitIntoItems } from '../../shared/fields/options';
import type { Operation } from '../../shared/run/operation';
import { activeCrawlShape } from '../../shared/fields/jobShapes';
import { withJobs } from '../../shared/jobs/jobLists';
import { objectsIn } from '../../shared/run/results/response';

const apiVersion = choiceField<'v1' | 'v2'>('apiVersion', 'API Version', {
	default: 'v2',
	description: "The shape of each crawl's scrape options",
	choices: [
		['v2', 'V2 (Current)'],
		['v1', 'V1 (Older)', 'For workflows built on its shape'],
	],
	wire: { mayBeEmpty: true, in: 'settings' },
});

/** Returns the team's running crawls from GET /v2/crawl/active, or from the v1 equivalent. */
export const listActive: Operation = {
	name: 'List Active Crawls',
	description: "List your team's crawls that are running now",
	method: 'GET',
	path: '/v2/crawl/active',
	otherPath: ({ get }) => `/${get(apiVersion) ?? 'v2'}/crawl/active`,
	fields: [],
	options: [splitIntoItems, apiVersion],
	results: activeCrawlShape,
	resultsKey: 'crawls',
	select: (response) => withJobs(response, 'crawls'),
	split: (response) => objectsIn(response, 'crawls'),
};
