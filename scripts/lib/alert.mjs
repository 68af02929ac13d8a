import { setTimeout as sleep } from 'node:timers/promises';
import { itemsOf } from './n8n-client.mjs';
import { say } from './say.mjs';

const POLL_MS = 1_000;
const WITHIN_MS = 60_000;

const isMonitor = ({ type }) => type.endsWith('.webDataMonitorTrigger');

/**
 * Publishes the example with a monitor.
 * @returns {Promise<() => Promise<{ name: string; ok: boolean }>>} waits for its next alert, prints it, and returns
 * whether there was one
 */
export async function watch({ client, url }, workflows) {
	const { id, name, nodes } = workflows.find((workflow) => workflow.nodes.some(isMonitor));
	const before = await client.newestExecution(id);
	await client.publishWorkflow(id);
	const end = Date.now() + WITHIN_MS;
	return async () => {
		let execution = before;
		while (execution?.id === before?.id && Date.now() < end) {
			await sleep(POLL_MS, undefined, { ref: false });
			execution = await client.newestExecution(id);
		}
		const isThere = execution?.id !== before?.id;
		const items = isThere ? itemsOf(execution, nodes.find(isMonitor).name) : [];
		if (isThere) say(`▸ An alert of "${name}": ${url}/workflow/${id}/executions/${execution.id}`);
		for (const { json } of items) say(`  ${json.url} ${json.status}: ${json.reason}`);
		return { name: 'a monitor has sent an alert within a minute', ok: items.length > 0 };
	};
}
