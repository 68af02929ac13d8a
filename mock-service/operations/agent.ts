import { example } from '../data/example';
import { slug, subjectOf } from '../data/texts';
import type { Entry } from '../entry';
import { failure, notFound, ok, type ServiceResponse } from '../response';
import { KEPT_MS, type Job, type State } from '../state';
import { iso, paid, type Context } from './context';
import { answerOf, creditsOfCalls, exchangeOf, join, refusalOf } from './thread';

export function agentStart(context: Context): ServiceResponse {
	const { state, body, report, version } = context;
	const refusal = refusalOf(context);
	if (refusal) return refusal;
	const exchange = exchangeOf(context);
	const price = (body.model === 'spark-1-pro' ? 25 : 10) + creditsOfCalls(exchange);
	const credits = Math.min(price, (body.maxCredits as number) ?? 2500);
	return paid(context, 'agentStart', credits, () => {
		const job = state.addJob('agent', body, credits);
		const thread = join(context, job, exchange);
		state.note(job.id, 'agent', version, body.prompt);
		report(job.id, 'agent', () => {
			const { status, error } = state.jobNow(job);
			const { data } = status === 'completed' ? answer(state, job) : {};
			return {
				status,
				data: [{ creditsUsed: credits, ...(data !== undefined && { data }) }],
				error,
			};
		});
		return ok({ success: true, id: job.id, threadId: thread.id, threadTurn: thread.turn });
	});
}

const answer = (state: State, job: Job) => answerOf(state, job, found(job));

/** Returns what a task has found. */
function found({ request, end }: Job): unknown {
	const topic = String(request.prompt ?? '');
	const title = subjectOf(topic);
	const [url = `https://${slug(title)}.example/about`] = (request.urls as string[]) ?? [];
	return end?.data ?? example(request.schema as Entry, { topic, url, title });
}

export function agentGet({ state, id }: Context): ServiceResponse {
	const job = state.findJob('agent', id);
	if (!job) return notFound('Agent job');
	const now = state.jobNow(job);
	return ok({
		success: true,
		status: now.status,
		...(now.status === 'completed' && answer(state, job)),
		...(now.status === 'failed' && { error: now.error }),
		model: job.request.model ?? 'spark-1-mini',
		expiresAt: iso(job.createdAt + KEPT_MS.agent),
		creditsUsed: now.status === 'processing' ? 0 : job.credits,
	});
}

export function agentCancel({ state, id }: Context): ServiceResponse {
	const job = state.findJob('agent', id);
	if (!job) return notFound('Agent job');
	const { status } = state.jobNow(job);
	if (status === 'completed' || status === 'failed') return failure(409, 'Agent already finished');
	if (status === 'cancelled') return failure(409, 'Agent is already cancelled');
	job.end = { status: 'cancelled', at: Date.now() };
	return ok({ success: true });
}
