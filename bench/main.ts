/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
/**
 * Measures the nodes and n8n's own on the real n8n and writes docs/maintainers/benchmarks.md:
 *   npm run bench                      all parts, each figure the median of three
 *   npm run bench -- items load        only these parts; writes nothing
 *   npm run bench -- items --once      each only once, for a quick look; writes nothing
 * Parts: items, expressions, load.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { sayHelp } from '../scripts/lib/help.mjs';
import { main } from '../scripts/lib/main.mjs';
import { buildAndPack, installPackage, PACKED_PACKAGE } from '../scripts/lib/package.mjs';
import { ROOT } from '../scripts/lib/paths.mjs';
import { ensureRuntime } from '../scripts/lib/runtime.mjs';
import { Problem, say, step } from '../scripts/lib/say.mjs';
import { Lab } from '../test/e2e/support/lab';
import { type Bench, CREDITS, MEASURED, searches } from './flows';
import { expressionCosts } from './expressions';
import { median } from './process';
import { type LoadCost, type Results, type SearchCost, markdown } from './report';
import { measure } from './run';

const DOC = join(ROOT, 'docs', 'maintainers', 'benchmarks.md');
const COUNTS = [1, 200, 1_000];
/** Typical searches take two seconds. */
const SLOW = [
	{ count: 20, latencyMs: 2_000 },
	{ count: 200, latencyMs: 500 },
	{ count: 1_000, latencyMs: 500 },
];
/** For a single item, the execution costs n8n more than the item does, so it takes more runs to tell it from noise. */
const MORE_FOR_ONE = 3;

/** Does some work with a new n8n. */
async function withBench<T>(work: (bench: Bench) => Promise<T>): Promise<T> {
	const lab = await Lab.open({ service: { credits: CREDITS } });
	try {
		const data = { token: lab.service.apiKey };
		const credential = { name: 'Bearer', type: 'httpBearerAuth', data };
		return await work({ lab, bearer: await lab.client.saveCredential(credential) });
	} finally {
		await lab.close();
	}
}

/** Returns the names, starting with a different one in each round, so that none always gets the warmest n8n. */
function inTurn(names: string[], round: number): string[] {
	const first = round % names.length;
	return [...names.slice(first), ...names.slice(0, first)];
}

/** Measures the searches of `count` items each. */
async function items(bench: Bench, repeats: number): Promise<SearchCost[]> {
	const { lab } = bench;
	const found: SearchCost[] = [];
	const names = Object.keys(searches);
	for (const name of names) await measure(lab, searches[name](bench, 200), MEASURED);
	const cases = COUNTS.map((count) => ({ count, latencyMs: 0 }));
	for (const { count, latencyMs } of [...cases, ...SLOW]) {
		lab.service.set({ latencyMs });
		const runs = new Map(names.map((name) => [name, [] as SearchCost[]]));
		const rounds = count === 1 ? MORE_FOR_ONE * repeats : repeats;
		for (let round = 0; round < rounds; round++) {
			for (const name of inTurn(names, round)) {
				const { cpuMs, nodeMs, peakMb, execution } = await measure(
					lab,
					searches[name](bench, count),
					MEASURED,
				);
				const itemsOut = execution.items(MEASURED).length;
				const cost = { nodeMs, peakMb, itemsOut, cpuMsPerItem: cpuMs / count };
				runs.get(name)!.push({ name, count, latencyMs, ...cost });
				lab.service.requests.length = 0;
			}
		}
		found.push(...[...runs.values()].map(middle));
		say(`  ${count} items, ${latencyMs} ms: done`);
	}
	return found;
}

/** Returns a record with the median of each number. */
function middle<T extends object>(runs: T[]): T {
	const entries = Object.entries(runs[0]).map(([key, value]) => [
		key,
		typeof value === 'number'
			? median(runs.map((run) => (run as Record<string, number>)[key]))
			: value,
	]);
	return Object.fromEntries(entries) as T;
}

/** Measures how long the package's nodes and n8n's HTTP Request node take to load, and how large their forms are. */
async function load(repeats: number): Promise<Record<'ours' | 'httpRequest', LoadCost>> {
	const runtime = await ensureRuntime('latest');
	const modules = join(runtime.bin, '..');
	// Outside of the project, which has an n8n-workflow of its own.
	const userFolder = mkdtempSync(join(tmpdir(), 'bench-'));
	const measured = async (files: string[]) => {
		const runs: LoadCost[] = [];
		for (let round = 0; round < repeats; round++) {
			const script = join(ROOT, 'bench', 'load.cjs');
			const { stdout } = await promisify(execFile)(runtime.node, [script, ...files], {
				env: { ...process.env, NODE_PATH: modules },
			});
			runs.push(JSON.parse(stdout));
		}
		return { ms: median(runs.map(({ ms }) => ms)), bytes: runs[0].bytes };
	};
	try {
		const folder = installPackage(PACKED_PACKAGE, userFolder);
		const { n8n } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
		return {
			ours: await measured((n8n.nodes as string[]).map((file) => join(folder, file))),
			httpRequest: await measured([
				join(modules, 'n8n-nodes-base', 'dist', 'nodes', 'HttpRequest', 'HttpRequest.node.js'),
			]),
		};
	} finally {
		rmSync(userFolder, { recursive: true, force: true });
	}
}

const PARTS: { [Name in keyof Results]: (repeats: number) => Promise<Results[Name]> } = {
	items: async (repeats) => await withBench(async (bench) => await items(bench, repeats)),
	expressions: async (repeats) =>
		await withBench(async (bench) => await expressionCosts(bench, repeats)),
	load,
};

async function bench(args: string[]): Promise<void> {
	const names = Object.keys(PARTS) as Array<keyof Results>;
	const unknown = args.find((arg) => arg !== '--once' && !(arg in PARTS));
	if (unknown !== undefined) throw new Problem(`There is no ${unknown}, only ${names.join(', ')}`);
	const chosen = names.filter((name) => args.includes(name));
	const repeats = args.includes('--once') ? 1 : 3;
	const { version } = await ensureRuntime('latest');
	await step('Building and packing the package', async () => void (await buildAndPack()));
	const machine = `${cpus().length} × ${cpus()[0].model}, load before ${loadavg()[0].toFixed(1)}`;
	const results: Partial<Record<keyof Results, unknown>> = {};
	for (const name of chosen.length > 0 ? chosen : names) {
		results[name] = await step(`Measuring: ${name}`, async () => await PARTS[name](repeats));
	}
	const page = markdown(results as Partial<Results>, { n8n: version, machine });
	say(page);
	if (repeats > 1 && chosen.length === 0) writeFileSync(DOC, `${page}\n`);
}

sayHelp(__filename);
void main(async () => await bench(process.argv.slice(2))).then(() => process.exit());
