/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/require-node-api-error */
import { setTimeout as sleep } from 'node:timers/promises';

import type { Flow } from '../test/e2e/support/flow';
import { type Execution, type Lab, toExecution } from '../test/e2e/support/lab';
import { silenceDuring } from '../test/e2e/support/silence';
import { cpuMs, forgetPeak, peakMb, residentMb } from './process';

const LOOK_MS = 50;
const SETTLE_MS = 1_500;

/** What one execution cost the n8n process. */
export interface Cost {
	execution: Execution;
	/** CPU time of the whole execution, including saving it, in ms. */
	cpuMs: number;
	/** Time in the measured node, in ms. */
	nodeMs: number;
	/** Peak memory compared with before the execution, in MB, until the execution was saved. */
	peakMb: number;
}

interface Run {
	executionTime: number;
}

/** Runs a flow on the lab's n8n and measures what the node with this name costs. */
export async function measure(lab: Lab, flow: Flow, node: string): Promise<Cost> {
	const workflow = await lab.save(flow);
	await sleep(SETTLE_MS);
	const pid = lab.n8n.pid!;
	const idleMb = residentMb(pid);
	forgetPeak(pid);
	const before = cpuMs(pid);
	const id = await lab.client.start(workflow, flow.nodes[0].name);
	// Each request costs the measured n8n some CPU time: one every 50 ms, over ten seconds, took a fifth of it.
	for (
		let waitMs = LOOK_MS;
		await isRunning(lab, workflow.id);
		waitMs = Math.min(2 * waitMs, 1_000)
	) {
		await sleep(waitMs);
	}
	const used = cpuMs(pid) - before;
	const peak = peakMb(pid);
	const execution = toExecution(await lab.client.finished(id));
	if (execution.status !== 'success') {
		throw new Error(`${flow.name} ended with ${execution.status}: ${execution.error?.message}`);
	}
	const [run] = execution.data.resultData.runData[node] as unknown as Run[];
	return { execution, cpuMs: used, nodeMs: run.executionTime, peakMb: Math.max(0, peak - idleMb) };
}

/** Runs a flow and returns the longest time (ms) in which n8n didn't respond. */
export async function longestSilence(lab: Lab, flow: Flow): Promise<number> {
	const workflow = await lab.save(flow);
	await sleep(SETTLE_MS);
	const { silence } = await silenceDuring(lab.client.url, async () => {
		await lab.client.start(workflow, flow.nodes[0].name);
		while (await isRunning(lab, workflow.id)) await sleep(SETTLE_MS);
	});
	return silence;
}

/** Whether the workflow's execution is running, asked in the way that costs n8n least. */
async function isRunning(lab: Lab, workflowId: string): Promise<boolean> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId }));
	try {
		const { results } = await lab.client.request('GET', `/executions?filter=${filter}&limit=1`);
		const [execution] = results as Array<{ status: string }>;
		return execution === undefined || ['new', 'running', 'waiting'].includes(execution.status);
	} catch (error) {
		// A busy n8n closes connections; one that has ended won't respond any more.
		if (lab.n8n.ending === null) return true;
		throw error;
	}
}
