import type { IDataObject } from 'n8n-workflow';

import { numberOf, without } from '../base/json';
import { plural, textOf } from '../base/text';
import { monotonicMs } from '../base/time';
import { DEFAULT_MAX_WAIT_MS, pause } from '../client/call';
import { DEFAULT_TIMEOUT_MS } from '../client/http';
import { creditsIn, withMostCredits } from '../client/response';
import { TIMEOUT_TRIES } from '../client/retry';
import { ServiceError, naming } from '../client/errors/serviceError';
import { maxWaitMinutes } from '../fields/jobOptions';
import type { Operation } from '../run/operation';
import { hasResult, withEmptyNote } from './emptyResult';
import { failedUrls } from './failedUrls';
import {
	type Job,
	type JobStatus,
	type TaskJob,
	isUnknown,
	jobOfId,
	readStatus,
	withId,
} from './job';
import { type KnownOfJob, type Standstill, owedBy, standstillOf, phaseOf } from './jobEnd';
import { isTerminal, jobStateOf } from './jobState';
import { hasEnded, startJob, withStartWarning } from './startJob';

/** Delays between polls (ms): short for short jobs, and never more than a quarter of a minute. */
const FIRST_POLL_DELAY_MS = 2_000;
const POLL_DELAY_GROWTH = 1.5;
const LONGEST_POLL_DELAY_MS = 15_000;

/** Minimum time (ms) for a poll, even if the wait is nearly over. */
const LEAST_POLL_MS = 10_000;

/** Time (ms) of nothing but answers that fit a job that the service doesn't know, after which it counts as lost. */
const LOST_MS = 120_000;

/**
 * Time (ms) before the workflow's timeout at which a wait ends: at the timeout, n8n drops everything, even the job's
 * ID.
 */
const BEFORE_TIMEOUT_MS = LEAST_POLL_MS + 5_000;

export interface JobEnd {
	/** Its last status, with the most credits that any status named. */
	status: IDataObject;
	/** Whether the end is believed although the service's own count says pages are missing. */
	isShort: boolean;
}

/** Returns the credits that a job has used; undefined if it may go on. */
export function creditsOf(end: JobEnd | undefined): number | undefined {
	return end && !end.isShort ? creditsIn(end.status) : undefined;
}

/** Polls a job, about which some facts are `known`, until it ends. Throws ServiceError, or Stopped, naming the job. */
export async function waitForEnd(of: TaskJob, known: KnownOfJob = {}): Promise<JobEnd> {
	const poll = async () => await pollUntilEnd(of, known);
	return await naming(jobOfId(of.job, of.id), poll, { isRunning: true });
}

/**
 * Polls a job until it ends, at growing intervals. Polls that fail temporarily don't end the wait. Ends immediately if
 * the execution is cancelled. Throws ServiceError with the job ID if the job doesn't end in time, or before the
 * workflow times out, or if the service seems to have lost it. Never restarts the job.
 */
async function pollUntilEnd(of: TaskJob, known: KnownOfJob): Promise<JobEnd> {
	const { task, job, id } = of;
	const { context, form, run } = task;
	const maxMinutes = form.get(maxWaitMinutes) ?? (maxWaitMinutes.default as number);
	const began = monotonicMs();
	const toTimeout = run.timeLeft.waitsMs;
	// If the timeout is near, waiting gets half of the remaining time.
	const timeoutMs = Math.max(toTimeout - BEFORE_TIMEOUT_MS, toTimeout / 2);
	const maxMs = maxMinutes * 60_000;
	const until = began + Math.min(maxMs, timeoutMs);
	let isReached = task.call.method === 'POST';
	let status: IDataObject = {};
	let standstill: Standstill | undefined;
	let seen = 0;
	let lostSince: number | undefined;
	let lastFailure = '';
	let delay = FIRST_POLL_DELAY_MS;
	for (;;) {
		const polled = await poll(of, until - monotonicMs()).catch((error: Error) => error);
		const now = monotonicMs();
		if (polled instanceof Error) {
			if (!mayPassFor(polled, isReached)) throw isReached ? polled : ofUnknown(polled);
			lostSince = isOfLost(polled) ? (lostSince ?? now) : undefined;
			if (now - (lostSince ?? now) >= LOST_MS) throw lostError(job, id, polled);
			lastFailure = ` The last poll failed: ${polled.message}.`;
		} else {
			status = withMostCredits(polled.body, status);
			isReached = true;
			lostSince = undefined;
			lastFailure = '';
			seen = Math.max(seen, numberOf(status.completed));
			if (jobStateOf(status.status) === 'running') standstill = undefined;
			else {
				standstill = standstillOf(standstill, status, now);
				const facts = { ...known, seen };
				const isOwing = owedBy(polled.body, facts) > 0;
				const { failed } = isOwing ? await failedUrls(of, polled) : { failed: [] };
				const phase = phaseOf(status, { ...facts, withoutPage: failed.length }, standstill, now);
				if (phase !== 'running') return { status, isShort: phase === 'short' };
			}
		}
		const left = until - monotonicMs();
		if (left <= 0) {
			const isOutOfTime = timeoutMs < maxMs;
			const within = `within ${maxMinutes} ${plural(maxMinutes, 'minute')}`;
			const [limit, remedy] = isOutOfTime
				? ["before the workflow's timeout", `"Timeout After" in the workflow's settings`]
				: [within, `"${maxWaitMinutes.displayName}"`];
			throw new ServiceError(`The ${job.what} did not end ${limit}`, {
				description: `${continuing(status)} Its job ID is ${id}: use "${job.getBy}" with it later, as starting it again costs credits again. To wait longer, raise ${remedy}.${lastFailure}`,
				jobId: id,
				isOutOfTime,
			});
		}
		const { status: word, completed, total } = status;
		const waiting = `Waiting for ${job.what} ${id}${lastFailure && `.${lastFailure}`}`;
		context.logger.info(waiting, { status: word, completed, total });
		await pause(task, Math.min(delay, left));
		delay = Math.min(delay * POLL_DELAY_GROWTH, LONGEST_POLL_DELAY_MS);
	}
}

