/**
 * How the crawl trigger treats dates and IDs that the service's lists show after a clock was set, or in another letter
 * case.
 */
import type { SeenCrawl } from '../../../nodes/WebDataCrawlTrigger/crawlWatch';
import { MINUTE, NOW, PAGE_SIZE, begunAfter, crawl, ended, setup } from './fakeService';

describe('a clock that was set', () => {
	const HOUR = 60 * MINUTE;

	it('back, with that of the service, hides no later crawl and brings none back', async () => {
		const { service, poll } = setup();
		// An hour ahead: one ended long ago, the other is seen to end.
		service.now = NOW + HOUR;
		service.recent = [crawl('late', 58), crawl('over', 40)];
		service.running = [crawl('seen', 59)];
		service.statuses = { late: ended(), over: ended(), seen: ended(), new: ended() };
		await poll();
		service.running = [];
		service.recent = [crawl('seen', 59), ...service.recent];
		expect(await poll()).toEqual(['seen']);
		service.now = NOW + 3 * MINUTE;
		service.recent = [...service.recent, crawl('new', 2.5)];
		expect(await poll()).toEqual(['new']);
		service.now = NOW + 2 * HOUR;
		service.recent = [crawl('newer', 119), ...service.recent];
		service.statuses.newer = ended();
		expect(await poll(3)).toEqual(['newer']);
	});

	it.each([
		['an hour', HOUR],
		['ten years', 10 * 365 * 24 * HOUR],
	])('back by %s leaves a state that another poll saved, which hides nothing', async (_by, ms) => {
		const { service, poll, kept } = await begunAfter([crawl('old', -60)]);
		kept.state = JSON.stringify({ ...JSON.parse(kept.state!), knownUntil: NOW + ms });
		service.recent = [crawl('new', 0.5), crawl('old', -60)];
		service.statuses = { ...service.statuses, new: ended() };
		expect(await poll(3)).toEqual(['new']);
	});

	it.each([20, 80, 60 * 48])(
		'back by %i minutes makes nothing new of crawls on later pages of the list',
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

	it('ahead and back repeats nothing that has been emitted', async () => {
		const { service, poll } = await begunAfter([]);
		const { statuses } = service;
		for (const [id, hours] of [
			['a', 0],
			['b', 24 * 365],
			['c', 0],
		] as const) {
			service.now = NOW + hours * HOUR + MINUTE;
			service.recent = [...(service.recent as SeenCrawl[]), crawl(id, hours * 60)];
			statuses[id] = ended();
			expect(await poll()).toEqual([id]);
		}
		expect(await poll(3)).toEqual([]);
	});
});

describe('a crawl whose ID the lists write in other letter case', () => {
	it('is emitted once, as it was seen first', async () => {
		const { service, poll } = await begunAfter([]);
		service.running = [crawl('Run')];
		await poll();
		service.running = [];
		service.recent = [crawl('RUN', 1), crawl('other', 1)];
		service.statuses = { Run: ended(), other: ended() };
		expect((await poll()).sort()).toEqual(['Run', 'other']);
		service.recent = [crawl('run', 1), crawl('OTHER', 1)];
		service.running = [crawl('rUN')];
		expect(await poll(2)).toEqual([]);
	});

	it('still runs while the active list has it in other letter case', async () => {
		const { service, poll } = setup({ settings: { ids: ['A'] } });
		service.running = [crawl('a')];
		expect(await poll()).toEqual([]);
		expect(service.calls).toEqual(['active']);
		service.running = [];
		service.statuses = { A: ended() };
		expect(await poll()).toEqual(['A']);
	});
});
