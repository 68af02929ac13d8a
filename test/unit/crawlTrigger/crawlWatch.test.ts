/** What the crawl trigger does by example; model.test.ts explores schedules, faults, clocks and restarts. */
import type { SeenCrawl } from '../../../nodes/WebDataCrawlTrigger/crawlWatch';
import { pollOnce } from '../../../nodes/WebDataCrawlTrigger/poll';
import {
	MINUTE,
	NOW,
	PAGE_SIZE,
	begunAfter,
	begunWith,
	crawl,
	ended,
	httpError,
	setup,
} from './fakeService';

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
});

describe('a crawl that the crawl trigger has never seen running', () => {
	it('is found as far back as a quarter of an hour before the newest of the first poll, however late', async () => {
		const { service, poll } = await begunAfter([crawl('old', 0)]);
		service.recent = [crawl('new', 60), crawl('old', 0)];
		service.statuses = { new: ended(), in: ended(), out: ended() };
		expect(await poll(2)).toEqual(['new']);
		service.recent = [...service.recent, crawl('in', -15), crawl('out', -15.001)];
		expect(await poll(2)).toEqual(['in']);
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
	it('run while the active list has them in other letter case', async () => {
		const { service, poll } = setup({ settings: { ids: ['A'] } });
		service.running = [crawl('a')];
		expect(await poll()).toEqual([]);
		expect(service.calls).toEqual(['active']);
		service.running = [];
		service.statuses = { A: ended() };
		expect(await poll()).toEqual(['A']);
	});

	it('are only those that are named now, and no others', async () => {
		const { service, poll, task } = setup({ settings: { ids: ['a', 'b'] } });
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
	it('is asked until its counts add up with the pages that failed', async () => {
		const { service, poll, task } = await begunAfter([]);
		service.recent = [crawl('young', 0)];
		service.statuses = { young: ended({ completed: 17, total: 30 }) };
		expect(await poll()).toEqual([]);
		service.statuses = { young: ended({ completed: 28, total: 30 }) };
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

describe('a clock that was set', () => {
	it.each([20, 80, 60 * 48])(
		'makes nothing new of crawls on later pages of the activity list: back by %i minutes',
		async (minutes) => {
			const old = Array.from({ length: 3 * PAGE_SIZE }, (_, n) => crawl(`old${n}`, -n));
			const { service, poll } = await begunAfter(old);
			service.statuses = Object.fromEntries(old.map(({ id }) => [id, ended()]));
			await poll();
			service.now -= minutes * MINUTE;
			expect(await poll(4)).toEqual([]);
			service.recent = [...old, crawl('new', 1)];
			service.statuses.new = ended();
			expect(await poll(2)).toEqual(['new']);
			service.now += 2 * minutes * MINUTE;
			expect(await poll(2)).toEqual([]);
		},
	);
});
