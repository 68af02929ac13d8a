import type { IDataObject } from 'n8n-workflow';

import { monotonicMs } from '../base/time';
import { maxWaitMinutes } from '../fields/jobOptions';
import { creditsIn } from '../run/creditBudget';
import { plural, shortened, textOf } from '../base/text';
import { isObject, withId, without } from '../base/json';
import type { Form, Operation, Task } from '../run/operation';
import {
	DEFAULT_MAX_WAIT_MS,
	DEFAULT_TIMEOUT_MS,
	type CallSettings,
	type ServiceCall,
	callService,
	pause,
} from '../client';
import { isSegment, pathTo } from '../base/url';
import { ServiceError, type StartedJob, naming } from '../client/errors/serviceError';
import { isEmptyEnd, isTerminal, jobStateOf } from './jobState';

/** The delay between polls (ms): short for short jobs, and never more than half a minute. */
const FIRST_POLL_DELAY_MS = 2_000;
const POLL_DELAY_GROWTH = 1.5;
const LONGEST_POLL_DELAY_MS = 30_000;

/** Shortest time (ms) for a poll, even if the wait is nearly over. */
const LEAST_POLL_MS = 10_000;

/** Time (ms) after the start in which a service may not yet know a job, or may call it completed before it began. */
const NEW_MS = 30_000;

/**
 * Time (ms) before the workflow's timeout at which a wait ends: at the timeout, n8n drops everything, even the job's
 * ID.
 */
const BEFORE_TIMEOUT_MS = LEAST_POLL_MS + 5_000;

/** Shortest time (ms) before the workflow's timeout in which another chunk is requested. */
const LEAST_CHUNK_MS = 5_000;

/** A kind of job, and where to ask for its status. */
export interface Job {
	/** Its name in error texts, e.g. `agent task`. */
	what: string;
	/** The path before the job ID, e.g. `/v2/agent/`. */
	path: string;
	/** Name of the operation that gets its result later. */
	getBy: string;
	/** The operation that lists running jobs of its kind, in quotes, if there is one. */
	alsoListedIn?: string;
	/** Whether the service may respond with the result instead of an ID. */
	mayEndAtOnce?: true;
	/** Label of the form's field that limits what it may spend. */
	budgetLabel?: string;
}

/**
 * Starts a job (the task's call) and returns the service's response, with the job's ID. For an extraction, the service
 * may respond with the result instead. Throws ServiceError: with the job's ID if the response of a failed start names
 * one, and also if a response has neither an ID nor a result.
 */
export async function startJob(task: Task, job: Job): Promise<IDataObject & { id: string }> {
	const settings: CallSettings = { ...task.settings, startsJob: true };
	const { body } = await callService(task, task.call, settings).catch((error: unknown) => {
		throw namingJob(error, job);
	});
	if (job.mayEndAtOnce && isResult(body)) {
		return { status: 'completed', ...body, id: body.extractId as string };
	}
	const id = idIn(body);
	if (id === undefined) throw noIdError(body, job);
	return { ...body, id };
}

/** Returns the started job with this ID. */
export function jobOfId({ getBy }: Pick<Job, 'getBy'>, id: string): StartedJob {
	return { id, getBy };
}

/**
 * Returns an operation's `execute` that only starts a job: the item is the response, with the job's ID. Throws like
 * `startJob`.
 */
export function startOnly(jobOf: (form: Form) => Job): NonNullable<Operation['execute']> {
	return async (task) => {
		const job = jobOf(task.form);
		const started = await startJob(task, job);
		return {
			items: [{ json: started }],
			credits: creditsIn(started),
			job: started.id ? jobOfId(job, started.id) : undefined,
		};
	};
}

/** Whether a response has a job's result and no ID to wait for; data that is just an ID is no result. */
function isResult({ id, extractId, data, status }: IDataObject): boolean {
	if ((id ?? null) !== null || (data ?? null) === null) return false;
	const isOfJob = isObject(data) && ['id', 'jobId'].some((name) => name in data);
	return jobStateOf(status) !== 'running' && (!isOfJob || extractId !== undefined);
}

