import { randomUUID } from 'node:crypto';
import { pageUrl } from '../data/crawlPage';
import { pagePrice, pricesOf, PRICES } from '../data/price';
import type { Entry } from '../entry';
import type { Check, CheckedPage, Monitor, MonitorSettings, Target } from '../monitors';
import { runsOf } from '../schedule';
import { iso, type Context } from './context';
import { checkedPage, checkedResult, isJudging, newPage } from './monitorPage';
import { pagesFound, pathRule } from './paths';
import { hitsOf } from './search';

const limitOf = ({ limit = 10_000 }: Entry = {}) => Number(limit);

const priceOfResults = (count: number) => Math.ceil(count / 10) * PRICES.tenResults;

/** Returns the most that a check can cost. */
export function estimateOf(settings: MonitorSettings): number {
	const judgment = isJudging(settings) ? PRICES.judgment : 0;
	return settings.targets.reduce((sum, target) => {
		const { type, urls, url, queries, maxResults, crawlOptions, scrapeOptions = {} } = target;
		if (type === 'scrape') return sum + pricesOf(scrapeOptions, urls) + urls.length * judgment;
		if (type === 'crawl')
			return sum + limitOf(crawlOptions) * (pagePrice(scrapeOptions, url) + judgment);
		return sum + priceOfResults(maxResults * queries.length) + maxResults * judgment;
	}, 0);
}

/** Returns how many pages there are, and how many of each status. */
function summaryOf(pages: CheckedPage[]): Entry {
	const summary = { totalPages: pages.length, same: 0, changed: 0, new: 0, removed: 0, error: 0 };
	for (const { status } of pages) summary[status as keyof typeof summary]++;
	return summary;
}

/** Returns when the next check of a monitor's schedule is due, in ms since 1970. */
export const dueAt = ({ settings: { monitorMs } }: Context, { since, settings }: Monitor) =>
	monitorMs > 0 ? since + monitorMs : runsOf(settings.schedule).nextAt;

/** Brings the checks of a monitor up to date: its pages are done one after the other, in `jobMs`. */
export function advance(context: Context, monitor: Monitor): void {
	const { jobMs, monitorMs } = context.settings;
	const now = Date.now();
	if (monitor.current) {
		const { data, pages, left, begunAt } = monitor.current;
		data.startedAt ??= iso(now);
		data.status = 'running';
		const part = jobMs > 0 ? Math.min(1, (now - begunAt) / jobMs) : 0;
		const reached = Math.floor((pages.length + left.length) * part);
		while (pages.length < reached) {
			pages.push(left.shift()!());
			reportPage(context, monitor, pages.at(-1)!);
		}
		if (part === 1) end(context, monitor, monitor.current);
	}
	if (monitorMs === 0 || monitor.settings.status !== 'active') return;
	const due = dueAt(context, monitor);
	if (now < due) return;
	monitor.since = now;
	begin(context, monitor, 'scheduled', iso(due));
}

/** Begins a check, or notes why there is none. */
export function begin(
	context: Context,
	monitor: Monitor,
	trigger: 'manual' | 'scheduled',
	scheduledFor: string | null = null,
): Check {
	const { state } = context;
	const begunAt = Date.now();
	const estimatedCredits = estimateOf(monitor.settings);
	const data = {
		...{ id: randomUUID(), monitorId: monitor.id, status: 'queued', trigger, scheduledFor },
		...{ startedAt: null, finishedAt: null, createdAt: iso(begunAt), updatedAt: iso(begunAt) },
		...{ estimatedCredits, actualCredits: null, summary: summaryOf([]), error: null },
	};
	const check: Check = { data, begunAt, pages: [], left: [], searchCredits: 0 };
	monitor.checks.push(check);
	const skip = (status: string, error: string) =>
		Object.assign(data, { status, error, finishedAt: iso(begunAt), actualCredits: 0 });
	if (monitor.current) skip('skipped_overlap', 'Previous monitor check is still running.');
	else if (state.remaining < estimatedCredits)
		skip('skipped_no_credits', 'Monitor check skipped: insufficient credits.');
	else {
		monitor.current = check;
		for (const target of monitor.settings.targets) plan(context, monitor, check, target);
	}
	return check;
}

