import type { IDataObject } from 'n8n-workflow';

import { listIn, objectsIn } from '../results/required';
import { messageOf, textOf, withoutStop } from '../text';
import { ServiceError } from '../errors/serviceError';
import type { Task } from '../operation';
import { callService, checkStopped } from '../transport';
import { pathTo } from '../url';

export interface FailedUrl {
	url: string;
	reason: string;
}

/** Explains the URLs of `robotsBlocked`. */
export const FORBIDDEN_BY_ROBOTS = 'robots.txt of the site forbids this page';

/** Lists the URLs that robots.txt forbids; services may leave the list out. Throws ServiceError as `listIn` does. */
export function blockedUrls(body: IDataObject): unknown[] {
	return listIn({ robotsBlocked: [], ...body }, 'robotsBlocked');
}

/**
 * Lists the URLs of a job without a page, with the reasons. The list is empty if the service has none; a warning says if
 * it could not be asked. `path` is that of the job's status without its id. Throws only errors that end the whole run.
 */
export async function failedUrls(
	task: Task,
	path: string,
	id: string,
): Promise<{ failed: FailedUrl[]; warning?: string }> {
	const call = { method: 'GET' as const, path: `${pathTo(path, id)}/errors` };
	try {
		const { body } = await callService(task, call, { ...task.settings, jobId: id });
		const failed = objectsIn(body, 'errors').map(({ url, error }) => ({
			url: textOf(url),
			reason: textOf(error ?? '') || 'The service gave no reason',
		}));
		const known = new Set(failed.map(({ url }) => url));
		const blocked = blockedUrls(body).map(textOf);
		const others = blocked.filter((url) => !known.has(url));
		return {
			failed: [...failed, ...others.map((url) => ({ url, reason: FORBIDDEN_BY_ROBOTS }))],
		};
	} catch (error) {
		checkStopped(task.run);
		// Older services have no such endpoint.
		if (error instanceof ServiceError && error.status === 404) return { failed: [] };
		// The pages are worth more than the reasons.
		const reason = withoutStop(messageOf(error));
		return { failed: [], warning: `The reasons why URLs failed could not be read: ${reason}.` };
	}
}
