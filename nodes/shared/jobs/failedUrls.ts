import type { IDataObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { listIn, objectsIn } from '../engine/neededResults';
import { textOf } from '../json';
import type { Task } from '../operation';
import { messageOf, withoutStop } from '../text';
import { callService, pathOf, type NodeError, type NodeItem } from '../transport';

/** A URL of a job that gave no page, and why. */
export interface FailedUrl {
	url: string;
	reason: string;
}

/** Why a URL of `robotsBlocked` gave no page. */
export const FORBIDDEN_BY_ROBOTS = 'robots.txt of the site forbids this page';

/** The URLs that robots.txt forbids; services may leave the list out. Throws NodeApiError as `listIn` does. */
export function blockedUrls(body: IDataObject, nodeItem: NodeItem): unknown[] {
	return listIn({ robotsBlocked: [], ...body }, 'robotsBlocked', nodeItem);
}

/**
 * The URLs of a job that gave no page, and why; none where the service can't tell, with a warning where it could not be
 * asked. `path` is that of the job's status without its id. Throws only what ends the whole run.
 */
export async function failedUrls(
	task: Task,
	path: string,
	id: string,
): Promise<{ failed: FailedUrl[]; warning?: string }> {
	const call = { method: 'GET' as const, path: `${pathOf(path, id)}/errors` };
	try {
		const { body } = await callService(task, call, { ...task.settings, jobId: id });
		const { place } = task.form;
		const failed = objectsIn(body, 'errors', place).map(({ url, error }) => ({
			url: textOf(url),
			reason: textOf(error ?? '') || 'The service gave no reason',
		}));
		const known = new Set(failed.map(({ url }) => url));
		const blocked = blockedUrls(body, place).map(textOf);
		const others = blocked.filter((url) => !known.has(url));
		return {
			failed: [...failed, ...others.map((url) => ({ url, reason: FORBIDDEN_BY_ROBOTS }))],
		};
	} catch (error) {
		const { run } = task;
		const failure = error as NodeError;
		if (run.signal?.aborted || failure === run.notSent) throw failure;
		// Older services have no such endpoint.
		if (failure instanceof NodeApiError && failure.httpCode === '404') return { failed: [] };
		// The pages are worth more than the reasons.
		const reason = withoutStop(messageOf(failure));
		return { failed: [], warning: `The reasons why URLs failed could not be read: ${reason}.` };
	}
}
