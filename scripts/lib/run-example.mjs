import { setTimeout as sleep } from 'node:timers/promises';
import { itemsOf } from './n8n-client.mjs';
import { RESULT_COLUMNS, say, table } from './say.mjs';

/** The example that `npm start` runs. */
const EXAMPLE = {
	id: 'webDataSearchTbl',
	trigger: 'Every morning',
	node: 'Search the web and news',
};

/** Runs the example, prints what it found, and returns whether that is all that it asked for. */
export async function runExample(client) {
	const workflow = await client.getWorkflow(EXAMPLE.id);
	say(`\n▸ Running "${workflow.name}"`);
	const execution = await client.run(workflow, EXAMPLE.trigger, 120_000);
	const found = itemsOf(execution, EXAMPLE.node).map(({ json }) => json);
	say(`${table(found, RESULT_COLUMNS)}\n`);
	const { error } = execution.data.resultData;
	if (error)
		say(`  ✖ ${error.node?.name ?? 'The workflow'}: ${error.message} ${error.description ?? ''}`);
	const { parameters } = workflow.nodes.find(({ name }) => name === EXAMPLE.node);
	const asked = parameters.limit * parameters.options.sources.length;
	return execution.status === 'success' && found.length === asked;
}

const ALERT_MS = 60_000;

const isMonitor = ({ type }) => type.endsWith('.webDataMonitorTrigger');

/**
 * Publishes the example with a monitor, and returns a function that waits for its alert, prints it, and returns whether
 * it came within a minute.
 */
export async function publishMonitor(client, workflows) {
	const { id } = workflows.find(({ nodes }) => nodes.some(isMonitor));
	const { versionId, name, nodes } = await client.getWorkflow(id);
	const last = async () => (await client.newestExecution(id))?.id;
	const before = await last();
	await client.request('POST', `/workflows/${id}/activate`, { versionId });
	const end = Date.now() + ALERT_MS;
	return async () => {
		while ((await last()) === before) {
			if (Date.now() > end) return false;
			await sleep(1_000);
		}
		say(`▸ An alert of "${name}"`);
		const items = itemsOf(await client.newestExecution(id), nodes.find(isMonitor).name);
		for (const { json } of items) say(`  ${json.url} ${json.status}: ${json.reason}`);
		return items.length > 0;
	};
}
