/* eslint-disable @n8n/community-nodes/no-hardcoded-secrets */
/** The crawl trigger in n8n-core's poll context, over HTTP against the local service. */
import { commonPollingParameters } from 'n8n-core/dist/nodes-loader/constants';
import type { IDataObject, NodeApiError } from 'n8n-workflow';

import { type Fault, type LocalService, startService } from '../../mock-service';
import { WebDataCrawlTrigger } from '../../nodes/WebDataCrawlTrigger/WebDataCrawlTrigger.node';
import { PolledTrigger } from '../support/polledTrigger';
import { closed } from '../support/served';

let service: LocalService;
beforeEach(async () => {
	service = await startService({ crawlMs: 0 });
});
afterEach(async () => await closed(service));

describe('the crawl trigger, watching any crawl,', () => {
	it('emits nothing at first, then each crawl that ends, once', async () => {
		service.crawls.add({ status: 'completed' });
		const { id } = service.crawls.add({ url: 'https://docs.example.com', pages: 3 });
		const trigger = new PolledTrigger(service);
		expect(await trigger.poll()).toBeNull();
		expect(await trigger.poll()).toBeNull();

		service.crawls.end(id);
		expect(await trigger.emitted()).toEqual([
			{
				id,
				url: 'https://docs.example.com',
				status: 'completed',
				event: 'completed',
				total: 3,
				completed: 3,
				creditsUsed: expect.any(Number),
				expiresAt: expect.any(String),
				createdAt: expect.any(String),
				completedAt: expect.any(String),
				duration: expect.any(Number),
			},
		]);
		expect(await trigger.poll()).toBeNull();
	});

	it('emits after a restart what has ended in the meantime, from a state n8n saved long ago', async () => {
		const first = new PolledTrigger(service);
		await first.poll();
		const saved = first.saved;
		const [a, b] = [service.crawls.add(), service.crawls.add()];
		await first.poll();
		service.crawls.end(a.id);
		service.crawls.end(b.id, 'failed');
		const second = new PolledTrigger(service, {}, saved);
		expect((await second.emitted()).map(({ id }) => id)).toEqual([a.id]);
		// A failure without a reason is believed once the counts stand still.
		const now = Date.now();
		const clock = jest.spyOn(Date, 'now').mockImplementation(() => now + 11_000);
		expect((await second.emitted()).map(({ id }) => id)).toEqual([b.id]);
		clock.mockRestore();
		const third = new PolledTrigger(service, {}, second.saved);
		expect(await third.poll()).toBeNull();
	});

	it('tells n8n of a changed state, and only of a changed one', async () => {
		const trigger = new PolledTrigger(service);
		await trigger.poll();
		expect(trigger.isChanged).toBe(true);
		const again = new PolledTrigger(service, {}, trigger.saved);
		await again.poll();
		expect(again.isChanged).toBe(false);
	});

	it('leaves out crawls of other URLs and other ends', async () => {
		const trigger = new PolledTrigger(service, {
			events: ['completed'],
			options: { urlPattern: 'https://docs.*\n/wanted' },
		});
		await trigger.poll();
		const urls = ['https://docs.a.example/x', 'https://b.example/wanted', 'https://b.example/x'];
		const [docs, wanted, off] = urls.map((url) => service.crawls.add({ url }).id);
		for (const id of [docs, wanted, off]) service.crawls.end(id);
		service.crawls.end(service.crawls.add({ url: urls[0] }).id, 'cancelled');
		service.requests.length = 0;
		expect((await trigger.emitted()).map(({ id }) => id).sort()).toEqual([docs, wanted].sort());
		expect(service.requests.some(({ path }) => path.endsWith(off))).toBe(false);
	});

	it('takes no other job of the activity list for a crawl, and nothing that has no usable ID', async () => {
		const trigger = new PolledTrigger(service);
		await trigger.poll();
		const { id } = service.crawls.add();
		service.crawls.end(id);
		const entries = [
			{ id, endpoint: 'scrape' },
			{ id: '../team', endpoint: 'crawl' },
			{ id: 2 ** 60, endpoint: 'crawl' },
			null,
		];
		const at = { created_at: new Date().toISOString(), target: 'https://a.example' };
		const data = entries.map((entry) => entry && { ...entry, ...at });
		service.fail({ path: '/v2/team/activity', status: 200, body: { success: true, data } });
		expect(await trigger.poll()).toBeNull();
		expect(service.requests.filter(({ path }) => !/active|activity/.test(path))).toEqual([]);
		// A number is an ID, too.
		Object.assign(data[0]!, { id: 7, endpoint: 'crawl' });
		service.fail({
			path: '/v2/crawl/7',
			status: 200,
			body: { status: 'completed', total: 1, completed: 1 },
		});
		expect(await trigger.emitted()).toMatchObject([{ id: '7', event: 'completed' }]);
		service.violations.length = 0;
	});
});

