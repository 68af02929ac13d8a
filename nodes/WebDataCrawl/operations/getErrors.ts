import { splitIntoItems } from '../../shared/fields/options';
import {
	FORBIDDEN_BY_ROBOTS,
	blockedUrls,
	errorsIn,
	failedUrl,
} from '../../shared/jobs/failedUrls';
import type { Operation, Task } from '../../shared/run/operation';
import { callService, checkStopped } from '../../shared/client/call';
import { readStatus } from '../../shared/jobs/job';
import { without } from '../../shared/base/json';
import { madeOf } from '../../shared/base/time';
import { logWarning, withRest } from '../../shared/run/results/response';
import { crawlField } from './crawlField';
import { crawlJob } from '../../shared/jobs/crawlJob';

/** Returns one item for each page that failed or is disallowed by robots.txt (api/beyond.openapi.yaml). */
export const getErrors: Operation = {
	name: 'Get Crawl Errors',
	description: 'Get the pages that could not be crawled, and why',
	method: 'GET',
	path: '/v2/crawl/{crawlId}/errors',
	fields: [crawlField],
	options: [splitIntoItems],
	execute: async (task) => {
		const crawlId = task.form.value(crawlField);
		const { body } = await callService(task, task.call, task.settings);
		if (task.form.get(splitIntoItems) === false) return { items: [{ json: body }] };
		const errors = errorsIn(body);
		const mayBeLeft = errors.some((page) => failedUrl(page, crawlJob, 'cancelled').isLeft);
		const status = mayBeLeft ? await crawlStatusOf(task, crawlId) : undefined;
		// Named "reason" because n8n treats an item with a field "error" as a failure of the node.
		const failed = await madeOf(errors, ({ error, ...page }) => ({
			...page,
			reason: failedUrl({ ...page, error }, crawlJob, status).reason,
			robotsBlocked: false,
		}));
		const blocked = blockedUrls(body).map((url) => ({
			url: url as string,
			reason: FORBIDDEN_BY_ROBOTS,
			robotsBlocked: true,
		}));
		const pages = [...failed, ...blocked].map((page) => ({ crawlId, ...page }));
		const listed = withRest(pages, without(body, 'robotsBlocked'), 'errors', task.form);
		if (listed.length === 0) logWarning(task, body);
		return { items: listed.map((json) => ({ json })) };
	},
};

/**
 * Returns the crawl's status; undefined if it can't be read. After a cancellation, the service lists the pages it never
 * got to as errors.
 */
async function crawlStatusOf(task: Task, crawlId: string): Promise<unknown> {
	return await readStatus({ task, job: crawlJob, id: crawlId }).then(
		({ body }) => body.status,
		() => checkStopped(task.run),
	);
}
