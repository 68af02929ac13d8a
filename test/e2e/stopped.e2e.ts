/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
/** No task that was paid for is forgotten when a run is stopped. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';

import { n8nLog } from '../../scripts/lib/n8n.mjs';
import { chain, ours } from './support/flow';
import { Lab, toExecution } from './support/lab';

let lab: Lab;

before(async () => {
	lab = await Lab.open({ service: { jobMs: 300 } });
});

after(async () => {
	await lab?.close();
});

/** The IDs of all agent tasks that the service has. */
const agents = () => (lab.service.jobs.list() as Array<{ id: string }>).map(({ id }) => id);

describe('a run that is stopped', () => {
	it('leaves the ID of every task that it started', async () => {
		const earlier = agents();
		lab.service.set({ latencyMs: 3_000, jobMs: 600_000 });
		const items = Array.from({ length: 8 }, (_, n) => ({ n }));
		const parameters = { operation: 'start', prompt: '=Find {{ $json.n }}', maxCredits: 500 };
		const flow = chain([ours('webDataAgent', parameters)], { items });
		const workflow = await lab.save(flow);
		const id = await lab.client.start(workflow, flow.nodes[0].name);
		await new Promise((done) => setTimeout(done, 2_500));
		await lab.client.request('POST', `/executions/${id}/stop`, {});
		const execution = toExecution(await lab.client.finished(id));
		assert.equal(execution.status, 'canceled');
		// The starts under way may take 10 s more.
		await new Promise((done) => setTimeout(done, 11_000));
		lab.service.set({ latencyMs: 0, jobMs: 300 });
		const started = agents().filter((one) => !earlier.includes(one));
		assert.ok(started.length > 0);
		const told = readFileSync(n8nLog(lab.userFolder), 'utf8') + JSON.stringify(execution.data);
		assert.deepEqual(
			started.filter((one) => !told.includes(one)),
			[],
		);
	});
});
