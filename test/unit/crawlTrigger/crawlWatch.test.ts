import {
	ACTIVITY_MARGIN_MS,
	ACTIVITY_RETRY_MS,
	isReadEnough,
	wantsActivity,
} from '../../../nodes/WebDataCrawlTrigger/activity';
import {
	type CrawlOutcome,
	MAX_TRACKED,
	type SeenCrawl,
	type Sighting,
	type WatchSettings,
	type WatchState,
	readWatch,
} from '../../../nodes/WebDataCrawlTrigger/crawlState';
import {
	MAX_FAILING_MS,
	MAX_TRIES,
	commit,
	eventOf,
	isDone,
	leftTheList,
	matchesUrl,
	observe,
} from '../../../nodes/WebDataCrawlTrigger/crawlWatch';
import {
	MAX_SETTLED,
	SETTLED_FOR_MS,
	UNDATED_FOR_MS,
} from '../../../nodes/WebDataCrawlTrigger/prune';
import { cpuTime } from '../../support/cpuTime';

const NOW = Date.UTC(2026, 5, 1);
const any: WatchSettings = { scope: 'any:1', urlPatterns: [], events: ['completed', 'failed'] };
const completed: CrawlOutcome = {
	kind: 'ended',
	event: 'completed',
	response: { status: 'completed' },
};

const at = (minutes: number) => NOW + minutes * 60_000;
const crawl = (id: string, minutes?: number): SeenCrawl => ({
	id,
	url: `https://example.com/${id}`,
	...(minutes !== undefined && { createdAt: at(minutes) }),
});
/** What a poll saw; an `activity` that is a list was read completely. */
const seen = (
	active: SeenCrawl[],
	{ activity, ...more }: { now?: number; activity?: SeenCrawl[] | Sighting['activity'] } = {},
): Sighting => ({
	now: NOW,
	active,
	...more,
	activity: Array.isArray(activity) ? { crawls: activity, isComplete: true } : activity,
});

/** A poll that looks up what has left the list: what it commits. */
function poll(
	state: WatchState | undefined,
	sighting: Sighting,
	outcomes: Record<string, CrawlOutcome> = {},
	settings = any,
	maxReports?: number,
) {
	const observed = observe(state, sighting, settings);
	const lookedUp = leftTheList(observed, sighting).filter(({ id }) => Object.hasOwn(outcomes, id));
	const found = new Map(lookedUp.map(({ id }) => [id, outcomes[id]]));
	return commit(observed, found, { now: sighting.now, settings, maxReports });
}

describe('eventOf', () => {
	it.each([
		['completed', 'completed'],
		['FAILED', 'failed'],
		['scraping', 'running'],
		['queued', 'running'],
		['cancelled', 'other'],
		['melted', 'unknown'],
	])('takes %s for %s', (status, event) => expect(eventOf(status)).toBe(event));
});

describe('matchesUrl', () => {
	it.each([
		['https://docs.example.com/a', [], true],
		['https://docs.example.com/a', ['shop.', 'docs.'], true],
		['https://docs.example.com/a', ['https://docs.example.com/*'], true],
		[undefined, ['docs'], false],
		[undefined, [], true],
	])('%s against %j: %s', (url, patterns, fits) => expect(matchesUrl(url, patterns)).toBe(fits));

	it('needs no more time for a pattern made of stars', () => {
		const spent = cpuTime();
		expect(matchesUrl('a'.repeat(5_000), [`${'*a'.repeat(200)}*b`])).toBe(false);
		expect(spent()).toBeLessThan(200);
	});
});

describe('the stored state', () => {
	const state = observe(undefined, seen([crawl('a')]), any);

	it('is read back from JSON', () => {
		expect(readWatch(JSON.parse(JSON.stringify(state)), any.scope)).toEqual({ state });
	});

	it.each([
		undefined,
		null,
		'text',
		{},
		{ ...state, version: 2 },
		{ ...state, scope: 'any:2' },
		{ ...state, tracked: null },
		{ ...state, tracked: 'a' },
		{ ...state, scope: 7 },
		{ ...state, settled: {} },
	])('is a new start when it is %j', (stored) => {
		expect(readWatch(stored, any.scope)).toEqual({ newStart: expect.any(String) });
	});

	it('is what polls need, and nothing else', () => {
		expect(state).toEqual({
			version: 1,
			scope: 'any:1',
			tracked: { a: { url: 'https://example.com/a' } },
			settled: [],
		});
	});
});