describe('specific crawls that the crawl trigger watches', () => {
	it('are emitted once, those that have ended at once', async () => {
		const [a, b] = [service.crawls.add({ status: 'completed' }), service.crawls.add()];
		const crawls = `${a.id}\nhttps://elsewhere.example/prefix/v1/crawl/${b.id}?x=1\n\n${a.id}`;
		const trigger = new PolledTrigger(service, { watch: 'specific', crawls });
		expect((await trigger.emitted()).map(({ id }) => id)).toEqual([a.id]);
		expect(await trigger.poll()).toBeNull();
		service.crawls.end(b.id);
		expect((await trigger.emitted()).map(({ id }) => id)).toEqual([b.id]);
		service.requests.length = 0;
		expect(await trigger.poll()).toBeNull();
		expect(service.requests).toHaveLength(0);
	});

	it.each([
		['', 'Crawls is empty'],
		['../team', 'Crawls is "../team", which is not an ID'],
		['https://api.example.com/v2/crawl/..', 'Crawls is "..", which is not an ID'],
	])('are rejected when given as "%s"', async (crawls, message) => {
		const trigger = new PolledTrigger(service, { watch: 'specific', crawls });
		await expect(trigger.poll()).rejects.toMatchObject({
			message: expect.stringContaining(message),
			description: expect.stringContaining('Nothing was sent (field: Crawls)'),
			failure: { cause: 'configuration-invalid' },
		});
		expect(service.requests).toHaveLength(0);
	});
});

describe('pages that the crawl trigger emits', () => {
	it('come as items, all of them, through next', async () => {
		service.set({ chunkBytes: 20_000 });
		const trigger = new PolledTrigger(service, { output: 'pages' });
		await trigger.poll();
		const { id } = service.crawls.add({ pages: 25, pageBytes: 2_000 });
		service.crawls.end(id);
		const pages = await trigger.emitted();
		expect(pages).toHaveLength(25);
		expect(new Set(pages.map(({ url }) => url)).size).toBe(25);
		expect(pages[24].crawl).toMatchObject({ id, status: 'completed', total: 25 });
		expect(service.requests.filter(({ path }) => path.includes(id)).length).toBeGreaterThan(2);
	});

	it('stop at the limit, for each crawl', async () => {
		service.set({ chunkBytes: 20_000 });
		const trigger = new PolledTrigger(service, { output: 'pages', returnAll: false, limit: 3 });
		await trigger.poll();
		const ids = [1, 2].map(() => service.crawls.add({ pages: 25, pageBytes: 2_000 }).id);
		for (const id of ids) service.crawls.end(id);
		service.requests.length = 0;
		const crawls = (await trigger.emitted()).map(({ crawl }) => (crawl as IDataObject).id);
		expect(crawls.sort()).toEqual([ids[0], ids[0], ids[0], ids[1], ids[1], ids[1]].sort());
		expect(
			service.requests.filter(
				({ path }) => path.startsWith('/v2/crawl/') && !path.endsWith('active'),
			),
		).toHaveLength(2);
	});

	const respond = (id: string, numbers: number[], more: IDataObject = {}, times?: number) => {
		const data = numbers.map((number) => ({
			markdown: `Page ${number}`,
			metadata: { scrapeId: `scrape-${number}`, sourceURL: `https://a.example/${number}` },
		}));
		const body = { success: true, status: 'completed', completed: 3, total: 3, data, ...more };
		service.fail({ path: `/v2/crawl/${id}`, times, status: 200, body });
	};

	it('that are late follow later', async () => {
		const trigger = new PolledTrigger(service, { output: 'pages' });
		await trigger.poll();
		const { id } = service.crawls.add({ pages: 2 });
		service.crawls.end(id);
		respond(id, [], {}, 1);
		expect(await trigger.poll()).toBeNull();
		expect(await trigger.emitted()).toHaveLength(2);
	});

	it.each([
		[[1, 1, 2, 3], /^The service sent 1 page twice; each is included once\.$/],
		[[1, 2], /^The service counted 3 pages, but sent 2: the others may follow/],
	])('say what is odd about them: %j', async (sent, warning) => {
		const trigger = new PolledTrigger(service, { output: 'pages' });
		await trigger.poll();
		const { id } = service.crawls.add();
		service.crawls.end(id);
		respond(id, sent);
		const pages = await trigger.emitted();
		expect(pages.map(({ crawlWarning }) => crawlWarning)).toEqual(
			[...new Set(sent)].map(() => expect.stringMatching(warning)),
		);
	});

	it('of a crawl that failed are not waited for', async () => {
		const trigger = new PolledTrigger(service, { output: 'pages' });
		await trigger.poll();
		const { id } = service.crawls.add();
		service.crawls.end(id, 'failed');
		respond(id, [], { status: 'failed' });
		expect(await trigger.emitted()).toMatchObject([{ crawl: { id, event: 'failed' } }]);
	});
});

