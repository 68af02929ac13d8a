/* eslint-disable @typescript-eslint/no-unused-vars */
import { hash, pick, uuid } from '../data/hash';
import { capital, SENTENCES, topicOf } from '../data/texts';
import type { Entry } from '../entry';
import { failure, type ServiceResponse } from '../response';
import type { Job, State } from '../state';
import type { Context } from './context';

/** Price of a call to a provider, in credits. */
const CALL_CREDITS = 5;

/** The calls that the agent asks to buy. */
const CALLS = [1, 2].map((page) => ({
	id: `call-${page}`,
	provider: 'registry',
	capability: 'companies/find',
	input: { page },
	creditsEstimate: CALL_CREDITS,
}));

/** What a task says about buying data; it overrides what the previous task said. */
interface Exchange {
	enabled?: boolean;
	requireApproval?: boolean;
	maxCalls?: number;
	approve?: { approvalId: string; callIds?: string[]; always?: boolean };
	decline?: { approvalId: string };
}

/** Returns the tasks of a thread, oldest first. */
const tasksOf = ({ jobs }: State, threadId: unknown): Job[] =>
	threadId === undefined ? [] : [...jobs.values()].filter(({ thread }) => thread?.id === threadId);

/** Returns the rejection of a task that can't continue its thread; undefined if it can, or starts a new one. */
export function refusalOf({ state, body }: Context): ServiceResponse | undefined {
	const last = tasksOf(state, body.threadId).at(-1);
	if (body.threadId !== undefined && last === undefined) {
		return failure(404, 'Thread not found', { code: 'thread_not_found' });
	}
	if (last && state.jobNow(last).status === 'processing') {
		return failure(409, 'This thread already has a run in progress', { code: 'thread_busy' });
	}
	const { approve, decline, requireApproval } = (body.exchange ?? {}) as Exchange;
	if (requireApproval && body.mode !== 'chat') {
		return failure(500, 'An unexpected error occurred', { code: 'UNKNOWN_ERROR' });
	}
	const answered = approve ?? decline;
	if (answered === undefined) return undefined;
	const asked = last && askedBy(state, last);
	if (asked?.id === answered.approvalId && !(approve && decline)) return undefined;
	return failure(400, 'No approval of this ID is pending in the thread', { code: 'BAD_REQUEST' });
}

/** Returns the exchange settings of a task that is about to start. */
export function exchangeOf({ state, body }: Context): Exchange | undefined {
	const before: Exchange | undefined = tasksOf(state, body.threadId).at(-1)?.thread?.exchange;
	if (before === undefined && body.exchange === undefined) return undefined;
	const { approve, decline: _, ...kept } = before ?? {};
	return {
		...kept,
		...(approve?.always && { requireApproval: false }),
		...(body.exchange as Exchange),
	};
}

/** Returns how many calls to providers a task pays for. */
const callsOf = ({
	enabled,
	requireApproval,
	maxCalls,
	approve,
	decline,
}: Exchange = {}): number => {
	if (decline || enabled === false || (requireApproval && !approve)) return 0;
	return Math.min(approve?.callIds?.length ?? CALLS.length, maxCalls ?? CALLS.length);
};

/** Returns the price of the data bought for a task, in credits. */
export const creditsOfCalls = (exchange?: Exchange): number =>
	exchange === undefined ? 0 : callsOf(exchange) * CALL_CREDITS;

/** Adds a task to its thread. */
export function join(
	{ state, body }: Context,
	job: Job,
	exchange?: Exchange,
): Required<Job>['thread'] {
	const turn = tasksOf(state, body.threadId).length + 1;
	const id = (body.threadId as string) ?? uuid(state.seed, 'thread', job.id);
	return (job.thread = { id, turn, exchange });
}

/** Returns the approval that a task asks for. */
function askedBy({ seed }: State, { id, thread }: Job): { id: string } | undefined {
	const { enabled, requireApproval, approve, decline } = (thread?.exchange ?? {}) as Exchange;
	if (!requireApproval || enabled === false || approve || decline) return undefined;
	const reason = `The registry has this. It costs about ${CALLS.length * CALL_CREDITS} credits.`;
	const more = { kind: 'calls', reason, calls: CALLS, resolution: null };
	return { id: uuid(seed, 'approval', id), ...more };
}

/**
 * Returns the answer of a completed task: in chat mode a question at first, then text; otherwise `data`, or a request
 * for approval if it wants to buy data.
 */
export function answerOf(state: State, job: Job, data: unknown): Entry {
	const { thread, request } = job;
	if (thread === undefined) return { data };
	const { id: threadId, turn: threadTurn, exchange } = thread;
	const asked = askedBy(state, job);
	const topic = topicOf(String(request.prompt ?? '')).slice(0, 80);
	const said =
		threadTurn === 1
			? `For which year do you want to know this: ${topic.replace(/\?+$/, '')}?`
			: `${capital(topic)}: ${pick(SENTENCES, hash(topic))}`;
	const suggestions = ['This year', 'Last year'].map((label) => ({ label, prompt: label }));
	const answer = request.mode === 'chat' ? { message: said, suggestions } : { data };
	return {
		...(asked ? { message: 'May I buy data for this?', pendingApproval: asked } : answer),
		mode: request.mode ?? 'extract',
		threadId,
		threadTurn,
		...(exchange && {
			exchange: { enabled: true, ...settingsOf(exchange), ...costOf(exchange) },
		}),
	};
}

const settingsOf = ({ approve: _, decline: __, maxCalls: ___, ...settings }: Exchange) => settings;

const costOf = (exchange: Exchange) => ({
	paidCalls: callsOf(exchange),
	creditsUsed: creditsOfCalls(exchange),
});
