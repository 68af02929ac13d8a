/** The page trigger in n8n-core's poll context, over HTTP against the local service. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { type LocalService, startService } from '../../mock-service';
import { WebDataPageTrigger } from '../../nodes/WebDataPageTrigger/WebDataPageTrigger.node';
import { freshLimiters } from '../support/limiters';
import { PolledTrigger } from '../support/polledTrigger';
import { closed } from '../support/served';
import { until } from '../support/until';
import * as QuickTime from '../support/quickTime';

jest.mock('../../nodes/shared/base/time', () =>
	jest.requireActual<typeof QuickTime>('../support/quickTime').quickTime(),
);

const A = 'https://shop.example/pricing';
const B = 'https://shop.example/terms';
const text = (price: number, more = '') => `# Plans\n\nPro: ${price} €\n\nUpdated ${more}\n`;

let service: LocalService;
beforeEach(async () => {
	QuickTime.pace.factor = QuickTime.QUICK;
	service = await startService();
	service.web.setPage(A, { markdown: text(10, 'Monday') });
	service.web.setPage(B, { markdown: 'Terms' });
});
afterEach(async () => await closed(service));

const triggerOf = (parameters: INodeParameters = {}, saved = {}) =>
	new PolledTrigger(service, { urls: A, ...parameters }, saved, new WebDataPageTrigger());
const sha = expect.stringMatching(/^[0-9a-f]{64}$/);

it('a list with an entry that is no URL is refused before anything is sent', async () => {
	const trigger = triggerOf({ urls: `={{ ['${A}', 'mailto:x@shop.example'] }}` });
	await expect(trigger.poll()).rejects.toMatchObject({
		message: 'URLs has "mailto:x@shop.example" (number 2), which is not a URL',
	});
	expect(service.requests).toEqual([]);
});

describe('a page that changes', () => {
	it('is read from a service that sends it without an object around it', async () => {
		const trigger = triggerOf();
		const body = { markdown: text(10), metadata: { sourceURL: A } };
		service.fail({ method: 'POST', status: 200, body });
		expect(await trigger.poll()).toBeNull();
		body.markdown = text(12);
		expect(await trigger.emitted()).toMatchObject([{ event: 'changed', added: ['Pro: 12 €'] }]);
	});

	it('is emitted once, with what was added and removed', async () => {
		const options = { includeRunDetails: true };
		const trigger = triggerOf({ options });
		expect(await trigger.poll()).toBeNull();
		expect(await trigger.poll()).toBeNull();
		service.web.setPage(A, { markdown: text(12, 'Monday') });
		const [item, ...others] = await trigger.emitted();
		expect(others).toEqual([]);
		expect(item).toEqual({
			event: 'changed',
			url: A,
			title: expect.any(String),
			added: ['Pro: 12 €'],
			removed: ['Pro: 10 €'],
			content: text(12, 'Monday'),
			run: {
				diff: '@@ -2 +2 @@\n-Pro: 10 €\n+Pro: 12 €',
				changedCharacters: 2,
				hash: sha,
				previousHash: sha,
			},
		});
		expect(await trigger.poll()).toBeNull();
		expect(await triggerOf({}, trigger.saved).poll()).toBeNull();
		service.web.setPage(A, { markdown: text(10, 'Monday') });
		const { hash, previousHash } = item.run as IDataObject;
		expect(await trigger.emitted()).toMatchObject([
			{ run: { hash: previousHash, previousHash: hash } },
		]);
	});

	it('may do so in lines that do not matter, and by little', async () => {
		const trigger = triggerOf({ options: { ignoreLines: 'updated*', leastChange: 3 } });
		await trigger.poll();
		service.web.setPage(A, { markdown: text(10, 'Tuesday') });
		expect(await trigger.poll()).toBeNull();
		service.web.setPage(A, { markdown: text(12, 'Tuesday') });
		expect(await trigger.poll()).toBeNull();
		service.web.setPage(A, { markdown: text(129, 'Friday') });
		const [item] = await trigger.emitted();
		expect(item).toMatchObject({ removed: ['Pro: 10 €'], added: ['Pro: 129 €'] });
		expect(item.content).toContain('Updated Friday');
	});

	it('is one of several', async () => {
		// The first one is there in three spellings.
		const { origin, pathname } = new URL(A);
		const ways = [
			`${origin}:443${pathname}`,
			A.toUpperCase().replace(pathname.toUpperCase(), pathname),
		];
		const trigger = triggerOf({ urls: [A, B, A, ...ways].join('\n') });
		await trigger.poll();
		expect(service.ledger).toHaveLength(2);
		service.web.setPage(B, { markdown: 'New terms' });
		expect(await trigger.emitted()).toMatchObject([{ url: B, added: ['New terms'] }]);
	});

	it('is scraped once by polls that overlap, although the first has read it already', async () => {
		const trigger = triggerOf({ urls: `${A}\n${B}` });
		service.fail({
			path: '/v2/scrape',
			when: ({ body }) => (body as IDataObject).url === B,
			delayMs: 500,
		});
		const first = trigger.poll();
		await until('the first page', () => service.ledger.length === 1, 60_000, 5);
		expect(await trigger.poll()).toBeNull();
		await first;
		expect(service.ledger).toHaveLength(2);
		service.web.setPage(A, { markdown: text(12) });
		expect(await trigger.emitted()).toMatchObject([{ url: A }]);
	});

	it('has no diff where it is too long to be remembered', async () => {
		const trigger = triggerOf({ options: { leastChange: 1000 } });
		const long = 'tea\n'.repeat(60_000);
		service.web.setPage(A, { markdown: long });
		await trigger.poll();
		expect(JSON.stringify(trigger.saved).length).toBeLessThan(300);
		service.web.setPage(A, { markdown: `${long}mate` });
		const [item] = await trigger.emitted();
		expect(Object.keys(item)).toEqual(['event', 'url', 'title', 'content']);
	});
});

/**
 * Durations (ms): versions of n8n that set no time give a poll 40 s; others set more if they don't run in durable mode.
 */
