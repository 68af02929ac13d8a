import type {
	IDataObject,
	IExecutePaginationFunctions,
	INodeExecutionData,
	IPollFunctions,
	WorkflowActivateMode,
} from 'n8n-workflow';

import { failureOf, nodeErrorOf } from '../client/errors/nodeErrors';
import { ServiceError } from '../client/errors/serviceError';
import type { Field, Place } from '../form/field';
import { type Form, compose } from '../form/form';
import { allLabels, labelOf } from '../form/labels';
import { CREDENTIAL_TYPE, type Caller, allowedDomainsOf, callerOf } from '../client/account';
import { callService } from '../client/call';
import type { CallSettings, ServiceCall, ServiceResponse } from '../client/types';
import { messageOf } from '../base/text';
import { monotonicMs, wait } from '../base/time';
import type { Log, Memory, Store } from './memory';
import { inTurn } from './pollTurns';

/** Maximum time (ms) for a poll if n8n sets no limit: durable mode abandons a poll after 45 s. */
const DEFAULT_BUDGET_MS = 40_000;

/** Share of n8n's time that a poll may use, so that it ends before n8n abandons it. */
const POLL_SHARE = 0.9;

/** Share of a poll's time for its work; the rest ensures that it ends in time whatever happens. */
const WORK_SHARE = 0.9;

/**
 * Maximum time (ms) for a poll during publication: n8n gives up a publication after 84 s, whatever its limit for polls.
 */
const PUBLICATION_MS = 82_000;

/** Maximum time (ms) that a request waits for a rate limit; n8n itself waits for longer ones. */
const MAX_WAIT_MS = 10_000;

/** Time (ms) that a patient request reserves for its response. */
const ANSWER_MS = 10_000;

/** Static data that this n8n process has already polled with, and which therefore contains what was learned since. */
const polledWith = new WeakSet<IDataObject>();

/** Head start (ms) of the service's timeout over ours, so that the service can still say why it ended a request. */
export const HEAD_START_MS = 1_000;

/** What every poll needs besides its requests and settings. */
export interface PollTools {
	store: Store;
	/**
	 * Why n8n may have lost what earlier polls learned but didn't emit: it has just started, or the workflow was
	 * published. Unset for a poll that follows another one in the same n8n process, and in durable mode, which loses
	 * nothing.
	 */
	begin?: 'start' | 'publication';
	/** Returns the time in ms since 1970; changes to the clock during the poll have no effect. */
	now(): number;
	/** Waits `ms`, or until the signal is aborted. */
	wait(ms: number, signal?: AbortSignal): Promise<void>;
	/** Time (ms) that the poll may take. */
	budgetMs: number;
	log: Log;
}

/** The limits of a poll's request. */
export interface Within {
	/** When it must have ended (ms since 1970); with the poll unless set. */
	finishBy?: number;
	/** Its longest time (ms). */
	timeoutMs?: number;
	/** Whether to wait for a rate limit as long as the poll has time, because n8n saves what a first poll reads. */
	isPatient?: boolean;
	jobId?: string;
	/** The form behind the request, to name its fields in errors. */
	fields?: Field[];
}

/** What one poll needs to call the service. */
export interface Poll {
	tools: PollTools;
	context: IPollFunctions;
	/** Only used by this poll, so that a changed key takes effect immediately and requests end with the poll. */
	caller: Caller;
	/** When it must have ended (ms since 1970). */
	finishBy: number;
	/** Returns settings that keep a request within the poll's time and the credential's domains. */
	settings(within: Within): CallSettings;
	/** Calls the service once. Throws `callService`'s errors. */
	call(call: ServiceCall, within?: Within): Promise<ServiceResponse>;
}

/** What a trigger does when it polls, and in the editor's test step (`test`), which leaves the state alone. */
export interface PollWork<Task extends { settings: Pick<Memory, 'scope'> }> {
	stateKey: string;
	/** Reads the task from the form. Throws NodeOperationError naming the field. */
	task(poll: Poll): Task | Promise<Task>;
	test(task: Task): Promise<INodeExecutionData[]>;
	poll(task: Task): Promise<INodeExecutionData[]>;
}

/**
 * Runs one poll of a trigger within n8n's time for it. When the time is up, its requests are cancelled and later
 * results change nothing. Throws NodeApiError or NodeOperationError with a `failure`, which tells durable mode when to
 * poll again.
 */