describe('the URL of a crawl', () => {
	const settings = { ...any, urlPatterns: ['example.com/a'] };
	const hidden = { ...crawl('a', 0), url: '<redacted due to zero data retention>' };

	it('stays the one it was seen active with, whatever the activity list calls it', () => {
		const first = poll(undefined, seen([], { activity: [] }), {}, settings);
		const running = poll(first.state, seen([crawl('a')], { activity: [hidden] }), {}, settings);
		const { reports } = poll(
			running.state,
			seen([], { activity: [hidden] }),
			{ a: completed },
			settings,
		);
		expect(reports.map((report) => report.crawl)).toEqual([crawl('a', 0)]);
	});

	it('is that of the active list, where it was hidden before', () => {
		const first = poll(undefined, seen([], { activity: [hidden] }));
		const { state } = poll(first.state, seen([crawl('a')], { activity: [hidden] }));
		expect(state.tracked.a.url).toBe('https://example.com/a');
	});
});

describe('the first poll', () => {
	it('tracks what runs and reports nothing', () => {
		const { state, reports } = poll(undefined, seen([crawl('a')]));
		expect(reports).toEqual([]);
		expect(Object.keys(state.tracked)).toEqual(['a']);
		expect(leftTheList(state, seen([crawl('a')]))).toEqual([]);
	});

	it('looks at what the activity holds of late, to see whether it is over', () => {
		const lists = seen([], { activity: [crawl('late', -1), crawl('early', -60)] });
		const begun = observe(undefined, lists, any);
		expect(leftTheList(begun, lists)).toEqual([{ ...crawl('late', -1), unsure: true }]);
		expect(poll(undefined, lists, { late: { kind: 'over' } }).state).toMatchObject({
			tracked: {},
			settled: [['late', at(-1), NOW]],
			coveredUntil: at(-1),
		});
	});

	it('tracks such a crawl once it is seen running', () => {
		const lists = seen([], { activity: [crawl('late', -1)] });
		const looked = poll(undefined, lists, { late: { kind: 'running' } }).state;
		const { reports } = poll(looked, lists, { late: completed });
		expect(reports).toEqual([{ crawl: crawl('late', -1), outcome: completed }]);

		const listed = poll(observe(undefined, lists, any), seen([crawl('late')])).state;
		expect(listed.tracked.late.unsure).toBeUndefined();
	});

	it('emits a specific crawl that has already ended', () => {
		const settings = { ...any, ids: ['a', 'b'] };
		const lists = seen([crawl('b')]);
		expect(leftTheList(observe(undefined, lists, settings), lists)).toMatchObject([{ id: 'a' }]);
		const { state, reports } = poll(undefined, lists, { a: completed }, settings);
		expect(reports).toMatchObject([{ crawl: { id: 'a' } }]);
		expect(isDone(state, settings)).toBe(false);
		expect(isDone(poll(state, seen([]), { b: completed }, settings).state, settings)).toBe(true);
	});
});

