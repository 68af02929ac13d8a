import { CONCURRENCY, wait, type Permit, type Verdict } from './concurrency';
import { cancelled, errorOf, type NodeError } from './errors';
import { exchange } from './http';
import { NodeRun, type Account } from './nodeRun';
import type { Outcome } from './outcome';
import { mayBeBilled, nextDelay, troubleOf, type Attempts } from './retry';
import type { CallSettings, ServiceCall, ServiceContext, ServiceResponse } from './types';

/** Default of Max Wait, in ms. */
const DEFAULT_MAX_WAIT_MS = 300_000;

/** Who calls the service: a run, and the context of its item, poll or list. */
export interface Caller {
	run: NodeRun;
	context: ServiceContext;
}

/** What a call ended with after its retries. */
interface Ending {
	outcome: Outcome;
	/** Ms it waited for rate limits. */
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
		call,
		settings: { itemIndex: context.getItemIndex?.(), ...settings },
		root: account.root,
		waitedMs,
	});
}

/** Sends a call until it has succeeded or retrying it can't help. Throws when it is cancelled or its run stops. */
async function settle(
	caller: Caller,
	account: Account,
	call: ServiceCall,
	settings: CallSettings,
): Promise<Ending> {
	const { run, context } = caller;
	const attempts: Attempts = { repeats: {}, waitedMs: 0 };
	const maxWaitMs = settings.maxWaitMs ?? DEFAULT_MAX_WAIT_MS;
	let isRetry = false;
	for (;;) {
		const permit = await turn(caller, settings, isRetry);
		const outcome = await exchange(context, account, call, settings.http, run.signal);
		const delay = nextDelay(outcome, call.method, attempts, maxWaitMs);
		run.limiter.release(permit, verdictOf(outcome, delay));
		if (outcome.kind !== 'response' && run.signal?.aborted) throw stopped(caller);
		const trouble = troubleOf(outcome);
		if (delay === undefined || trouble === undefined) {
			return { outcome, waitedMs: attempts.waitedMs };
		}
		attempts.repeats[trouble] = (attempts.repeats[trouble] ?? 0) + 1;
		isRetry = true;
		// A rate limit is waited for in the limiter, together with all other items.
		if (trouble === 'limited') attempts.waitedMs += delay;
		else await wait(delay, run.signal);
	}
}

/** Waits between two calls, in ms. Throws NodeOperationError within a quarter of a second of a cancel. */
export async function pause(caller: Caller, ms: number): Promise<void> {
	const { signal } = caller.run;
	await wait(ms, signal);
	if (signal?.aborted) throw stopped(caller);
}

async function turn(caller: Caller, settings: CallSettings, isRetry: boolean): Promise<Permit> {
	const { run } = caller;
	if (run.isStopped) throw run.notSent;
	try {
		const max = settings.maxConcurrent ?? CONCURRENCY.max;
		return await run.limiter.acquire(run, max, isRetry);
	} catch {
		throw stopped(caller);
	}
}

/** Why a call isn't sent, or not waited for, any more. */
function stopped({ run, context }: Caller): NodeError {
	return run.signal?.aborted ? cancelled(run.node, context.getItemIndex?.()) : run.notSent;
}

function verdictOf(outcome: Outcome, delay: number | undefined): Verdict {
	if (outcome.kind === 'noResponse') return { kind: 'failed' };
	if (outcome.kind === 'rejected' && outcome.status === 429) {
		const asked = outcome.retryAfterMs;
		return { kind: 'limited', waitMs: delay ?? asked ?? 0, isRounded: asked !== undefined };
	}
	if (outcome.kind === 'rejected' && outcome.status === 503) return { kind: 'overloaded' };
	return { kind: 'accepted' };
}
