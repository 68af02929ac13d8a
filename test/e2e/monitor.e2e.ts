/* eslint-disable @n8n/community-nodes/no-restricted-imports */
/**
 * The monitor trigger in a real n8n, in n8n 1.x and in queue mode with a process for webhooks: what is at the service
 * after each step, and what started the workflow.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';

import { freePort } from '../../scripts/lib/machine.mjs';
import { n8nLog } from '../../scripts/lib/n8n.mjs';
import { runCheck } from '../support/monitorCheck';
import { until } from '../support/until';
import { type Flow, emitting, ours } from './support/flow';
import { Lab, toExecution } from './support/lab';
import { type Server, queueMode, startPostgres, startRedis } from './support/servers';

const PAGE = 'https://shop.example/pricing';

let lab: Lab;
let edits = 0;

interface Saved {
	id: string;
	nodes: IDataObject[];
}

const flow = (name: string, parameters: IDataObject = {}): Flow =>
	emitting(
		ours(
			'webDataMonitorTrigger',
			{ urls: PAGE, ...parameters },
			{ webhookId: `10000000-0000-4000-8000-${name.padStart(12, '0')}` },
		),
		name,
	);

const monitors = () => lab.service.monitors.list() as unknown as IDataObject[];
const monitorOf = ({ id }: Saved) =>
	monitors().find(({ webhook }) =>
		String(((webhook as IDataObject).metadata as IDataObject).node).startsWith(id),
	);

async function publish({ id }: Saved): Promise<void> {
	await lab.publish(id);
	await until('the monitor', () => monitorOf({ id } as Saved) !== undefined, 60_000);
	// n8n 2.x goes on publishing after it has responded.
	await sleep(1_500);
}

/** Edits the page, and has all monitors check it. */
async function edit(): Promise<string> {
	const markdown = `Edit ${++edits}`;
	lab.service.web.setPage(PAGE, { markdown });
	for (const { id } of monitors()) await runCheck(lab.service, id as string);
	return markdown;
}

/** Returns the edits that started a workflow, oldest first. */
async function emitted({ id }: Saved): Promise<string[]> {
	const found: string[] = [];
	for (const one of await lab.executionsOf(id)) {
		const execution = toExecution(await lab.client.finished(one));
		assert.equal(execution.status, 'success', JSON.stringify(execution.error));
		for (const { json } of execution.items('Emitted'))
			found.push(/^\+(.*)$/m.exec(String(json.diff).replace(/^\+\+\+.*$/m, ''))?.[1] ?? '');
	}
	return found;
}

const waitFor = async (workflow: Saved, wanted: string[]) => {
	await until('the executions', async () => (await emitted(workflow)).length >= wanted.length);
	await sleep(1_000);
	assert.deepEqual(await emitted(workflow), wanted);
};

const save = async (one: Flow) => (await lab.save(one)) as unknown as Saved;

