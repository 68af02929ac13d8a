import { failure, notFound, ok, type ServiceResponse } from '../response';
import type { Entry } from '../entry';
import {
	newMonitor,
	NEW_MONITOR,
	type Check,
	type Monitor,
	type MonitorSettings,
} from '../monitors';
import { cronOf, runsOf } from '../schedule';
import { DAY_MS } from '../state';
import { iso, unpaid, type Context, type Handler } from './context';
import { advance, begin, dueAt, estimateOf, summaryOf } from './monitorCheck';

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

const isoOrNull = (at: number | undefined) => (at === undefined ? null : iso(at));

function shown(monitor: Monitor, context: Context): Entry {
	const { since: _since, checks: _checks, seen: _seen, current, last, ...settings } = monitor;
	const { intervalMs } = runsOf(monitor.schedule);
	return {
		...settings,
		nextRunAt: iso(dueAt(monitor, context)),
		lastRunAt: isoOrNull(last?.finishedAt),
		currentCheckId: current?.id ?? null,
		estimatedCreditsPerMonth: estimateOf(monitor) * Math.ceil((30 * DAY_MS) / intervalMs),
		lastCheckSummary: last ? summaryOf(last) : null,
		createdAt: iso(monitor.createdAt),
		updatedAt: iso(monitor.updatedAt),
	};
}

function shownCheck(check: Check, monitorId: string): Entry {
	const { pages: _pages, left: _left, searchCredits: _credits, fails: _fails, ...rest } = check;
	return {
		...rest,
		monitorId,
		scheduledFor: isoOrNull(check.scheduledFor),
		startedAt: isoOrNull(check.startedAt),
		finishedAt: isoOrNull(check.finishedAt),
		actualCredits: check.actualCredits ?? null,
		summary: summaryOf(check),
		error: check.error ?? null,
		createdAt: iso(check.createdAt),
		updatedAt: iso(check.finishedAt ?? check.startedAt ?? check.createdAt),
	};
}

/** Returns settings with those of a request, as the service keeps them. Throws if they can't be together. */
function changed({ state, body }: Context, before: MonitorSettings): MonitorSettings {
	const { schedule, targets, goal = before.goal, ...others } = body as Partial<MonitorSettings>;
	const { cron, text, timezone = 'UTC' } = (schedule ?? {}) as Record<string, string | undefined>;
	const aim = goal?.trim() || null;
	const isNewGoal = body.goal !== undefined && aim !== null;
	const settings = {
		...before,
		judgeEnabled: isNewGoal || before.judgeEnabled,
		...others,
		goal: aim,
		...(schedule && { schedule: { cron: cron ?? cronOf(text!)!, timezone } }),
		...(targets && {
			targets: targets.map((target) => ({
				...(target.type === 'search' && { searchWindow: '24h', maxResults: 10 }),
				...target,
				id: target.id ?? state.newId(),
			})),
		}),
	};
	runsOf(settings.schedule);
	const isSearch = settings.targets.some(({ type }) => type === 'search');
	if (isSearch && settings.judgeEnabled && aim === null)
		throw new Error('A search target requires a non-empty goal');
	return settings;
}

/** Responds with a monitor after it was made or changed, or with why it can't be. */
function settled(context: Context, work: () => Monitor): ServiceResponse {
	try {
		return ok({ success: true, data: shown(work(), context) });
	} catch (error) {
		return failure(400, (error as Error).message);
	}
}

export const monitorCreate = keeping((context) =>
	settled(context, () => {
		const monitor = newMonitor(context.state, changed(context, NEW_MONITOR));
		context.webhooks.every(() => {
			advance(context, monitor);
			return context.state.monitors.has(monitor.id);
		});
		return monitor;
	}),
);

export const monitorUpdate = keeping(
	ofMonitor((context, monitor) =>
		settled(context, () => {
			const now = Date.now();
			const { schedule, status } = context.body;
			const isAnew = schedule !== undefined || (status === 'active' && monitor.status !== status);
			const since = isAnew ? now : monitor.since;
			return Object.assign(monitor, changed(context, monitor), { updatedAt: now, since });
		}),
	),
);

/** Returns a part of a list: `limit` entries after the first `offset`, as the query says. */
const partOf = <T>(list: T[], { offset = 0, limit = 25 }: Entry) =>
	list.slice(Number(offset), Number(offset) + Number(limit));

export const monitorList = (context: Context): ServiceResponse => {
	const all = [...context.state.monitors.values()].reverse();
	const data = partOf(all, context.query).map((monitor) => shown(monitor, context));
	return ok({ success: true, data });
};

export const monitorGet = ofMonitor((context, monitor) =>
	ok({ success: true, data: shown(monitor, context) }),
);

export const monitorDelete = ofMonitor(({ state, id }) => {
	state.monitors.delete(id);
	return ok({ success: true });
});

export const monitorRun = keeping(
	ofMonitor((context, monitor) => {
		if (monitor.status === 'paused')
			return failure(409, 'Monitor is paused. Resume it before running a check.');
		if (monitor.current) {
			const checkId = monitor.current.id;
			return failure(409, 'Monitor check is already running.', { checkId });
		}
		const check = begin(context, monitor, 'manual');
		return ok({ success: true, id: check.id, data: shownCheck(check, monitor.id) });
	}),
);

const hasStatus =
	({ status }: Entry) =>
	(one: { status: string }) =>
		status === undefined || one.status === status;

export const monitorChecks = ofMonitor(({ query }, monitor) => {
	const all = monitor.checks.filter(hasStatus(query)).reverse();
	const data = partOf(all, query).map((check) => shownCheck(check, monitor.id));
	return ok({ success: true, data });
});

/** Returns a check with some of its pages; `next` leads to those that follow. */
export const monitorCheck = ofMonitor(({ query, checkId, nextUrl }, monitor) => {
	const check = monitor.checks.find(({ id }) => id === checkId);
	if (!check) return notFound('Check');
	const { skip = 0, limit = 25, ...filter } = query as Record<string, string>;
	const all = check.pages.filter(hasStatus(query));
	const pages = partOf(all, { offset: skip, limit });
	const reached = Number(skip) + pages.length;
	const rest = new URLSearchParams({ skip: String(reached), limit: String(limit), ...filter });
	const next =
		reached < all.length
			? nextUrl(`/v2/monitor/${monitor.id}/checks/${checkId}?${rest.toString()}`)
			: undefined;
	return ok({ success: true, next, data: { ...shownCheck(check, monitor.id), pages, next } });
});
