import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../base/json';
import { sentences, shortened, textOf } from '../base/text';
import { usableId } from '../base/url';
import { callService } from '../client/call';
import { creditsIn, warningIn } from '../client/response';
import type { JobStart } from '../client/types';
import { ServiceError } from '../client/errors/serviceError';
import type { Operation, Task } from '../run/operation';
import { type Job, jobOfId } from './job';
import { jobStateOf } from './jobState';

/**
 * Starts a job with the task's call and returns the service's response, including the job's ID. A service may send an
 * extraction's result right away. Throws ServiceError, with the job's ID if the response of a failed start names one.
 * Also throws if a good response has neither an ID nor a result. Sends nothing if the job is to be waited for and too
 * little time is left to learn its ID.
 */
export async function startJob(
	task: Task,
	job: Job,
	{ isAwaited = false } = {},
): Promise<IDataObject & { id: string }> {
	const { what, getBy } = job;
	const startsJob: JobStart = {
		find: `The ${what} may have been started. ${waysToFind(job)}`,
		getBy,
		idIn,
		see: (id) =>
			`The response names the ${what} ${id}: "${getBy}" with this ID shows for free whether it is running.`,
	};
	const { body } = await callService(task, task.call, { ...task.settings, startsJob, isAwaited });
	if (job.mayEndAtOnce && isResult(body)) {
		return { status: 'completed', ...body, id: body.extractId as string };
	}
	const id = idIn(body);
	if (id === undefined) throw noIdError(body, job);
	// If n8n is killed, the ID is only in its log.
	task.context.logger.info(`Started ${what} ${id}`);
	return { ...body, id };
}

/** Whether the response to a start is that of a job that has ended at once. */
export function hasEnded({ status }: IDataObject, { mayEndAtOnce }: Job): boolean {
	return mayEndAtOnce === true && jobStateOf(status) === 'completed';
}

/** Returns a job's last status with the warning from its start added to its own. */
export function withStartWarning(started: IDataObject, status: IDataObject): IDataObject {
	const [first, last] = [warningIn(started), warningIn(status)];
	if (!first || first === last) return status;
	return { ...status, warning: last ? sentences([first, last].map(textOf)) : first };
}

/**
 * Returns an operation's `execute` that only starts a job: the item is the response, with the job's ID. Whatever that
 * says about credits, the job's highest price counts, unless it has ended at once. Throws like `startJob`.
 */
export function startOnly(job: Job): NonNullable<Operation['execute']> {
	return async (task) => {
		const started = await startJob(task, job);
		return {
			items: [{ json: started }],
			credits: hasEnded(started, job) ? creditsIn(started) : undefined,
			job: started.id ? jobOfId(job, started.id) : undefined,
		};
	};
}

/** Names that servers of this API give to a job's ID. */
const IDS = ['id', 'jobId', 'job_id'];

/** Fields of an object that names a job and has nothing of its result. */
const OF_JOB = [...IDS, 'url', 'status', 'success', 'message', 'createdAt', 'expiresAt'];

/** Whether a response contains a job's result and no ID to wait for. If the data is just an ID, it isn't a result. */
function isResult({ id, extractId, data, status }: IDataObject): boolean {
	if ((id ?? null) !== null || (data ?? null) === null) return false;
	const own = isObject(data) ? data : {};
	const names = Object.keys(own);
	const isOfJob =
		names.some((name) => IDS.includes(name)) &&
		(names.every((name) => OF_JOB.includes(name)) || jobStateOf(own.status) === 'running');
	return jobStateOf(status) !== 'running' && (!isOfJob || extractId !== undefined);
}

/**
 * Returns the ID of a job in a response, which some servers put into `data`; undefined if there is none that can be part
 * of a path.
 */
function idIn(body: IDataObject): string | undefined {
	return [body, body.data]
		.filter(isObject)
		.flatMap((one) => IDS.map((name) => one[name]))
		.map(usableId)
		.find(Boolean);
}

/** Returns how to find a job whose ID is unknown. */
function waysToFind({ alsoListedIn, getBy }: Job): string {
	const lists = [alsoListedIn, '"List Recent Activity" of the node Web Data Usage'];
	const where = lists.filter(Boolean).join(' or ');
	return `Find its ID in ${where}, then use "${getBy}" with it: starting it again costs credits again.`;
}

function noIdError(started: IDataObject, job: Job): ServiceError {
	return new ServiceError(`The service started the ${job.what} but returned no job ID`, {
		description: `It may have been billed. ${waysToFind(job)} Received: “${shortened(JSON.stringify(started))}”.`,
		mayBeBilled: true,
		data: started,
	});
}

/** Returns the response with these entries, which were not sent, added to the URLs that the service rejected. */
export function withInvalidUrls(response: IDataObject, entries: string[]): IDataObject {
	if (entries.length === 0) return response;
	return { ...response, invalidURLs: [...invalidUrlsIn(response), ...entries] as string[] };
}

/** Returns the URLs that the service rejected when the job was started. */
export const invalidUrlsIn = ({ invalidURLs }: IDataObject): unknown[] =>
	Array.isArray(invalidURLs) ? invalidURLs : [];