export async function runPoll<Task extends { settings: Pick<Memory, 'scope'> }>(
	context: IPollFunctions,
	work: PollWork<Task>,
): Promise<INodeExecutionData[][] | null> {
	const over = new AbortController();
	try {
		const isTest = context.getMode() === 'manual';
		// Asking n8n for static data creates an entry for it.
		const staticData = isTest ? {} : context.getWorkflowStaticData('node');
		// n8n may be waiting for this poll in order to publish the workflow: it then passes new data.
		const mayPublish = !isTest && !polledWith.has(staticData);
		const budgetMs = Math.min(pollMsOf(context), mayPublish ? PUBLICATION_MS : Infinity);
		const poll = await pollOf(context, staticData, { ...work, budgetMs }, over.signal);
		const inTime = async (running: Promise<INodeExecutionData[]>) => {
			const items = await Promise.race([running, wait(budgetMs, over.signal)]);
			if (items !== undefined) return items;
			throw new ServiceError('The poll took longer than n8n allows', { description: TOO_SLOW });
		};
		const task = await work.task(poll);
		const turn = { data: staticData, scope: task.settings.scope };
		const items = isTest
			? await inTime(work.test(task))
			: await inTurn(context, turn, async () => {
					const polled = await inTime(work.poll(task));
					polledWith.add(staticData);
					return polled;
				});
		return items.length > 0 ? [items] : null;
	} catch (error) {
		const nodeError = nodeErrorOf(error, { node: context.getNode() });
		throw Object.assign(nodeError, { failure: failureOf(error) });
	} finally {
		over.abort();
	}
}

const TOO_SLOW =
	'The service was too slow. Nothing goes unnoticed: the next poll begins where this one did.';

/** What n8n's activation modes mean for a poll; in durable mode, every poll has the mode "update". */
const BEGINS: Partial<Record<WorkflowActivateMode, PollTools['begin']>> = {
	init: 'start',
	leadershipChange: 'start',
	activate: 'publication',
	create: 'publication',
};

async function pollOf(
	context: IPollFunctions,
	staticData: IDataObject,
	{ stateKey, budgetMs }: { stateKey: string; budgetMs: number },
	over: AbortSignal,
): Promise<Poll> {
	const caller = await callerOf(context, over);
	// n8n looks this up in its database, so it is done once for all requests.
	const allowedDomains = await allowedDomainsOf(context);
	// The clock may be changed while a poll runs.
	const clock = Date.now() - monotonicMs();
	const now = () => clock + monotonicMs();
	const workMs = Math.floor(WORK_SHARE * budgetMs);
	const endsAt = now() + workMs;
	const settings = (within: Within): CallSettings => {
		const { finishBy = endsAt, timeoutMs = Infinity, isPatient, jobId, fields } = within;
		const left = Math.max(1_000, finishBy - now());
		return {
			jobId,
			isPoll: true,
			hasField: (label) => fields !== undefined && allLabels(fields).has(label),
			...(fields && { nameOf: (trail) => labelOf(fields, trail) }),
			maxWaitMs: Math.max(Math.min(left, MAX_WAIT_MS), isPatient ? left - ANSWER_MS : 0),
			http: { timeout: Math.min(left, timeoutMs), allowedDomains },
		};
	};
	return {
		context,
		caller,
		finishBy: endsAt,
		settings,
		call: async (call, within = {}) => await callService(caller, call, settings(within)),
		tools: {
			store: {
				read: () => staticData[stateKey],
				// Assigned as a whole, because n8n doesn't notice changes inside.
				write: (state) => {
					if (!over.aborted) staticData[stateKey] = { ...state };
				},
			},
			now,
			wait,
			begin: polledWith.has(staticData) ? undefined : BEGINS[context.getActivationMode()],
			budgetMs: workMs,
			log: context.logger,
		},
	};
}

/**
 * Returns the time (ms) that n8n gives a poll, in whole ms as the service requires; older versions of n8n don't say.
 */
function pollMsOf(context: IPollFunctions): number {
	const { getPollBudgetMs } = context as { getPollBudgetMs?: () => number };
	if (!getPollBudgetMs) return DEFAULT_BUDGET_MS;
	return Math.floor(POLL_SHARE * getPollBudgetMs.call(context));
}

/** A context of n8n that has a trigger's form. */
type FormContext = Pick<IPollFunctions, 'getNode' | 'getNodeParameter' | 'getTimezone'>;

/** Returns the ID of the node's credential for a trigger's scope: with another credential, the trigger starts over. */
export function credentialIdOf(context: FormContext): string {
	return context.getNode().credentials?.[CREDENTIAL_TYPE]?.id ?? '';
}

/** Logs why a poll ended early, if its results so far are kept or emitted. */
export function sayEndedEarly(error: unknown, log: Log): void {
	log.warn(`This poll ended early; the next ones make up for it. Reason: ${messageOf(error)}`);
}

/** Reads and checks a trigger's form. Throws NodeOperationError naming the field. */
export function readForm(context: FormContext, fields: Field[]): Form<Place> {
	const read = (name: string) => context.getNodeParameter(name, null as never) as unknown;
	// n8n's own type of this context lacks it.
	const { evaluateExpression } = context as unknown as IExecutePaginationFunctions;
	const place = {
		node: context.getNode(),
		timezone: context.getTimezone(),
		evaluate: (expression: string) => evaluateExpression.call(context, expression, 0),
		labels: [],
	};
	return compose(fields, read, place);
}