const DURABLE_MS = 44_445;

describe('what is watched', () => {
	it('is scraped afresh, in the time of a poll', async () => {
		await triggerOf({ options: { waitFor: 0.5, timeout: 20 } }).poll();
		expect(service.requests.map(({ path, body }) => ({ path, body }))).toEqual([
			{
				path: '/v2/scrape',
				body: { url: A, maxAge: 0, formats: ['markdown'], waitFor: 500, timeout: 20_000 },
			},
		]);
	});

	it('can be some tags', async () => {
		await triggerOf({ triggerOn: 'tags', tags: '.price\nh1' }).poll();
		expect(service.requests[0].body).toMatchObject({
			formats: ['markdown'],
			includeTags: ['.price', 'h1'],
		});
	});

	it('can be fields extracted by AI', async () => {
		const schema = { schemaFrom: 'example', schemaExample: '{"price": 1, "plans": ["a"]}' };
		const trigger = triggerOf({ triggerOn: 'fields', ...schema, prompt: 'Prices' });
		service.web.setPage(A, { json: { plans: ['Basic', 'Pro'], price: 10 } });
		await trigger.poll();
		expect(service.requests[0].body).toMatchObject({
			formats: [{ type: 'json', schema: { type: 'object' }, prompt: 'Prices' }],
		});
		service.web.setPage(A, { json: { price: 12, plans: ['Basic', 'Team'] } });
		expect(await trigger.emitted()).toEqual([
			{
				event: 'changed',
				url: A,
				title: 'Pricing',
				price: 12,
				plans: ['Basic', 'Team'],
				previous: { price: 10, plans: ['Basic', 'Pro'] },
			},
		]);
	});

	it('can be fields with the names of ours, which stand in place of them', async () => {
		const trigger = triggerOf({ triggerOn: 'fields', prompt: 'Versions' });
		service.web.setPage(A, { json: { title: 'Pro', previous: '1.0' } });
		await trigger.poll();
		service.web.setPage(A, { json: { title: 'Pro', previous: '1.1' } });
		expect(await trigger.emitted()).toEqual([
			{ event: 'changed', url: A, title: 'Pro', previous: '1.1' },
		]);
	});

	it('can be whether it fails alone', async () => {
		const trigger = triggerOf({ triggerOn: 'failed', options: { failuresNeeded: 1 } });
		await trigger.poll();
		service.web.setPage(A, { markdown: text(12) });
		expect(await trigger.poll()).toBeNull();
		service.web.setPage(A, { statusCode: 403 });
		expect(await trigger.emitted()).toMatchObject([{ event: 'failed', url: A }]);
	});

	it('can be whether it changes alone', async () => {
		const options = { ignoreFailures: true, failuresNeeded: 1 };
		const trigger = triggerOf({ urls: `${A}\n${B}`, options });
		await trigger.poll();
		service.web.setPage(B, { statusCode: 403 });
		expect(await trigger.poll()).toBeNull();
	});

	it('keeps its memory when only what counts as failed changes', async () => {
		const fields = { triggerOn: 'fields', prompt: 'Prices' };
		const first = triggerOf(fields);
		service.web.setPage(A, { json: { price: 10 } });
		await first.poll();
		service.web.setPage(A, { json: { price: 12 } });
		const again = triggerOf({ ...fields, options: { failedTexts: 'human' } }, first.saved);
		expect(await again.emitted()).toHaveLength(1);
	});

	it('is waited for only as long as leaves time to read it in this poll', async () => {
		QuickTime.pace.factor = 1;
		const urls = Array.from({ length: 12 }, (_, index) => `${A}?${index}`).join('\n');
		const trigger = triggerOf({ urls, options: { waitFor: 0.4, failuresNeeded: 1 } });
		trigger.budgetMs = 4_000;
		service.fail({ path: '/v2/scrape', delayMs: 1_600 });
		expect(await trigger.poll()).toBeNull();
		const timeouts = service.requests.map(({ body }) => Number((body as IDataObject).timeout));
		expect(timeouts).toHaveLength(10);
		expect(Math.min(...timeouts)).toBeGreaterThanOrEqual(1_000);
	});

	it.each([
		[12_345, 12_345, 12_345],
		[300_000, 30_000, 35_000],
	])(
		'is given the %i ms of Additional Body Fields, within a poll',
		async (timeout, least, most) => {
			const additionalBodyFields = JSON.stringify({ timeout });
			const trigger = triggerOf({ options: { timeout: 20, additionalBodyFields } });
			trigger.budgetMs = DURABLE_MS;
			await trigger.poll();
			const [{ body }] = service.requests;
			const sent = Number((body as IDataObject).timeout);
			expect(sent).toBeGreaterThanOrEqual(least);
			expect(sent).toBeLessThanOrEqual(most);
		},
	);

	it.each<[string, INodeParameters]>([
		['left alone', {}],
		['set', { timeout: 30 }],
		['in Additional Body Fields', { additionalBodyFields: '{"timeout": 30000}' }],
	])('is never given the 30 s that services ignore: %s', async (_name, options) => {
		await triggerOf({ options }).poll();
		expect(service.requests).toMatchObject([{ body: { timeout: 30_001 } }]);
	});

	it('counts as read when it comes after its timeout, as it is paid for', async () => {
		QuickTime.pace.factor = 1;
		const trigger = triggerOf({ options: { timeout: 1, failuresNeeded: 1 } });
		await trigger.poll();
		service.web.setPage(A, { markdown: text(12) });
		service.fail({ path: '/v2/scrape', delayMs: 2_500 });
		expect(await trigger.emitted()).toMatchObject([{ event: 'changed', url: A }]);
	});

	it.each([
		[{ urls: '' }, 'URLs is empty'],
		[{ urls: 'shop' }, 'URLs is "shop"'],
		[{ triggerOn: 'site', url: `${A} https://b.example` }, 'which is more than one URL'],
		[{ triggerOn: 'tags', tags: '' }, 'Tags is empty'],
		[{ triggerOn: 'fields' }, 'Schema is empty'],
		[{ urls: Array.from({ length: 51 }, (_, n) => `${A}/${n}`).join('\n') }, 'at most 50'],
		[{ options: { waitFor: 15.001 } }, 'is 15.001, but must be at most half of Timeout (30)'],
		[
			{ options: { waitFor: 20, timeout: 60 } },
			'half of Timeout (34, the most that fits into a poll)',
		],
	])('is checked before anything is sent: %j', async (parameters, message) => {
		const trigger = triggerOf(parameters as INodeParameters);
		trigger.budgetMs = DURABLE_MS;
		await expect(trigger.poll()).rejects.toMatchObject({
			message: expect.stringContaining(message),
			description: expect.stringContaining('Nothing was sent (field: '),
			failure: { cause: 'configuration-invalid' },
		});
		expect(service.requests).toEqual([]);
	});
});

