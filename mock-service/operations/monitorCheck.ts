import { diffOf, fieldChanges, lineChanges, type Change } from '../data/diff';
import { pageUrl } from '../data/crawlPage';
import { pagePrice, pricesOf, PRICES } from '../data/price';
import { isEntry, typesOf, type Entry, type Typed } from '../entry';
import type { Check, CheckedPage, Monitor, MonitorSettings, Target } from '../monitors';
import { runsOf } from '../schedule';
import { iso, type Context } from './context';
import { pageFailure } from './pageFailures';
import { scraped } from './pages';
import { pagesFound, pathRule } from './paths';
import { hitsOf } from './search';

/** How many pages a crawl has at most if nothing limits it. */
const CRAWL_LIMIT = 10_000;

const tenResultsOf = (results: number) => Math.ceil(results / 10) * PRICES.tenResults;

const isJudging = ({ judgeEnabled, goal }: MonitorSettings) => judgeEnabled && goal !== null;

/** Returns the most that a check can cost. */
export function estimateOf(monitor: MonitorSettings): number {
	const judgment = isJudging(monitor) ? PRICES.judgment : 0;
	const prices = monitor.targets.map((target) => {
		const { type, urls, url, queries, maxResults, crawlOptions = {}, scrapeOptions = {} } = target;
		if (type === 'search') return tenResultsOf(maxResults * queries.length) + maxResults * judgment;
		if (type === 'scrape') return pricesOf(scrapeOptions, urls) + urls.length * judgment;
		const limit = (crawlOptions.limit as number) ?? CRAWL_LIMIT;
		return limit * (pagePrice(scrapeOptions, url) + judgment);
	});
	return prices.reduce((sum, price) => sum + price, 0);
}

/** Returns how many pages of a check have each status; none before it has ended. */
export function summaryOf({ finishedAt, pages }: Check): Entry {
	const done = finishedAt === undefined ? [] : pages;
	const count = (status: string) => done.filter((page) => page.status === status).length;
	const statuses = ['same', 'changed', 'new', 'removed', 'error'];
	const counts = Object.fromEntries(statuses.map((status) => [status, count(status)]));
	return { totalPages: done.length, ...counts };
}

/** Returns when the next check of a monitor's schedule is due. */
export function dueAt({ since, schedule }: Monitor, { settings }: Context): number {
	return settings.monitorMs > 0 ? since + settings.monitorMs : runsOf(schedule).nextAt;
}

/** Brings the checks of a monitor up to date: its pages are done one after the other, in `jobMs`. */
export function advance(context: Context, monitor: Monitor): void {
	const { jobMs, monitorMs } = context.settings;
	const now = Date.now();
	const { current } = monitor;
	if (current) {
		const { pages, left, createdAt } = current;
		current.status = 'running';
		current.startedAt ??= now;
		const part = jobMs > 0 ? Math.min(1, (now - createdAt) / jobMs) : 0;
		const reached = Math.floor((pages.length + left.length) * part);
		while (pages.length < reached) {
			const page = left.shift()!();
			pages.push(page);
			reportPage(context, monitor, current, page);
		}
		if (part === 1) end(context, monitor, current);
	}
	const due = dueAt(monitor, context);
	if (monitorMs === 0 || monitor.status !== 'active' || now < due) return;
	monitor.since = now;
	begin(context, monitor, 'scheduled', due);
}

/** Begins a check, or notes why there is none. */
export function begin(
	context: Context,
	monitor: Monitor,
	trigger: Check['trigger'],
	scheduledFor?: number,
): Check {
	const { state } = context;
	const check: Check = {
		id: state.newId(),
		status: 'queued',
		trigger,
		scheduledFor,
		createdAt: Date.now(),
		estimatedCredits: estimateOf(monitor),
		pages: [],
		left: [],
		searchCredits: 0,
	};
	monitor.checks.push(check);
	const skip = (status: string, error: string) =>
		Object.assign(check, { status, error, finishedAt: check.createdAt, actualCredits: 0 });
	if (monitor.current) return skip('skipped_overlap', 'Previous monitor check is still running.');
	if (state.remaining < check.estimatedCredits)
		return skip('skipped_no_credits', 'Monitor check skipped: insufficient credits.');
	monitor.current = check;
	for (const target of monitor.targets) plan(context, monitor, check, target);
	return check;
}

