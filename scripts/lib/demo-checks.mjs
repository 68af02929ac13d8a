import { itemsOf } from './n8n-client.mjs';

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
 * Checks that a run of the example did what its workflow promises.
 * @param {{ workflow: any; execution: any; rows: any[] | null }} run `rows` are those of its data table afterwards
 * @returns {Array<{ name: string; ok: boolean }>}
 */
export function checkScheduledSearch({ workflow, execution, rows }) {
	const { sources, limit } = workflow.nodes.find(
		({ name }) => name === RUN_EXAMPLE.node,
	).parameters;
	const items = itemsOf(execution, RUN_EXAMPLE.node);
	const urls = new Set(items.map(({ json }) => json.url));
	const keptUrls = new Set((rows ?? []).map(({ url }) => url));
	return [
		{ name: 'the execution succeeded', ok: execution.status === 'success' },
		...sources.map((source) => {
			const found = items.filter(({ json }) => json.source === source).length;
			return {
				name: `${source}: ${found} of ${limit} results`,
				ok: found === limit,
			};
		}),
		{
			name: 'every item says its source, title and URL',
			ok:
				items.length > 0 &&
				items.every(
					({ json }) =>
						sources.includes(json.source) && isText(json.title) && /^https?:\/\//.test(json.url),
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
