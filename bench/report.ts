import { CONCURRENCY } from '../nodes/shared/limiter/accountLimiter';
import { markdownTable as table } from '../scripts/lib/markdown';
import { CHEAPEST } from './flows';
import type { ExpressionCost } from './expressions';

export interface SearchCost {
	name: string;
	count: number;
	latencyMs: number;
	/** CPU time per item, in ms. */
	cpuMsPerItem: number;
	nodeMs: number;
	peakMb: number;
	itemsOut: number;
}

export interface LoadCost {
	ms: number;
	/** Length of each node's description as JSON. */
	bytes: Record<string, number>;
}

/** All figures, as medians. */
export interface Results {
	items: SearchCost[];
	expressions: ExpressionCost[];
	load: { ours: LoadCost; httpRequest: LoadCost };
}

const number = (value: number, digits = 0) =>
	value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Returns the text of docs/maintainers/benchmarks.md, or that of some of its parts. */
export function markdown(
	{ items, expressions, load }: Partial<Results>,
	{ n8n, machine }: { n8n: string; machine: string },
): string {
	return [
		'# Benchmarks',
		'Written by `npm run bench`; not edited by hand.',
		`Conditions: n8n ${n8n} with default settings and the packed package, the local service in another process, ${machine}. Each figure is the median of three (of nine for one item). CPU is of the n8n process for the whole execution; time is what n8n reports for the node; memory is the peak over what n8n held before.`,
		...(items ? itemParts(items) : []),
		...(expressions ? expressionParts(expressions) : []),
		...(load ? loadParts(load) : []),
	].join('\n\n');
}

function itemParts(costs: SearchCost[]): string[] {
	const rows = costs.map((one) => {
		const base = costs.find(
			({ name, count, latencyMs }) =>
				name === CHEAPEST && count === one.count && latencyMs === one.latencyMs,
		)!;
		const isOurs = one.name.startsWith('Web Data');
		const beside = (key: 'cpuMsPerItem' | 'nodeMs', digits: number) => [
			number(one[key], digits),
			isOurs ? number(one[key] / base[key], 2) : '',
		];
		return [
			...[one.name, number(one.count), number(one.latencyMs)],
			...[...beside('cpuMsPerItem', 1), ...beside('nodeMs', 0)],
			...[number(one.peakMb), number(one.itemsOut)],
		];
	});
	const head = ['Node', 'Items', 'Latency (ms)', 'CPU per item (ms)', '×', 'Time (ms)', '×'];
	return [
		'## Searches: Web Data Search beside HTTP Request',
		`The same POST /v2/search with five results, once per item. Web Data Search gives an item per result; with Split Into Items off it gives one per response, as HTTP Request does. HTTP Request uses the bearer credential of n8n and a JSON body, the cheapest way that a user can have it. It sends all requests at once; Web Data Search has at most ${CONCURRENCY.max} in flight: that is the difference where responses take their time. × is the ratio to HTTP Request.`,
		table([...head, 'Memory (MB)', 'Items out'], rows),
	];
}

function expressionParts(costs: ExpressionCost[]): string[] {
	return [
		'## How long n8n does not respond',
		'The longest time that a request to n8n took while a node ran, with a thousand items. A form is named by its values that contain expressions: n8n evaluates each of them twice per item before it sends the first request, and responds to nobody while it does. With Settings → Request Options → Batching it lets go after each batch.',
		table(
			['Form', 'n8n responds to nobody for (s)', 'CPU per item (ms)'],
			costs.map(({ name, silentMs, cpuMsPerItem }) => [
				name,
				number(silentMs / 1_000, 2),
				number(cpuMsPerItem, 1),
			]),
		),
	];
}

function loadParts({ ours, httpRequest }: Results['load']): string[] {
	const count = Object.keys(ours.bytes).length;
	return [
		'## Loading',
		`The ${count} nodes of the package load in ${number(ours.ms)} ms, n8n's HTTP Request node in ${number(httpRequest.ms)} ms (in a Node that has loaded n8n-workflow). The editor is sent:`,
		table(
			['Node', 'Description as JSON (kB)'],
			Object.entries({ ...ours.bytes, ...httpRequest.bytes }).map(([name, bytes]) => [
				name,
				number(bytes / 1000),
			]),
		),
	];
}
