import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { isObject } from '../shared/base/json';
import { shortHash } from '../shared/base/text';
import { hasStatus } from '../shared/client/errors/serviceError';
import { checkShape, monitorPageShape, withPrevious } from '../shared/fields/monitorShapes';
import type { Form } from '../shared/form/form';
import type { Place } from '../shared/form/field';
import { jobStateOf } from '../shared/jobs/jobState';
import { type Ask, MONITORS, allOf, partsOf } from '../shared/jobs/monitors';
import { simplifierFor } from '../shared/run/results/simplify';
import { IDENTITY_LENGTH } from '../shared/trigger/seenList';
import { readForm } from '../shared/trigger/runPoll';
import { type ChecksState, type FoundCheck, newChecks } from './checks';
import { fields, firstCheck, statuses, triggerOn, whatMatters } from './fields';
import { type Context, type KeptMonitor, keptBy, serviceOf } from './service';

const ALL_STATUSES = statuses.options!.map((option) => (option as { value: string }).value);

/** Maximum number of checks that a process remembers of a monitor. */
const MOST_EMITTED = 1_000;

/**
 * What this n8n process did for each monitor: the end of its last turn, and the checks it has emitted. n8n saves the
 * memory of a workflow as a whole, so that of two nodes that learn something at once, one may lose it.
 */
const processed = new Map<string, { turn: Promise<unknown>; emitted: Set<string> }>();

export const forget = (id: string): boolean => processed.delete(id);

export interface News {
	items: INodeExecutionData[];
	/** Why some checks could not be read; they are still to come. */
	failure?: unknown;
}

/**
 * Returns what the ended checks of a monitor have that was not emitted before, and remembers it. One at a time. Throws
 * callService's errors.
 */
export async function newsOf(context: Context, monitor: KeptMonitor): Promise<News> {
	const { turn, emitted } = processed.get(monitor.id) ?? {
		turn: Promise.resolve(),
		emitted: new Set<string>(),
	};
	const work = async () => await readNews(context, monitor, emitted);
	const mine = turn.then(work, work);
	processed.set(monitor.id, { turn: mine, emitted });
	return await mine;
}

async function readNews(
	context: Context,
	{ id }: KeptMonitor,
	emitted: Set<string>,
): Promise<News> {
	const data = keptBy(context);
	const form = readForm(context, fields);
	const { ask } = await serviceOf(context);
	const stored = data.checks as unknown as ChecksState | undefined;
	const before = stored?.scope === id && Array.isArray(stored.seen) ? stored : undefined;
	const isTest = context.getMode() === 'manual';
	const found = await endedChecks(ask, id, before);
	// A test has a monitor of its own, and somebody waits to see what its check found.
	const { state, checks } = isTest
		? { checks: found }
		: newChecks(before, found, { scope: id, emitFirst: form.get(firstCheck) === true });
	const items: INodeExecutionData[] = [];
	const unread = new Set<string>();
	let failure: unknown;
	for (const { check, identity } of checks.filter((one) => !emitted.has(one.identity))) {
		try {
			const results = await resultsOf(ask, { ...check, monitorId: id }, form, isTest);
			items.push(...results.map((json) => ({ json })));
			emitted.add(identity);
			if (emitted.size > MOST_EMITTED) emitted.delete([...emitted][0]);
		} catch (error) {
			failure = error;
			unread.add(identity);
		}
	}
	if (state) data.checks = { ...state, seen: state.seen.filter((entry) => !unread.has(entry)) };
	return { items, failure };
}

/**
 * Returns the checks that have ended, oldest first: those since the last one that is remembered, and some before it.
 */
async function endedChecks(ask: Ask, id: string, before?: ChecksState): Promise<FoundCheck[]> {
	const known = new Set(before?.seen);
	const found: FoundCheck[] = [];
	for await (const part of partsOf(ask, { path: `${MONITORS}/${id}/checks` })) {
		const checks = await Promise.all(
			part.map(async (check) => ({
				check,
				identity: await shortHash(String(check.id), IDENTITY_LENGTH),
				text: '',
			})),
		);
		found.push(...checks.filter(({ check }) => jobStateOf(check.status) !== 'running'));
		if (checks.some(({ identity }) => known.has(identity))) break;
	}
	return found.reverse();
}

/** Returns what a check starts the workflow with: itself, or its pages that the form asks for. */
async function resultsOf(
	ask: Ask,
	check: IDataObject,
	form: Form<Place>,
	isTest: boolean,
): Promise<IDataObject[]> {
	const simple = {
		get: ((field) => (field.name === 'simplify' ? true : form.get(field))) as Form['get'],
	};
	const itself = [simplifierFor(checkShape, simple)(check)];
	if (form.value(triggerOn) === 'checks') return itself;
	const counts = isObject(check.summary) ? check.summary : {};
	const wanted = isTest ? ALL_STATUSES : form.value(statuses);
	const pages: IDataObject[] = [];
	for (const status of wanted.filter((one) => counts[one] !== 0))
		pages.push(...(await pagesOf(ask, check, status)));
	const simplified = simplifierFor(monitorPageShape, simple);
	const mayMatter = ({ judgment }: IDataObject) =>
		isTest || !isObject(judgment) || judgment.meaningful !== false;
	const results = pages
		.filter((page) => form.get(whatMatters) !== true || mayMatter(page))
		.map((page) => simplified(withPrevious(page)));
	// Somebody is waiting for a test, e.g. to see that the check failed.
	return isTest && results.length === 0 ? itself : results;
}

/** Returns the pages of a check with a status; none if the service no longer has the check. */
async function pagesOf(
	ask: Ask,
	{ monitorId, id: checkId }: IDataObject,
	status: string,
): Promise<IDataObject[]> {
	const path = `${MONITORS}/${String(monitorId)}/checks/${encodeURIComponent(String(checkId))}`;
	const list = { path, place: 'data.pages', query: { status } } as const;
	const pages = await allOf(ask, list).catch((error: unknown) => {
		if (hasStatus(error, 404)) return [];
		throw error;
	});
	return pages.map((page) => ({ ...page, monitorId, checkId }));
}