/** Adds what a target has to check. The crawl of a host with `fail` in its name fails halfway, and the check with it. */
function plan(context: Context, monitor: Monitor, check: Check, target: Target): void {
	if (target.type === 'search') {
		const { queries, maxResults, includeDomains, excludeDomains } = target;
		const found = queries.flatMap((query) => {
			const body = { limit: maxResults, includeDomains, excludeDomains };
			return hitsOf({ ...context, body }, query).web;
		});
		check.searchCredits += priceOfResults(found.length);
		const hits = [...new Map(found.map((hit) => [hit.url, hit])).values()].slice(0, maxResults);
		check.left.push(...hits.map((hit) => () => checkedResult(context, monitor, target, hit)));
		return;
	}
	const all = target.type === 'scrape' ? target.urls : crawled(context, target);
	const isFailing = target.type === 'crawl' && new URL(target.url).hostname.includes('fail');
	if (isFailing) check.fails = 'The crawl failed';
	const urls = isFailing ? all.slice(0, all.length / 2) : all;
	check.left.push(...urls.map((url) => () => checkedPage(context, monitor, target, url)));
}

/** Returns the pages that a crawl finds now: those that a test has set, or new posts and the usual ones. */
function crawled({ state: { web } }: Context, { url, crawlOptions = {} }: Target): string[] {
	const { origin } = new URL(url);
	const { paths, total } = pagesFound({ url, ...crawlOptions });
	const usual = Array.from({ length: total }, (_, index) => pageUrl({ url, paths }, index));
	const rule = pathRule(crawlOptions);
	const urls = web
		.linksOf(origin, usual)
		.map((link) => (typeof link === 'string' ? link : link.url))
		.filter((link) => rule?.(link) === undefined);
	return (urls.length > 0 ? urls : [url]).slice(0, limitOf(crawlOptions));
}

/** Returns the pages that crawls found before and don't find any longer, and forgets them. */
function removed({ state }: Context, { settings, seen }: Monitor, { pages }: Check): CheckedPage[] {
	const found = new Set(pages.map(({ targetId, url }) => `${targetId} ${url}`));
	const crawls = settings.targets.filter(({ type }) => type === 'crawl').map(({ id }) => id);
	return [...seen].flatMap(([key, { scrapeId: previousScrapeId }]) => {
		const [targetId, url] = key.split(' ');
		if (found.has(key) || !crawls.includes(targetId)) return [];
		seen.delete(key);
		return [{ ...newPage(state, targetId, url), previousScrapeId, status: 'removed' }];
	});
}

/** Ends a check, and bills it unless it failed. */
function end(context: Context, monitor: Monitor, check: Check): void {
	const { data, pages, fails } = check;
	if (!fails) pages.push(...removed(context, monitor, check));
	const price = ({ metadata, judgment }: Entry) =>
		Number((metadata as Entry | null)?.creditsUsed ?? 0) + (judgment ? PRICES.judgment : 0);
	const actualCredits = fails
		? 0
		: pages.reduce((sum, page) => sum + price(page), check.searchCredits);
	const ids = { monitorId: monitor.id, checkId: data.id };
	if (actualCredits > 0) context.state.pay('monitorCheck', actualCredits, ids);
	const summary = summaryOf(pages);
	const status = fails ? 'failed' : summary.error === 0 ? 'completed' : 'partial';
	const finishedAt = iso(Date.now());
	const known = { status, summary, actualCredits, finishedAt, updatedAt: finishedAt };
	Object.assign(data, known, { error: fails ?? null });
	report(context, monitor, 'check.completed', {
		success: status === 'completed',
		data: [{ ...ids, status, summary }],
		error: fails,
	});
	monitor.current = undefined;
}

function reportPage(context: Context, monitor: Monitor, page: CheckedPage): void {
	const { url, status, previousScrapeId, currentScrapeId, error, snapshot } = page;
	const judgment = page.judgment as Entry | null;
	const { text, json } = (page.diff ?? {}) as Entry;
	const ids = { monitorId: monitor.id, checkId: monitor.current?.data.id };
	const diff = page.diff ? { text, ...(snapshot !== undefined && { json }) } : null;
	const scrapes = { previousScrapeId, currentScrapeId };
	const isMeaningful = judgment?.meaningful ?? null;
	report(context, monitor, 'page', {
		success: status !== 'error',
		data: [{ ...ids, url, status, ...scrapes, error, isMeaningful, judgment, diff }],
		...(error !== null && { error }),
	});
}

/** Sends an event of the current check. */
function report({ webhooks }: Context, monitor: Monitor, event: string, told: Entry): void {
	const { settings, current } = monitor;
	const subject = { webhook: settings.webhook, id: current!.data.id, kind: 'monitor' } as const;
	webhooks.send(subject, event, told);
}
