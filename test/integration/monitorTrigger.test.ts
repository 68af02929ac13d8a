/** The monitor trigger in n8n-core's contexts, over real HTTP: what is at the service, and what starts the workflow. */
import { randomUUID } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { type LocalService, type ServiceOptions, startService } from '../../mock-service';
import { runCheck } from '../support/monitorCheck';
import { until } from '../support/until';
import { WebhookTrigger } from '../support/webhookTrigger';

const URL = 'https://a.example/page';

let service: LocalService;
let n8ns: WebhookTrigger[] = [];

let seed = 0;

beforeEach(async () => {
	// Each service has other IDs, as a real one never has the same twice.
	service = await startService({ jobMs: 1, seed: ++seed });
});
afterEach(async () => {
	await Promise.all(n8ns.map(async (one) => await one.close()));
	n8ns = [];
	await service.close();
});

async function n8n(parameters: INodeParameters = {}, id?: string): Promise<WebhookTrigger> {
	const trigger = await new WebhookTrigger(service, parameters, id).listen();
	n8ns.push(trigger);
	return trigger;
}

async function published(parameters: INodeParameters = {}): Promise<WebhookTrigger> {
	const trigger = await n8n(parameters);
	await trigger.publish();
	return trigger;
}

const monitors = () => service.monitors.list() as unknown as IDataObject[];

const check = async (trigger: WebhookTrigger) => await runCheck(service, trigger.kept.monitor!.id);

/** Has the service check a page with this text, and waits for its report. */
async function changed(trigger: WebhookTrigger, markdown: string): Promise<void> {
	const { length } = trigger.statuses;
	service.web.setPage(URL, { markdown });
	await check(trigger);
	await until('a report', () => trigger.statuses.length > length, 10_000, 5);
}

const last = ({ started }: WebhookTrigger) => started.at(-1)!;

