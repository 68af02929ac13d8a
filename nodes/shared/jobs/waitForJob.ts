import type { IDataObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { creditsIn } from '../fields/prices';
import type { Field } from '../form/field';
import type { Form, Operation, Task } from '../operation';
import { callService, pathSegment, pause, textOf } from '../transport';
import type { ServiceCall } from '../transport';
import { jobError } from './jobError';
import { isTerminal, jobStateOf } from './jobState';

/** Delay between polls of a job, in ms: short for short jobs, and never more than half a minute. */
const FIRST_POLL_DELAY_MS = 2_000;
const POLL_DELAY_GROWTH = 1.5;
const LONGEST_POLL_DELAY_MS = 30_000;

/** How long to wait for a job, in minutes; a setting of the operations that wait. */
export const maxWaitMinutes: Field<number> = {
	displayName: 'Max Wait for Result (Minutes)',
	name: 'maxWaitMinutes',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 1440, numberPrecision: 0 },
	default: 30,
	description:
		'How long to wait for the job. After that the item fails with the job ID; the job keeps running and can be fetched later.',
	wire: { in: 'settings' },
};

/** Where the status of a job is asked for. */
export interface Job {
	/** As the error texts name it, e.g. `agent task`. */
	what: string;
	/** Path with the job id, already encoded, behind it, e.g. `/v2/agent/`. */
	path: string;
	/** The operation that gives its result later. */
	getBy: string;
}

/** Starts a job (the task's call) and gives what the service says to it, with the job's id. */
export async function startJob(task: Task, job: Job): Promise<IDataObject & { id: string }> {
	const { body } = await callService(task, task.call, task.settings);
	return { ...body, id: jobIdOf(body, task, job) };
}

function jobIdOf({ id }: IDataObject, { form }: Task, job: Job): string {
	const { node, itemIndex } = form.place;
	// What the service gives is put in a path too, so it is checked like what a user gives.
	if (typeof id === 'string' || typeof id === 'number') {
		return pathSegment(id, 'Job ID', node, itemIndex);
	}
	throw new NodeApiError(
		node,
		{},
		{
			itemIndex,
			message: `The service started the ${job.what} but gave no job ID`,
			description: 'Look at "List Recent Activity" of the node Web Data Usage to find it.',
		},
	);
}

/**
 * Polls a job until it has ended, in growing intervals, and gives its last status. Ends at once when the execution is
 * cancelled. Throws NodeApiError with the job id when it didn't end in time; the job is never restarted.
 */
export async function waitForEnd(task: Task, job: Job, id: string): Promise<IDataObject> {
	const { context, settings, form } = task;
	const maxMinutes = form.get(maxWaitMinutes) ?? (maxWaitMinutes.default as number);
	const until = Date.now() + maxMinutes * 60_000;
	const call: ServiceCall = { method: 'GET', path: `${job.path}${id}` };
	for (
		let delay = FIRST_POLL_DELAY_MS;
		;
		delay = Math.min(delay * POLL_DELAY_GROWTH, LONGEST_POLL_DELAY_MS)
	) {
		const { body } = await callService(task, call, { ...settings, jobId: id });
		if (isTerminal(jobStateOf(body.status))) {
			task.used.credits = creditsIn(body);
			return body;
		}
		const left = until - Date.now();
		if (left <= 0) {
			throw jobError(form.place, {
				message: `The ${job.what} did not end within ${maxMinutes} ${maxMinutes === 1 ? 'minute' : 'minutes'}`,
				description: `It continues at the service (status: ${String(body.status)}). Its job ID is ${id}: use "${job.getBy}" with it later, or raise "${maxWaitMinutes.displayName}".`,
				jobId: id,
			});
		}
		context.logger.info(`Waiting for ${job.what} ${id}`, {
			status: body.status,
			completed: body.completed,
			total: body.total,
		});
		await pause(task, Math.min(delay, left));
	}
}

/** The error for a job that ended without a result; the error output has its last status, with a partial result. */
export function endedError(task: Task, job: Job, id: string, body: IDataObject): NodeApiError {
	const isFailed = jobStateOf(body.status) === 'failed';
	const reason = body.error ? `: ${textOf(body.error)}` : '';
	const partial = body.partial
		? ` It has a partial result: "${job.getBy}" with this ID gives it without paying again.`
		: '';
	return jobError(task.form.place, {
		message: `The ${job.what} ${isFailed ? 'failed' : 'was cancelled'}${reason}`,
		description: `Its job ID is ${id}.${partial} Starting it again costs credits again, so check the input first.`,
		jobId: id,
		data: body,
	});
}

/**
 * Starts the job and waits for its result: an item with the job's id, what the service said when it started (such as
 * `invalidURLs`), and its whole last status. A service may give the result at once, without an id: then that is it.
 * Throws NodeApiError when the job failed or was cancelled.
 */
export function startAndWait(jobOf: (form: Form) => Job): Operation['execute'] {
	return async (task) => {
		const job = jobOf(task.form);
		const { body } = await callService(task, task.call, task.settings);
		const { success: _success, ...started } = body;
		if ((started.id ?? null) === null && started.data !== undefined) {
			task.used.credits = creditsIn(body);
			return [{ json: { status: 'completed', ...body, id: started.extractId } }];
		}
		const id = jobIdOf(body, task, job);
		const result = await waitForEnd(task, job, id);
		if (jobStateOf(result.status) !== 'completed') throw endedError(task, job, id, result);
		return [{ json: { ...started, id, ...result } }];
	};
}