describe('later polls', () => {
	const running = poll(undefined, seen([crawl('a'), crawl('b')])).state;

	it('report what has ended, once', () => {
		const first = poll(running, seen([crawl('b')]), { a: completed });
		expect(first.reports).toEqual([{ crawl: crawl('a'), outcome: completed }]);
		const second = poll(first.state, seen([crawl('a'), crawl('b')]), { a: completed });
		expect(second.reports).toEqual([]);
		expect(Object.keys(second.state.tracked)).toEqual(['b']);
	});

	it('do not report an end that is not wanted, but settle it', () => {
		const cancelled: CrawlOutcome = {
			kind: 'ended',
			event: 'other',
			response: { status: 'cancelled' },
		};
		const { state, reports } = poll(running, seen([crawl('b')]), { a: cancelled });
		expect(reports).toEqual([]);
		expect(state.settled).toEqual([['a', NOW, NOW]]);
	});

	it('drop what is gone', () => {
		const gone: CrawlOutcome = { kind: 'gone', reason: 'it has expired' };
		const failing = { tries: MAX_TRIES - 1, failingSince: NOW - MAX_FAILING_MS };
		const known = { ...running, tracked: { ...running.tracked, a: failing } };
		const { state, dropped } = poll(known, seen([]), { a: gone, b: { kind: 'running' } });
		expect(dropped).toEqual([{ id: 'a', reason: 'it has expired' }]);
		expect(Object.keys(state.tracked)).toEqual(['b']);
	});

	it('find a crawl that started and ended in between by the activity', () => {
		const started = poll(undefined, seen([], { activity: [crawl('old', -1)] })).state;
		const lists = seen([], { activity: [crawl('short', 1), crawl('old', -1)] });
		const left = leftTheList(observe(started, lists, any), lists).map(({ id }) => id);
		expect(left).toEqual(['old', 'short']);
		const { reports } = poll(started, lists, { short: completed });
		expect(reports).toEqual([{ crawl: crawl('short', 1), outcome: completed }]);
		expect(observe(started, lists, any).tracked.short).not.toHaveProperty('unsure');
	});

	it('find what was created as far back as the margin reaches, and nothing older', () => {
		const begun = poll(undefined, seen([], { activity: [crawl('x', 0)] })).state;
		const margin = ACTIVITY_MARGIN_MS / 60_000;
		const lists = seen([], { activity: [crawl('in', -margin), crawl('out', -margin - 0.001)] });
		expect(Object.keys(observe(begun, lists, any).tracked)).toEqual(['x', 'in']);
	});

	it('look up the oldest first', () => {
		const activity = [crawl('new', 3), crawl('old', 1), crawl('middle', 2)];
		const lists = seen([], { activity });
		const state = observe(poll(undefined, seen([], { activity: [] })).state, lists, any);
		expect(leftTheList(state, lists).map(({ id }) => id)).toEqual(['old', 'middle', 'new']);
		const unknown = { ...state, tracked: { ...state.tracked, undated: {} } };
		expect(leftTheList(unknown, lists)[0].id).toBe('undated');
	});

	it('keep what is known of the specific crawls, without those no longer named or reported', () => {
		const settings = { ...any, ids: ['a', 'b', 'c'] };
		const lost: CrawlOutcome = { kind: 'unreachable', reason: 'x' };
		const outcomes = { a: completed, b: lost, c: lost };
		const { state } = poll(undefined, seen([]), outcomes, settings);
		const { tracked } = observe(state, seen([]), { ...settings, ids: ['a', 'b'] });
		expect(tracked).toEqual({ b: { tries: 1, failingSince: NOW } });
	});

	it('report one crawl at a time when told to', () => {
		const both = { a: completed, b: completed };
		const first = poll(running, seen([]), both, any, 1);
		expect(first.reports).toHaveLength(1);
		const second = poll(first.state, seen([]), { b: completed }, any, 1);
		expect(second.reports).toMatchObject([{ crawl: { id: 'b' } }]);
	});

	it('leave the earlier state as it was', () => {
		const before = JSON.stringify(running);
		poll(running, seen([]), { a: completed, b: { kind: 'unreachable', reason: 'x' } });
		expect(JSON.stringify(running)).toBe(before);
	});
});