/** Adds what a target has to check. The crawl of a host with `fail` in its name fails halfway, and the check with it. */
function plan(context: Context, monitor: Monitor, check: Check, target: Target): void {
	if (target.type === 'search') {
		const found = target.queries.map((query) => {
			const { maxResults: limit, includeDomains, excludeDomains } = target;
			const body = { query, limit, includeDomains, excludeDomains };
			return hitsOf({ ...context, body }, query).web ?? [];
		});
		check.searchCredits += tenResultsOf(found.flat().length);
		const hits = new Map(found.flat().map((hit) => [String(hit.url), hit]));
		for (const hit of [...hits.values()].slice(0, target.maxResults))
			check.left.push(() => resultOf(context, monitor, target, hit));
		return;
	}
	const urls = target.type === 'scrape' ? target.urls : crawled(context, target);
	const isFailing = target.type === 'crawl' && new URL(target.url).hostname.includes('fail');
	if (isFailing) check.fails = 'The crawl failed';
	for (const url of isFailing ? urls.slice(0, urls.length / 2) : urls)
		check.left.push(() => pageOf(context, monitor, target, url));
}

/** Returns the pages that a crawl finds now: those that a test has set, or the usual ones and new posts. */
function crawled({ state }: Context, { url, crawlOptions = {} }: Target): string[] {
	const { origin } = new URL(url);
	const { paths, total } = pagesFound({ url, ...crawlOptions });
	const usual = Array.from({ length: total }, (_, index) => pageUrl({ url, paths }, index));
	const rule = pathRule(crawlOptions);
	const more = (state.web.siteAt(origin) ?? state.web.newPosts(origin))
		.map((link) => (typeof link === 'string' ? link : link.url))
		.filter((link) => rule?.(link) === undefined);
	const all = state.web.siteAt(origin) ? more : [...usual, ...more];
	return all.length > 0 ? all.slice(0, (crawlOptions.limit as number) ?? CRAWL_LIMIT) : [url];
}

/** Returns what is the same for each page of a check. */
const pageBase = ({ state }: Context, target: Target, url: string) => ({
	id: state.newId(),
	targetId: target.id,
	url,
	previousScrapeId: null as string | null,
	currentScrapeId: null as string | null,
	statusCode: null as number | null,
	error: null as string | null,
	judgment: null as Entry | null,
	diff: null as Entry | null,
	createdAt: iso(Date.now()),
});

function pageOf(context: Context, monitor: Monitor, target: Target, url: string): CheckedPage {
	const { scrapeOptions: options = {} } = target;
	const base = { ...pageBase(context, target, url), currentScrapeId: context.state.newId() };
	const failed = pageFailure(url)?.response.body as Entry | undefined;
	if (failed) {
		const metadata = { creditsUsed: PRICES.page };
		return { ...base, status: 'error', error: String(failed.error), metadata };
	}
	const given = (options.formats ?? []).filter(({ type }) => type !== 'changeTracking');
	const tracking = (options.formats ?? []).find(({ type }) => type === 'changeTracking');
	const modes = (tracking?.modes ?? ['git-diff']) as string[];
	const isJson = modes.includes('json');
	const formats: Typed[] = [
		...(typesOf(given).includes('markdown') ? [] : [{ type: 'markdown' }]),
		...given.filter(({ type }) => type !== 'json' || !isJson),
		...(isJson ? [{ type: 'json', schema: tracking?.schema, prompt: tracking?.prompt }] : []),
	];
	const topic = new URL(url).hostname;
	const result = scraped(context, base.id, { url, topic, options: { ...options, formats } });
	const { title, contentType, proxyUsed, statusCode } = result.metadata as Entry;
	const now = {
		scrapeId: base.currentScrapeId,
		markdown: String(result.markdown),
		json: result.json,
	};
	const key = `${target.id} ${url}`;
	const before = monitor.seen.get(key);
	monitor.seen.set(key, now);
	const page = {
		...base,
		previousScrapeId: before?.scrapeId ?? null,
		statusCode: statusCode as number,
		metadata: { title, contentType, proxyUsed, creditsUsed: pagePrice(options, url) },
	};
	if (!before) return { ...page, status: 'new' };
	const fields = isJson ? fieldChanges(before.json, now.json) : {};
	const isText = modes.includes('git-diff') && before.markdown !== now.markdown;
	if (!isText && Object.keys(fields).length === 0) return { ...page, status: 'same' };
	const { text, json } = diffOf(before.markdown, now.markdown);
	const changes = Object.entries(fields).map(([path, { previous, current }]) => ({
		before: previous === null ? null : `${path}: ${JSON.stringify(previous)}`,
		after: current === null ? null : `${path}: ${JSON.stringify(current)}`,
	}));
	if (isText) changes.push(...lineChanges(before.markdown, now.markdown));
	return {
		...page,
		status: 'changed',
		judgment: isJudging(monitor) ? judged(monitor.goal!, changes) : null,
		diff: {
			...(isText && { text: `--- previous\n+++ current\n${text}\n` }),
			json: isJson ? fields : json,
		},
		...(isJson && { snapshot: { json: now.json } }),
	};
}

