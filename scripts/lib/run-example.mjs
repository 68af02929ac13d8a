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