describe('failures that the crawl trigger meets:', () => {
	it('of the key are told at activation, without the key', async () => {
		const trigger = new PolledTrigger(service);
		trigger.credentials.apiKey = 'expired-key-0123456789';
		const failed = trigger.poll();
		await expect(failed).rejects.toMatchObject({
			message: expect.stringContaining('API key'),
			httpCode: '401',
			failure: { cause: 'credential-invalid' },
		});
		expect(JSON.stringify(await failed.catch((error) => error))).not.toContain('expired-key');
		expect(trigger.isChanged).toBe(false);
	});

	it('of an address that has no such endpoint are told of its crawls, and not taken for their end', async () => {
		const { id } = service.crawls.add();
		const trigger = new PolledTrigger(service);
		await trigger.poll();
		service.crawls.end(id);
		const page = `<!DOCTYPE html><pre>Cannot GET /v2/crawl/${id}</pre>`;
		service.fail({ path: new RegExp(id), raw: { status: 404, type: 'text/html', text: page } });
		const { emitted, told } = await polled(trigger, 10);
		expect(told).toEqual([
			expect.stringContaining(`Crawl ${id} can’t be read: This service does not`),
		]);
		expect(emitted).toMatchObject([
			{ id, event: 'unreachable', fetchError: expect.stringContaining('GET /v2/crawl') },
		]);
	});

	/** Polls several times; returns what is emitted, and the messages of the polls that fail. */
	async function polled(trigger: PolledTrigger, times: number) {
		const emitted: IDataObject[] = [];
		const told: string[] = [];
		const polls: string[] = [];
		for (let turn = 0; turn < times; turn++) {
			await trigger.emitted().then(
				(items) => {
					emitted.push(...items);
					polls.push(items.length > 0 ? 'emits' : '');
				},
				(error: NodeApiError) => {
					told.push(`${error.message}. ${error.description}`);
					polls.push('fails');
				},
			);
		}
		return { emitted, told, polls };
	}

	it.each<[string, Fault]>([
		['it does not know', { status: 404, body: { success: false, error: 'Job not found' } }],
		['is gone', { status: 410, body: { error: 'Gone' } }],
		['can’t be read', { status: 200, body: { success: false } }],
		['is a web page', { raw: { status: 200, type: 'text/html', text: '<p>Maintenance' } }],
		['is of another version', { status: 405, body: { error: 'Use /v3/crawl' } }],
	])(
		'of a crawl it has seen make a poll fail with words, once: one that %s',
		async (_name, fault) => {
			const [seen, other] = [service.crawls.add(), service.crawls.add()];
			const trigger = new PolledTrigger(service);
			await trigger.poll();
			service.crawls.end(seen.id);
			service.fail({ path: new RegExp(seen.id), ...fault });
			const { polls, told } = await polled(trigger, 4);
			expect(polls).toEqual(['', 'fails', '', '']);
			expect(told[0]).toMatch(
				new RegExp(
					`^Crawl ${seen.id} can’t be read: .+ The next ones try again and emit other crawls`,
				),
			);
			service.crawls.end(other.id);
			expect(await trigger.emitted()).toMatchObject([{ id: other.id, event: 'completed' }]);
			service.clearFaults();
			expect(await trigger.emitted()).toMatchObject([{ id: seen.id, event: 'completed' }]);
			expect(await trigger.poll()).toBeNull();
		},
	);

	it('of many crawls are told together, and in durable mode, which forgets a failed poll, only once', async () => {
		const ids = Array.from({ length: 5 }, () => service.crawls.add().id);
		let trigger = new PolledTrigger(service);
		const durable = async () => {
			const context = trigger.context('trigger', 'update');
			const next = trigger.copy();
			const output = await trigger.nodeType.poll.call(context).then(
				() => 'runs',
				(error: Error) => error.message,
			);
			// Only a poll that succeeds is saved.
			trigger = output === 'runs' ? trigger.copy() : next;
			return output;
		};
		expect(await durable()).toBe('runs');
		for (const id of ids) service.crawls.end(id);
		service.fail({ path: /\/crawl\/[0-9a-f]{8}-/, status: 410, body: { error: 'Gone' } });
		expect(await durable()).toBe('runs');
		expect(await durable()).toMatch(/^Crawl \S+ can’t be read: /);
		for (let turn = 0; turn < 8; turn++) expect(await durable()).toBe('runs');
		service.clearFaults();
		expect((await trigger.emitted()).map(({ id }) => id).sort()).toEqual(ids.sort());
	});
});

