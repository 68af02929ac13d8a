import type { IDataObject, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { CONCURRENCY, wait, type Permit, type Verdict } from './concurrency';
import { cancelled, errorOf } from './errors';
import { exchange } from './http';
import type { Outcome } from './outcome';
import { nextDelay, troubleOf, type Attempts } from './retry';
import { serviceRoot } from './root';
import { NotSent, runOf, type ItemRun } from './run';
import {
	CREDENTIAL_TYPE,
	type CallSettings,
	type ServiceResponse,
	type ServiceCall,
	type ServiceContext,
	type ServiceCredential,
} from './types';

/** Default of Max Wait, in ms. */
const DEFAULT_MAX_WAIT_MS = 300_000;

/**
 * Calls the service: in its turn, at the pace the service allows, repeated where that can't cost anything.
 * Throws NodeApiError or NodeOperationError ready for the user; ends at once when the execution is cancelled.
 */
export async function callService(
	context: ServiceContext,
	call: ServiceCall,
	settings: CallSettings = {},
): Promise<ServiceResponse> {
	const node = context.getNode();
	const signal = context.getExecutionCancelSignal?.();
	const itemIndex = settings.itemIndex ?? context.getItemIndex?.();
	const run = runOf(context);
	const credential = await credentialOf(context);
	const root = serviceRoot(credential.baseUrl, node);
	const attempts: Attempts = { repeats: {}, waitedMs: 0 };
	const maxWaitMs = settings.maxWaitMs ?? DEFAULT_MAX_WAIT_MS;
	let isRepeat = false;
	// Nobody but a cancel or a run that has stopped refuses a call its turn.
	const refusal = () => (signal?.aborted ? cancelled(node, itemIndex) : new NotSent(node, {}));
	for (;;) {
		const permit = await turn(run, settings, isRepeat, refusal);
		const outcome = await exchange(context, credential, root, call, settings.http);
		const delay = nextDelay(outcome, call.method, attempts, maxWaitMs);
		run.limiter.release(permit, verdictOf(outcome, delay));
		if (outcome.kind === 'response') return { status: outcome.status, body: outcome.body };
		if (signal?.aborted) throw cancelled(node, itemIndex);
		const trouble = troubleOf(outcome);
		if (delay === undefined || trouble === undefined) {
			const { waitedMs } = attempts;
			throw errorOf(outcome, {
				node,
				call,
				settings: { ...settings, itemIndex },
				root,
				waitedMs,
				trouble,
			});
		}
		attempts.repeats[trouble] = (attempts.repeats[trouble] ?? 0) + 1;
		isRepeat = true;
		// A rate limit is waited for in the limiter, together with all other items.
		if (trouble === 'limited') attempts.waitedMs += delay;
		else await wait(delay, signal);
	}
}

/** Waits between two calls, in ms. Throws NodeOperationError within a quarter of a second of a cancel. */
export async function pause(context: ServiceContext, ms: number): Promise<void> {
	const signal = context.getExecutionCancelSignal?.();
	await wait(ms, signal);
	if (signal?.aborted) throw cancelled(context.getNode(), context.getItemIndex?.());
}

async function turn(
	run: ItemRun,
	settings: CallSettings,
	isRepeat: boolean,
	refusal: () => NodeApiError | NodeOperationError,
): Promise<Permit> {
	if (run.isStopped) throw refusal();
	try {
		const max = settings.maxConcurrent ?? CONCURRENCY.max;
		return await run.limiter.acquire(run.owner, max, isRepeat);
	} catch {
		throw refusal();
	}
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

const credentials = new WeakMap<object, Promise<ServiceCredential>>();

/** The credential, read once per item: n8n reads it from its database and decrypts it each time. */
async function credentialOf(context: ServiceContext): Promise<ServiceCredential> {
	let credential = credentials.get(context);
	if (credential === undefined) {
		credential = context.getCredentials<IDataObject>(CREDENTIAL_TYPE).then((data) => ({
			...data,
			baseUrl: String(data.baseUrl ?? ''),
			apiKey: String(data.apiKey ?? ''),
		}));
		credentials.set(context, credential);
	}
	return await credential;
}
