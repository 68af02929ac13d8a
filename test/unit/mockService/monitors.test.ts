/* eslint-disable @n8n/community-nodes/no-restricted-imports, @typescript-eslint/no-explicit-any */
/** What the stand-in does with monitors that the official client doesn't hold: it compares, judges and bills. */
import { setTimeout as wait } from 'node:timers/promises';

import { validateResponse } from '../../../api/contract';
import { type LocalService, type ServiceOptions, startService } from '../../../mock-service';
import { cronOf } from '../../../mock-service/schedule';
import { until } from '../../support/until';

let service: LocalService;
const start = async (options: ServiceOptions = {}) => {
	await service?.close();
	service = await startService({ jobMs: 1, ...options });
};
beforeEach(async () => await start());
afterAll(async () => await service.close());

/** Sends a request; each response has to keep the contract. */
async function call(method: string, path: string, body?: object) {
	const response = await fetch(service.url + path, {
		method,
		headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	const parsed: any = await response.json().catch(() => ({ success: false, error: 'a web page' }));
	expect(validateResponse(method, path, response.status, parsed)).toEqual([]);
	return { status: response.status, ...parsed };
}

const url = 'https://a.example/page';
const pages = (...urls: string[]) => ({ type: 'scrape', urls });
const settings = { name: 'Prices', schedule: { text: 'hourly' }, targets: [pages(url)] };
const post = async (more: object) => await call('POST', '/v2/monitor', { ...settings, ...more });
const create = async (more: object = {}) => (await post(more)).data;
const checksOf = async (id: string) => (await call('GET', `/v2/monitor/${id}/checks`)).data;

/** Runs a check and returns it with its pages. */
async function checked(id: string) {
	const { id: checkId } = await call('POST', `/v2/monitor/${id}/run`);
	let check: any;
	await until('the end of a check', async () => {
		check = (await call('GET', `/v2/monitor/${id}/checks/${checkId}`)).data;
		return check.finishedAt !== null;
	});
	return check;
}
const spent = () => service.ledger.map(({ credits }) => credits);

it('compares pages by their text, and by fields', async () => {
	const fields = { type: 'changeTracking', modes: ['json'], prompt: 'Price' };
	const byField = { ...pages(url), scrapeOptions: { formats: ['markdown', fields] } };
	const { id } = await create({
		targets: [pages(url), byField, pages('https://too-slow.example')],
	});
	service.web.setPage(url, { markdown: '# Tea\n\nCosts 4', json: { plans: [{ price: 4 }] } });
	expect((await checked(id)).summary).toMatchObject({ new: 2, error: 1 });
	service.web.setPage(url, { markdown: '# Tea\n\nCosts 5', json: { plans: [{ price: 5 }] } });
	const check = await checked(id);
	expect(check).toMatchObject({ status: 'partial', actualCredits: 7, trigger: 'manual' });
	const [text, json] = check.pages;
	expect(text.diff.text).toContain('\n@@ -1,3 +1,3 @@\n # Tea\n \n-Costs 4\n+Costs 5\n');
	expect(json.diff).toEqual({ json: { 'plans[0].price': { previous: 4, current: 5 } } });
	expect(json.snapshot).toEqual({ json: { plans: [{ price: 5 }] } });
	expect((await checked(id)).summary).toMatchObject({ same: 2, error: 1 });
	expect(spent()).toEqual([7, 7, 7]);
});

it('finds pages of a site that are new and gone', async () => {
	const { id } = await create({ targets: [{ type: 'crawl', url: 'https://b.example' }] });
	const site = 'https://b.example';
	service.web.setSite(site, [`${site}/a`, `${site}/b`]);
	await checked(id);
	service.web.setSite(site, [`${site}/b`, `${site}/c`]);
	const summary = { totalPages: 3, same: 1, changed: 0, new: 1, removed: 1, error: 0 };
	expect(await checked(id)).toMatchObject({ status: 'completed', actualCredits: 2, summary });
	const failing = await create({ targets: [{ type: 'crawl', url: 'https://fail.example' }] });
	expect(await checked(failing.id)).toMatchObject({ status: 'failed', actualCredits: 0 });
});

it('judges against the goal what changed, and what a search found for the first time', async () => {
	const goal = 'New prices. Ignore comments.';
	const search = { type: 'search', queries: ['tea', 'coffee'], maxResults: 2 };
	const { id } = await create({ goal, targets: [pages(url), search] });
	service.web.setPage(url, { markdown: 'Tea: 4' });
	await checked(id);
	service.web.setPage(url, { markdown: 'Tea: 5' });
	service.web.addHits({ url: 'https://c.example/', title: 'Comments', description: 'on tea' });
	const [page, ...found] = (await checked(id)).pages;
	const [change] = page.judgment.meaningfulChanges;
	expect(change).toMatchObject({ type: 'changed', before: 'Tea: 4', after: 'Tea: 5' });
	const ofSearch = ['ignored', 'already_seen'].map((searchStatus) => ({
		metadata: { searchStatus },
	}));
	expect(found).toMatchObject(ofSearch);
	service.web.setPage(url, { markdown: 'Comments: 5' });
	expect((await checked(id)).pages[0].judgment).toMatchObject({ meaningful: false });
	expect((await call('PATCH', `/v2/monitor/${id}`, { goal: null })).status).toBe(400);
	expect(spent()).toEqual([1 + 2 + 2, 1 + 2 + 2, 1 + 2 + 1]);
});

it('checks by itself in its own time, never two at once, and not while it is paused', async () => {
	await start({ monitorMs: 30, jobMs: 0 });
	const { id, nextRunAt, createdAt } = await create();
	expect(Date.parse(nextRunAt)).toBe(Date.parse(createdAt) + 30);
	await until('two checks', async () => (await checksOf(id)).length > 1);
	const states = [{ status: 'skipped_overlap' }, { trigger: 'scheduled' }];
	expect((await checksOf(id)).slice(-2)).toMatchObject(states);
	expect((await call('POST', `/v2/monitor/${id}/run`)).status).toBe(409);
	await call('PATCH', `/v2/monitor/${id}`, { status: 'paused' });
	service.set({ jobMs: 1 });
	await until('its end', async () => (await checksOf(id)).at(-1).finishedAt !== null);
	const { length } = await checksOf(id);
	await wait(100);
	expect(await checksOf(id)).toHaveLength(length);
	expect((await call('POST', `/v2/monitor/${id}/run`)).status).toBe(409);
	service.monitors.remove(id);
	expect((await call('GET', `/v2/monitor/${id}`)).status).toBe(404);
});

const search = { type: 'search', queries: ['tea'] };
const domains = { includeDomains: ['a.b'], excludeDomains: ['c.d'] };
it.each<[number, object, ServiceOptions]>([
	[400, { schedule: { text: 'every 4 minutes' } }, {}],
	[400, { schedule: { text: 'hourly', cron: '0 * * * *' } }, {}],
	[400, { schedule: { cron: '0 9 * * MON' } }, {}],
	[400, { targets: [search] }, {}],
	[200, { targets: [search], judgeEnabled: false }, {}],
	[400, { targets: [{ ...search, ...domains }], goal: 'x' }, {}],
	[400, { webhook: { url, headers: { 'X-Firecrawl-Signature': 'x' } } }, {}],
	[400, {}, { retention: false }],
	[402, {}, { credits: 0 }],
	[404, {}, { monitors: false }],
])('responds with %i to %j %j', async (status, more, options) => {
	await start(options);
	expect((await post(more)).status).toBe(status);
});

it('reads schedules in words', () => {
	const read = {
		...{ 'every 30 minutes': '*/30 * * * *', hourly: '0 * * * *', 'every 2 hours': '0 */2 * * *' },
		...{ 'Every 15 minutes starting at :07': '7-59/15 * * * *', 'daily at 9:00': '0 9 * * *' },
		...{ 'daily at 5:30 PM': '30 17 * * *', 'daily at 12am': '0 0 * * *', weekly: '0 0 * * 0' },
		...{ 'every 7 minutes': undefined, 'daily at 25:00': undefined, sometimes: undefined },
	};
	expect(Object.keys(read).map(cronOf)).toEqual(Object.values(read));
});
