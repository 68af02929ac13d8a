import { hash } from '../data/hash';
import type { Entry } from '../entry';
import { ok, type ServiceResponse } from '../response';
import { DAY_MS, type State } from '../state';
import { iso, type Context } from './context';

/** Returns the first moment of a month, counted from the current one. */
const month = (add: number) => {
	const now = new Date();
	return iso(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + add, 1));
};

const spentBy = (state: State) => state.ledger.reduce((sum, { credits }) => sum + credits, 0);

/** Returns the usage of twelve months, the current one last. Assumption: the team has two keys. */
export function usageHistorical({ state, query }: Context): ServiceResponse {
	const periods = Array.from({ length: 12 }, (_, i) => i - 11).flatMap((at): Entry[] => {
		const own = at === 0 ? spentBy(state) : 1000 + (hash(state.seed, at) % 4000);
		const period = { startDate: month(at), endDate: month(at + 1) };
		if (String(query.byApiKey) !== 'true')
			return [{ ...period, apiKey: null, creditsUsed: own + 500 }];
		return [
			{ ...period, apiKey: 'Workflows', creditsUsed: own },
			{ ...period, apiKey: 'Data pipeline', creditsUsed: 500 },
		];
	});
	return ok({ success: true, periods });
}

export const usageRemaining = ({ state }: Context): ServiceResponse =>
	ok({
		success: true,
		data: {
			remainingCredits: state.remaining,
			planCredits: state.remaining + spentBy(state),
			billingPeriodStart: month(0),
			billingPeriodEnd: month(1),
		},
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
export function usageActivity({ state, query }: Context): ServiceResponse {
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
}
