import type { Entry } from '../entry';
import { NEW_MONITOR, type Monitor, type MonitorSettings } from '../monitors';
import { failure, notFound, ok, type ServiceResponse } from '../response';
import { cronOf, runsOf } from '../schedule';
import { DAY_MS } from '../state';
import { iso, unpaid, type Context, type Handler } from './context';
import { advance, begin, dueAt, estimateOf } from './monitorCheck';

const NO_RETENTION =
	'Monitoring requires retained snapshots and diffs, and is not supported for zero data retention teams.';

/** Returns a handler for teams with a credit left whose data the service may keep. */
const keeping =
	(handler: Handler): Handler =>
	(context) =>
		unpaid(context.state, 1) ??
		(context.settings.retention ? handler(context) : failure(400, NO_RETENTION));

/** Returns a handler for a monitor that exists, with its checks as they are now. */
const ofMonitor =
	(handler: (context: Context, monitor: Monitor) => ServiceResponse): Handler =>
	(context) => {
		const monitor = context.state.monitors.get(context.id);
		if (!monitor) return notFound('Monitor');
		advance(context, monitor);
		return handler(context, monitor);
	};

function shown(context: Context, monitor: Monitor): Entry {
	const { id, settings, times, checks, current } = monitor;
	const last = checks.findLast(({ pages }) => pages.length > 0 && current?.pages !== pages)?.data;
	const { intervalMs } = runsOf(settings.schedule);
	return {
		...{ id, ...settings, ...times },
		nextRunAt: iso(dueAt(context, monitor)),
		lastRunAt: last?.finishedAt ?? null,
		currentCheckId: current?.data.id ?? null,
		estimatedCreditsPerMonth: estimateOf(settings) * Math.ceil((30 * DAY_MS) / intervalMs),
		lastCheckSummary: last?.summary ?? null,
	};
}

/** Returns settings with those of a request, as the service keeps them. Throws if they can't be together. */
function changed({ state, body }: Context, before: MonitorSettings): MonitorSettings {
	const { schedule, targets, ...others } = body as Partial<MonitorSettings>;
	const { cron, text, timezone = 'UTC' } = (schedule ?? {}) as Record<string, string | undefined>;
	const goal = (others.goal === undefined ? before.goal : others.goal)?.trim() || null;
	const settings = {
		...before,
		judgeEnabled: before.judgeEnabled || (others.goal !== undefined && goal !== null),
		...{ ...others, goal },
		...(schedule && { schedule: { cron: cron ?? cronOf(text!)!, timezone } }),
		...(targets && {
			targets: targets.map((target) => ({
				...(target.type === 'search' && { searchWindow: '24h', maxResults: 10 }),
				...{ ...target, id: target.id ?? state.newId() },
			})),
		}),
	};
	runsOf(settings.schedule);
	const isSearch = settings.targets.some(({ type }) => type === 'search');
	if (isSearch && settings.judgeEnabled && goal === null)
		throw new Error('A search target requires a non-empty goal');
	return settings;
}

/** Responds with a monitor once it is made or changed, or with why it can't be. */
function settled(context: Context, work: () => Monitor): ServiceResponse {
	try {
		return ok({ success: true, data: shown(context, work()) });
	} catch (error) {
		return failure(400, (error as Error).message);
	}
}

export const monitorCreate = keeping((context) =>
	settled(context, () => {
		const { state, webhooks } = context;
		const monitor = state.addMonitor(changed(context, NEW_MONITOR));
		webhooks.every(() => {
			if (state.monitors.has(monitor.id)) advance(context, monitor);
			return state.monitors.has(monitor.id);
		});
		return monitor;
	}),
);

export const monitorUpdate = keeping(
	ofMonitor((context, monitor) =>
		settled(context, () => {
			const { settings, times } = monitor;
			monitor.settings = changed(context, settings);
			times.updatedAt = iso(Date.now());
			const isResumed = settings.status === 'paused' && monitor.settings.status === 'active';
			if (isResumed || context.body.schedule) monitor.since = Date.now();
			return monitor;
		}),
	),
);

/** Returns a part of a list: `limit` entries after the first `offset`, as the query says. */
const partOf = <T>(list: T[], { offset = 0, limit = 25 }: Entry) =>
	list.slice(Number(offset), Number(offset) + Number(limit));

export function monitorList(context: Context): ServiceResponse {
	const all = partOf([...context.state.monitors.values()].reverse(), context.query);
	return ok({ success: true, data: all.map((monitor) => shown(context, monitor)) });
}

export const monitorGet = ofMonitor((context, monitor) =>
	ok({ success: true, data: shown(context, monitor) }),
);

export const monitorDelete = ofMonitor(({ state, id }) => {
	state.monitors.delete(id);
	return ok({ success: true });
});

export const monitorRun = keeping(
	ofMonitor((context, monitor) => {
		const checkId = monitor.current?.data.id;
		if (monitor.settings.status === 'paused')
			return failure(409, 'Monitor is paused. Resume it before running a check.');
		if (checkId) return failure(409, 'Monitor check is already running.', { checkId });
		const { data } = begin(context, monitor, 'manual');
		return ok({ success: true, id: data.id, data });
	}),
);

const hasStatus =
	({ status }: Entry) =>
	(one: { status: string }) =>
		status === undefined || one.status === status;

export const monitorChecks = ofMonitor(({ query }, { checks }) => {
	const all = checks.map(({ data }) => data).filter(hasStatus(query));
	return ok({ success: true, data: partOf(all.reverse(), query) });
});

/** Returns a check with some of its pages; `next` leads to those that follow. */
export const monitorCheck = ofMonitor(({ query, id, checkId, nextUrl }, { checks }) => {
	const check = checks.find(({ data }) => data.id === checkId);
	if (!check) return notFound('Check');
	const { skip: offset = 0, limit = 25, ...filter } = query as Record<string, string>;
	const all = check.pages.filter(hasStatus(query));
	const pages = partOf(all, { offset, limit });
	const skip = Number(offset) + pages.length;
	const rest = new URLSearchParams({ skip: `${skip}`, limit: `${limit}`, ...filter }).toString();
	const next =
		skip < all.length ? nextUrl(`/v2/monitor/${id}/checks/${checkId}?${rest}`) : undefined;
	return ok({ success: true, next, data: { ...check.data, pages, next } });
});
