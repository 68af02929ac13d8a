import type { IDataObject } from 'n8n-workflow';

import { without } from '../base/json';
import type { Account } from '../client/account';
import { callService } from '../client/call';
import type { CallSettings, ServiceCall, ServiceResponse } from '../client/types';
import { ServiceError, type StartedJob, Stopped, hasStatus } from '../client/errors/serviceError';
import type { Task } from '../run/operation';

export interface Job {
	/** Its name in error texts, e.g. `agent task`, and in the fields of its pages, e.g. `crawlId`. */
	what: string;
	/**
	 * The path of its status, without the job ID, e.g. `/v2/agent/`. If the service lacks the first one, the others are
	 * tried.
	 */
	paths: [string, ...string[]];
	/** Name of the operation that gets its result later. */
	getBy: string;
	/** The operation that lists running jobs of its kind, in quotes, if there is one. */
	alsoListedIn?: string;
	/** Whether the service may respond with the result instead of an ID. */
	mayEndAtOnce?: true;
	/** What in the form limits what it may spend. */
	budgetLabel?: string;
}

/** A job of an item's task. */
export interface TaskJob<Kind extends Job = Job> {
	task: Task;
	job: Kind;
	id: string;
}

export function jobOfId({ getBy }: Pick<Job, 'getBy'>, id: string): StartedJob {
	return { id, getBy };
}

/** A response with a job's status, and the call that returned it. */
export interface JobStatus extends ServiceResponse {
	call: ServiceCall;
}

/**
 * Returns a job's status, requested by `send`. If the service lacks this version of the endpoint, or doesn't know the
 * job there, the next version is tried; missing versions are remembered for the account. If all fail, throws the
 * first error of `send`, or one that may pass.
 */
export async function statusOf(
	{ lacks }: Account,
	{ paths }: Job,
	id: string,
	send: (call: ServiceCall) => Promise<ServiceResponse>,
): Promise<JobStatus> {
	const known = paths.filter((path) => !lacks.has(path));
	const lacking: string[] = [];
	let failure: Error | undefined;
	for (const path of known.length > 0 ? known : paths) {
		const call: ServiceCall = { method: 'GET', path: path + encodeURIComponent(id) };
		const answer = await send(call).catch((error: unknown) => error as Error);
		if (!(answer instanceof Error)) {
			for (const other of lacking) lacks.add(other);
			return { ...answer, body: withNumbers(answer.body), call };
		}
		// A version that can't say anything right now may well know the job.
		const mayKnow = answer instanceof ServiceError && answer.isTemporary;
		failure = mayKnow || answer instanceof Stopped ? answer : (failure ?? answer);
		if (!isUnknown(answer) && !isMissing(answer)) break;
		// A web page in a 2xx response may come from a proxy.
		if (isMissing(answer) && answer.status! >= 400) lacking.push(path);
	}
	throw failure;
}

/** Returns a status whose counts are numbers, which some services send as text. */
function withNumbers(status: IDataObject): IDataObject {
	const counts = ['completed', 'total'].filter(
		(name) => typeof status[name] === 'string' && /^\d{1,9}$/.test(status[name]),
	);
	return { ...status, ...Object.fromEntries(counts.map((name) => [name, Number(status[name])])) };
}

/** Requests a job's status. Throws ServiceError. */
export async function readStatus(of: TaskJob, settings?: CallSettings): Promise<JobStatus> {
	const { task, job, id } = of;
	const send = async (call: ServiceCall) =>
		await callService(task, call, settings ?? task.settings);
	return await statusOf(task.account, job, id, send);
}

/** Whether the service itself says that it doesn't know the job. */
export function isUnknown(error: unknown): boolean {
	return hasStatus(error, 404) && error.details.service?.serviceError !== undefined;
}

/** Whether an error means that the service lacks the endpoint: the response came from its router, or was a web page. */
function isMissing(error: unknown): error is ServiceError {
	if (!(error instanceof ServiceError) || isUnknown(error)) return false;
	const { outcome } = error.details;
	const isPage = outcome?.kind === 'unreadable' && outcome.problem === 'html';
	return isPage || hasStatus(error, 404, 405, 410, 501);
}

/** Returns the response with the ID of the requested job first, whatever ID the service sent. */
export function withId(id: string, response: IDataObject): IDataObject & { id: string } {
	return { id, ...without(response, 'id') };
}