for (const line of ['latest', 'oldest'] as const) {
	describe(`The monitor trigger in the ${line} n8n`, { concurrency: false }, () => {
		let one: Saved;
		const wanted: string[] = [];
		const change = async () => void wanted.push(await edit());

		before(async () => {
			lab = await Lab.open({ line, service: { jobMs: 1 } });
			one = await save(flow('1', { goal: 'Tell me of prices' }));
		});
		after(async () => await lab?.close());

		it('is published with one monitor at the service, and its price in the log', async () => {
			await publish(one);
			assert.equal(monitors().length, 1);
			const log = readFileSync(n8nLog(lab.userFolder), 'utf8');
			assert.match(log, /costs up to \d+ credits a month/);
			assert.ok(!log.includes(lab.service.apiKey));
		});

		it('starts with what changed, not with the baseline', async () => {
			await edit();
			await change();
			await waitFor(one, wanted);
		});

		it('starts once where n8n is killed between the report and the execution', async () => {
			const { length } = lab.service.requests;
			lab.service.fail({ method: 'GET', path: /checks/, hang: true });
			await change();
			const isReading = () =>
				lab.service.requests.slice(length).some(({ path }) => path.endsWith('/checks'));
			await until('n8n to read the check', isReading);
			await lab.n8n.kill();
			lab.service.clearFaults();
			await lab.startN8n();
			await waitFor(one, wanted);
			assert.equal(monitors().length, 1);
		});

		it('makes up for the reports that n8n missed while it was down', async () => {
			await lab.n8n.kill();
			lab.service.set({ reportTimes: 0 });
			await change();
			await change();
			await lab.startN8n();
			await waitFor(one, wanted);
			lab.service.set({ reportTimes: 1 });
			await change();
			await waitFor(one, wanted);
		});

		it('has one monitor with the new settings after it was edited and published again', async () => {
			const again = flow('1', { goal: 'Tell me of prices' });
			again.nodes[0].id = String(one.nodes[0].id);
			again.nodes[1].parameters = { notes: 'Edited' };
			const before = monitors()[0].id;
			await publish(await save({ ...again, id: one.id }));
			// n8n 1.x takes all triggers of a workflow down and up.
			assert.equal(monitors().length, 1);
			assert.equal(monitors()[0].id === before, line === 'latest');
			const edited = flow('1', { schedule: 'hourly' });
			edited.nodes[0].id = String(one.nodes[0].id);
			await save({ ...edited, id: one.id });
			await lab.publish(one.id);
			const isNew = () =>
				monitors().length === 1 && (monitors()[0].schedule as IDataObject).cron === '0 * * * *';
			await until('the new monitor', isNew);
			await sleep(1_500);
			await edit();
			await change();
			await waitFor(one, wanted);
		});

		it('"Listen for test event" gives the pages, and leaves no monitor', async () => {
			const tested = await save(flow('3'));
			const { length } = monitors();
			const started = await lab.client.request('POST', `/workflows/${tested.id}/run`, {
				workflowData: await lab.client.getWorkflow(tested.id),
				triggerToStartFrom: { name: 'webDataMonitorTrigger' },
				startNodes: [],
			});
			assert.equal(started.waitingForWebhook, true);
			await until('the execution', async () => {
				const [id] = await lab.executionsOf(tested.id);
				if (id === undefined) return false;
				const execution = toExecution(await lab.client.finished(id));
				assert.equal(execution.status, 'success', JSON.stringify(execution.error));
				const [{ json }] = execution.items('Emitted');
				assert.deepEqual([json.url, json.status], [PAGE, 'new']);
				return true;
			});
			await until('its end', () => monitors().length === length);
		});

		it('leaves nothing at the service when it is unpublished', async () => {
			await lab.client.request('POST', `/workflows/${one.id}/deactivate`, {});
			await until('the end of the monitor', () => monitors().length === 0);
			assert.deepEqual(lab.service.violations, []);
		});
	});
}

describe('The monitor trigger in queue mode, with a process for webhooks', () => {
	let redis: Server;
	let postgres: Server;

	before(async () => {
		[redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
		const port = await freePort();
		lab = await Lab.open({
			service: { jobMs: 1 },
			env: {
				...queueMode(redis, postgres),
				WEBHOOK_URL: `http://127.0.0.1:${port}/`,
				N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
			},
		});
		await Promise.all([lab.addWorker(5), lab.addWebhooks(port)]);
	});
	after(async () => {
		await lab?.close();
		await Promise.all([redis?.stop(), postgres?.stop()]);
	});

	it('starts once for each change', async () => {
		const workflow = await save(flow('1'));
		await publish(workflow);
		await edit();
		lab.service.set({ reportTimes: 2 });
		const wanted = [await edit(), await edit()];
		await waitFor(workflow, wanted);
		await lab.client.request('POST', `/workflows/${workflow.id}/deactivate`, {});
		await until('the end of the monitor', () => monitors().length === 0);
	});
});
