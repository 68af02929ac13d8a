import { serviceErrorOf, wayToJob } from './errors/describe';
import { type Outcome, type Rejected, failureKindOf, mayBeBilled } from './errors/outcome';
import { ServiceError, Stopped } from './errors/serviceError';
import { outOfTime } from './errors/texts';
import { afterFailure, breathe, monotonicMs, wait } from '../base/time';
import type { Caller, CallerRun } from './account';
import { exchange } from './http';
import { CONCURRENCY } from '../limiter/accountLimiter';
import type { LimitedCall, Permit, Verdict } from '../limiter/types';
import { type Attempts, LONGEST_ADDED_MS, NO_RETRY, nextRetry } from './retry';
import type { CallSettings, ServiceCall, ServiceResponse } from './types';

export const DEFAULT_MAX_WAIT_MS = 300_000;

/** Shortest wait (ms) that is logged. */
const LONG_WAIT_MS = 1_000;

/** The outcome of a call that wasn't sent because the account's rate limit would have held it up for too long. */
const UNSENT = { kind: 'rejected', status: 429, excerpt: '', isUnsent: true } as const;

interface CallEnding {
	outcome: Outcome;
	/** Time (ms) that the call waited after its own 429s, or before it was denied without being sent. */
	waitedMs: number;
	/** Whether only the workflow's timeout kept it from waiting longer. */
	isOutOfTime?: boolean;
}

/**
 * Calls the service at the pace it allows, with retries that can't cost anything. Throws ServiceError with the typed
 * outcome, or Stopped as soon as the run is stopped or cancelled.
 */
export async function callService(
	caller: Caller,
	call: ServiceCall,
	settings: CallSettings = {},
): Promise<ServiceResponse> {
	const send = async () => await sendInTurn(caller, call, settings);
	const about = { ...settings, method: call.method };
	const isFree = ({ outcome: failed }: CallEnding) =>
		failed.kind !== 'response' && !mayBeBilled(failed) && wayToJob(failed, about) === undefined;
	const ending = await (caller.once?.(call, send, isFree) ?? send());
	const { outcome, waitedMs, isOutOfTime } = ending;
	if (outcome.kind === 'response') return { status: outcome.status, body: outcome.body };
	throw serviceErrorOf(outcome, {
		...about,
		...(isOutOfTime && { isOutOfTime, remedy: outOfTime.remedy }),
		path: call.path,
		isFile: call.file !== undefined,
		root: caller.account.root,
		waitedMs,
	});
}

/** Sends a call until it succeeds or further retries can't help. */
async function sendInTurn(
	caller: Caller,
	request: ServiceCall,
	settings: CallSettings,
): Promise<CallEnding> {
	const { run, account, context } = caller;
	const { timeLeft } = run;
	const allowedMs = settings.maxWaitMs ?? DEFAULT_MAX_WAIT_MS;
	const leftMs = Math.max(0, timeLeft?.callsMs ?? Infinity);
	const maxWaitMs = Math.min(allowedMs, leftMs);
	const isOutOfTime = leftMs < allowedMs;
	// If the user's limit covers the wait that a service asks for, it must also cover the margin added to it.
	const limitMs = maxWaitMs === 0 ? 0 : maxWaitMs + LONGEST_ADDED_MS;
	const call: LimitedCall = {
		run,
		group: groupNameOf(request),
		maxConcurrent: settings.maxConcurrent ?? CONCURRENCY.max,
		maxWaitMs: limitMs,
		signal: run.stopped,
	};
	let begunAt: number | undefined;
	let attempts: Attempts = NO_RETRY;
	let limited: Rejected | undefined;
	let limitedMs = 0;
	const endedBy = (outcome: Outcome) => ({ outcome, waitedMs: attempts.waitedMs + limitedMs });
	for (;;) {
		const askedAt = monotonicMs();
		// A wait stated by a 503 also counts toward the Rate Limit Wait.
		const permit = await account.limiter.acquire(call, attempts.waitedMs);
		const heldMs = monotonicMs() - askedAt;
		if (limited !== undefined) limitedMs += heldMs;
		if (heldMs >= LONG_WAIT_MS) {
			const reason = limited === undefined ? 'its turn' : 'the rate limit';
			context.logger.debug(`${call.group} waited ${Math.ceil(heldMs / 1_000)} s for ${reason}`);
		}
		if ('denied' in permit) {
			// Thousands of calls may get here at the same time.
			await breathe();
			if (permit.denied !== 'tooLong') throw new Stopped();
			if (limited !== undefined) return { ...endedBy(limited), isOutOfTime };
			const { waitedMs, waitMs } = permit;
			return { outcome: { ...UNSENT, retryAfterMs: waitMs }, waitedMs, isOutOfTime };
		}
		// Not set before the first permit: until then, the call was waiting in n8n's own queue.
		begunAt ??= monotonicMs();
		const outcome = await attempt(caller, permit, request, settings);
		if (outcome.kind === 'response') return endedBy(outcome);
		if (run.cancelled?.aborted) {
			// n8n shows no error of a cancelled execution.
			const way = wayToJob(outcome, { ...settings, method: request.method });
			if (way !== undefined) context.logger.warn(way);
			throw new Stopped(undefined, request.method === 'POST' && mayBeBilled(outcome));
		}
		limited = outcome.kind === 'rejected' && outcome.status === 429 ? outcome : undefined;
		// The account's limiter waits out rate limits for all of its calls together.
		if (limited !== undefined) continue;
		// Each wait in the service's queue may take a minute. A poll has no time for two; the next one tries again.
		const isLate = settings.isPoll || monotonicMs() - begunAt > limitMs;
		const isOver = isLate && failureKindOf(outcome) === 'queued';
		const next = nextRetry(outcome, request.method, attempts, limitMs - limitedMs);
		if (isOver || next === undefined) return endedBy(outcome);
		attempts = next.attempts;
		await wait(next.delay, run.stopped);
	}
}

