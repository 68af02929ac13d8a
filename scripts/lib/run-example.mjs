import { itemsOf } from './n8n-client.mjs';
import { RESULT_COLUMNS, say, table } from './say.mjs';

/** The example that `npm start` runs. */
export const RUN_EXAMPLE = {
	id: 'webDataSearchTbl',
	name: 'Scheduled search to a table',
	trigger: 'Every morning',
	node: 'Search the web and news',
	table: 'Web search results',
};

const isText = (value) => typeof value === 'string' && value.trim() !== '';

/**
 * Runs the example, prints what it found and checks that it did what its workflow promises.
 * @returns {Promise<Array<{ name: string; ok: boolean }>>}
 */
export async function runExample(client) {
	const workflow = await client.getWorkflow(RUN_EXAMPLE.id);
	const execution = await client.run(workflow, RUN_EXAMPLE.trigger, 120_000);
	const items = itemsOf(execution, RUN_EXAMPLE.node);
	const found = items.map(({ json }) => json);
	say(table(found, RESULT_COLUMNS));
	const { error } = execution.data.resultData;
	if (error)
		say(`  ✖ ${error.node?.name ?? 'The workflow'}: ${error.message} ${error.description ?? ''}`);
	const rows = await client.tableRows(RUN_EXAMPLE.table);
	const { limit, options } = workflow.nodes.find(
		({ name }) => name === RUN_EXAMPLE.node,
	).parameters;
	const { sources } = options;
	const urls = new Set(found.map(({ url }) => url));
	const keptUrls = new Set((rows ?? []).map(({ url }) => url));
	return [
		{ name: 'the execution succeeded', ok: execution.status === 'success' },
		...sources.map((source) => {
			const count = found.filter((one) => one.source === source).length;
			return {
				name: `${source}: ${count} of ${limit} results`,
				ok: count === limit,
			};
		}),
		{
			name: 'every item says its source, title and URL',
			ok:
				items.length > 0 &&
				found.every(
					({ source, title, url }) =>
						sources.includes(source) && isText(title) && /^https?:\/\//.test(url),
				),
		},
		{
			name: 'every item is paired with the item it came from',
			ok: items.length > 0 && items.every(({ pairedItem }) => pairedItem?.item === 0),
		},
		{
			name: `the data table "${RUN_EXAMPLE.table}" holds every result once`,
			ok:
				items.length > 0 &&
				[...urls].every((url) => keptUrls.has(url)) &&
				keptUrls.size === rows?.length,
		},
	];
}