/** Returns the ID of a job in a response; undefined if there is none that fits into a path. */
function idIn({ id }: IDataObject): string | undefined {
	const given = typeof id === 'number' ? String(id) : typeof id === 'string' ? id.trim() : '';
	// A larger number was rounded when it was parsed, and would be the ID of another job.
	const isExact = typeof id !== 'number' || Number.isSafeInteger(id);
	return isExact && isSegment(given) ? given : undefined;
}

function noIdError(started: IDataObject, job: Job): ServiceError {
	const lists = [job.alsoListedIn, '"List Recent Activity" of the node Web Data Usage'];
	const where = lists.filter(Boolean).join(' or ');
	return new ServiceError(`The service started the ${job.what} but returned no job ID`, {
		description: `It may have been billed. Find its ID in ${where}, then use "${job.getBy}" with it: starting it again costs credits again. Received: “${shortened(JSON.stringify(started))}”.`,
		data: started,
	});
}

/**
 * Returns the error of a failed start with the ID that its response names, since the job may be running all the same.
 */
function namingJob(error: unknown, { what, getBy }: Job): unknown {
	if (!(error instanceof ServiceError)) return error;
	const { outcome, description } = error.details;
	const jobId = outcome?.kind === 'rejected' ? idIn(outcome.body ?? {}) : undefined;
	if (jobId === undefined) return error;
	return new ServiceError(error.message, {
		...error.details,
		description: `${description} The response names the ${what} ${jobId}: "${getBy}" with this ID shows for free whether it is running.`,
		jobId,
		getBy,
		isRunning: true,
	});
}

/** Polls a job until it ends, and returns its last status. Throws ServiceError, or Stopped, naming the job. */
export async function waitForEnd(task: Task, job: Job, id: string): Promise<IDataObject> {
	return await naming(jobOfId(job, id), async () => await pollUntilEnd(task, job, id), {
		isRunning: true,
	});
}

/**
 * Polls a job at growing intervals until it ends, and returns its last status. Polls that fail temporarily don't end
 * the wait. Ends immediately if the execution is cancelled. Throws ServiceError with the job ID if the job doesn't end
 * in time, or before the workflow times out. Never restarts the job.
 */
async function pollUntilEnd(task: Task, job: Job, id: string): Promise<IDataObject> {
	const { context, form, run } = task;
	const maxMinutes = form.get(maxWaitMinutes) ?? (maxWaitMinutes.default as number);
	const began = monotonicMs();
	const toTimeout = run.timeLeft.waitsMs;
	// If the timeout is close, half of the time is for the wait.
	const timeoutMs = Math.max(toTimeout - BEFORE_TIMEOUT_MS, toTimeout / 2);
	const maxMs = maxMinutes * 60_000;
	const until = began + Math.min(maxMs, timeoutMs);
	let status: IDataObject = {};
	let lost = '';
	let hasRun = task.call.method !== 'POST';
	// If n8n is killed, only its log knows the ID.
	context.logger.info(`Waiting for ${job.what} ${id}`);
	for (
		let delay = FIRST_POLL_DELAY_MS;
		;
		delay = Math.min(delay * POLL_DELAY_GROWTH, LONGEST_POLL_DELAY_MS)
	) {
		const polled = await statusOf(task, job, id, until - monotonicMs()).catch(
			(error: Error) => error,
		);
		const isNew = !hasRun && monotonicMs() - began < NEW_MS;
		if (polled instanceof Error) {
			const { status: httpStatus, isTemporary } = polled as Partial<ServiceError>;
			if (!isTemporary && !(isNew && httpStatus === 404)) throw polled;
			lost = ` The last poll failed: ${polled.message}.`;
		} else {
			status = polled;
			lost = '';
			hasRun ||= jobStateOf(status.status) === 'running';
		}
		if (isTerminal(jobStateOf(status.status)) && !(isNew && isEmptyEnd(status))) {
			return status;
		}
		const left = until - monotonicMs();
		if (left <= 0) {
			const isOutOfTime = timeoutMs < maxMs;
			const [limit, remedy] = isOutOfTime
				? ["before the workflow's timeout", `"Timeout After" in the workflow's settings`]
				: [
						`within ${maxMinutes} ${plural(maxMinutes, 'minute')}`,
						`"${maxWaitMinutes.displayName}"`,
					];
			throw new ServiceError(`The ${job.what} did not end ${limit}`, {
				description: `It continues at the service (status: ${textOf(status.status ?? 'unknown')}). Its job ID is ${id}: use "${job.getBy}" with it later, as starting it again costs credits again. To wait longer, raise ${remedy}.${lost}`,
				jobId: id,
				isOutOfTime,
			});
		}
		context.logger.info(`Waiting for ${job.what} ${id}${lost && `.${lost}`}`, {
			status: status.status,
			completed: status.completed,
			total: status.total,
		});
		await pause(task, Math.min(delay, left));
	}
}