/** Returns a sentence for a job that hasn't ended, even if its last status says so. */
function continuing({ status, completed, total }: IDataObject): string {
	if (status === undefined) return 'It may continue at the service, which gave no status.';
	const word = textOf(status);
	if (!isTerminal(jobStateOf(status))) return `It continues at the service (status: ${word}).`;
	return `It seems to continue at the service: its status is ${word}, but its counts don't add up (${numberOf(completed)} of ${numberOf(total)}).`;
}

/**
 * Whether a poll may succeed later: it failed with a temporary error or, for a job that the service is known to have
 * had, with an error in a 2xx response, a web page or a 404.
 */
function mayPassFor(error: Error, isReached: boolean): error is ServiceError {
	if (!(error instanceof ServiceError)) return false;
	const isOdd = isOfLost(error) || error.details.outcome?.kind === 'unreadable';
	return error.isTemporary || (isReached && isOdd);
}

/**
 * Whether the service says in one of its ways that it can't find a job: with 404, 500, or a failure in a 2xx response.
 */
function isOfLost({ status = 0, details }: ServiceError): boolean {
	return details.outcome?.kind === 'rejected' && (status < 300 || status === 404 || status === 500);
}

/** Returns the error of a job that may be there; if the service says that it isn't, nothing is said to go on. */
function ofUnknown(error: Error): Error {
	const isGone = error instanceof ServiceError && (isUnknown(error) || error.status === 410);
	return isGone ? error.with({ isRunning: false }) : error;
}

function lostError({ what, getBy }: Job, id: string, { message, details }: ServiceError) {
	return new ServiceError(`The service may have lost the ${what}`, {
		...details,
		description: `For two minutes, it gave nothing but errors for the job ID ${id}; the last one: ${message}. "${getBy}" with this ID shows for free whether it is back. Starting it again costs credits again.`,
		lacksJob: false,
		isRunning: false,
	});
}

/** Returns a job's status, requested within the remaining time. */
async function poll(of: TaskJob, leftMs: number): Promise<JobStatus> {
	const { maxWaitMs = DEFAULT_MAX_WAIT_MS, http, ...settings } = of.task.settings;
	const pollMs = Math.max(leftMs, LEAST_POLL_MS);
	const timeout = Math.min(http?.timeout || DEFAULT_TIMEOUT_MS, Math.ceil(pollMs / TIMEOUT_TRIES));
	const within = { maxWaitMs: Math.min(maxWaitMs, pollMs), http: { ...http, timeout } };
	return await readStatus(of, { ...settings, jobId: of.id, ...within });
}

/** Returns a message that a job failed or was cancelled, and why, without a full stop; empty for any other job. */
export function endOf({ what }: Job, body: IDataObject): string {
	const state = jobStateOf(body.status);
	if (state !== 'failed' && state !== 'cancelled') return '';
	const word = textOf(body.status);
	const isPlain = /^(failed|canceled|cancelled)$/i.test(word);
	const cause = body.error ? `: ${textOf(body.error)}` : isPlain ? '' : `: ${word}`;
	const isMore = body.stopReason && body.stopReason !== body.error;
	const reason = isMore ? `${cause} (${textOf(body.stopReason)})` : cause;
	return `The ${what} ${state === 'failed' ? 'failed' : 'was cancelled'}${reason}`;
}

/**
 * Returns the error for a job that ended without a result; the error output has its last status, with any partial
 * result.
 */
export function endedError(job: Job, id: string, body: IDataObject): ServiceError {
	const word = body.status ? ` as “${textOf(body.status)}”` : '';
	const why = body.error ? `: ${textOf(body.error)}` : ' without a result';
	const message = endOf(job, body) || `The ${job.what} ended${word}${why}`;
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
export function startAndWaitFor(job: Job): NonNullable<Operation['execute']> {
	return async (task) => {
		const started = await startJob(task, job, { isAwaited: true });
		const { id } = started;
		if (hasEnded(started, job)) {
			return { items: [{ json: withEmptyNote(started) }], credits: creditsIn(started) };
		}
		const { status: result } = await waitForEnd({ task, job, id });
		const state = jobStateOf(result.status);
		const isResult = state === 'unknown' && !result.error && hasResult(result);
		if (state !== 'completed' && !isResult) throw endedError(job, id, result);
		const json = withId(id, {
			...without(started, 'success', 'creditsUsed'),
			...withEmptyNote(withStartWarning(started, result), job.getBy),
		});
		return { items: [{ json }], credits: creditsIn(result), job: jobOfId(job, id) };
	};
}
