/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import { pollOnce } from '../../../nodes/WebDataCrawlTrigger/poll';
import { begunAfter, begunWith, crawl, ended, httpError, setup } from './fakeService';

const many = (count: number) => Array.from({ length: count }, (_, index) => `crawl-${index}`);

/** Ends a poll's time once everything possible is done, in turns of the event loop. */
const untilQuiet = async () => {
	for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
};

describe('a poll of the crawl trigger', () => {
	it('takes no crawl for done whose items it could not make', async () => {
		const { service, poll } = await begunWith(['good', 'broken'], { withPages: true });
		service.statuses = { good: ended(), broken: ended() };
		const broken = Object.defineProperty({}, 'json', {
			get: () => {
				throw new Error('no items');
			},
		});
		const pages = service.pages.bind(service);
		jest
			.spyOn(service, 'pages')
			.mockImplementation(async (id) => (id === 'good' ? await pages(id) : [broken as never]));
		expect(await poll()).toEqual(['good']);
		jest.restoreAllMocks();
		expect(await poll()).toEqual(['broken']);
	});

	it('emits what it has when a rate limit ends it, begins nothing more, and emits the rest later', async () => {
		const ids = many(30);
		const { service, poll, log } = await begunWith(ids);
		for (const id of ids) service.statuses[id] = ended();
		service.statuses['crawl-1'] = httpError('429');
		const first = await poll();
		expect(first).not.toContain('crawl-1');
		expect(service.calls.length).toBeLessThan(15);
		expect(log.warn).toHaveBeenLastCalledWith(expect.stringMatching(/ended early.*HTTP 429/));
		service.statuses['crawl-1'] = ended();
		expect([...first, ...(await poll())].sort()).toEqual([...ids].sort());
	});

	it('reports a crawl that never responds in the end, with the reason, and others at once', async () => {
		const { service, poll, task } = await begunWith(['hangs', 'good']);
		service.statuses = { hangs: 'hangs', good: ended() };
		task.wait = untilQuiet;
		expect(await poll()).toEqual(['good']);
		expect(await poll(8)).toEqual([]);
		const [{ json }] = await pollOnce(task);
		expect(json).toMatchObject({
			id: 'hangs',
			event: 'unreachable',
			fetchError: expect.stringContaining('longer than a poll may'),
		});
	});

	it('does not blame a crawl that was late when a rate limit has ended the poll', async () => {
		const { service, poll, task } = await begunWith(['good', 'limited', 'hangs']);
		service.statuses = { good: ended(), limited: httpError('429'), hangs: 'hangs' };
		task.wait = untilQuiet;
		expect(await poll()).toEqual(['good']);
		service.statuses.limited = { status: 'scraping' };
		expect(await poll(9)).toEqual([]);
		expect(await poll()).toEqual(['hangs']);
	});

	it('looks up eight crawls at a time, and no more when three quarters of its time are over', async () => {
		const ids = many(100);
		const { service, poll } = await begunWith(ids);
		for (const id of ids) service.statuses[id] = ended();
		service.statusMs = 1_000;
		const first = await poll();
		expect(service.maxInFlight).toBe(8);
		expect(first).toHaveLength(30);
		service.statusMs = 0;
		expect([...first, ...(await poll())].sort()).toEqual([...ids].sort());
	});

	it.each([
		['2,000 pages', 2_000, 0],
		['100 MB', 1, 101 * 1024 * 1024],
	])('begins no further crawl with %s to emit', async (_much, pages, length) => {
		const ids = ['a', 'b', 'c', 'd'];
		const { service, poll } = await begunWith(ids, { withPages: true });
		service.pageLength = length;
		for (const id of ids) [service.statuses[id], service.pageLists[id]] = [ended(), pages];
		expect(new Set(await poll())).toEqual(new Set(['a', 'b']));
		expect(new Set(await poll())).toEqual(new Set(['c', 'd']));
		expect(service.maxInFlight).toBe(2);
	});

	it('emits one crawl at a time of those that are given up, too', async () => {
		const { service, poll } = await begunWith(['a', 'b'], { oneAtATime: true });
		service.statuses = { a: httpError('500'), b: httpError('500') };
		expect(await poll(9)).toEqual([]);
		expect(await poll()).toEqual(['a']);
		expect(await poll()).toEqual(['b']);
	});

	it('does not emit named crawls again when what it remembered is unreadable', async () => {
		const { service, poll, kept } = setup({ settings: { ids: ['over', 'running'] } });
		service.statuses = { over: ended() };
		service.running = [crawl('running')];
		expect(await poll()).toEqual(['over']);
		kept.state = '{"version":1,"scope":"any:1","tracked":{}}';
		expect(await poll()).toEqual([]);
		service.running = [];
		service.statuses.running = ended();
		expect(await poll()).toEqual(['running']);
	});
});

describe('the activity list of the crawl trigger', () => {
	it('is read for two fifths of a poll at most, and further in the next one', async () => {
		const { service, poll, log } = await begunAfter([crawl('old', -60)]);
		const ids = many(500);
		service.recent = ids.map((id, index) => crawl(id, index / 1_000));
		for (const id of ids) service.statuses[id] = ended();
		service.pageMs = 6_000;
		const first = await poll();
		expect(first).toHaveLength(300);
		expect(log.warn).toHaveBeenLastCalledWith(expect.stringContaining('more crawls than one poll'));
		service.pageMs = 0;
		expect([...first, ...(await poll())].sort()).toEqual([...ids].sort());
	});

	it('that fails for ever is warned of at each poll, and crawls are still found', async () => {
		const { service, poll, log } = setup();
		service.recent = httpError('500');
		await poll(3);
		expect(log.warn).toHaveBeenCalledTimes(3);
		service.running = [crawl('seen')];
		service.statuses = { seen: ended() };
		await poll();
		service.running = [];
		expect(await poll()).toEqual(['seen']);
	});

	it('emits each of 10,000 crawls once that end between two polls, and then is read to its first page', async () => {
		const { service, poll, kept } = await begunAfter([crawl('old', -60)]);
		const ids = many(10_000);
		service.recent = ids.map((id) => crawl(id, 0));
		for (const id of ids) service.statuses[id] = ended();
		const emitted = await poll(6);
		expect([emitted.length, new Set(emitted).size]).toEqual([10_000, 10_000]);
		service.calls = [];
		expect(await poll(3)).toEqual([]);
		expect(service.calls.filter((call) => call === 'activity')).toHaveLength(3);
		expect(kept.state!.length).toBeLessThan(1_500_000);
	});
});