describe('a page that can not be read', () => {
	const failures: Array<[string, () => void, INodeParameters?]> = [
		[
			'is a challenge, though something could be extracted',
			() => service.web.setPage(B, { markdown: 'Please verify you are human', json: { a: 2 } }),
			{ triggerOn: 'fields', prompt: 'Prices' },
		],
		['is forbidden', () => service.web.setPage(B, { statusCode: 403 })],
		['is empty', () => service.web.setPage(B, { markdown: ' \n' })],
		['is a challenge', () => service.web.setPage(B, { markdown: 'Please verify you are human' })],
		[
			'gives no data',
			() => service.web.setPage(B, { json: { price: null, about: '' } }),
			{ triggerOn: 'fields', prompt: 'x' },
		],
		[
			'can not be scraped',
			() =>
				service.fail({
					path: '/v2/scrape',
					when: ({ body }) => (body as IDataObject).url === B,
					status: 500,
					body: { success: false, code: 'SCRAPE_ALL_ENGINES_FAILED', error: 'All engines failed' },
				}),
		],
	];

	it.each(failures.map(([what, fail, parameters = {}]) => [what, fail, parameters] as const))(
		'because it %s does not count as a change',
		async (_what, fail, parameters) => {
			const trigger = triggerOf({
				urls: `${A}\n${B}`,
				...parameters,
				options: { failedTexts: 'verify you are human\n**Wait** a bit' },
			});
			await trigger.poll();
			fail();
			expect(await trigger.poll()).toBeNull();
			expect(await trigger.emitted()).toEqual([
				{ event: 'failed', url: B, reason: expect.any(String) },
			]);
			expect(await trigger.poll()).toBeNull();
			service.clearFaults();
			service.web.setPage(B, { markdown: 'Terms', statusCode: 200 });
			expect(await trigger.poll()).toBeNull();
		},
		20_000,
	);

	it('is reported again where n8n has started since, as it may have been read in the meantime', async () => {
		const urls = `${A}\n${B}`;
		const trigger = triggerOf({ urls });
		await trigger.poll();
		service.web.setPage(B, { statusCode: 403 });
		expect([await trigger.emitted(), (await trigger.emitted()).length]).toEqual([[], 1]);
		const { saved } = trigger;
		service.web.setPage(B, { markdown: 'Terms' });
		expect(await trigger.poll()).toBeNull();
		service.web.setPage(B, { statusCode: 403 });
		const restarted = triggerOf({ urls }, saved);
		expect(await restarted.emitted()).toEqual([]);
		expect(await restarted.emitted()).toMatchObject([{ event: 'failed', url: B }]);
		expect(await restarted.emitted()).toEqual([]);
	});

	it('and never responds leaves the others their turn', async () => {
		QuickTime.pace.factor = 1;
		const trigger = triggerOf({ urls: `${A}\n${B}`, options: { failuresNeeded: 1 } });
		await trigger.poll();
		trigger.budgetMs = 4_000;
		service.web.setPage(A, { markdown: text(12) });
		service.fail({
			path: '/v2/scrape',
			when: ({ body }) => (body as IDataObject).url === B,
			hang: true,
		});
		const begun = Date.now();
		const items = await trigger.emitted();
		// If it ignored it, it would take 40 s.
		expect(Date.now() - begun).toBeLessThan(20_000);
		expect(items).toMatchObject([
			{ event: 'changed', url: A },
			{ event: 'failed', url: B },
		]);
	});

	it('because of what it is asked for names the field', async () => {
		const trigger = triggerOf({ urls: `${A}\n${B}`, options: { failuresNeeded: 1 } });
		await trigger.poll();
		reject(400, ({ body }) => (body as IDataObject).url === B);
		expect(await trigger.emitted()).toMatchObject([
			{
				url: B,
				reason:
					'The service rejected the request: Bad Request. Location → Country Name or ID: Invalid country code',
			},
		]);
	});

	it('because its site is turned down is the one to blame, also where it is the only one', async () => {
		const trigger = triggerOf({ urls: B, options: { failuresNeeded: 1 } });
		await trigger.poll();
		const error = 'We are sorry, but we do not support this site';
		service.fail({ path: '/v2/scrape', status: 403, body: { success: false, error } });
		expect(await trigger.emitted()).toMatchObject([
			{ event: 'failed', reason: `The service does not scrape this site: ${error}` },
		]);
	});

	it('keeps the workflow from being published where it is the only one', async () => {
		service.web.setPage(A, { statusCode: 403 });
		await expect(triggerOf().poll()).rejects.toMatchObject({
			message: 'The page could not be read',
			description: expect.stringContaining('status 403'),
		});
	});
});