/** Sends a call once and releases its permit, whatever happens. */
async function attempt(
	caller: Caller,
	permit: Permit,
	call: ServiceCall,
	settings: CallSettings,
): Promise<Outcome> {
	let verdict: Verdict = { kind: 'failed' };
	let isOver = true;
	try {
		const { run } = caller;
		const isPaid = call.method === 'POST';
		if (isPaid) run.checkRoom?.();
		if (isPaid && run.timeLeft?.isEnough(settings.isAwaited) === false) throw outOfTimeError();
		const sentAt = monotonicMs();
		const outcome = await exchange(caller, call, settings);
		if (isPaid && outcome.kind === 'response') run.timeLeft?.took(monotonicMs() - sentAt);
		verdict = verdictOf(outcome);
		isOver = outcome.kind !== 'response' && verdict.kind !== 'limited';
		return outcome;
	} finally {
		const { limiter } = caller.account;
		if (isOver) void afterFailure().then(() => limiter.release(permit, verdict));
		else limiter.release(permit, verdict);
	}
}

function outOfTimeError(): ServiceError {
	const { message, remedy } = outOfTime;
	return new ServiceError(message, {
		description: `This item was not sent, because its result might come too late. ${remedy}`,
		isUnsent: true,
		isOutOfTime: true,
		credits: 0,
	});
}

/**
 * Returns the name of the group of calls that a service counts together: those with the same method and resource,
 * whatever their version and ID.
 */
function groupNameOf({ method, path }: ServiceCall): string {
	// Open browsers have their own limit.
	const [, , resource, , part] = path.split(/[/?]/, 5);
	return `${method} ${resource === 'scrape' && part === 'interact' ? part : resource}`;
}

/** Waits `ms` between two calls. Throws Stopped within a quarter of a second of a cancellation. */
export async function pause({ run }: Caller, ms: number): Promise<void> {
	await wait(ms, run.stopped);
	checkStopped(run);
}

/** Throws Stopped once the run is stopped, since later failures don't matter. */
export function checkStopped({ stopped }: CallerRun): void {
	if (stopped?.aborted) throw new Stopped();
}

function verdictOf(outcome: Outcome): Verdict {
	if (outcome.kind === 'response') return { kind: 'accepted' };
	if (outcome.kind === 'rejected' && outcome.status === 429) {
		return { kind: 'limited', waitMs: outcome.retryAfterMs };
	}
	// If connections can't be made, a proxy may have reached its limit.
	const overloads = ['overloaded', 'queued', 'neverSent'];
	if (overloads.includes(failureKindOf(outcome) ?? '')) return { kind: 'overloaded' };
	return { kind: outcome.kind === 'noResponse' ? 'failed' : 'accepted' };
}
