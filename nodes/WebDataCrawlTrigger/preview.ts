import type { INodeExecutionData } from 'n8n-workflow';

import { textOf } from '../shared/text';
import type { SeenCrawl } from './crawlState';
import { reportToItems } from './items';
import { type PollTask, lookUp } from './poll';
import { matchesUrl } from './crawlWatch';

/** How many ended crawls are looked at to find one with the right event. */
const MAX_LOOKUPS = 5;

/** How many crawls are named where none fits. */
const MAX_NAMED = 3;

const NOTHING_YET =
	'No crawl to show yet. Start one with the Web Data Crawl node, then test again; ' +
	'once published, this trigger fires when it ends.';

const NONE_FITS =
	'No recent crawl matches URL Pattern and Events, or its pages are not there yet. Recent ones:';
const FIRES_LATER = 'Once published, this trigger fires when a matching crawl ends.';

type PreviewTask = Pick<PollTask, 'service' | 'settings' | 'withPages' | 'now' | 'budgetMs'>;

/**
 * What a manual test shows: the specific crawls as they are, or the team's last ended crawl that fits, else
 * one that is running, else which there are that don't fit, else how to start one. Reads no state and keeps none.
 * Throws what a request threw.
 */
export async function preview(task: PreviewTask): Promise<INodeExecutionData[]> {
	const finishBy = task.now() + task.budgetMs;
	const active = await task.service.listActive(finishBy);
	const { ids } = task.settings;
	if (ids) return await specificCrawls(task, ids, active, finishBy);
	return await lastEnded(task, active, finishBy);
}

async function specificCrawls(
	task: PreviewTask,
	ids: string[],
	active: SeenCrawl[],
	finishBy: number,
): Promise<INodeExecutionData[]> {
	const items: INodeExecutionData[] = [];
	for (const id of ids) {
		const crawl = active.find((entry) => entry.id === id) ?? { id };
		const outcome = await lookUp(task, id, finishBy);
		if (outcome.kind === 'running') items.push(running(crawl));
		else if (outcome.kind === 'gone') {
			const message = `The trigger would leave this crawl out: ${outcome.reason}.`;
			items.push({ json: { id, status: 'unknown', message } });
		} else {
			const shown =
				outcome.kind === 'unknown'
					? { ...outcome, kind: 'ended' as const, event: 'other' as const }
					: outcome;
			for (const item of reportToItems({ crawl, outcome: shown }, task.withPages)) items.push(item);
		}
	}
	return items;
}

async function lastEnded(
	task: PreviewTask,
	active: SeenCrawl[],
	finishBy: number,
): Promise<INodeExecutionData[]> {
	const { service, settings, withPages } = task;
	const fits = ({ url }: SeenCrawl) => matchesUrl(url, settings.urlPatterns);
	const activity = await service.activity(() => true, finishBy);
	const isActive = new Set(active.map(({ id }) => id));
	const ended = (typeof activity === 'object' ? activity.crawls : [])
		.filter(({ id }) => !isActive.has(id))
		.sort((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0));
	for (const crawl of ended.filter(fits).slice(0, MAX_LOOKUPS)) {
		const outcome = await lookUp(task, crawl.id, finishBy);
		if (outcome.kind === 'ended' && settings.events.includes(outcome.event)) {
			return reportToItems({ crawl, outcome }, withPages);
		}
	}
	const current = active.find(fits);
	if (current) return [running(current)];
	const others = [...ended, ...active].slice(0, MAX_NAMED);
	if (others.length === 0) return [{ json: { message: NOTHING_YET } }];
	const named = await Promise.all(
		others.map(async ({ id, url = id }) => `${url} (${await stateOf(task, id, finishBy)})`),
	);
	return [{ json: { message: `${NONE_FITS} ${named.join(', ')}. ${FIRES_LATER}` } }];
}

async function stateOf(task: PreviewTask, id: string, finishBy: number): Promise<string> {
	const outcome = await lookUp({ ...task, withPages: false }, id, finishBy);
	if (outcome.kind === 'running') return 'running';
	return textOf(('response' in outcome && outcome.response?.status) || 'unknown');
}

function running({ id, url }: SeenCrawl): INodeExecutionData {
	const message = 'This crawl is still running.';
	return { json: { id, ...(url !== undefined && { url }), status: 'scraping', message } };
}
