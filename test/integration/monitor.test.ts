/** Web Data Monitor against the stand-in: what its operations do at the service, and what they return. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { LocalService } from '../../mock-service';
import { WebDataMonitor } from '../../nodes/WebDataMonitor/WebDataMonitor.node';
import { runCheck } from '../support/monitorCheck';
import { served } from '../support/served';

const URL = 'https://a.example/page';

const FIELDS = {
	schemaFrom: 'fields',
	schemaFields: { field: [{ name: 'price', type: 'number' }] },
};

let service: LocalService;
const run = served({ jobMs: 1 }, (started) => {
	service = started;
});
afterEach(() => service.monitors.list().forEach(({ id }) => service.monitors.remove(id)));

async function items(operation: string, parameters: INodeParameters = {}): Promise<IDataObject[]> {
	const { output, error } = await run(new WebDataMonitor(), { operation, ...parameters });
	if (error) throw new Error(error.message);
	return output[0].map(({ json }) => json);
}

const create = async (parameters: INodeParameters = {}) =>
	(await items('create', { name: 'Prices', urls: URL, ...parameters }))[0];

/** Checks a monitor, and returns the check. */
async function checked(monitorId: string): Promise<IDataObject> {
	await runCheck(service, monitorId);
	return (await items('getChecks', { monitorId, limit: 1 }))[0];
}

it('creates a monitor and tells what it may cost a month', async () => {
	expect(await create({ goal: 'Prices', schedule: 'hourly' })).toMatchObject({
		id: expect.any(String),
		name: 'Prices',
		status: 'active',
		goal: 'Prices',
		schedule: { cron: '0 * * * *', timezone: 'America/New_York' },
		estimatedCreditsPerMonth: 2 * 24 * 30,
	});
	expect(service.ledger).toEqual([]);
});

it('gets as many monitors as wanted, over several parts of the list', async () => {
	for (let n = 0; n < 130; n++) service.monitors.add();
	expect(await items('getMany')).toHaveLength(50);
	expect(await items('getMany', { limit: 110 })).toHaveLength(110);
	const all = await items('getMany', { returnAll: true });
	expect(new Set(all.map(({ id }) => id)).size).toBe(130);
});

it('pauses and resumes a monitor, and changes its goal and its schedule, and nothing else', async () => {
	const { id } = await create({ goal: 'Prices', schedule: 'hourly' });
	const change = async (parameters: INodeParameters) =>
		(await items('change', { monitorId: id as string, ...parameters }))[0];
	const { schedule } = await change({ status: 'paused' });
	expect(schedule).toMatchObject({ cron: '0 * * * *' });
	expect(await change({ goal: 'Names' })).toMatchObject({ status: 'paused', goal: 'Names' });
	expect(await change({ status: 'active', newSchedule: 'daily at 9:00' })).toMatchObject({
		...{ status: 'active', goal: 'Names' },
		schedule: { cron: '0 9 * * *', timezone: 'America/New_York' },
	});
	expect(await change({ options: { newCron: '0 7 * * *', name: 'New' } })).toMatchObject({
		...{ name: 'New', schedule: { cron: '0 7 * * *' } },
	});
	await expect(change({})).rejects.toThrow('changes nothing');
});

it('runs checks, and gets their pages with what has changed', async () => {
	const monitorId = (await create({ goal: 'Prices', ...FIELDS })).id as string;
	service.web.setPage(URL, { json: { price: 4 } });
	await checked(monitorId);
	service.web.setPage(URL, { json: { price: 5 } });
	const check = await checked(monitorId);
	expect(check).toMatchObject({ summary: { changed: 1, totalPages: 1 } });
	const pages = { monitorId, checkId: check.id as string };
	expect(await items('getPages', pages)).toEqual([
		{
			url: URL,
			status: 'changed',
			reason: expect.any(String),
			changes: [expect.objectContaining({ before: '4', after: '5' })],
			price: 5,
			previous: { price: 4 },
			title: expect.any(String),
		},
	]);
	expect(await items('getPages', { ...pages, pageStatus: 'new' })).toEqual([]);
	expect(await items('getChecks', { monitorId, checkStatus: 'failed' })).toEqual([]);
	const [begun] = await items('run', { monitorId });
	expect(begun).toMatchObject({ id: expect.any(String), status: 'queued' });
	expect(await items('getChecks', { monitorId })).toHaveLength(3);
});

it('reads a list to its end, however few entries the service gives at a time', async () => {
	const ids = Array.from({ length: 5 }, () => service.monitors.add().id);
	for (const part of [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4), []])
		service.fail({
			...{ method: 'GET', path: '/v2/monitor', times: 1, status: 200 },
			body: { success: true, data: part.map((id) => ({ id })) },
		});
	expect(await items('getMany')).toEqual(ids.map((id) => ({ id })));
});

it('follows the link to further pages of a check, whatever is in it, but not to elsewhere', async () => {
	const id = '5f3b2c1a-8d4e-4f6a-9b0c-1d2e3f4a5b6c';
	const path = `/v2/monitor/${id}/checks/${id}`;
	const answer = (url: string, next?: string) =>
		service.fail({
			...{ method: 'GET', path, times: 1, status: 200 },
			body: { success: true, data: { pages: [{ url, status: 'new' }], next } },
		});
	const get = async () => await items('getPages', { monitorId: id, checkId: id });
	answer('https://a.example/1', `https://internal:8080${path}?skip=40&limit=7`);
	answer('https://a.example/2');
	expect(await get()).toHaveLength(2);
	expect(service.requests.map(({ query }) => query)).toEqual([
		{ limit: '50' },
		{ skip: '40', limit: '7' },
	]);
	answer('https://a.example/1', 'https://evil.example/v2/team');
	await expect(get()).rejects.toThrow('leads elsewhere');
});

it('shows what came in place of a list', async () => {
	service.fail({ method: 'GET', status: 200, body: { success: true, monitors: [{ id: 'a' }] } });
	const { error } = await run(new WebDataMonitor(), { operation: 'getMany' });
	expect(error?.description).toContain('{"success":true,"monitors":[{"id":"a"}]}');
});

it('deletes a monitor', async () => {
	const { id } = await create();
	const monitorId = id as string;
	expect(await items('deleteMonitor', { monitorId })).toEqual([{ id, success: true }]);
	expect(service.monitors.list()).toEqual([]);
	await expect(items('get', { monitorId })).rejects.toThrow('does not know this ID');
});

it('says which field of what is watched is wrong', async () => {
	await expect(create({ watch: 'search', queries: 'tea' })).rejects.toThrow('Goal is empty');
	await expect(create({ watch: 'search', queries: 'tea\n'.repeat(13), goal: 'x' })).rejects.toThrow(
		'Queries has 13 entries, but at most 12 are allowed',
	);
	await expect(create({ schedule: 'text', scheduleText: 'at times' })).rejects.toThrow(
		'Unsupported schedule text',
	);
});
