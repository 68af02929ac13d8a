/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/require-node-api-error */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import type { FlowNode } from '../test/e2e/support/flow';
import { type Lab, toExecution } from '../test/e2e/support/lab';
import { silenceDuring } from '../test/e2e/support/silence';
import { flowOf } from './flows';

const LOOK_MS = 50;
const SETTLE_MS = 1_500;
/** Linux counts a process's CPU time in hundredths of a second. */
const MS_PER_TICK = 10;

/** What one execution cost the n8n process. */
export interface Cost {
	/** CPU time of the whole execution, including saving it, in ms. */
	cpuMs: number;
	/** Time in the measured node, in ms. */
	nodeMs: number;
	itemsOut: number;
}

interface Run {
	executionTime: number;
}

/** Returns the CPU time (ms) that a process has used so far, in all its threads, without its children. */
function cpuMs(pid: number): number {
	const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
	// The name in brackets may contain spaces.
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}

/** Runs a node with `count` items on the lab's n8n and measures what it costs. */
export async function measure(lab: Lab, measured: FlowNode, count: number): Promise<Cost> {
	const { name } = measured;
	const flow = flowOf(measured, count);
	const workflow = await lab.save(flow);
	await sleep(SETTLE_MS);
	const before = cpuMs(lab.n8n.pid!);
	const id = await lab.client.start(workflow, flow.nodes[0].name);
	// Each request costs the measured n8n some CPU time: one every 50 ms, over ten seconds, took a fifth of it.
	for (
		let waitMs = LOOK_MS;
		await isRunning(lab, workflow.id);
		waitMs = Math.min(2 * waitMs, 1_000)
	) {
		await sleep(waitMs);
	}
	const used = cpuMs(lab.n8n.pid!) - before;
	const { status, error, data, items } = toExecution(await lab.client.finished(id));
	if (status !== 'success') throw new Error(`${name} ended with ${status}: ${error?.message}`);
	const [{ executionTime }] = data.resultData.runData[name] as unknown as Run[];
	return { cpuMs: used, nodeMs: executionTime, itemsOut: items(name).length };
}

/** Runs a node with `count` items and returns the longest time (ms) in which n8n didn't respond. */
export async function longestSilence(lab: Lab, measured: FlowNode, count: number): Promise<number> {
	const flow = flowOf(measured, count);
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
