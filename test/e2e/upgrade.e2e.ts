/* eslint-disable @n8n/community-nodes/no-restricted-imports */
/** n8n's own installer upgrades the package while workflows wait and run, uninstalls it and installs it again. */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';

import { PACKED_PACKAGE } from '../../scripts/lib/package.mjs';
import { PACKAGE_NAME } from '../../scripts/lib/paths.mjs';
import { type Flow, chain, emitting, node, ours, polledEvery } from './support/flow';
import { Lab, type SavedWorkflow, toExecution } from './support/lab';
import { behind, publish, startRegistry } from './support/registry.mjs';
import { until } from '../support/until';

const VERSIONS = ['9.0.0', '9.0.1'];
const PAGE = 'https://shop.example/pricing';
/** Time (ms) within which a poll sees a change, also on a busy machine. */
const POLLED_WITHIN_MS = 150_000;

const folder = mkdtempSync(join(tmpdir(), 'upgrade-e2e-'));
let registry: Awaited<ReturnType<typeof startRegistry>>;
let lab: Lab;
let pages: SavedWorkflow;

/** Returns the packed package as one of the versions. */
function versionOf(version: string): string {
	const copy = join(folder, version);
	cpSync(PACKED_PACKAGE, copy, { recursive: true });
	const file = join(copy, 'package.json');
	const manifest = JSON.parse(readFileSync(file, 'utf8')) as IDataObject;
	writeFileSync(file, JSON.stringify({ ...manifest, version }));
	return copy;
}

const start = async (name: string, nodes: Flow['nodes']) =>
	await lab.client.start(await lab.save(chain(nodes, { name })), 'Start');

const ended = async (id: string) => {
	const execution = toExecution(await lab.client.finished(id, 120_000));
	assert.equal(execution.status, 'success', execution.error?.message);
	return execution;
};

const inTime = async (what: string, isSo: () => boolean | Promise<boolean>) =>
	await until(what, isSo, POLLED_WITHIN_MS);

/** Returns what the page trigger has emitted so far, oldest first. */
async function emitted(): Promise<IDataObject[]> {
	const ids = await lab.executionsOf(pages.id, ['success']);
	const executions = await Promise.all(ids.map(ended));
	return executions.flatMap((one) => one.items('Emitted')).map(({ json }) => json);
}

const edit = (number: number) => lab.service.web.setPage(PAGE, { markdown: `Edit ${number}` });

/** Waits until the trigger has emitted this many edits, each once and each following from the one before. */
async function assertEdits(count: number) {
	await inTime(`edit ${count}`, async () => (await emitted()).length >= count);
	const changes = await emitted();
	assert.deepEqual(
		changes.map(({ added }) => added),
		Array.from({ length: count }, (_, index) => [`Edit ${index + 1}`]),
	);
	changes.slice(1).forEach(({ removed }, index) => {
		assert.deepEqual(removed, changes[index].added);
	});
}

before(async () => {
	registry = await startRegistry();
	await publish(versionOf(VERSIONS[0]), registry);
	lab = await Lab.open({
		service: { jobMs: 600_000 },
		env: behind(registry, join(folder, 'npm')),
		install: async (client) => {
			await client.request('POST', '/community-packages', {
				name: PACKAGE_NAME,
				version: VERSIONS[0],
			});
		},
	});
	edit(0);
	const trigger = ours('webDataPageTrigger', { ...polledEvery(6), urls: PAGE });
	pages = await lab.save(emitting(trigger, 'Pages'));
	await lab.publish(pages.id);
	await inTime('the first poll', () => lab.service.ledger.length > 0);
});

after(async () => {
	await lab?.close();
	registry?.close();
	rmSync(folder, { recursive: true, force: true });
});

describe('an upgrade while workflows wait and run', () => {
	it('loses nothing and pays nothing twice', async () => {
		edit(1);
		await assertEdits(1);
		const task = { operation: 'startAndWait', prompt: 'Find the founders' };
		const waiting = await start('Waiting', [ours('webDataAgent', task)]);
		const durable = await start('Durable', [
			ours('webDataAgent', { operation: 'start', prompt: 'Find the offices' }),
			node(
				'n8n-nodes-base.wait',
				{ resume: 'timeInterval', amount: 70, unit: 'seconds' },
				{ name: 'Wait', typeVersion: 1.1 },
			),
			ours('webDataAgent', { operation: 'get', jobId: '={{ $json.id }}' }, { name: 'Get' }),
		]);
		await inTime('both jobs', () => lab.service.jobs.list().length === 2);
		await publish(versionOf(VERSIONS[1]), registry);
		const upgraded = await lab.client.request('PATCH', '/community-packages', {
			name: PACKAGE_NAME,
			version: VERSIONS[1],
		});
		assert.equal(upgraded.installedVersion, VERSIONS[1]);
		const { status } = await lab.client.request('GET', `/executions/${waiting}`);
		assert.equal(status, 'running', 'the upgrade came in the middle');
		edit(2);
		for (const { id } of lab.service.jobs.list() as Array<{ id: string }>) {
			lab.service.jobs.finish(id, { found: true });
		}

		const [result] = (await ended(waiting)).items('webDataAgent');
		const [got] = (await ended(durable)).items('Get');
		assert.deepEqual([result.json.found, got.json.status], [true, 'completed']);
		const started = lab.service.ledger.filter(({ operation }) => operation === 'agentStart');
		assert.equal(started.length, 2);
		await assertEdits(2);
	});

	it('uninstalled and installed again, it leaves workflows as they are, and triggers know what they knew', async () => {
		const saved = async () => {
			const { nodes, connections, active } = await lab.client.getWorkflow(pages.id);
			return { nodes, connections, active };
		};
		const known = await saved();
		await lab.client.request('DELETE', `/community-packages?name=${PACKAGE_NAME}`);
		edit(3);
		assert.deepEqual(await saved(), known);
		await lab.client.request('POST', '/community-packages', {
			name: PACKAGE_NAME,
			version: VERSIONS[1],
		});
		assert.deepEqual(await saved(), known);
		await assertEdits(3);
		assert.deepEqual(lab.service.violations, []);
	});
});
