import { splitIntoItems } from '../../shared/fields/options';
import { FORBIDDEN_BY_ROBOTS, blockedUrls } from '../../shared/jobs/failedUrls';
import type { Operation } from '../../shared/operation';
import { objectsIn } from '../../shared/results/required';
import { crawlField } from './crawlField';

/** Gives an item per page that failed or that robots.txt forbids (api/beyond.openapi.yaml). */
export const getErrors: Operation = {
	name: 'Get Errors',
	value: 'getErrors',
	action: 'Get the errors of a crawl',
	description: 'Get the pages that could not be crawled, and why',
	method: 'GET',
	path: '/v2/crawl/{crawlId}/errors',
	fields: [crawlField],
	options: [splitIntoItems],
	split: (response, form) => [
		// Named "reason" because n8n takes an item with a field "error" for a failure of the node.
		...objectsIn(response, 'errors').map(({ error, ...page }) => ({
			crawlId: form.need(crawlField),
			...page,
			reason: error,
			robotsBlocked: false,
		})),
		...blockedUrls(response).map((url) => ({
			crawlId: form.need(crawlField),
			url: url as string,
			reason: FORBIDDEN_BY_ROBOTS,
			robotsBlocked: true,
		})),
	],
};
