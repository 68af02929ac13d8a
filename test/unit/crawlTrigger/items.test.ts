import { crawlItems, pollOnce } from '../../../nodes/WebDataCrawlTrigger/poll';
import { preview } from '../../../nodes/WebDataCrawlTrigger/preview';
import { NOW, begunWith, crawl, ended, httpError, setup } from './fakeService';

describe('the items that the crawl trigger makes of a crawl', () => {
	const seen = { id: 'a', createdAt: NOW };

	it('have the status and the reason where the pages stay out of reach', async () => {
		const { service, task, poll } = await begunWith(['bad'], { withPages: true });
		service.statuses = { bad: ended({ total: 7, data: [{}], completed: 7 }) };
		service.pageLists = { bad: httpError('500') };
		expect(await poll(9)).toEqual([]);
		const [{ json: item }, ...others] = await pollOnce(task);
		expect(others).toEqual([]);
		expect(item).toEqual({
			crawl: {
				id: 'bad',
				url: 'https://example.com/bad',
				status: 'completed',
				total: 7,
				completed: 7,
				event: 'unreachable',
				fetchError: 'HTTP 500',
			},
		});
	});

	it('are not fetched for a crawl whose end is not wanted', async () => {
		const { service, poll } = await begunWith(['a'], { withPages: true });
		service.statuses = { a: { status: 'cancelled' } };
		const pages = jest.spyOn(service, 'pages');
		expect(await poll()).toEqual([]);
		expect(pages).not.toHaveBeenCalled();
	});

	it("have the service's own creation date where it gives one", () => {
		const response = { status: 'completed', createdAt: '2026-05-31T00:00:00Z' };
		const [item] = crawlItems(seen, { event: 'completed', response }, false);
		expect(item.json.createdAt).toBe('2026-05-31T00:00:00Z');
	});
});

describe('a manual test of the crawl trigger', () => {
	it('else names crawls that do not fit, and how they ended', async () => {
		const { service, task } = setup({
			withPages: true,
			settings: { urlPatterns: ['docs'], events: ['failed'] },
		});
		service.running = [{ id: 'a', url: 'https://a.example' }];
		service.recent = [
			{ id: 'b', url: 'https://b.example', createdAt: NOW - 2 },
			{ id: 'c', url: 'https://docs.example', createdAt: NOW - 1 },
			{ id: 'd', createdAt: NOW - 3 },
			{ id: 'e', createdAt: NOW - 4 },
		];
		service.statuses = { a: { status: 'scraping' }, b: { status: 'failed' }, c: ended() };
		const [{ json }, ...others] = await preview(task);
		expect(others).toEqual([]);
		expect(json.message).toContain(
			'matches URL Pattern and Events, or its pages are not there yet. Recent ones: https://docs.example (completed), https://b.example, d.',
		);
		service.recent = [];
		expect((await preview(task))[0].json.message).toContain(': https://a.example.');
	});

	it('asks for five crawls at most to find one that fits', async () => {
		const { service, task } = setup({ settings: { events: ['failed'] } });
		service.recent = [1, 2, 3, 4, 5, 6].map((minute) => crawl(`c${minute}`, -minute));
		for (const { id } of service.recent) service.statuses[id] = ended();
		service.statuses.c6 = { status: 'failed' };
		expect((await preview(task))[0].json.message).toContain('/c1 (completed)');
		service.statuses.c5 = { status: 'failed', error: 'Blocked' };
		expect(await preview(task)).toMatchObject([{ json: { id: 'c5' } }]);
	});

	it('shows each specific crawl as it is', async () => {
		const { service, task } = setup({ settings: { ids: ['a', 'b', 'c', 'd', 'e'] } });
		service.running = [crawl('b')];
		service.statuses = {
			a: ended({ completed: 0, total: 0 }),
			b: { status: 'scraping' },
			d: httpError('500'),
			e: { status: 'archived' },
		};
		const shown = (await preview(task)).map(({ json }) => json);
		expect(shown).toMatchObject([
			{ id: 'a', status: 'completed', event: 'completed' },
			{ id: 'b', status: 'scraping', url: 'https://example.com/b' },
			{ id: 'c', event: 'unreachable', fetchError: expect.stringContaining('not know it') },
			{ id: 'd', event: 'unreachable', fetchError: 'HTTP 500' },
			{ id: 'e', status: 'archived', event: 'other' },
		]);
	});
});
