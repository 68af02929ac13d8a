import type { INodeExecutionData } from 'n8n-workflow';

import { messageOf, sentences, textOf, withoutStop } from '../shared/base/text';
import { type SeenCrawl, keyOf, type CrawlOutcome, crawlFitterOf, isReported } from './crawlWatch';
import { type PollTask, crawlItems, lookUp } from './poll';

/** Maximum number of ended crawls looked up to find one with the right event. */
const MAX_LOOKUPS = 5;

/** Maximum number of crawls named if none matches. */
const MAX_NAMED = 3;

const NOTHING_YET =
	'No crawl to show yet. Start one with the Web Data Crawl node, then test again; ' +
	'once published, this trigger fires when it ends.';

const NONE_FITS =
	'No recent crawl matches URL Pattern and Events, or its pages are not there yet. Recent ones:';
const FIRES_LATER = 'Once published, this trigger fires when a matching crawl ends.';

/**
 * Returns the items of a manual test: the specific crawls as they are, or the team's last ended crawl that matches. If
 * there is none, a running one, then those that don't match, then instructions to start one. Doesn't touch the state.
 * Throws a request's error.
 */
export async function preview(task: PollTask): Promise<INodeExecutionData[]> {
	const { requests, settings } = task;
	const active = await requests.active();
	const activeOf = (id: string) => active.find((one) => keyOf(one.id) === keyOf(id));
	const items: INodeExecutionData[] = [];
	for (const id of settings.ids ?? []) {
		const crawl = activeOf(id) ?? { id };
		items.push(...itemsNow(task, crawl, await lookUp(task, crawl)));
	}
	if (settings.ids) return items;

	// If the service lacks this list, the active one has already shown that the service can be reached.
	let unread: string | undefined;
	const recent = await requests
		.activity()
		.next()
		.catch((error: unknown) => {
			unread = `The activity list could not be read: ${withoutStop(messageOf(error))}.`;
		});
	const ended = ((recent?.value ?? []) as SeenCrawl[]).filter(({ id }) => !activeOf(id));
	const fits = crawlFitterOf(settings.urlPatterns);
	const others: string[] = [];
	for (const crawl of ended.filter(fits).slice(0, MAX_LOOKUPS)) {
		const outcome = await lookUp(task, crawl);
		const { state, ending } = outcome;
		const isFit = state === 'ended' && ending && isReported(crawl, ending, settings);
		if (isFit) return itemsNow(task, crawl, outcome);
		others.push(`${crawl.url ?? crawl.id} (${textOf(ending?.response.status || 'unknown')})`);
	}
	const current = active.find(fits);
	if (current) return itemsNow(task, current, { state: 'running' }, unread);
	others.push(...[...ended, ...active].filter((one) => !fits(one)).map(({ url, id }) => url ?? id));
	const named = `${NONE_FITS} ${others.slice(0, MAX_NAMED).join(', ')}. ${FIRES_LATER}`;
	const message = sentences([others.length > 0 ? named : NOTHING_YET, unread]);
	return [{ json: { message } }];
}

/** Returns the items that show a crawl's current state. */
function itemsNow(
	task: PollTask,
	crawl: SeenCrawl,
	{ ending }: CrawlOutcome,
	unread?: string,
): INodeExecutionData[] {
	const { id, url } = crawl;
	if (ending) return crawlItems(crawl, ending, task.withPages);
	const message = sentences(['This crawl is still running.', unread]);
	return [{ json: { id, ...(url !== undefined && { url }), status: 'scraping', message } }];
}
