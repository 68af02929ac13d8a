import type { SeenCrawl } from '../../../nodes/WebDataCrawlTrigger/crawlWatch';
import { CrawlWatch, crawlFitterOf } from '../../../nodes/WebDataCrawlTrigger/crawlWatch';
import { pollOnce } from '../../../nodes/WebDataCrawlTrigger/poll';
import { cpuTime } from '../../support/cpuTime';
import { MINUTE, NOW, begunAfter, begunWith, crawl, ended, httpError, setup } from './fakeService';

describe('a crawl matches the URL patterns of the crawl trigger', () => {
	const isFitting = (url: string | undefined, urlPatterns: string[]) =>
		crawlFitterOf(urlPatterns)({ id: 'a', url });
	it.each([
		['https://docs.example.com/a', [], true],
		['https://docs.example.com/a', ['shop.', 'docs.'], true],
		['https://docs.example.com/a', ['https://docs.example.com/*'], true],
		[undefined, ['docs'], false],
		[undefined, [], true],
	])('%s against %j: %s', (url, patterns, fits) => expect(isFitting(url, patterns)).toBe(fits));

	it('without taking much time for a pattern made of stars', () => {
		const spent = cpuTime();
		expect(isFitting('a'.repeat(5_000), [`${'*a'.repeat(200)}*b`])).toBe(false);
		expect(spent()).toBeLessThan(2_000);
	});
});

describe('a crawl that the crawl trigger has seen running', () => {
	it('is emitted once when it has ended, though a stale list shows it again', async () => {
		const { service, poll } = await begunWith(['a', 'b']);
		service.running = [crawl('b')];
		service.statuses = { a: ended(), b: ended() };
		expect(await poll()).toEqual(['a']);
		service.running = [crawl('a'), crawl('b')];
		expect(await poll()).toEqual([]);
		service.running = [];
		expect(await poll(2)).toEqual(['b']);
	});

	it('keeps the URL of the active list, whatever the activity list calls it', async () => {
		const { service, poll, task } = await begunAfter([], { settings: { urlPatterns: ['com/a'] } });
		const hidden = { ...crawl('a', 0), url: '<redacted due to zero data retention>' };
		service.running = [crawl('a')];
		service.recent = [hidden];
		await poll();
		service.running = [];
		service.statuses = { a: ended() };
		const [{ json }] = await pollOnce(task);
		expect(json.url).toBe('https://example.com/a');
	});

	it('is left out once a new URL pattern does not fit it', async () => {
		const { service, poll, task } = await begunWith(['a', 'b']);
		task.settings = { ...task.settings, urlPatterns: ['com/b'] };
		service.statuses = { a: ended(), b: ended() };
		expect(await poll()).toEqual(['b']);
	});
});

describe('the first poll of the crawl trigger', () => {
	it.each([
		['says that it runs', { status: 'scraping' }],
		['says that it has completed, before it has begun', ended({ completed: 0, total: 0 })],
	])('watches a crawl that only the activity list shows, where it %s', async (_, status) => {
		const { service, poll } = setup();
		service.recent = [crawl('late', 0)];
		service.statuses = { late: status };
		expect(await poll()).toEqual([]);
		service.statuses = { late: { status: 'scraping' } };
		expect(await poll()).toEqual([]);
		service.statuses = { late: ended() };
		expect(await poll(2)).toEqual(['late']);
	});

	it('watches a crawl that the active list shows later, though it could not be asked for', async () => {
		const { service, poll } = setup();
		service.recent = [crawl('late', 0)];
		service.statuses = { late: httpError('500') };
		expect(await poll()).toEqual([]);
		service.running = [crawl('late')];
		expect(await poll()).toEqual([]);
		service.running = [];
		service.statuses = { late: ended() };
		expect(await poll()).toEqual(['late']);
	});

	it('lets a crawl that most likely was over never be emitted, even if it can not be asked for', async () => {
		const { service, poll } = setup();
		service.recent = [crawl('late', 0)];
		service.statuses = { late: httpError('500') };
		expect(await poll(12)).toEqual([]);
		service.statuses = { late: ended() };
		expect(await poll(2)).toEqual([]);
	});

	const unread: Array<[string, (service: ReturnType<typeof setup>['service']) => void]> = [
		['fails', (service) => (service.recent = httpError('500'))],
		['fails at its second page', (service) => (service.failingPage = 1)],
		['is slow', (service) => (service.pageMs = 40_000)],
	];

	it.each(unread)(
		'finds what is created after it, not what may have been over: the activity list %s',
		async (_what, spoil) => {
			const { service, poll, kept, log } = setup();
			const known = Array.from({ length: 100 }, (_, index) => crawl(`known-${index}`, -1));
			const before = [...known, crawl('over', -2)];
			service.recent = before;
			for (const { id } of before) service.statuses[id] = ended();
			spoil(service);
			expect(await poll()).toEqual([]);
			expect(log.warn).toHaveBeenCalledWith(expect.stringMatching(/activity|more crawls/));
			const saved = kept.state;
			Object.assign(service, { failingPage: Infinity, pageMs: 0, now: NOW + 2 * MINUTE });
			service.recent = [crawl('short', 1), crawl('seen', 1), ...before];
			service.running = [crawl('seen', 1)];
			service.statuses = { ...service.statuses, short: ended(), seen: ended() };
			expect(await poll()).toEqual(['short']);
			// What it learned is lost if n8n is killed, unless something was emitted.
			kept.state = saved;
			service.running = [];
			expect((await poll(2)).sort()).toEqual(['seen', 'short']);
		},
	);
});