const reject = (status: number, when: (request: { body?: unknown }) => boolean = () => true) => {
	const details = [{ message: 'Invalid country code', path: ['location', 'country'] }];
	const body = { success: false, error: 'Bad Request', ...(status === 400 && { details }) };
	service.fail({ path: '/v2/scrape', when, status, body });
};

describe('a service that rejects the request for every page', () => {
	it.each<[number, string, IDataObject]>([
		[400, 'configuration-invalid', { description: expect.stringContaining('Location → Country') }],
		[403, 'credential-invalid', { description: expect.stringContaining('API key') }],
	])('with %s is no failure of the pages: %s', async (status, cause, more) => {
		const trigger = triggerOf({ urls: `${A}\n${B}`, options: { failuresNeeded: 1 } });
		await trigger.poll();
		reject(status);
		const failed = { httpCode: String(status), failure: { cause }, ...more };
		await expect(trigger.poll()).rejects.toMatchObject(failed);
		await expect(trigger.poll('manual')).rejects.toMatchObject(failed);
		service.clearFaults();
		expect(await trigger.poll()).toBeNull();
	});
});

describe('a service that lets a poll read only some of the pages', () => {
	const failed = { event: 'failed', url: B };
	const faults: Array<[string, object, object[]]> = [
		['allows no more', { status: 429, headers: { 'retry-after': '90' } }, []],
		['has no browser free', { status: 408, body: { code: 'CONCURRENCY_QUEUE_TIMEOUT' } }, []],
		[
			'has a late gateway',
			{ raw: { status: 504, text: '<html>Gateway Time-out</html>' } },
			[failed],
		],
		['loses a connection', { reset: 'before' }, [failed]],
	];

	it.each(faults)('because it %s is asked for the others later', async (_what, fault, more) => {
		const trigger = triggerOf({ urls: `${A}\n${B}` });
		await trigger.poll();
		service.fail({ path: '/v2/scrape', when: isB, ...fault });
		// The first page is requested first.
		jest.spyOn(Math, 'random').mockReturnValue(0);
		freshLimiters();
		expect(await trigger.poll()).toBeNull();
		service.web.setPage(A, { markdown: text(12) });
		freshLimiters();
		const context = trigger.context();
		const warn = jest.spyOn(context.logger, 'warn');
		const [items] = (await trigger.nodeType.poll.call(context)) ?? [];
		expect(items.map(({ json }) => json)).toMatchObject([{ event: 'changed', url: A }, ...more]);
		expect(warn).toHaveBeenCalledWith(expect.stringContaining('ended early'));
		expect(service.requests.filter(isB)).toHaveLength(3);
		jest.restoreAllMocks();
	});
});

