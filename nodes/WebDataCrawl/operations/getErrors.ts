import { optionsField, splitIntoItems } from '../../shared/form/options';
import type { Operation } from '../../shared/operation';
import { listOf } from '../../shared/operation';
import { crawlField } from './crawlField';

/** GET /v2/crawl/{id}/errors (beyond the document): an item per page that failed or that robots.txt forbids. */
export const getErrors: Operation = {
	name: 'Get Errors',
	value: 'getErrors',
	action: 'Get the errors of a crawl',
	description: 'Get the pages that could not be crawled, and why',
	method: 'GET',
	path: '/v2/crawl/{crawlId}/errors',
	fields: [crawlField, optionsField([splitIntoItems], { body: false })],
	split: ({ errors, robotsBlocked }, { ids }) => [
		// "reason" because n8n takes an item with a field "error" for a failure of the node.
		...listOf(errors).map(({ error, ...page }) => ({
			crawlId: ids.crawlId,
			...page,
			reason: error,
			robotsBlocked: false,
		})),
		...(Array.isArray(robotsBlocked) ? robotsBlocked : []).map((url) => ({
			crawlId: ids.crawlId,
			url: url as string,
			reason: 'robots.txt of the site forbids this page',
			robotsBlocked: true,
		})),
	],
};
