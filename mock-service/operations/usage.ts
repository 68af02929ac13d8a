import type { Entry } from '../entry';
import { ok, type ServiceResponse } from '../response';
import { DAY_MS } from '../state';
import { iso, needsDatabase, type Context } from './context';

/**
 * Returns the usage of twelve months, the current one last. Assumption: the team has two keys, identified by their
 * names.
 */
export const usageHistorical = needsDatabase(({ state, query }) => {
	const now = new Date();
	const byApiKey = String(query.byApiKey) === 'true';
	const periods = Array.from({ length: 12 }, (_, i) => 11 - i).flatMap((monthsAgo): Entry[] => {
		const month = (ago: number) => iso(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1));
		const [first, second] = state.creditsOf(monthsAgo);
		const period = { startDate: month(monthsAgo), endDate: month(monthsAgo - 1) };
		return byApiKey
			? [
					{ ...period, apiKey: 'Workflows', creditsUsed: first },
					{ ...period, apiKey: 'Data pipeline', creditsUsed: second },
				]
			: [{ ...period, apiKey: null, creditsUsed: first + second }];
	});
	return ok({ success: true, periods });
});

export const usageRemaining = needsDatabase(({ state }) => {
	const now = new Date();
	const month = (add: number) => iso(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + add, 1));
	const spent = state.ledger.reduce((sum, entry) => sum + entry.credits, 0);
	return ok({
		success: true,
		data: {
			remainingCredits: state.remaining,
			planCredits: state.remaining + spent,
			billingPeriodStart: month(0),
			billingPeriodEnd: month(1),
		},
	});
});

export function usageQueueStatus({ state }: Context): ServiceResponse {
	const jobs = [...state.jobs.values()].map((job) => state.jobNow(job));
	const batches = [...state.batches.values()].map((batch) => state.now(batch));
	const running = [...jobs, ...batches].filter(({ status }) => !/^(c|f)/.test(status));
	const active = running.length + state.activeCrawls().length;
	return ok({
		success: true,
		jobsInQueue: active,
		activeJobsInQueue: active,
		waitingJobsInQueue: 0,
		maxConcurrency: 50,
		mostRecentSuccess: state.activity.at(-1)?.created_at ?? null,
	});
}

/** Returns how many jobs run, as the official command line asks for it. */
export function concurrency(context: Context): ServiceResponse {
	const { activeJobsInQueue, maxConcurrency } = usageQueueStatus(context).body as Entry;
	return ok({ success: true, concurrency: activeJobsInQueue, maxConcurrency });
}

/** Returns recent jobs. Assumption: 50 entries if there is no limit. `cursor` is the last ID returned. */
export const usageActivity = needsDatabase(({ state, query }) => {
	const since = iso(Date.now() - DAY_MS);
	const all = state.activity
		.filter((entry) => entry.created_at >= since)
		.filter((entry) => query.endpoint === undefined || entry.endpoint === query.endpoint)
		.reverse();
	const limit = Number(query.limit ?? 50);
	const before = query.cursor === undefined ? undefined : String(query.cursor);
	const from = before === undefined ? 0 : all.findIndex((entry) => entry.id === before) + 1;
	const data = all.slice(from, from + limit);
	const more = from + data.length < all.length;
	return ok({ success: true, data, cursor: more ? data.at(-1)?.id : null, has_more: more });
});