describe('the first poll that reads the activity list', () => {
	it('reads it as far back as what may have been over, also behind crawls that do not matter', async () => {
		const { service, poll } = setup({ settings: { urlPatterns: ['com/over'] } });
		service.recent = httpError('500');
		expect(await poll()).toEqual([]);
		const others = Array.from({ length: 100 }, (_, index) => crawl(`off-${index}`, -1));
		service.recent = [...others, crawl('over', -2)];
		service.statuses = { over: ended() };
		expect(await poll()).toEqual([]);
		service.recent = [crawl('over', -2)];
		expect(await poll(2)).toEqual([]);
	});
});

describe('a crawl that the crawl trigger has never seen running', () => {
	it('is found as far back as a quarter of an hour before the newest that was known', async () => {
		const { service, poll } = await begunAfter([crawl('old', 0)]);
		service.recent = [crawl('old', 0), crawl('in', -15), crawl('out', -15.001)];
		service.statuses = { in: ended(), out: ended() };
		expect(await poll(2)).toEqual(['in']);
	});

	it('is found behind crawls that are known, where the activity was missed for a while', async () => {
		const { service, poll } = await begunAfter([crawl('old', 0)]);
		const ids = Array.from({ length: 100 }, (_, index) => `new-${index}`);
		service.recent = httpError('500');
		service.running = ids.map((id) => crawl(id));
		await poll();
		service.recent = [...ids.map((id) => crawl(id, 2)), crawl('short', 1), crawl('old', 0)];
		service.statuses.short = ended();
		expect(await poll()).toEqual(['short']);
	});

	it('is left out where its URL does not fit or does not show, until the active list shows one that does', async () => {
		const { service, poll } = await begunAfter([], { settings: { urlPatterns: ['com/wanted'] } });
		service.recent = [crawl('off', 0), { id: 'wanted', createdAt: NOW }, crawl('wanted-2', 0)];
		service.statuses = { off: ended(), wanted: ended(), 'wanted-2': ended() };
		expect(await poll()).toEqual(['wanted-2']);
		service.running = [crawl('wanted')];
		await poll();
		service.running = [];
		expect(await poll()).toEqual(['wanted']);
		expect(service.calls).not.toContain('off');
	});

	it('is found in a list that is longer than anyone has asked for', () => {
		const settings = { scope: 'any:1', urlPatterns: [], events: [] };
		const watch = new CrawlWatch(undefined, settings, NOW);
		expect(watch.seeActivity(Array<SeenCrawl>(150_000).fill(crawl('long', 0)))).toBe(false);
		expect(watch.candidates).toEqual([{ ...crawl('long', 0), mayBeOver: true }]);
	});

	it('is none of those that an empty list left out for once, nor one dated long ago', async () => {
		const { service, poll } = await begunAfter([crawl('old', -60), crawl('older', -61)]);
		const list = service.recent as SeenCrawl[];
		service.recent = [];
		await poll();
		service.recent = [...list, crawl('ancient', -200)];
		service.statuses.ancient = ended();
		expect(await poll(2)).toEqual([]);
	});

	it('is no news without a date', async () => {
		const { service, poll } = await begunAfter([]);
		service.recent = [crawl('undated')];
		service.statuses = { undated: ended() };
		expect(await poll(2)).toEqual([]);
	});
});

describe('specific crawls under the crawl trigger', () => {
	const settings = { ids: ['a', 'b'] };

	it('take little time, however many there are', () => {
		const ids = Array.from({ length: 50_000 }, (_, index) => `crawl-${index}`);
		const watched = { scope: '', urlPatterns: [], events: [], ids };
		const spent = cpuTime();
		const { state } = new CrawlWatch(undefined, watched, NOW);
		const again = new CrawlWatch(state, watched, NOW);
		again.seeActive(ids.map((id) => ({ id })));
		expect(again.state.tracked).toHaveLength(5_000);
		// Searching the list for each would take 5 s.
		expect(spent()).toBeLessThan(2_000);
	});

	it('are only those that are named now, and no others', async () => {
		const { service, poll, task } = setup({ settings });
		service.running = [crawl('a'), crawl('b'), crawl('c')];
		await poll();
		task.settings = { ...task.settings, ids: ['b'] };
		service.running = [];
		service.statuses = { a: ended(), b: ended(), c: ended() };
		expect(await poll(2)).toEqual(['b']);
	});
});

