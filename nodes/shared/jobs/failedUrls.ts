import { listOf, textOf } from '../json';
import type { Task } from '../operation';
import { callService } from '../transport';

/** A URL of a job that gave no page, and why. */
export interface FailedUrl {
	url: string;
	reason: string;
}

/** Why a URL of `robotsBlocked` gave no page. */
export const FORBIDDEN_BY_ROBOTS = 'robots.txt of the site forbids this page';

/**
 * The URLs of a job that gave no page, and why; none where the service can't tell. `path` is that of the job's status
 * without its id.
 */
export async function failedUrls(task: Task, path: string, id: string): Promise<FailedUrl[]> {
	const call = { method: 'GET' as const, path: `${path}${id}/errors` };
	try {
		const { body } = await callService(task, call, { ...task.settings, jobId: id });
		const failed = listOf(body.errors).map(({ url, error }) => ({
			url: textOf(url),
			reason: textOf(error ?? '') || 'The service gave no reason',
		}));
		const known = new Set(failed.map(({ url }) => url));
		const blocked = Array.isArray(body.robotsBlocked) ? body.robotsBlocked.map(textOf) : [];
		return [
			...failed,
			...blocked
				.filter((url) => !known.has(url))
				.map((url) => ({ url, reason: FORBIDDEN_BY_ROBOTS })),
		];
	} catch {
		// Older services have no such endpoint, and the pages are worth more than the reasons.
		return [];
	}
}