describe('a crawl that cannot be fetched', () => {
	const lost: CrawlOutcome = { kind: 'unreachable', reason: 'no pages' };

	it('is retried, after the others, and reported after enough polls and time', () => {
		let state = poll(undefined, seen([crawl('a'), crawl('b')])).state;
		for (let turn = 1; turn < MAX_TRIES; turn++) {
			const result = poll(state, seen([], { now: at(turn) }), { a: lost });
			expect(result.reports).toEqual([]);
			state = result.state;
			expect(leftTheList(state, seen([])).map(({ id }) => id)).toEqual(['b', 'a']);
		}
		const early = poll(state, seen([], { now: at(1) + MAX_FAILING_MS - 1 }), { a: lost });
		expect(early.reports).toEqual([]);
		const due = poll(state, seen([], { now: at(1) + MAX_FAILING_MS }), { a: lost });
		expect(due.reports).toEqual([{ crawl: crawl('a'), outcome: lost }]);
		expect(due.state.settled.map(([id]) => id)).toEqual(['a']);
	});

	it('starts counting again after a response', () => {
		const state = poll(undefined, seen([crawl('a')])).state;
		const failed = poll(state, seen([]), { a: lost }).state;
		expect(failed.tracked.a).toMatchObject({ tries: 1, failingSince: NOW });
		const { tries } = poll(failed, seen([]), { a: { kind: 'running' } }).state.tracked.a;
		expect(tries).toBeUndefined();
	});

	it('is not given up after few polls, however long they were apart', () => {
		let state = poll(undefined, seen([crawl('a')])).state;
		for (let turn = 1; turn < MAX_TRIES; turn++) {
			const result = poll(state, seen([], { now: at(turn * 60) }), { a: lost });
			expect(result.reports).toEqual([]);
			state = result.state;
		}
		expect(poll(state, seen([], { now: at(600) }), { a: lost }).reports).toHaveLength(1);
	});

	it('waits for its turn where one crawl is reported at a time', () => {
		const failing = { tries: MAX_TRIES, failingSince: NOW - MAX_FAILING_MS };
		const begun = poll(undefined, seen([crawl('a'), crawl('b')])).state;
		const state = { ...begun, tracked: { a: failing, b: failing } };
		const result = poll(state, seen([]), { a: lost, b: lost }, any, 1);
		expect(result.reports).toMatchObject([{ crawl: { id: 'a' } }]);
		expect(Object.keys(result.state.tracked)).toEqual(['b']);
	});

	it('is not reported when it may have been over from the start', () => {
		const lists = seen([], { activity: [crawl('late', -1)] });
		let { state } = poll(undefined, lists, { late: lost });
		for (let turn = 1; turn < MAX_TRIES; turn++) {
			const result = poll(state, { ...lists, now: at(60) }, { late: lost });
			expect(result.reports).toEqual([]);
			state = result.state;
		}
		expect(state.tracked).toEqual({});
	});
});

describe('the URL pattern', () => {
	const settings = { ...any, urlPatterns: ['/wanted'] };

	it('leaves other crawls out, without looking them up', () => {
		const begun = poll(undefined, seen([], { activity: [] }), {}, settings).state;
		const lists = seen([crawl('other')], { activity: [crawl('wanted', 1), crawl('off', 2)] });
		const state = observe(begun, lists, settings);
		expect(leftTheList(state, lists)).toMatchObject([{ id: 'wanted' }]);
		expect(Object.keys(state.tracked)).toEqual(['wanted']);
		expect(state.settled.map(([id]) => id)).toEqual(['off']);
	});

	it('settles no crawl that still runs, which a later pattern may want', () => {
		const begun = poll(undefined, seen([], { activity: [] }), {}, settings).state;
		const lists = seen([crawl('other')], { activity: [crawl('other', 1)] });
		const state = observe(begun, lists, settings);
		expect(state).toMatchObject({ tracked: {}, settled: [] });
	});

	it('holds for crawls tracked before it was set', () => {
		const state = poll(undefined, seen([crawl('a'), crawl('wanted')])).state;
		expect(Object.keys(observe(state, seen([]), settings).tracked)).toEqual(['wanted']);
	});

	it('drops no crawl whose URL is too long to be remembered', () => {
		const long = { id: 'a', url: `https://example.com/wanted/${'x'.repeat(2_000)}` };
		const { state } = poll(undefined, seen([long]), {}, settings);
		expect(observe(state, seen([]), settings).tracked).toEqual({ a: {} });
	});
});