describe('a crawl that the crawl trigger can not find out about', () => {
	it.each(['500', '403', undefined])(
		'is reported as unreachable at the tenth poll that fails with %s',
		async (code) => {
			const { service, poll, log } = await begunWith(['bad', 'good']);
			service.statuses = { bad: httpError(code), good: ended() };
			expect(await poll()).toEqual(['good']);
			expect(log.warn).toHaveBeenCalledWith(`Crawl bad: HTTP ${code}`);
			expect(await poll(8)).toEqual([]);
			expect(await poll(2)).toEqual(['bad']);
		},
	);

	it('is reported, with the reason, where the service does not know it for ten polls', async () => {
		const { service, poll, log, task } = await begunWith(['gone', 'back']);
		expect(await poll(9)).toEqual([]);
		service.statuses = { back: ended() };
		const items = (await pollOnce(task)).map(({ json }) => json);
		expect(items).toMatchObject([
			{ id: 'gone', event: 'unreachable', fetchError: expect.stringContaining('not know it') },
			{ id: 'back', event: 'completed' },
		]);
		expect(log.warn).toHaveBeenLastCalledWith(expect.stringMatching(/Crawl (gone|back): .*know/));
		service.calls = [];
		expect(await poll(2)).toEqual([]);
		expect(service.calls).not.toContain('gone');
	});

	it('is reported as other where its state is one that nobody has heard of', async () => {
		const { service, poll } = await begunWith(['odd'], { settings: { events: ['other'] } });
		service.statuses = { odd: { status: 'archived' } };
		expect(await poll(9)).toEqual([]);
		expect(await poll()).toEqual(['odd']);
	});
});

describe('a crawl that tells the crawl trigger it has completed before it has begun', () => {
	it.each([
		{ completed: 0, total: 0 },
		{ completed: 3, total: 10 },
	])('is asked again in the next poll, with %j', async (counts) => {
		const { service, poll } = await begunAfter([]);
		service.recent = [crawl('young', 0)];
		service.statuses = { young: ended(counts) };
		expect(await poll()).toEqual([]);
		service.statuses = { young: { status: 'scraping' } };
		expect(await poll()).toEqual([]);
		service.statuses = { young: ended() };
		expect(await poll()).toEqual(['young']);
	});

	it('is asked until its counts add up, for as long as they grow', async () => {
		const { service, poll, task } = await begunAfter([]);
		service.recent = [crawl('young', 0)];
		for (const completed of [2, 9, 17, 28]) {
			service.statuses = { young: ended({ completed, total: 30 }) };
			expect(await poll()).toEqual([]);
		}
		service.failed = { young: 2 };
		const [{ json }] = await pollOnce(task);
		expect(json).toMatchObject({ id: 'young', completed: 28 });
		expect(json).not.toHaveProperty('crawlWarning');
	});

	it('is emitted with a warning where its counts have stood still for a minute', async () => {
		const { service, poll, task } = await begunAfter([]);
		service.recent = [crawl('young', 1)];
		service.statuses = { young: ended({ completed: 3, total: 30 }) };
		expect(await poll()).toEqual([]);
		service.now -= 1_000;
		expect(await poll()).toEqual([]);
		service.now -= MINUTE - 1_000;
		const [{ json }] = await pollOnce(task);
		expect(json).toMatchObject({ id: 'young', event: 'completed' });
		expect(json.crawlWarning).toMatch(/^The service says .* counts 3 of 30 pages: .* no cost\.$/);
	});
});

describe('the memory of the crawl trigger', () => {
	const idsOf = (count: number) => Array.from({ length: count }, (_, index) => `crawl-${index}`);

	it.each([
		['2,000', [crawl('new', 1), crawl('old', 0)], 2_000, 'crawl-1001'],
		['20,000 where the activity list is left unread', httpError('500'), 20_000, 'crawl-5000'],
	])('holds the last crawls that are done: %s', async (_name, list, count, first) => {
		const { service, poll, kept } = await begunAfter([crawl('old', 0)]);
		const done = idsOf(count === 2_000 ? 3_000 : 25_000);
		kept.state = JSON.stringify({ ...JSON.parse(kept.state!), done });
		service.recent = list;
		service.statuses.new = ended();
		await poll();
		const after = (JSON.parse(kept.state) as { done: string[] }).done;
		expect([after.length, after[0]]).toEqual([count, first]);
	});

	it('holds 5,000 crawls under watch; others are found as soon as there is room', async () => {
		const { service, poll, kept } = await begunAfter([crawl('old', 0)]);
		const ids = idsOf(5_100);
		service.recent = ids.map((id) => crawl(id, 1));
		service.running = ids.map((id) => crawl(id));
		await poll();
		expect(JSON.parse(kept.state!).tracked).toHaveLength(5_000);
		service.running = [];
		for (const id of ids) service.statuses[id] = ended();
		const emitted = await poll(6);
		expect([emitted.length, new Set(emitted).size]).toEqual([5_100, 5_100]);
	});
});