describe('a poll of the crawl trigger', () => {
	const endOf = (count: number) => {
		const ids = Array.from({ length: count }, () => service.crawls.add({ pages: 1 }).id);
		return { ids, end: () => ids.forEach((id) => service.crawls.end(id)) };
	};

	it.each(['/v2/team/activity', '/v2/crawl/active', /^\/v1\/crawl\/.{36}$/])(
		'ends within its time when %s never responds, and loses nothing',
		async (path) => {
			const trigger = new PolledTrigger(service);
			const { ids, end } = endOf(10);
			await trigger.poll();
			end();
			trigger.budgetMs = 2_000;
			service.fail({ path, hang: true });
			// If it ignored its time limit, it would never end.
			const emitted = await trigger.emitted().catch(() => []);
			service.clearFaults();
			trigger.budgetMs = 45_000;
			const all = [...emitted, ...(await trigger.emitted())].map(({ id }) => id);
			expect(all.sort()).toEqual([...ids].sort());
		},
	);
});

it('the crawl trigger polls once n8n has put Poll Times into the list of its properties', async () => {
	const nodeType = new WebDataCrawlTrigger();
	nodeType.description.properties.unshift(...commonPollingParameters);
	const parameters = { pollTimes: { item: [{ mode: 'everyHour' }] } };
	const trigger = new PolledTrigger(service, parameters, {}, nodeType);
	expect(await trigger.poll()).toBeNull();
});

describe('a manual test of the crawl trigger', () => {
	it('shows the last crawl that ended and touches no state', async () => {
		const { id } = service.crawls.add();
		service.crawls.end(id);
		const trigger = new PolledTrigger(service);
		expect(await trigger.poll('manual')).toMatchObject([{ json: { id, status: 'completed' } }]);
		expect(trigger.saved).toEqual({});
		expect(trigger.isChanged).toBe(false);
	});

	it('shows a running crawl, or how to start one', async () => {
		service.set({ activity: false });
		const trigger = new PolledTrigger(service, { output: 'pages' });
		expect(await trigger.poll('manual')).toMatchObject([
			{ json: { message: expect.stringMatching(/Start one.*activity list could not be read/) } },
		]);
		const { id } = service.crawls.add();
		expect(await trigger.poll('manual')).toMatchObject([{ json: { id, status: 'scraping' } }]);
	});
});

describe('1,000 active crawls under the crawl trigger', () => {
	it('cost two requests per poll, one for each that ends, and a state of 120 bytes each', async () => {
		const ids = Array.from({ length: 1_000 }, () => service.crawls.add({ pages: 1 }).id);
		const trigger = new PolledTrigger(service);
		// As long as a slow machine needs for all look-ups.
		trigger.budgetMs = 600_000;
		const emitted: unknown[] = [];
		const requests: number[] = [];
		let largest = 0;
		const poll = async () => {
			service.requests.length = 0;
			emitted.push(...(await trigger.emitted()).map(({ id }) => id));
			requests.push(service.requests.length);
			largest = Math.max(largest, JSON.stringify(trigger.saved).length);
		};

		for (let turn = 0; turn < 3; turn++) await poll();
		service.crawls.end(ids[0]);
		await poll();
		for (const id of ids.slice(1)) service.crawls.end(id);
		await poll();
		await poll();
		expect(requests).toEqual([11, 2, 2, 3, 2 + 999, 2]);
		expect(largest).toBeLessThan(120_000);
		expect([...emitted].sort()).toEqual([...ids].sort());
	});
});
