import { CONCURRENCY } from '../nodes/shared/limiter/concurrency';
import { CHEAPEST } from './flows';
import type { PollCost } from './poll';
import type { ExpressionCost } from './expressions';

export interface SearchCost {
	name: string;
	count: number;
	latencyMs: number;
	cpuMsPerItem: number;
	nodeMs: number;
	peakMb: number;
	itemsOut: number;
}

/** CPU time per item, in ms. */
export interface StallCost {
	name: string;
	count: number;
	/** Longest time (ms) in which n8n didn't respond. */
	ms: number;
	/** Time in the node. */
	nodeMs: number;
	/**
	 * Whether all requests succeeded. HTTP Request sends everything at once, and ten thousand requests are too many
	 * connections.
	 */
	succeeded: boolean;
}

export interface CrawlCost {
	name: string;
	nodeMs: number;
	/** Above idle, in MB, until the end of the node. */
	nodePeakMb: number;
	/** Above idle, in MB, until n8n has saved the execution. */
	peakMb: number;
	itemsOut: number;
}

interface LoadCost {
	ms: number;
	/** Length of each node's description as JSON. */
	bytes: Record<string, number>;
}

/** All figures, as medians; a part that was left out is undefined. */
export interface Results {
	n8n: string;
	cpu: string;
	/** Processes that were waiting for a CPU before each part, as a one-minute average. */
	loads: Record<string, number>;
	crawlMb: number;
	items?: SearchCost[];
	stalls?: StallCost[];
	expressions?: ExpressionCost[];
	crawl?: CrawlCost[];
	load?: { ours: LoadCost; httpRequest: LoadCost };
	poll?: PollCost[];
}

const number = (value: number, digits = 0) =>
	value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Returns a table in Markdown. */
const table = (head: string[], rows: string[][]) =>
	[head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

/** Returns the text of docs/maintainers/benchmarks.md. */
export function markdown(results: Results): string {
	return [
		'# Benchmarks',
		'Written by `npm run bench`; not edited by hand.',
		conditions(results),
		...(results.items ? itemParts(results.items) : []),
		...(results.stalls ? stallParts(results.stalls) : []),
		...(results.expressions ? expressionParts(results.expressions) : []),
		...(results.crawl ? crawlParts(results.crawl, results.crawlMb) : []),
		...(results.load ? loadParts(results.load) : []),
		...(results.poll ? pollParts(results.poll) : []),
		'',
	]
		.join('\n\n')
		.replace(/\n+$/, '\n');
}

function conditions({ n8n, cpu, loads }: Results): string {
	const before = Object.entries(loads).map(([part, load]) => `${part} ${number(load, 1)}`);
	return [
		`Conditions: n8n ${n8n} with default settings and the packed package, the`,
		`local service in another process, ${cpu}, load before each part: ${before.join(', ')}.`,
		'Each figure is the median of three (of nine for one item). CPU is of the n8n process for the whole execution; time is what',
		'n8n reports for the node; memory is the peak over what n8n held before.',
	].join(' ');
}

function itemParts(costs: SearchCost[]): string[] {
	const ratios = costs
		.filter(({ name }) => name.startsWith('Web Data'))
		.map((ours) => {
			const isSame = (one: SearchCost) =>
				one.count === ours.count && one.latencyMs === ours.latencyMs;
			const base = costs.find((one) => one.name === CHEAPEST && isSame(one))!;
			return [
				ours.name,
				number(ours.count),
				number(ours.latencyMs),
				number(ours.cpuMsPerItem / base.cpuMsPerItem, 2),
				number(ours.nodeMs / base.nodeMs, 2),
			];
		});
	return [
		'## Searches: Web Data Search beside HTTP Request',
		`The same POST /v2/search with five results, once per item. Web Data Search gives an item per result; with Split Into Items off it gives one per response, as HTTP Request does. HTTP Request uses the bearer credential of n8n and a JSON body, the cheapest way that a user can have it. It sends all requests at once; Web Data Search has at most ${CONCURRENCY.max} in flight: that is the difference where responses take their time. Ratios to HTTP Request:`,
		table(['Node', 'Items', 'Latency (ms)', 'CPU', 'Time'], ratios),
		'Medians:',
		table(
			[
				'Node',
				'Items',
				'Latency (ms)',
				'CPU per item (ms)',
				'Time (ms)',
				'Memory (MB)',
				'Items out',
			],
			costs.map((one) => [
				one.name,
				number(one.count),
				number(one.latencyMs),
				number(one.cpuMsPerItem, 1),
				number(one.nodeMs),
				number(one.peakMb),
				number(one.itemsOut),
			]),
		),
	];
}

function stallParts(costs: StallCost[]): string[] {
	return [
		'## How long n8n does not respond',
		`The longest time that a request to n8n took while the node ran, in ms. n8n evaluates the parameters of all items, twice, before it lets go; with Settings → Request Options → Batching it lets go after each batch. Runs of half a minute were measured once.`,
		table(
			['Node', 'Items', 'Longest (ms)', 'Time in the node (ms)', 'Execution'],
			costs.map(({ name, count, ms, nodeMs, succeeded }) => [
				name,
				number(count),
				number(ms),
				number(nodeMs),
				succeeded ? 'succeeded' : 'failed',
			]),
		),
	];
}

function expressionParts(costs: ExpressionCost[]): string[] {
	return [
		'## Expressions in fields',
		'A thousand items. n8n evaluates each value that contains an expression twice per item before it sends the first request, and responds to nobody while it does.',
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

function crawlParts(costs: CrawlCost[], crawlMb: number): string[] {
	const [ours, ...others] = [...costs].sort((a) => (a.name.startsWith('Web Data') ? -1 : 1));
	return [
		'## A large crawl: Get Pages of Crawl beside HTTP Request and a plain loop',
		`${number(1_000)} pages, ${number(crawlMb)} MB, in parts of 10 MB. Ratios of Get Pages of Crawl:`,
		table(
			['To', 'Time', 'Memory up to the end of the node'],
			others.map((other) => [
				other.name,
				number(ours.nodeMs / other.nodeMs, 2),
				number(ours.nodePeakMb / other.nodePeakMb, 2),
			]),
		),
		`Memory of Get Pages of Crawl up to its end is ${number(ours.nodePeakMb / crawlMb, 1)} times the pages' size.`,
		"The loop runs in a Node of its own, in one that holds as many other objects as n8n does, and as a node in n8n. What Get Pages of Crawl takes beyond the last is its own; the rest is n8n's.",
		table(
			['', 'Time (ms)', 'Memory, end of node (MB)', 'Memory, execution saved (MB)', 'Items out'],
			costs.map((one) => [
				one.name,
				number(one.nodeMs),
				number(one.nodePeakMb),
				number(one.peakMb),
				number(one.itemsOut),
			]),
		),
	];
}

function loadParts({ ours, httpRequest }: { ours: LoadCost; httpRequest: LoadCost }): string[] {
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

function pollParts(costs: PollCost[]): string[] {
	return [
		'## A poll of the Crawl Trigger',
		'In n8n-core, any crawl of the team, nothing ends:',
		table(
			['Active crawls', 'Requests', 'Time (ms)', 'State (bytes)'],
			costs.map(({ activeCrawls, requests, ms, stateBytes }) =>
				[activeCrawls, requests, ms, stateBytes].map((value) => number(value)),
			),
		),
	];
}