describe('activity', () => {
	it('is asked for, unless the service has none or the crawls are named', () => {
		expect(wantsActivity(undefined, any, NOW)).toBe(true);
		expect(wantsActivity(undefined, { ...any, ids: ['a'] }, NOW)).toBe(false);
		const { state } = poll(undefined, seen([], { activity: 'missing' }));
		expect(wantsActivity(state, any, NOW + ACTIVITY_RETRY_MS - 1)).toBe(false);
		expect(wantsActivity(state, any, NOW + ACTIVITY_RETRY_MS)).toBe(true);
		const again = poll(state, seen([], { activity: [] })).state;
		expect(again.askActivityAfter).toBeUndefined();
	});

	describe('is read back', () => {
		const margin = ACTIVITY_MARGIN_MS / 60_000;
		const begun = poll(undefined, seen([crawl('a')], { activity: [crawl('a', 0)] })).state;
		const enough = (state: WatchState | undefined, ...page: SeenCrawl[]) =>
			isReadEnough(state, [crawl('newest', 1), ...page], page, NOW);

		it('at the start for the margin, so that what has ended in it is known', () => {
			expect(enough(undefined, crawl('x', 1 - margin))).toBe(false);
			expect(enough(undefined, crawl('x', 0.9 - margin))).toBe(true);
		});

		it('to the margin behind what has been covered', () => {
			expect(enough(begun, crawl('new', 0.5), crawl('x', -margin))).toBe(false);
			expect(enough(begun, crawl('new', 0.5), crawl('x', -margin - 0.1))).toBe(true);
		});

		it('no further than to a page of known crawls', () => {
			expect(enough(begun, crawl('a', 0))).toBe(true);
			expect(enough(begun, crawl('a', 0), crawl('x', -1))).toBe(false);
			const settled = poll(begun, seen([]), { a: completed }).state;
			expect(enough(settled, crawl('a', 0))).toBe(true);
			expect(enough({ ...begun, isBehind: true }, crawl('a', 0))).toBe(false);
			expect(enough(begun, { id: 'a' })).toBe(true);
		});

		it('beyond the running crawls that the activity could not be read for', () => {
			const listed = poll(begun, seen([crawl('a'), crawl('b')])).state;
			expect(enough(listed, crawl('b', 0.5))).toBe(false);
			expect(enough(listed, crawl('b', 0.5), crawl('a', 0))).toBe(true);
		});
	});

	const crawlOf = (id: string, minutes: number) => ({
		url: `https://example.com/${id}`,
		createdAt: at(minutes),
	});

	it('that comes to be later settles nothing that is tracked', () => {
		const state = poll(undefined, seen([crawl('a')])).state;
		const lists = seen([], { activity: [crawl('a', -5), crawl('b', -6)] });
		expect(observe(state, lists, any).tracked.a).toEqual(crawlOf('a', -5));
		const older = seen([], { activity: [crawl('a', -60), crawl('b', -6)] });
		expect(observe(state, older, any).tracked.a).toEqual(crawlOf('a', -60));
		const { reports } = poll(state, lists, { a: completed, b: { kind: 'over' } });
		expect(reports).toEqual([{ crawl: crawl('a', -5), outcome: completed }]);
	});

	it('that was not read leaves the date where it was', () => {
		const state = poll(undefined, seen([], { activity: [crawl('a', -1)] })).state;
		expect(poll(state, seen([])).state.coveredUntil).toBe(at(-1));
	});
});

