import { example } from '../data/example';
import { topicOf } from '../data/texts';
import type { Entry } from '../entry';
import { failure, notFound, ok, type ServiceResponse } from '../response';
import { DAY_MS } from '../state';
import { iso, paid, type Context } from './context';

export function agentStart(context: Context): ServiceResponse {
	const { state, body } = context;
	const price = body.model === 'spark-1-pro' ? 25 : 10;
	const credits = Math.min(price, (body.maxCredits as number) ?? 2500);
	return paid(context, 'agentStart', credits, () => {
		const job = state.addJob('agent', body, credits);
		state.note(job.id, 'agent', 'v2', body.prompt);
		return ok({ success: true, id: job.id });
	});
}

export function agentGet({ state, id }: Context): ServiceResponse {
	const job = state.findJob('agent', id);
	if (!job) return notFound('Agent job');
	const now = state.jobNow(job);
	const urls = (job.request.urls as string[]) ?? [];
	const topic = topicOf(String(job.request.prompt ?? '')).slice(0, 80);
	const made = () =>
		example(job.request.schema as Entry, topic, urls[0] ?? 'https://docs.northwind.example/about');
	return ok({
		success: true,
		status: now.status,
		...(now.status === 'completed' && { data: now.data ?? made() }),
		...(now.status === 'failed' && { error: now.error }),
		model: job.request.model ?? 'spark-1-mini',
		expiresAt: iso(job.createdAt + DAY_MS),
		creditsUsed: now.status === 'processing' ? 0 : job.credits,
	});
}

/** Assumption: cancelling again does no harm. */
export function agentCancel({ state, id }: Context): ServiceResponse {
	const job = state.findJob('agent', id);
	if (!job) return notFound('Agent job');
	const { status } = state.jobNow(job);
	if (status === 'completed' || status === 'failed') return failure(409, 'Agent already finished');
	job.end ??= { status: 'cancelled', at: Date.now() };
	return ok({ success: true });
}
