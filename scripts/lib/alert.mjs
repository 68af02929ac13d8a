import { setTimeout as sleep } from 'node:timers/promises';
import { itemsOf } from './n8n-client.mjs';
import { say } from './say.mjs';

const POLL_MS = 1_000;

const isMonitor = ({ type }) => type.endsWith('.webDataMonitorTrigger');

/**
 * Publishes the example with a monitor.
 * @returns {Promise<() => Promise<void>>} waits for its next alert and prints it
 */
export async function watch(n8n, workflows) {
	const { id, name, nodes } = workflows.find((workflow) => workflow.nodes.some(isMonitor));
	const trigger = nodes.find(isMonitor).name;
	const before = await n8n.client.newestExecution(id);
	await n8n.client.publishWorkflow(id);
	return async () => {
		for (;;) {
			await sleep(POLL_MS, undefined, { ref: false });
			const execution = await n8n.client.newestExecution(id);
			if (execution === undefined || execution.id === before?.id) continue;
			say(`▸ An alert of "${name}": ${n8n.url}/workflow/${id}/executions/${execution.id}`);
			for (const { json } of itemsOf(execution, trigger))
				say(`  ${json.url} ${json.status}: ${json.reason ?? ''}`);
			return;
		}
	};
}