/** Throws ServiceError if the workflow is about to time out. Call it before each further chunk of a job's pages. */
export function checkTime({ run }: Task, { what, getBy }: Job, id: string): void {
	if (run.timeLeft.waitsMs > LEAST_CHUNK_MS) return;
	throw new ServiceError(
		`The pages of the ${what} could not be read before the workflow's timeout`,
		{
			description: `The job ID is ${id}. Use "${getBy}" with it to read them for free. To read longer, raise "Timeout After" in the workflow's settings.`,
			jobId: id,
			isOutOfTime: true,
		},
	);
}

/** Returns a job's status, requested within the remaining time. */
async function statusOf(task: Task, job: Job, id: string, leftMs: number): Promise<IDataObject> {
	const { maxWaitMs = DEFAULT_MAX_WAIT_MS, http, ...settings } = task.settings;
	const call: ServiceCall = { method: 'GET', path: pathTo(job.path, id) };
	const pollMs = Math.max(leftMs, LEAST_POLL_MS);
	const { body } = await callService(task, call, {
		...settings,
		jobId: id,
		maxWaitMs: Math.min(maxWaitMs, pollMs),
		// A timeout is retried once.
		http: {
			...http,
			timeout: Math.min(http?.timeout || DEFAULT_TIMEOUT_MS, Math.ceil(pollMs / 2)),
		},
	});
	return body;
}

/** Returns a message that a job failed or was cancelled, and why, without a full stop; empty for any other job. */
export function endOf({ what }: Job, body: IDataObject): string {
	const state = jobStateOf(body.status);
	if (state !== 'failed' && state !== 'cancelled') return '';
	const cause = body.error ? `: ${textOf(body.error)}` : '';
	const isMore = body.stopReason && body.stopReason !== body.error;
	const reason = isMore ? `${cause} (${textOf(body.stopReason)})` : cause;
	return `The ${what} ${state === 'failed' ? 'failed' : 'was cancelled'}${reason}`;
}

/**
 * Returns the error for a job that ended without a result; the error output has its last status, with any partial
 * result.
 */
export function endedError(job: Job, id: string, body: IDataObject): ServiceError {
	const message = endOf(job, body);
	const isSpent = job.budgetLabel !== undefined && /max.?credits|credit.?limit/i.test(message);
	const remedy = isSpent ? `raise ${job.budgetLabel}` : 'check the input';
	const advice =
		creditsIn(body) === 0
			? `Before starting it again, ${remedy}.`
			: `Starting it again costs credits again, so ${remedy} first.`;
	const partial = body.partial
		? ` It has a partial result: "${job.getBy}" with this ID returns it without paying again.`
		: '';
	return new ServiceError(message, {
		description: `Its job ID is ${id}.${partial} ${advice}`,
		jobId: id,
		getBy: job.getBy,
		credits: creditsIn(body),
		data: body,
	});
}

/**
 * Returns an operation's `execute` that starts a job and waits for its result: an item with the job's ID, the response
 * to the start (such as `invalidURLs`), and the whole last status. Throws ServiceError if the job failed or was
 * cancelled.
 */
export function startAndWaitFor(jobOf: (form: Form) => Job): NonNullable<Operation['execute']> {
	return async (task) => {
		const job = jobOf(task.form);
		const started = await startJob(task, job);
		const { id } = started;
		if (job.mayEndAtOnce && jobStateOf(started.status) === 'completed') {
			return { items: [{ json: started }], credits: creditsIn(started) };
		}
		const result = await waitForEnd(task, job, id);
		if (jobStateOf(result.status) !== 'completed') throw endedError(job, id, result);
		const json = withId(id, { ...without(started, 'success'), ...result });
		return { items: [{ json }], credits: creditsIn(result), job: jobOfId(job, id) };
	};
}