describe('dates that can not be believed', () => {
	const begun = poll(undefined, seen([], { activity: [crawl('before', -1)] }), {
		before: { kind: 'over' },
	}).state;

	it('blind the trigger to nothing that comes after them', () => {
		const future = crawl('future', 60 * 24 * 365);
		const first = poll(begun, seen([], { activity: [future, crawl('before', -1)] }), {
			future: completed,
		});
		expect(first.reports.map(({ crawl: { id } }) => id)).toEqual(['future']);
		const short = [crawl('c', 3), crawl('b', 2), crawl('a', 1)];
		const lists = seen([], { now: at(4), activity: [future, ...short, crawl('before', -1)] });
		const second = poll(first.state, lists, { a: completed, b: completed, c: completed });
		expect(second.reports.map(({ crawl: { id } }) => id)).toEqual(['a', 'b', 'c']);
		expect(second.state.coveredUntil).toBe(at(3));
	});

	it('or that are missing bring back no crawl as long as the list may show it', () => {
		const undated = { id: 'undated', url: 'https://example.com' };
		let { state, reports } = poll(begun, seen([], { activity: [undated] }), { undated: completed });
		expect(reports).toHaveLength(1);
		for (let minutes = 30; minutes < 24 * 60; minutes += 30) {
			const activity = [crawl(`at ${minutes}`, minutes - 1), undated];
			const lists = seen([], { now: at(minutes), activity });
			({ state, reports } = poll(state, lists, { undated: completed }));
			expect([minutes, reports]).toEqual([minutes, []]);
		}
		const late = seen([], { now: NOW + UNDATED_FOR_MS, activity: [] });
		expect(poll(state, late).state.settled.map(([id]) => id)).not.toContain('undated');
	});

	it('or that are missing at the first poll bring no crawl from before it', () => {
		const activity = [{ id: 'a' }, { id: 'b' }];
		const lists = seen([{ id: 'b' }], { activity });
		const { state } = poll(undefined, lists);
		expect(Object.keys(state.tracked)).toEqual(['b']);
		for (const minutes of [1, 90, 600]) {
			const later = seen([], { now: at(minutes), activity });
			expect(leftTheList(observe(state, later, any), later).map(({ id }) => id)).toEqual(['b']);
		}
		expect(isReadEnough(undefined, activity, activity, NOW)).toBe(true);
	});

	it('reads a list of any length', () => {
		const activity = Array<SeenCrawl>(150_000).fill(crawl('old', 1));
		expect(isReadEnough(undefined, activity, activity, NOW)).toBe(false);
	});

	it('do not end the reading of the list when they are long ago', () => {
		const page = [crawl('a', 2), { id: 'epoch', createdAt: 1 }, crawl('b', 1)];
		expect(isReadEnough(begun, page, page, at(3))).toBe(false);
	});

	it('of a clock that was ahead do not put off asking for the activity', () => {
		const ahead = NOW + 24 * 3_600_000;
		const { state } = poll(begun, seen([], { now: ahead, activity: 'missing' }));
		expect(wantsActivity(state, any, NOW)).toBe(true);
		expect(wantsActivity(state, any, ahead)).toBe(false);
	});

	it('bring no crawl again that ended before the clock was set back', () => {
		const state = { ...begun, coveredUntil: at(600) };
		const activity = [crawl('old', 500)];
		const { tracked } = poll(state, seen([], { now: at(100), activity })).state;
		expect(Object.keys(tracked)).toEqual([]);
		expect(isReadEnough(state, activity, activity, at(100))).toBe(true);
	});

	it('of a clock that was ahead do not put off giving up', () => {
		let state = poll(undefined, seen([crawl('a')], { now: at(600) })).state;
		const lost: CrawlOutcome = { kind: 'unreachable', reason: 'x' };
		state = poll(state, seen([], { now: at(600) }), { a: lost }).state;
		for (let minutes = 1; minutes < 11; minutes++) {
			state = poll(state, seen([], { now: at(minutes) }), { a: lost }).state;
		}
		expect(poll(state, seen([], { now: at(11) }), { a: lost }).reports).toHaveLength(1);
	});
});

