import { monotonicMs } from '../clock';
import { cancelled, errorOf, type NodeError } from './errors';
import { exchange } from './http';
import { CONCURRENCY } from './limiter/concurrency';
import { LONGEST_ADDED_MS } from './limiter/retryAfter';
import type { Call, Permit, Verdict } from './limiter/types';
import { NodeRun, type Account } from './nodeRun';
import type { Outcome, Rejected } from './outcome';
import { failureKindOf, mayBeBilled, nextDelay, type Attempts } from './retry';
import { turns } from './turns';
import type { CallSettings, ServiceCall, ServiceContext, ServiceResponse } from './types';
import { wait } from './wait';

/** Default of Rate Limit Wait, in ms. */
export const DEFAULT_MAX_WAIT_MS = 300_000;

/** Shorter waits (ms) for a turn are no news. */
const LONG_WAIT_MS = 1_000;

/** A call that was not sent, since others of its account were told to wait for longer than it may. */
const UNSENT = { kind: 'rejected', status: 429, excerpt: '', isUnsent: true } as const;

/** Who calls the service: a run, and the context of its item, poll or list. */
export interface Caller {
	run: NodeRun;
	context: ServiceContext;
}

/** What a call ended with after its retries. */
interface Ending {
	outcome: Outcome;
	/** Ms it waited after its own 429s, or until it was given up without being sent. */
	waitedMs: number;
}

/** A caller outside of a node's execution, such as a poll, which `signal` may end, or a list in the form. */
export function callerOf(context: ServiceContext, signal?: AbortSignal): Caller {
	return { run: new NodeRun(context, { signal }), context };
}

/**
 * Calls the service: in its turn, at the pace the service allows, retried where that can't cost anything; a call that
 * may cost credits is sent once per item, also when Retry On Fail runs the node again.
 * Throws NodeApiError or NodeOperationError ready for the user; ends at once when the execution is cancelled.
 */
export async function callService(
	caller: Caller,
	call: ServiceCall,
	settings: CallSettings = {},
): Promise<ServiceResponse> {
	const { run, context } = caller;
	const account = await run.account(context);
	const { outcome, waitedMs } = await run.once(
		context,
		call,
		async () => await settle(caller, account, call, settings),
		(ending) => !mayBeBilled(ending.outcome),
	);
	if (outcome.kind === 'response') return { status: outcome.status, body: outcome.body };
	throw errorOf(outcome, {
		node: run.node,
		itemIndex: context.getItemIndex?.(),
		call,
		settings,
		root: account.root,
		waitedMs,
	});
}

/** Sends a call until it has succeeded or retrying it can't help. Throws when it is cancelled or its run stops. */
async function settle(
	caller: Caller,
	account: Account,
	request: ServiceCall,
	settings: CallSettings,
): Promise<Ending> {
	const { run, context } = caller;
	const { maxWaitMs = DEFAULT_MAX_WAIT_MS } = settings;
	const call: Call = {
		run,
		group: groupNameOf(request),
		maxConcurrent: settings.maxConcurrent ?? CONCURRENCY.max,
		// Who allows the wait that the service names allows what is added to it.
		maxWaitMs: maxWaitMs === 0 ? 0 : maxWaitMs + LONGEST_ADDED_MS,
		signal: run.signal,
	};
	let begunAt: number | undefined;
	const attempts: Attempts = { retries: {}, waitedMs: 0 };
	let limited: Rejected | undefined;
	for (;;) {
		if (run.isStopped) throw run.notSent;
		const askedAt = monotonicMs();
		const permit = await account.limiter.acquire(call);
		const isDenied = 'denied' in permit;
		const heldMs = monotonicMs() - askedAt;
		if (limited !== undefined) attempts.waitedMs += heldMs;
		if (heldMs >= LONG_WAIT_MS) {
			const reason = limited === undefined ? 'its turn' : 'the rate limit';
			context.logger.debug(`${call.group} waited ${Math.ceil(heldMs / 1_000)} s for ${reason}`);
		}
		if (isDenied) {
			// Thousands may be at once.
			await turns.take();
			if (permit.denied !== 'tooLong') throw stopped(caller);
			const { waitedMs, waitMs } = permit;
			if (limited !== undefined) return { outcome: limited, waitedMs: attempts.waitedMs };
			return { outcome: { ...UNSENT, retryAfterMs: waitMs }, waitedMs };
		}
		// Before that, it stood in n8n's own line.
		begunAt ??= monotonicMs();
		const outcome = await attempt(caller, account, permit, request, settings);
		if (outcome.kind !== 'response' && run.signal?.aborted) throw stopped(caller);
		limited = outcome.kind === 'rejected' && outcome.status === 429 ? outcome : undefined;
		// A rate limit is waited for in the limiter, together with all other calls of the account.
		if (limited !== undefined) continue;
		// Each time in the queue may take a minute, and a poll has no time for two: the next one tries again.
		const isLate = settings.isPoll || monotonicMs() - begunAt > call.maxWaitMs;
		const isOver = isLate && failureKindOf(outcome) === 'queued';
		const delay = nextDelay(outcome, request.method, attempts, call.maxWaitMs);
		if (isOver || delay === undefined) return { outcome, waitedMs: attempts.waitedMs };
		await wait(delay, run.signal);
	}
}

/** Sends a call once and gives its permit back, whatever happens. */
async function attempt(
	caller: Caller,
	account: Account,
	permit: Permit,
	call: ServiceCall,
	{ http }: CallSettings,
): Promise<Outcome> {
	const { run, context } = caller;
	let verdict: Verdict = { kind: 'failed' };
	try {
		// As many as fit get their permits at once.
		await turns.take();
		if (run.isStopped || run.signal?.aborted) throw stopped(caller);
		const outcome = await exchange(context, account, call, http, run.signal);
		verdict = verdictOf(outcome);
		return outcome;
	} finally {
		account.limiter.release(permit, verdict);
	}
}

/** Names the calls that a service counts together: those of a method and a resource, whatever their version and id. */
function groupNameOf({ method, path }: ServiceCall): string {
	const [, , resource] = path.split(/[/?]/);
	return `${method} ${resource}`;
}

/** Waits between two calls, in ms. Throws NodeOperationError within a quarter of a second of a cancel. */
export async function pause(caller: Caller, ms: number): Promise<void> {
	const { signal } = caller.run;
	await wait(ms, signal);
	if (signal?.aborted) throw stopped(caller);
}

/** Why a call isn't sent, or not waited for, any more. */
function stopped({ run, context }: Caller): NodeError {
	return run.signal?.aborted ? cancelled(run.node, context.getItemIndex?.()) : run.notSent;
}

function verdictOf(outcome: Outcome): Verdict {
	if (outcome.kind === 'rejected' && outcome.status === 429) {
		return { kind: 'limited', waitMs: outcome.retryAfterMs };
	}
	// Where no connection comes about, a proxy may take no more.
	const overloads = ['overloaded', 'queued', 'neverSent'];
	if (overloads.includes(failureKindOf(outcome) ?? '')) return { kind: 'overloaded' };
	return { kind: outcome.kind === 'noResponse' ? 'failed' : 'accepted' };
}
