import type { IDataObject } from 'n8n-workflow';

import { listIn, objectsIn } from '../run/results/response';
import { messageOf, textOf, withoutStop } from '../base/text';
import { hasStatus } from '../client/errors/serviceError';
import { callService, checkStopped } from '../client/call';
import { jobStateOf } from './jobState';
import type { Job, JobStatus, TaskJob } from './job';

export interface FailedUrl {
	url: string;
	reason: string;
	/** Whether the URL was never tried, because the job was cancelled. */
	isLeft?: true;
}

/** Error codes with which services mark URLs that a cancelled job never got to. */
const LEFT_CODE = /^(UNKNOWN_ERROR|SCRAPE_JOB_CANCELLED)$/;

/** Returns the URL and reason in an entry of `errors`; `status` is that of the job. */
export function failedUrl(
	{ url, error, code }: IDataObject,
	{ what }: Pick<Job, 'what'>,
	status: unknown,
): FailedUrl {
	const reason = textOf(error ?? '');
	// Others give no reason for them, or merely say that there was an unexpected or internal error.
	const isOwnError = reason === '' || /\b(unexpected|internal) (\w+ )?error\b/i.test(reason);
	const isLeft =
		jobStateOf(status) === 'cancelled' && (LEFT_CODE.test(textOf(code ?? '')) || isOwnError);
	return isLeft
		? { url: textOf(url), reason: leftReason(what), isLeft }
		: { url: textOf(url), reason: reason || 'The service gave no reason' };
}

/** Returns the URLs that were tried, without those that a cancelled job never got to. */
export function triedOf(failed: FailedUrl[]): FailedUrl[] {
	return failed.filter(({ isLeft }) => !isLeft);
}

export function leftReason(what: string): string {
	return `Not scraped: the ${what} was cancelled`;
}

/** Reason for the URLs in `robotsBlocked`. */
export const FORBIDDEN_BY_ROBOTS = 'robots.txt of the site forbids this page';

/** Returns the URLs that robots.txt forbids; services may omit the list. Throws ServiceError as `listIn` does. */
export function blockedUrls(body: IDataObject): unknown[] {
	return listIn({ robotsBlocked: [], ...body }, 'robotsBlocked');
}

/** Returns the entries of `errors` without those in `robotsBlocked`, since newer services put these in both lists. */
export function errorsIn(body: IDataObject): IDataObject[] {
	const blocked = new Set(blockedUrls(body));
	return objectsIn(body, 'errors', { textField: 'error' }).filter(({ url }) => !blocked.has(url));
}

/**
 * Returns a job's URLs that have no page, with the reasons: none if the service lacks the list, and none with a warning
 * if the list couldn't be read. Throws only errors that end the whole run.
 */
export async function failedUrls(
	{ task, job }: TaskJob,
	read: Pick<JobStatus, 'call' | 'body'>,
): Promise<{ failed: FailedUrl[]; warning?: string }> {
	const call = { method: 'GET' as const, path: `${read.call.path}/errors` };
	try {
		const { body } = await callService(task, call, task.settings);
		const failed = errorsIn(body).map((entry) => failedUrl(entry, job, read.body.status));
		for (const url of blockedUrls(body)) {
			failed.push({ url: textOf(url), reason: FORBIDDEN_BY_ROBOTS });
		}
		return { failed };
	} catch (error) {
		checkStopped(task.run);
		// Older services have no such endpoint.
		if (hasStatus(error, 404)) return { failed: [] };
		// Failing to read the reasons must not lose the pages, so this is only a warning.
		const reason = withoutStop(messageOf(error));
		return { failed: [], warning: `The reasons why URLs failed could not be read: ${reason}.` };
	}
}