/** Returns a result of a search; it is new once, unless it is judged as not meaningful. */
function resultOf(context: Context, monitor: Monitor, target: Target, hit: Entry): CheckedPage {
	const { url, title, description } = hit as Record<string, string>;
	const key = `${target.id} ${url}`;
	const isSeen = monitor.seen.has(key);
	const scrapeId = context.state.newId();
	monitor.seen.set(key, { scrapeId, markdown: '', json: undefined });
	const change = { before: null, after: `${title}: ${description}` };
	const judgment = isSeen || !isJudging(monitor) ? null : judged(monitor.goal!, [change]);
	const unseen = judgment?.meaningful === false ? 'ignored' : 'alert';
	const searchStatus = isSeen ? 'already_seen' : unseen;
	const status = searchStatus === 'alert' ? 'new' : 'same';
	const metadata = { title, description, searchStatus };
	return { ...pageBase(context, target, url), status, judgment, metadata };
}

/**
 * Returns the judgment of some changes. Assumption: all are meaningful but those with a word, of four letters or more,
 * from a sentence of the goal that begins with Ignore.
 */
function judged(goal: string, all: Change[]): Entry {
	const ignored = (/\bignore\b([^.]*)/i.exec(goal)?.[1] ?? '').toLowerCase().match(/\p{L}{4,}/gu);
	const isMeant = ({ before, after }: Change) =>
		!ignored?.some((word) => `${before ?? ''} ${after ?? ''}`.toLowerCase().includes(word));
	const meant = all.filter(isMeant);
	const typeOf = ({ before, after }: Change) =>
		before === null ? 'added' : after === null ? 'removed' : 'changed';
	return {
		meaningful: meant.length > 0,
		confidence: 'high',
		reason:
			meant.length > 0
				? `This was ${typeOf(meant[0])}: ${meant[0].after ?? meant[0].before}`
				: 'The goal says to ignore this.',
		meaningfulChanges: meant.map((change) => ({
			type: typeOf(change),
			...change,
			reason: 'The goal does not say to ignore it.',
		})),
	};
}

/** Ends a check: notes the pages that a crawl no longer finds, and bills it unless it failed. */
function end(context: Context, monitor: Monitor, check: Check): void {
	const { state, webhooks } = context;
	const { fails, pages, searchCredits } = check;
	for (const target of fails ? [] : monitor.targets.filter(({ type }) => type === 'crawl')) {
		const found = new Set(pages.map(({ targetId, url }) => `${targetId} ${url}`));
		for (const [key, { scrapeId }] of monitor.seen) {
			if (!key.startsWith(target.id) || found.has(key)) continue;
			monitor.seen.delete(key);
			const base = pageBase(context, target, key.slice(target.id.length + 1));
			pages.push({ ...base, previousScrapeId: scrapeId, status: 'removed', metadata: {} });
		}
	}
	const judgments = pages.filter(({ judgment }) => judgment !== null).length;
	const scrapes = pages.reduce((sum, { metadata }) => sum + Number(metadata.creditsUsed ?? 0), 0);
	const credits = fails ? 0 : scrapes + searchCredits + judgments * PRICES.judgment;
	if (credits > 0) state.pay('monitorCheck', credits, { monitorId: monitor.id, checkId: check.id });
	const hasErrors = pages.some(({ status }) => status === 'error');
	check.status = fails ? 'failed' : hasErrors ? 'partial' : 'completed';
	Object.assign(check, { finishedAt: Date.now(), actualCredits: credits, error: fails });
	monitor.current = undefined;
	monitor.last = check;
	const { status } = check;
	webhooks.send(subjectOf(monitor, check), 'check.completed', {
		success: status === 'completed',
		data: [{ monitorId: monitor.id, checkId: check.id, status, summary: summaryOf(check) }],
		error: fails,
	});
}

const subjectOf = ({ webhook }: Monitor, { id }: Check) =>
	({ webhook, id, kind: 'monitor' }) as const;

function reportPage({ webhooks }: Context, monitor: Monitor, check: Check, page: CheckedPage) {
	const { url, status, previousScrapeId, currentScrapeId, judgment, snapshot } = page;
	const { text, json } = (page.diff ?? {}) as Entry;
	const diff = isEntry(page.diff) ? { text, ...(snapshot !== undefined && { json }) } : null;
	const error = page.error ?? undefined;
	const isMeaningful = judgment?.meaningful ?? null;
	const known = {
		monitorId: monitor.id,
		checkId: check.id,
		url,
		status,
		previousScrapeId,
		currentScrapeId,
	};
	webhooks.send(subjectOf(monitor, check), 'page', {
		success: status !== 'error',
		data: [{ ...known, error: page.error, isMeaningful, judgment, diff }],
		error,
	});
}