describe('bounds', () => {
	const many = (count: number, minutes: number) =>
		Array.from({ length: count }, (_, index) => crawl(`${minutes}-${index}`, minutes));

	it('keep the date where it was while crawls do not fit', () => {
		const begun = poll(undefined, seen([], { activity: [] })).state;
		const { state } = poll(begun, seen([], { activity: many(MAX_TRACKED + 1, 1) }));
		expect(Object.keys(state.tracked)).toHaveLength(MAX_TRACKED);
		expect(state.coveredUntil).toBe(at(1) - 1);
		expect(state.isBehind).toBe(true);
	});

	it('begin with what the first poll had time to read of the activity', () => {
		const activity = { crawls: [crawl('old', 0)], isComplete: false };
		const begun = poll(undefined, seen([], { activity })).state;
		expect(begun).toMatchObject({ coveredUntil: at(0) });
		const lists = seen([], { activity: [crawl('new', 1), crawl('old', 0)] });
		expect(observe(begun, lists, any).tracked.new).not.toHaveProperty('unsure');
	});

	it('take the crawls of the first poll that do not fit for over', () => {
		const lists = seen([], { activity: many(MAX_TRACKED + 3, -1) });
		const begun = poll(undefined, lists).state;
		const left = leftTheList(observe(begun, lists, any), lists);
		expect(left).toHaveLength(MAX_TRACKED);
		expect(left.every(({ unsure }) => unsure)).toBe(true);
		expect(begun.settled).toHaveLength(3);
	});

	it('forget settled crawls when nothing can bring them back', () => {
		const begun = poll(undefined, seen([crawl('a')], { activity: [] })).state;
		const settled = poll(begun, seen([], { activity: [crawl('a', 0)] }), { a: completed }).state;
		const later = NOW + SETTLED_FOR_MS;
		const quiet = poll(settled, seen([], { now: later, activity: [crawl('a', 0)] })).state;
		expect(quiet.settled).toHaveLength(1);
		expect(quiet.tracked).toEqual({});
		const busy = poll(quiet, seen([], { now: later, activity: [crawl('b', 16)] })).state;
		expect(busy.settled).toEqual([]);
	});

	it('take no more crawls from the list of running ones than fit', () => {
		const { state } = poll(undefined, seen(many(MAX_TRACKED + 1, 1)));
		expect(Object.keys(state.tracked)).toHaveLength(MAX_TRACKED);
	});

	it('remember a settled crawl as long as the activity may show it as new', () => {
		const created = NOW - ACTIVITY_MARGIN_MS;
		const begun = poll(undefined, seen([], { activity: [crawl('x', 0)] })).state;
		const settled: Array<[string, number, number]> = [['a', created, NOW - SETTLED_FOR_MS]];
		const { state } = poll({ ...begun, settled }, seen([]));
		expect(state.settled).toEqual(settled);
		const again = { id: 'a', url: 'https://example.com', createdAt: created };
		expect(observe(state, seen([], { activity: [again] }), any).tracked).not.toHaveProperty('a');
	});

	it('invent no date where the service has no activity', () => {
		const { state: begun } = poll(undefined, seen([], { activity: 'missing' }));
		const settled = many(MAX_SETTLED + 1, 1).map(({ id }): [string, number, number] => [
			id,
			NOW,
			NOW,
		]);
		const { state } = poll({ ...begun, settled }, seen([]));
		expect(state.settled).toHaveLength(MAX_SETTLED);
		expect(state).not.toHaveProperty('coveredUntil');
	});

	it('never let a forgotten crawl look new', () => {
		const begun = poll(undefined, seen([], { activity: [] })).state;
		const settled = many(MAX_SETTLED + 2, 1).map(({ id }, index): [string, number, number] => [
			id,
			at(1) + index,
			NOW,
		]);
		const { state } = poll({ ...begun, coveredUntil: at(2), settled }, seen([]));
		expect(state.settled).toHaveLength(MAX_SETTLED);
		const activity = many(2, 1).map((old, index) => ({ ...old, createdAt: at(1) + index }));
		const lists = seen([], { activity });
		expect(observe(state, lists, any).tracked).toEqual({});
	});

	it('keep specific crawls settled for as long as they are named', () => {
		const settings = { ...any, ids: ['a', 'b'] };
		const state = poll(undefined, seen([]), { a: completed, b: completed }, settings).state;
		const later = seen([], { now: NOW + 100 * SETTLED_FOR_MS });
		const fewer = poll(state, later, {}, { ...any, ids: ['a'] }).state;
		expect(fewer.settled.map(([id]) => id)).toEqual(['a']);
	});

	it('do not keep a URL of any length', () => {
		const long = { id: 'a', url: `https://example.com/${'x'.repeat(2_000)}` };
		expect(observe(undefined, seen([long]), any).tracked).toEqual({ a: {} });
		const longest = { id: 'a', url: long.url.slice(0, 1_000) };
		expect(observe(undefined, seen([longest]), any).tracked).toEqual({ a: { url: longest.url } });
	});
});
