/** The search trigger in n8n-core's poll context, over HTTP against the local service. */
import type { INodeParameters } from 'n8n-workflow';

import { type LocalService, startService } from '../../mock-service';
import { WebDataSearchTrigger } from '../../nodes/WebDataSearchTrigger/WebDataSearchTrigger.node';
import { PolledTrigger } from '../support/polledTrigger';
import { closed } from '../support/served';
import { until } from '../support/until';

let service: LocalService;
beforeEach(async () => {
	service = await startService();
});
afterEach(async () => await closed(service));

const QUERY = { query: 'solar power' };
const triggerOf = (parameters: INodeParameters = {}, saved = {}) =>
	new PolledTrigger(service, { ...QUERY, ...parameters }, saved, new WebDataSearchTrigger());
const hit = (name: string, more = {}) => ({
	url: `https://news.example/${name}`,
	title: `About ${name}`,
	description: 'Text',
	...more,
});

describe('new results', () => {
	it('are emitted once, after a first poll that only remembers', async () => {
		const trigger = triggerOf();
		expect(await trigger.poll()).toBeNull();
		service.web.addHits(hit('a'), hit('b'));
		expect(await trigger.emitted()).toEqual(
			['a', 'b'].map((name) => ({
				...hit(name),
				source: 'web',
				query: 'solar power',
				event: 'new',
			})),
		);
		expect(await trigger.poll()).toBeNull();
		const again = triggerOf({}, trigger.saved);
		expect(await again.poll()).toBeNull();
	});

	it('are those of the first poll, too, where the form says so', async () => {
		const trigger = triggerOf({ options: { firstPoll: 'emit' } });
		expect(await trigger.emitted()).toHaveLength(10);
		expect(await trigger.poll()).toBeNull();
	});

	it('are searched for with the time filter of the web as the search’s own', async () => {
		await triggerOf({ options: { webOnly: { published: 'qdr:d' } } }).poll();
		expect(service.requests[0].body).toMatchObject({
			tbs: 'qdr:d',
			sources: [{ type: 'web', tbs: 'qdr:d' }],
		});
	});

	it('are the same whatever brought the visitor, unless that matters', async () => {
		const [plain, tracked] = [triggerOf(), triggerOf({ options: { ignoreTracking: false } })];
		service.web.addHits(hit('a'));
		await plain.poll();
		await tracked.poll();
		service.web.addHits(hit('a?utm_source=mail#top', { title: 'About a' }));
		expect(await plain.poll()).toBeNull();
		expect(await tracked.emitted()).toHaveLength(1);
	});

	it('are those with another title, too, where the form says so', async () => {
		const trigger = triggerOf({ triggerOn: 'changed' });
		service.web.addHits(hit('a'));
		await trigger.poll();
		service.web.addHits(hit('a', { title: 'Updated' }));
		expect(await trigger.emitted()).toMatchObject([{ title: 'Updated', event: 'changed' }]);
		expect(await trigger.poll()).toBeNull();
	});
});

describe('the request', () => {
	it('is one search with what the form says, and ends within the time of a poll', async () => {
		const trigger = triggerOf({
			limit: 20,
			published: 'qdr:d',
			options: { country: 'de', queryOperators: { exclude: 'jobs' } },
		});
		await trigger.poll();
		expect(service.requests.map(({ path, body }) => ({ path, body }))).toEqual([
			{
				path: '/v2/search',
				body: {
					query: 'solar power -jobs',
					limit: 20,
					country: 'DE',
					tbs: 'qdr:d',
					timeout: 29_000,
				},
			},
		]);
	});

	it("has the days of the workflow's time zone where expressions give moments", async () => {
		const moment = (day: number) => `={{ new Date("2026-11-${day}T20:00:00Z") }}`;
		const trigger = triggerOf({ published: 'dates', from: moment(20), to: moment(23) });
		trigger.timezone = 'Asia/Tokyo';
		await trigger.poll();
		expect(service.requests[0].body).toMatchObject({
			tbs: 'cdr:1,cd_min:11/21/2026,cd_max:11/24/2026',
		});
	});

	it.each([
		[{ query: '' }, 'Query is empty'],
		[{ query: 'x', limit: 500 }, 'Limit is 500'],
	])('is not sent with %j', async (parameters, message) => {
		await expect(triggerOf(parameters).poll()).rejects.toMatchObject({
			message: expect.stringContaining(message),
			failure: { cause: 'configuration-invalid' },
		});
		expect(service.requests).toEqual([]);
	});

	it('is sent at once by settings that are published while a poll with others runs', async () => {
		const before = triggerOf();
		service.fail({ path: '/v2/search', delayMs: 500, times: 1 });
		const running = before.poll();
		await until('the search', () => service.requests.length === 1, 60_000, 5);
		expect(
			await before.copy({ query: 'wind power', options: { firstPoll: 'emit' } }).emitted(),
		).toHaveLength(10);
		await running;
	});

	it('that gets no response ends with the poll', async () => {
		const trigger = triggerOf();
		trigger.budgetMs = 2_000;
		service.fail({ path: '/v2/search', hang: true });
		const begun = Date.now();
		await expect(trigger.poll()).rejects.toMatchObject({
			failure: { cause: 'temporarily-unavailable' },
		});
		// If it ignored it, it would take 40 s.
		expect(Date.now() - begun).toBeLessThan(20_000);
	});
});

it.each([{}, { data: null }, { data: 'x' }, { data: { web: { results: [hit('a')] } } }])(
	'a response that does not say what was found fails and is remembered as nothing: %j',
	async (body) => {
		const trigger = triggerOf();
		service.web.addHits(hit('a'));
		service.fail({ path: '/v2/search', times: 1, status: 200, body: { success: true, ...body } });
		await expect(trigger.poll()).rejects.toThrow("The service's response has no list of results");
		// The first poll that can be read.
		expect(await trigger.poll()).toBeNull();
	},
);

describe('the memory', () => {
	it('starts over with another query, place or credential, not with another time or limit', async () => {
		const first = triggerOf();
		await first.poll();
		service.web.addHits(hit('a'));
		const seesNews = async (parameters: INodeParameters) =>
			(await triggerOf(parameters, first.saved).poll()) !== null;
		expect(await seesNews({})).toBe(true);
		expect(await seesNews({ limit: 11 })).toBe(true);
		expect(await seesNews({ published: 'qdr:d' })).toBe(true);
		expect(await seesNews({ options: { webOnly: { published: 'qdr:d' } } })).toBe(true);
		expect(await seesNews({ query: 'wind power' })).toBe(false);
		expect(await seesNews({ options: { country: 'DE' } })).toBe(false);
		expect(await seesNews({ options: { sources: ['web', 'news'] } })).toBe(false);
		expect(await seesNews({ options: { ignoreTracking: true } })).toBe(true);
		expect(await seesNews({ options: { ignoreTracking: false } })).toBe(false);
	});
});

describe('a manual test', () => {
	it('shows what the trigger would emit, and touches no state', async () => {
		const trigger = triggerOf({ limit: 3 });
		const items = (await trigger.poll('manual')) ?? [];
		expect(items).toHaveLength(3);
		expect(items[0].json).toMatchObject({ event: 'new', source: 'web', query: 'solar power' });
		expect(trigger.saved).toEqual({});
		expect(trigger.isChanged).toBe(false);
	});

	it('says so when nothing is found', async () => {
		const items = await triggerOf({ query: 'no-such-thing' }).poll('manual');
		expect(items).toMatchObject([
			{ json: { message: expect.stringContaining('no results right now') } },
		]);
	});
});