describe('publishing', () => {
	it('creates one monitor of what the form asks for, which reports here with a secret of its own', async () => {
		const trigger = await published({ goal: 'Tell me of prices', schedule: 'hourly' });
		const [monitor, ...others] = monitors();
		expect(others).toEqual([]);
		expect(monitor).toMatchObject({
			name: 'Prices',
			schedule: { cron: '0 * * * *', timezone: 'America/New_York' },
			goal: 'Tell me of prices',
			targets: [{ type: 'scrape', urls: [URL] }],
			webhook: { url: trigger.address, events: ['monitor.check.completed'] },
		});
		const { headers } = monitor.webhook as { headers: object };
		expect(Object.values(headers)).toEqual([expect.stringMatching(/^[\da-f]{64}$/)]);
	});

	it('watches fields of pages', async () => {
		await published({
			schemaFrom: 'fields',
			schemaFields: { field: [{ name: 'price', type: 'number' }] },
			options: { scrapeOptions: { mobile: true } },
		});
		const [sent] = service.requests.filter(({ method }) => method === 'POST');
		const schema = { type: 'object', properties: { price: { type: 'number' } } };
		const formats = ['markdown', { type: 'changeTracking', modes: ['json'], schema }];
		expect(sent.body).toMatchObject({
			targets: [{ type: 'scrape', scrapeOptions: { mobile: true, formats } }],
		});
		expect(service.violations).toEqual([]);
	});

	it('never makes a second one: not at a start, and not where the first one was not saved', async () => {
		const trigger = await published();
		const [first] = monitors();
		trigger.name = 'Renamed';
		await trigger.start();
		expect(monitors()).toEqual([first]);
		trigger.saved = {};
		await trigger.start();
		expect(monitors()).toHaveLength(1);
		expect(monitors()[0].id).not.toBe(first.id);
	});

	it('leaves the monitors of others alone: of other workflows, other n8ns and people', async () => {
		service.monitors.add();
		const [one, same] = [await published(), await n8n({}, 'workflow-of-both')];
		const elsewhere = await n8n({}, 'workflow-of-both');
		await same.publish();
		await elsewhere.publish();
		expect(monitors()).toHaveLength(4);
		await elsewhere.unpublish();
		await one.unpublish();
		expect(monitors().map(({ webhook }) => (webhook as IDataObject | null)?.url)).toEqual([
			undefined,
			same.address,
		]);
	});

	it('makes it again at a start if it was deleted, and if n8n has another address now', async () => {
		const trigger = await published();
		const [{ id }] = monitors();
		service.monitors.remove(id as string);
		await trigger.start();
		expect(monitors()).toHaveLength(1);
		trigger.host = 'http://localhost:1';
		await trigger.start();
		expect(monitors()).toMatchObject([{ webhook: { url: trigger.address } }]);
	});

	it('keeps it while the service does not answer', async () => {
		const trigger = await published();
		const before = monitors();
		service.fail({ path: /monitor/, status: 403 });
		await trigger.start();
		service.clearFaults();
		await trigger.start();
		expect(monitors()).toEqual(before);
	});

	it('keeps it where the service sends it without an object around it', async () => {
		const trigger = await n8n();
		const monitor = { id: 'monitor-1', status: 'active', webhook: { url: trigger.address } };
		service.fail({ method: 'POST', path: '/v2/monitor', status: 200, body: monitor, times: 1 });
		await trigger.publish();
		service.fail({ method: 'GET', path: '/v2/monitor/monitor-1', status: 200, body: monitor });
		await trigger.start();
		expect(trigger.kept.monitor?.id).toBe('monitor-1');
	});

	it('makes it again at a start if it reports to nobody', async () => {
		const trigger = await published();
		delete monitors()[0].webhook;
		await trigger.start();
		expect(monitors()).toMatchObject([{ webhook: { url: trigger.address } }]);
	});

	it('is undone where the list of monitors cannot be read: its own goes first', async () => {
		const trigger = await published();
		service.fail({ method: 'GET', path: '/v2/monitor', status: 403 });
		await expect(trigger.unpublish()).rejects.toThrow();
		expect(monitors()).toEqual([]);
	});

	it('makes one with another credential, whose account may not delete the old one', async () => {
		const trigger = await published();
		service.monitors.remove(trigger.kept.monitor!.id);
		service.fail({ method: 'DELETE', path: /monitor/, status: 403 });
		trigger.parameters = { ...trigger.parameters, schedule: 'weekly' };
		await trigger.publish();
		expect(monitors()).toMatchObject([{ schedule: { cron: '0 0 * * 0' } }]);
	});

	it('makes another one for other settings, also if the old one could not be deleted', async () => {
		const trigger = await published();
		service.fail({ method: 'DELETE', path: /monitor/, status: 403 });
		await expect(trigger.unpublish()).rejects.toThrow('does not allow');
		service.clearFaults();
		trigger.parameters = { ...trigger.parameters, schedule: 'weekly' };
		await trigger.publish();
		expect(monitors()).toMatchObject([{ schedule: { cron: '0 0 * * 0' } }]);
		await trigger.unpublish();
		expect(monitors()).toEqual([]);
		expect(trigger.kept).toEqual({});
	});

	it.each<[string, ServiceOptions, string]>([
		['has no monitors', { monitors: false }, 'does not have this endpoint'],
		['has no credits for it', { credits: 0 }, 'Not enough credits'],
		['keeps no data of the team', { retention: false }, 'zero data retention'],
	])('says what to use instead if the service %s', async (_, options, problem) => {
		service.set(options);
		const trigger = await n8n();
		const publishing = trigger.publish();
		await expect(publishing).rejects.toThrow(problem);
		await expect(publishing).rejects.toThrow('use Web Data Page Trigger');
		expect(monitors()).toEqual([]);
		expect(trigger.kept).toEqual({});
	});

	it.each(['http://localhost:5678', 'http://192.168.1.7:5678', 'http://n8n:5678'])(
		'says that a service on the internet cannot reach %s',
		async (host) => {
			const there = { url: 'https://api.service.invalid', apiKey: 'k' };
			const trigger = new WebhookTrigger(there);
			trigger.host = host;
			await expect(trigger.publish()).rejects.toThrow(
				/can't reach this n8n at http.*WEBHOOK_URL.*use Web Data Page Trigger/,
			);
		},
	);

	it('says in one message what is wrong with a form, and what to do', async () => {
		const trigger = await n8n({ urls: 'x' });
		await expect(trigger.publish()).rejects.toThrow(/URLs is "x".*Write it like/);
	});

	it('names the field that the service refuses', async () => {
		const trigger = await n8n({ schedule: 'text', scheduleText: 'every blue moon' });
		await expect(trigger.publish()).rejects.toThrow(/Schedule.*every 30 minutes/);
	});
});

