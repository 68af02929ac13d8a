import { diffOf, fieldChanges } from '../data/diff';
import { pagePrice, PRICES } from '../data/price';
import { typesOf, type Entry } from '../entry';
import type { CheckedPage, Monitor, MonitorSettings, SeenPage, Target } from '../monitors';
import type { State } from '../state';
import { iso, type Context } from './context';
import { pageFailure } from './pageFailures';
import { scraped } from './pages';

export const isJudging = ({ judgeEnabled, goal }: MonitorSettings) => judgeEnabled && goal !== null;

/** Returns what all pages of checks have. */
export const newPage = (state: State, targetId: string, url: string) => ({
	...{ id: state.newId(), targetId, url, status: 'same', statusCode: null, error: null },
	...{ previousScrapeId: null, currentScrapeId: null, metadata: null, judgment: null, diff: null },
	createdAt: iso(Date.now()),
});

/** Returns a page as it is now, compared with what the last check saw. */
export function checkedPage(
	context: Context,
	monitor: Monitor,
	{ id: targetId, scrapeOptions: options = {} }: Target,
	url: string,
): CheckedPage {
	const { state } = context;
	const scrapeId = state.newId();
	const failed = pageFailure(url)?.response.body as Entry | undefined;
	const base = { ...newPage(state, targetId, url), currentScrapeId: scrapeId };
	if (failed) {
		const metadata = { creditsUsed: PRICES.page };
		return { ...base, status: 'error', error: failed.error, metadata };
	}
	const given = options.formats ?? [];
	const tracking = given.find(({ type }) => type === 'changeTracking');
	const modes = (tracking?.modes ?? ['git-diff']) as string[];
	const formats = [
		...given.filter(({ type }) => type !== 'changeTracking'),
		...(typesOf(given).includes('markdown') ? [] : [{ type: 'markdown' }]),
		...(modes.includes('json') ? [{ ...tracking, type: 'json' }] : []),
	];
	const topic = new URL(url).hostname;
	const result = scraped(context, scrapeId, { url, topic, options: { ...options, formats } });
	const { title, contentType, proxyUsed, statusCode } = result.metadata as Entry;
	const now = { scrapeId, markdown: String(result.markdown), json: result.json };
	const before = monitor.seen.get(`${targetId} ${url}`);
	monitor.seen.set(`${targetId} ${url}`, now);
	return {
		...{ ...base, statusCode, previousScrapeId: before?.scrapeId ?? null },
		metadata: { title, contentType, proxyUsed, creditsUsed: pagePrice(options, url) },
		...(before ? compared(before, now, modes, monitor.settings) : { status: 'new' }),
	};
}

/** Returns what has changed on a page, and the judgment of it. */
function compared(
	before: SeenPage,
	now: SeenPage,
	modes: string[],
	settings: MonitorSettings,
): Entry & { status: string } {
	const isJson = modes.includes('json');
	const isText = modes.includes('git-diff') && before.markdown !== now.markdown;
	const fields = isJson ? fieldChanges(before.json, now.json) : {};
	if (!isText && Object.keys(fields).length === 0) return { status: 'same' };
	const { text, json } = diffOf(before.markdown, now.markdown);
	const lines = (mark: string) =>
		text.split('\n').flatMap((line) => (line.startsWith(mark) ? [line.slice(1)] : []));
	const changes: Change[] = [
		...Object.values(fields).map(({ previous, current }) => [previous, current] as Change),
		...(isText ? [['-', '+'].map((mark) => lines(mark).join('\n') || null) as Change] : []),
	];
	return {
		status: 'changed',
		judgment: isJudging(settings) ? judged(settings, changes) : null,
		diff: {
			...(isText && { text: `--- previous\n+++ current\n${text}\n` }),
			json: isJson ? fields : json,
		},
		...(isJson && { snapshot: { json: now.json } }),
	};
}

/** Returns a result of a search: new if no check saw it before, and if it isn't judged as not meaningful. */
export function checkedResult(
	{ state }: Context,
	{ settings, seen }: Monitor,
	target: Target,
	hit: Entry,
): CheckedPage {
	const { url, title, description } = hit as Record<string, string>;
	const isSeen = seen.has(`${target.id} ${url}`);
	seen.set(`${target.id} ${url}`, { scrapeId: null, markdown: '', json: undefined });
	const change: Change = [null, `${title}: ${description}`];
	const judgment = !isSeen && isJudging(settings) ? judged(settings, [change]) : null;
	const ofUnseen = judgment?.meaningful === false ? 'ignored' : 'alert';
	const searchStatus = isSeen ? 'already_seen' : ofUnseen;
	const status = searchStatus === 'alert' ? 'new' : 'same';
	const metadata = { title, description, searchStatus };
	return { ...newPage(state, target.id, url), status, judgment, metadata };
}

/** A value, or lines, before and after a change; null where there was, or is, nothing. */
type Change = [before: unknown, after: unknown];

const textOf = (value: unknown) =>
	typeof value === 'string' || value === null ? value : JSON.stringify(value);

const wordsIn = (text: string): string[] => text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];

/**
 * Returns the judgment of some changes. Assumption: one is meaningful unless it has a word, of four letters or more, of
 * a sentence in the goal that begins with Ignore.
 */
function judged({ goal }: MonitorSettings, all: Change[]): Entry {
	const [, ignored = ''] = /\bignore\b([^.]*)/i.exec(goal!) ?? [];
	const words = wordsIn(ignored);
	const meaningfulChanges = all
		.map(([before, after]) => ({ before: textOf(before), after: textOf(after) }))
		.filter(
			({ before, after }) => !wordsIn(`${before} ${after}`).some((one) => words.includes(one)),
		)
		.map(({ before, after }) => ({
			type: before === null ? 'added' : after === null ? 'removed' : 'changed',
			...{ before, after },
			reason: `${after === null ? 'Gone' : 'New'}: ${after ?? before}`.replace(/\s+/g, ' ').trim(),
		}));
	const meaningful = meaningfulChanges.length > 0;
	const reason = meaningful ? meaningfulChanges[0].reason : 'The goal says to ignore this.';
	return { meaningful, confidence: 'high', reason, meaningfulChanges };
}