const isB = ({ body }: { body?: unknown }) => (body as IDataObject).url === B;

describe('the first poll', () => {
	it.each<[string, object]>([
		['can not be scraped', { status: 500 }],
		['is out', { status: 200, body: { success: true, data: { metadata: { statusCode: 503 } } } }],
		['loses a connection', { reset: 'before' }],
	])(
		'knows also a page that at first %s',
		async (_what, fault) => {
			freshLimiters();
			const trigger = triggerOf({ urls: `${A}\n${B}` });
			service.fail({ path: '/v2/scrape', when: isB, times: 1, ...fault });
			await trigger.poll();
			service.web.setPage(B, { markdown: 'New terms' });
			expect(await triggerOf({ urls: `${A}\n${B}` }, trigger.saved).emitted()).toMatchObject([
				{ event: 'changed', url: B, added: ['New terms'], removed: ['Terms'] },
			]);
		},
		30_000,
	);
});

describe('a service that can not be asked', () => {
	it.each([
		[401, 'credential-invalid'],
		[402, 'quota-exhausted'],
		[429, 'rate-limited'],
		[503, 'temporarily-unavailable'],
		[302, 'configuration-invalid'],
		[407, 'configuration-invalid'],
		[501, 'configuration-invalid'],
	])('with %s is declared as %s, and is no failure of the pages', async (status, cause) => {
		const trigger = triggerOf({ options: { failuresNeeded: 1 } });
		await trigger.poll();
		const headers = { 'retry-after': '90', location: 'https://other.example/v2/scrape' };
		service.fail({ path: '/v2/scrape', status, headers });
		await expect(trigger.poll()).rejects.toMatchObject({ failure: { cause } });
		service.clearFaults();
		service.web.setPage(A, { markdown: text(12) });
		expect(await trigger.emitted()).toMatchObject([{ event: 'changed' }]);
	});
});