describe('a report', () => {
	it('starts the workflow with an item for each page that changed, not with the baseline', async () => {
		const trigger = await published({ goal: 'Tell me of prices. Ignore the date.' });
		await changed(trigger, '# Tea\n\nCosts 4');
		expect(trigger.started).toEqual([]);
		await changed(trigger, '# Tea\n\nCosts 5');
		expect(trigger.started).toEqual([
			[
				{
					url: URL,
					status: 'changed',
					reason: expect.stringContaining('Costs 5'),
					changes: [
						{ type: 'changed', before: 'Costs 4', after: 'Costs 5', reason: expect.any(String) },
					],
					title: expect.any(String),
					diff: expect.stringContaining('+Costs 5'),
				},
			],
		]);
		await changed(trigger, '# Tea\n\nCosts 5');
		expect(trigger.started).toHaveLength(1);
		expect(trigger.statuses).toEqual([200, 200, 200]);
	});

	it('has the compared fields as columns, and their previous values', async () => {
		const trigger = await published({
			schemaFrom: 'example',
			schemaExample: '{ "plans": [{ "price": 1 }] }',
		});
		const fields = (price: number) => ({ json: { plans: [{ name: 'Basic', price }] } });
		service.web.setPage(URL, fields(4));
		await check(trigger);
		service.web.setPage(URL, fields(5));
		await check(trigger);
		await until('the item', () => trigger.started.length > 0, 10_000, 5);
		expect(last(trigger)).toMatchObject([
			{
				url: URL,
				status: 'changed',
				plans: [{ name: 'Basic', price: 5 }],
				previous: { 'plans[0].price': 4 },
			},
		]);
	});

	it('leaves out what does not matter, unless asked for', async () => {
		const goal = 'Tell me of prices. Ignore the weather.';
		const [one, all] = [
			await published({ goal }),
			await published({ goal, onlyWhatMatters: false }),
		];
		for (const text of ['Fine weather', 'Bad weather'])
			for (const trigger of [one, all]) await changed(trigger, text);
		expect(one.started).toEqual([]);
		expect(all.started).toMatchObject([[{ status: 'changed', reason: expect.any(String) }]]);
	});

	it('emits the first check, other pages and run details if asked for', async () => {
		const options = { firstCheck: true, statuses: ['new', 'error'], includeRunDetails: true };
		const trigger = await published({ urls: `${URL}\nhttps://too-slow.example`, options });
		await changed(trigger, 'Tea');
		await changed(trigger, 'Mate');
		expect(trigger.started).toMatchObject([
			[
				{ url: URL, status: 'new', run: { monitorId: trigger.kept.monitor!.id, statusCode: 200 } },
				{ url: 'https://too-slow.example/', status: 'error', reason: expect.any(String) },
			],
			[{ status: 'error' }],
		]);
	});

	it('emits each check with its counts instead, also one that failed', async () => {
		const url = 'https://fail.example';
		const trigger = await published({ watch: 'crawl', url, triggerOn: 'checks' });
		await check(trigger);
		await until('its report', () => trigger.statuses.length > 0, 10_000, 5);
		// There is nothing yet that the next one is compared with.
		expect(trigger.started).toEqual([[expect.objectContaining({ status: 'failed' })]]);
		const pages = await published({ triggerOn: 'checks' });
		for (const text of ['Tea', 'Mate']) await changed(pages, text);
		expect(pages.started).toEqual([
			[
				{
					id: expect.any(String),
					status: 'completed',
					summary: expect.objectContaining({ changed: 1, totalPages: 1 }),
					finishedAt: expect.any(String),
				},
			],
		]);
	});

	/** Returns a trigger with a change that nothing has reported. */
	const checkedTwice = async () => {
		service.set({ reportTimes: 0 });
		const trigger = await published();
		for (const markdown of ['1', '2']) {
			service.web.setPage(URL, { markdown });
			await check(trigger);
		}
		return trigger;
	};

	it('starts nothing without the secret: 403', async () => {
		const trigger = await published({ options: { firstCheck: true } });
		await check(trigger);
		await until('the report', () => trigger.started.length > 0, 10_000, 5);
		const { length } = service.requests;
		const { secret } = trigger.kept.monitor!;
		for (const wrong of ['', 'x', `${secret}0`, secret.slice(1), secret.replace(/.$/, 'x')])
			expect(await trigger.report({ 'x-web-data-monitor': wrong })).toBe(403);
		expect(service.requests).toHaveLength(length);
		expect(await trigger.report()).toBe(200);
		await trigger.unpublish();
		expect(await trigger.report({ 'x-web-data-monitor': secret })).toBe(403);
		expect(trigger.started).toHaveLength(1);
	});

	it('is asked for again while the service cannot be read, and nothing of it is lost', async () => {
		const trigger = await checkedTwice();
		service.fail({ method: 'GET', path: /checks/, status: 403 });
		expect(await trigger.report()).toBe(503);
		service.clearFaults();
		service.fail({ method: 'GET', path: /checks\/./, status: 403 });
		expect(await trigger.report()).toBe(503);
		service.clearFaults();
		expect(trigger.started).toEqual([]);
		expect(await trigger.report()).toBe(200);
		expect(await trigger.report()).toBe(200);
		expect(trigger.started).toHaveLength(1);
	});

	it.each(['queued', 'in_progress'])('comes once its check is no longer %s', async (status) => {
		const trigger = await published({ triggerOn: 'checks', options: { firstCheck: true } });
		const listed = (word: string) => ({ success: true, data: [{ id: 'check-1', status: word }] });
		for (const word of [status, 'completed']) {
			expect(trigger.started).toEqual([]);
			service.fail({ method: 'GET', path: /checks$/, status: 200, body: listed(word), times: 1 });
			expect(await trigger.report()).toBe(200);
		}
		expect(trigger.started).toMatchObject([[{ id: 'check-1', status: 'completed' }]]);
	});

	it('is lost where n8n dies between remembering it and the execution, and starts nothing again', async () => {
		const trigger = await checkedTwice();
		trigger.dies = 'beforeExecution';
		await trigger.report();
		await trigger.start();
		await trigger.report();
		expect(trigger.started).toEqual([]);
	});

	it('of a check with many pages has all of them', async () => {
		const trigger = await published({
			...{ watch: 'crawl', url: 'https://a.example', maxPages: 250 },
			options: { firstCheck: true },
		});
		service.web.setSite(
			'https://a.example',
			Array.from({ length: 250 }, (_, n) => `https://a.example/${n}`),
		);
		await check(trigger);
		await until('the report', () => trigger.started.length > 0, 30_000, 20);
		expect(new Set(last(trigger).map(({ url }) => url)).size).toBe(250);
	});
});

