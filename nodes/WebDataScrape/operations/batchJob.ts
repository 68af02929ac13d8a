import { batchPageShape } from '../../shared/fields/results';
import { listOf, textOf } from '../../shared/json';
import type { Task } from '../../shared/operation';
import type { PagedJob } from '../../shared/jobs/jobPages';
import { callService } from '../../shared/transport';

/** GET /v2/batch/scrape/{id} (api/beyond.openapi.yaml) tells how a batch stands and gives its pages. */
export const batchJob: PagedJob = {
	what: 'batch',
	path: '/v2/batch/scrape/',
	getBy: 'Batch: Get Pages',
	prefix: 'batch',
	results: batchPageShape,
};

/** The URLs of a batch that gave no page, and why; none where the service can't tell. */
export async function failedUrls(
	task: Task,
	id: string,
): Promise<Array<{ url: string; reason: string }>> {
	const call = { method: 'GET' as const, path: `${batchJob.path}${id}/errors` };
	try {
		const { body } = await callService(task, call, { ...task.settings, jobId: id });
		const blocked = Array.isArray(body.robotsBlocked) ? body.robotsBlocked : [];
		return [
			...listOf(body.errors).map(({ url, error }) => ({
				url: textOf(url),
				reason: textOf(error ?? '') || 'The service gave no reason',
			})),
			...blocked.map((url) => ({
				url: textOf(url),
				reason: 'robots.txt of the site forbids this page',
			})),
		];
	} catch {
		// Older services have no such endpoint, and the pages are worth more than the reasons.
		return [];
	}
}
