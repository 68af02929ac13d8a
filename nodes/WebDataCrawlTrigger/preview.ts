import type { INodeExecutionData } from 'n8n-workflow';

import type { SeenCrawl } from './crawlState';
import { reportToItems } from './items';
import type { PollTask } from './poll';
import { lookUp } from './poll';
import { matchesUrl } from './crawlWatch';

/** How many ended crawls are looked at to find one with the right event. */
const MAX_LOOKUPS = 5;

const NOTHING_YET =
	'No crawl to show yet. Start one with the Web Data Crawl node or POST /v2/crawl, then test again; ' +
	'once published, this trigger fires when it ends.';

/**
 * What a manual test shows: the specific crawls as they are, or the team's last ended crawl, else
 * one that is running, else how to start one. Reads no state and keeps none.
 * Throws what a request threw.
 */
export async function preview(
	task: Pick<PollTask, 'service' | 'settings' | 'withPages' | 'now' | 'budgetMs'>,
): Promise<INodeExecutionData[]> {
	const { service, settings, withPages } = task;
	const finishBy = task.now() + task.budgetMs;
	const look = async (id: string) => {
		const outcome = await lookUp(task, id, finishBy);
		if (outcome.kind === 'stopped') throw outcome.error;
		return outcome;
	};
	const running = ({ id, url }: SeenCrawl): INodeExecutionData => ({
		json: {
			id,
			...(url !== undefined && { url }),
			status: 'scraping',
			message: 'This crawl is still running.',
		},
	});

	const active = await service.listActive(finishBy);
	if (settings.ids) {
		const items: INodeExecutionData[] = [];
		for (const id of settings.ids) {
			const crawl = active.find((entry) => entry.id === id) ?? { id };
			const outcome = await look(id);
			if (outcome.kind === 'running') items.push(running(crawl));
			else if (outcome.kind === 'gone') {
				const message = `The trigger would leave this crawl out: ${outcome.reason}.`;
				items.push({ json: { id, status: 'unknown', message } });
			} else {
				const shown =
					outcome.kind === 'unknown'
						? { ...outcome, kind: 'ended' as const, event: 'other' as const }
						: outcome;
				items.push(...reportToItems({ crawl, outcome: shown }, withPages));
			}
		}
		return items;
	}

	const activity = await service.activity(() => true, finishBy);
	const isActive = new Set(active.map(({ id }) => id));
	const ended = (typeof activity === 'object' ? activity.crawls : [])
		.filter(({ id, url }) => !isActive.has(id) && matchesUrl(url, settings.urlPatterns))
		.sort((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0));
	for (const crawl of ended.slice(0, MAX_LOOKUPS)) {
		const outcome = await look(crawl.id);
		if (outcome.kind === 'ended' && settings.events.includes(outcome.event)) {
			return reportToItems({ crawl, outcome }, withPages);
		}
	}
	const current = active.find(({ url }) => matchesUrl(url, settings.urlPatterns));
	if (!current) return [{ json: { message: NOTHING_YET } }];
	return [running(current)];
}
