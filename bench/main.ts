/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
/**
 * Measures the nodes and n8n's own on the real n8n and renews docs/maintainers/benchmarks.md, which says what is
 * measured:
 *   npm run bench                      both parts, each figure the median of three
 *   npm run bench -- items             only this part, or silence
 *   npm run bench -- items --once      each only once, for a quick look; writes nothing
 */
import { cpus, loadavg } from 'node:os';

import { sayHelp } from '../scripts/lib/help.mjs';
import { main } from '../scripts/lib/main.mjs';
import { type Table, markdownTable, renewParts } from '../scripts/lib/markdown';
import { buildAndPack } from '../scripts/lib/package.mjs';
import { ensureRuntime } from '../scripts/lib/runtime.mjs';
import { say, step } from '../scripts/lib/say.mjs';
import { Lab } from '../test/e2e/support/lab';
import { type Bench, forms, searches } from './flows';
import { median } from './median';
import { type Cost, longestSilence, measure } from './run';

const CASES = [
	{ count: 1, latencyMs: 0 },
	{ count: 200, latencyMs: 0 },
	{ count: 1_000, latencyMs: 0 },
	// Typical searches take two seconds.
	{ count: 20, latencyMs: 2_000 },
	{ count: 200, latencyMs: 500 },
	{ count: 1_000, latencyMs: 500 },
];
/** For a single item, the execution costs n8n more than the item does, so it takes more runs to tell it from noise. */
const MORE_FOR_ONE = 3;
const COMPARED = 'HTTP Request';

const number = (value: number, digits = 0) =>
	value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Does some work with a new n8n and a service whose credits don't run out. */
async function withBench<T>(work: (bench: Bench) => Promise<T>): Promise<T> {
	const lab = await Lab.open({ service: { credits: 1e9 } });
	try {
		const data = { token: lab.service.apiKey };
		const credential = { name: 'Bearer', type: 'httpBearerAuth', data };
		return await work({ lab, bearer: await lab.client.saveCredential(credential) });
	} finally {
		await lab.close();
	}
}

/** Measures one search per item, for several numbers of items. */
async function items(bench: Bench, repeats: number): Promise<Table> {
	const { lab } = bench;
	const names = Object.keys(searches);
	for (const name of names) await measure(lab, searches[name](bench), 200);
	const rows: string[][] = [];
	for (const { count, latencyMs } of CASES) {
		lab.service.set({ latencyMs });
		const costs = new Map(names.map((name) => [name, [] as Cost[]]));
		const rounds = count === 1 ? MORE_FOR_ONE * repeats : repeats;
		for (let round = 0; round < rounds; round++) {
			for (const [n] of names.entries()) {
				// Each round begins with another one, so that none always gets the warmest n8n.
				const name = names[(n + round) % names.length];
				costs.get(name)!.push(await measure(lab, searches[name](bench), count));
				lab.service.requests.length = 0;
			}
		}
		const middle = (name: string, key: keyof Cost) =>
			median(costs.get(name)!.map((cost) => cost[key]));
		const beside = (name: string, key: keyof Cost) =>
			name.startsWith('Web Data') ? number(middle(name, key) / middle(COMPARED, key), 2) : '';
		for (const name of names) {
			rows.push([
				...[name, number(count), number(latencyMs)],
				...[number(middle(name, 'cpuMs') / count, 1), beside(name, 'cpuMs')],
				...[number(middle(name, 'nodeMs')), beside(name, 'nodeMs')],
				number(middle(name, 'itemsOut')),
			]);
			say(`  ${rows.at(-1)!.join(', ')}`);
		}
	}
	const cpuAndTime = ['CPU per item (ms)', '×', 'Time (ms)', '×'];
	return [['Node', 'Items', 'Latency (ms)', ...cpuAndTime, 'Items out'], rows];
}

/** Measures a thousand items of each form, and of n8n's own nodes beside them. */
async function silence(bench: Bench, repeats: number): Promise<Table> {
	const { lab } = bench;
	const { 'Edit Fields (calls nobody)': editFields, [COMPARED]: request } = searches;
	const all = { 'Edit Fields (calls nobody)': editFields, [COMPARED]: request, ...forms };
	const rows: string[][] = [];
	for (const [name, create] of Object.entries(all)) {
		await measure(lab, create(bench), 100);
		const silences: number[] = [];
		const cpu: number[] = [];
		for (let round = 0; round < repeats; round++) {
			silences.push(await longestSilence(lab, create(bench), 1_000));
			cpu.push((await measure(lab, create(bench), 1_000)).cpuMs / 1_000);
			lab.service.requests.length = 0;
		}
		rows.push([name, number(median(silences) / 1_000, 2), number(median(cpu), 1)]);
		say(`  ${rows.at(-1)!.join(', ')}`);
	}
	return [['Form', 'n8n responds to nobody for (s)', 'CPU per item (ms)'], rows];
}

const PARTS = { items, silence };

async function bench(args: string[]): Promise<void> {
	const repeats = args.includes('--once') ? 1 : 3;
	const names = args.filter((arg): arg is keyof typeof PARTS => arg in PARTS);
	const { version } = await ensureRuntime('latest');
	await step('Building and packing the package', async () => void (await buildAndPack()));
	const machine = `${cpus().length} × ${cpus()[0].model}`;
	const parts: Record<string, string> = {};
	for (const name of names.length > 0 ? names : (['items', 'silence'] as const)) {
		const load = loadavg()[0].toFixed(1);
		const work = async () => await withBench(async (of) => await PARTS[name](of, repeats));
		const measured: Table = await step(`Measuring: ${name}`, work);
		const table = markdownTable(...measured);
		parts[name] = `n8n ${version}, ${machine}, load before ${load}:\n\n${table}`;
		say(parts[name]);
	}
	if (repeats > 1 && names.length === 0) renewParts('docs/maintainers/benchmarks.md', parts);
}

sayHelp(__filename);
void main(async () => await bench(process.argv.slice(2))).then(() => process.exit());
