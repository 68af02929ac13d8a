import type { IDataObject } from 'n8n-workflow';

import { plural } from '../shared/base/text';
import { ServiceError } from '../shared/client/errors/serviceError';
import { recalled, save } from '../shared/trigger/memory';
import { type Found, type SeenState, commitFound } from '../shared/trigger/seenList';
import { type PagesState, STATE as PAGES } from './pageState';
import { type PagesTask, pollAsNew } from './poll';

/**
 * What the page trigger reports about a site: addresses that no earlier poll has listed.
 *
 * The promise: an address that a poll lists, and that neither the first poll nor a later one has listed before, is
 * emitted exactly once, as long as it is among the last `MAX_KNOWN` addresses listed and n8n keeps the execution.
 *
 * It relies on a list like the search trigger's, which only changes together with what is emitted: an address whose
 * page has yet to be read isn't known but waiting, even if the settings change. A known address stays known, even if
 * later lists lack it. From the first list after the settings change, only waiting addresses are emitted. A list that
 * has suddenly lost half of its addresses, or all of them, isn't believed.
 */
interface SiteState extends SeenState, Pick<PagesState, 'pages'> {
	/** Hash of the settings that decide what is listed, and the number of addresses in the last list. */
	list: string;
	listed: number;
	/** Identities of the new addresses whose pages have yet to be read. */
	waiting: string[];
}

const STATE = { ...PAGES, seen: [], waiting: [] };

/** Maximum number of addresses remembered, 11 bytes each, and so the most that a list may contain. */
export const MAX_KNOWN = 10_000;

/** Length (in addresses) up to which a list may lose half of its addresses at once. */
const FEW = 3;

/** Maximum number of pages that the test step reads. */
const MAX_TESTED = 3;

export interface ListedPage extends Found {
	link: IDataObject & { url: string };
}

/** What a poll needs. The settings apply to reading new pages, except `scope`, which belongs to the site. */
export interface SiteTask extends PagesTask {
	list: string;
	/** Maximum number of new pages read in a poll; 0 if only their addresses are wanted. */
	most: number;
	/** Returns the site's pages, each once, with a single paid request. Throws if the request fails. */
	find(isFirst: boolean): Promise<ListedPage[]>;
}

/**
 * Polls once: lists the site, reads new pages if wanted, then saves the state in one go. Returns an item per new page.
 * Throws if the list can't be obtained or believed, or no page can be read; the state is then unchanged.
 */
export async function pollSite(task: SiteTask): Promise<IDataObject[]> {
	const { scope } = task.settings;
	const finishBy = task.now() + task.budgetMs;
	const known = recalled<SiteState>(task, STATE, scope);
	const isSame = known?.list === task.list;
	if (known && !isSame) task.log.info('Other settings list other pages: this poll only looks');
	const listed = await task.find(known === undefined);
	checkList(listed.length, isSame ? known.listed : 0);
	const settings = { scope, emitFirst: false, compareTexts: false, most: MAX_KNOWN };
	const { news } = commitFound(known, listed, settings);
	const waiting = new Set(known?.waiting);
	const fresh = news
		.map(({ index }) => listed[index])
		.filter(({ identity }) => isSame || waiting.has(identity));
	const { items, open, pages } = await itemsOf(task, fresh, finishBy, known?.pages);
	const done = listed.filter((page) => !open.has(page));
	const { state = known! } = commitFound(known, done, settings);
	for (const { identity } of done) waiting.delete(identity);
	for (const { identity } of open) waiting.add(identity);
	const last = { list: task.list, listed: listed.length, waiting: [...waiting].slice(-MAX_KNOWN) };
	save(task.store, { ...state, ...last, pages } as SiteState);
	return items;
}

/** Throws ServiceError for a list that is too long to remember, or that has lost half or all of the previous one. */
function checkList(count: number, before: number): void {
	const pages = `The list of the site has ${count || 'no'} ${plural(count, 'page')}`;
	const problem = (message: string, description: string) =>
		new ServiceError(message, { description });
	if (count > MAX_KNOWN) throw problem(`${pages}; ${MAX_KNOWN} can be remembered`, TOO_MANY);
	if (count === 0 && before === 0) throw problem(pages, NOTHING);
	const isHalf = before > FEW && count <= before / 2;
	if (count === 0 || isHalf) throw problem(`${pages}, the last one had ${before}`, LOST);
}

const TOO_MANY = 'Watch a part of the site: see Site URL and Include Paths.';
const NOTHING =
	'Open Site URL in a browser, and check Include Paths and what else leaves pages out.';
const LOST =
	'Nothing is forgotten, and the next poll tries again. If the site really has lost these pages, rename this node: it then starts over.';

/** Returns what a poll would emit if all pages of the list were new. Throws as a poll does. */
export async function previewSite(task: SiteTask): Promise<IDataObject[]> {
	const settings = { ...task.settings, failuresNeeded: 1 };
	const state = { ...STATE, scope: settings.scope, list: task.list, listed: 0 };
	const store = { read: () => state, write: () => undefined };
	const items = await pollSite({ ...task, settings, store, most: Math.min(task.most, MAX_TESTED) });
	const message = `A preview of ${items.length} ${plural(items.length, 'page')}: as if all of them were new.`;
	return items.slice(0, MAX_TESTED).map((item) => ({ ...item, message }));
}

/** Returns the items of new pages, the pages left to later polls, and the failures of these so far. */
async function itemsOf(
	task: SiteTask,
	fresh: ListedPage[],
	finishBy: number,
	before: PagesState['pages'] = {},
): Promise<{ items: IDataObject[]; open: Set<ListedPage> } & Pick<PagesState, 'pages'>> {
	const open = new Set(task.most > 0 ? fresh : []);
	const byUrl = new Map([...open].slice(0, task.most).map((page) => [page.link.url, page]));
	const within = { ...task, budgetMs: finishBy - task.now() };
	const { reports, pages } = await pollAsNew(within, [...byUrl.keys()], before);
	const items = reports.map((report): IDataObject => {
		const page = byUrl.get(report.url)!;
		open.delete(page);
		if (report.event === 'changed') return { ...page.link, ...report.content, event: 'new' };
		return { ...page.link, event: 'failed', reason: report.reason };
	});
	const left = Object.entries(pages).filter(([url]) => open.has(byUrl.get(url)!));
	const plain = task.most > 0 ? [] : fresh.map(({ link }) => ({ ...link, event: 'new' }));
	return { items: [...items, ...plain], open, pages: Object.fromEntries(left) };
}