describe('"Listen for test event"', () => {
	const urls = [1, 2, 3, 4, 5].map((n) => `https://a.example/${n}`).join('\n');

	it('checks a few pages at once, and removes its monitor, not the published one', async () => {
		const trigger = await n8n({ urls, goal: 'Prices' });
		await trigger.publish();
		const [one] = monitors();
		await trigger.listenForTest();
		await until('the event', () => trigger.started.length > 0, 10_000, 5);
		expect(last(trigger)).toHaveLength(3);
		await until('its end', () => monitors().length === 1, 10_000, 5);
		expect(monitors()).toMatchObject([{ id: one.id, checks: [] }]);
	});

	it.each(['listenForTest', 'publish'] as const)(
		'leaves nothing that the next %s does not remove, and that checks but once a year',
		async (next) => {
			service.set({ reportTimes: 0 });
			const trigger = await n8n({ urls });
			await trigger.listenForTest();
			expect(monitors()).toMatchObject([{ schedule: { cron: '0 0 1 1 *' } }]);
			await trigger[next]();
			expect(monitors()).toHaveLength(1);
			if (next === 'listenForTest') await trigger.stopTest();
			else await trigger.unpublish();
			expect(monitors()).toEqual([]);
		},
	);

	it('shows the check where it has no pages', async () => {
		const trigger = await n8n({ watch: 'search', queries: 'tea', goal: 'Ignore reports of tea' });
		service.fail({ path: /checks\/./, status: 404, body: { success: false, error: 'Gone' } });
		await trigger.listenForTest();
		await until('the event', () => trigger.started.length > 0, 10_000, 5);
		expect(last(trigger)).toMatchObject([{ status: 'completed', summary: expect.any(Object) }]);
		await until('its end', () => monitors().length === 0, 10_000, 5);
	});

	it('shows a check that failed, too', async () => {
		const trigger = await n8n();
		const data = [{ id: randomUUID(), status: 'failed', error: 'The site is down' }];
		service.fail({ method: 'GET', path: /checks$/, status: 200, body: { success: true, data } });
		await trigger.listenForTest();
		await until('the items', () => trigger.started.length > 0, 10_000, 5);
		expect(last(trigger)).toMatchObject([{ status: 'failed', reason: 'The site is down' }]);
	});

	it('removes it if the check cannot begin', async () => {
		const trigger = await n8n({ urls });
		service.fail({ method: 'POST', path: /run$/, status: 402, body: { error: 'None left' } });
		await expect(trigger.listenForTest()).rejects.toThrow('Not enough credits');
		expect(monitors()).toEqual([]);
	});
});