describe('the memory', () => {
	it('starts over with what is watched, not with events or sizes', async () => {
		const first = triggerOf();
		await first.poll();
		service.web.setPage(A, { markdown: text(12) });
		const seesChange = async (parameters: INodeParameters) =>
			(await triggerOf(parameters, first.saved).poll()) !== null;
		expect(await seesChange({})).toBe(true);
		expect(await seesChange({ urls: `${A}\n${B}` })).toBe(true);
		expect(await seesChange({ options: { leastChange: 2, ignoreFailures: true } })).toBe(true);
		expect(await seesChange({ triggerOn: 'tags', tags: 'h1' })).toBe(false);
		expect(await seesChange({ options: { ignoreLines: 'x' } })).toBe(false);
	});
});

describe('a manual test', () => {
	it('shows what the trigger would emit, and touches no state', async () => {
		const trigger = triggerOf({ urls: `${A}\n${B}\n${A}?x\n${A}?y` });
		service.web.setPage(B, { statusCode: 403 });
		const items = (await trigger.poll('manual')) ?? [];
		expect(items.map(({ json }) => json)).toMatchObject([
			{ event: 'changed', url: A, added: ['# Plans', 'Pro: 10 €', 'Updated Monday'], removed: [] },
			{ event: 'failed', url: B, reason: expect.stringContaining('403') },
			{ event: 'changed', message: expect.stringContaining(`Not tested: ${A}?y.`) },
		]);
		expect(trigger.saved).toEqual({});
		expect(trigger.isChanged).toBe(false);
	});

	it('shows the pages that were paid for where the service rejects another', async () => {
		const trigger = triggerOf({ urls: `${A}\n${B}` });
		reject(402, ({ body }) => (body as IDataObject).url === B);
		const items = (await trigger.poll('manual')) ?? [];
		expect(items.map(({ json }) => json)).toMatchObject([{ event: 'changed', url: A }]);
	});
});
