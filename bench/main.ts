/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
/**
 * Measures the nodes and n8n's own on the real n8n and writes docs/maintainers/benchmarks.md:
 *   npm run bench                      all parts, each figure the median of three
 *   npm run bench -- items load        only these parts; the others keep their last figures from this machine
 *   npm run bench -- items --once      each only once, for a quick look; writes nothing
 * Parts: items, expressions, load.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { format, resolveConfig } from 'prettier';

import { killAllGroups } from '../scripts/lib/groups.mjs';
import { buildAndPack } from '../scripts/lib/package.mjs';
import { CACHE, PACKAGE_NAME, ROOT } from '../scripts/lib/paths.mjs';
import { ensureRuntime } from '../scripts/lib/runtime.mjs';
import { say, step } from '../scripts/lib/say.mjs';
import { Lab } from '../test/e2e/support/lab';
import { type Bench, CREDITS, MEASURED, searches } from './flows';
import { type ExpressionCost, expressionCosts } from './expressions';
import { median } from './process';
import { type Results, type SearchCost, markdown } from './report';
import { measure } from './run';

const DOC = join(ROOT, 'docs', 'maintainers', 'benchmarks.md');
/** Latest figures, so that a single part can be measured again. */
const LAST = join(CACHE, 'bench.json');
const PARTS = ['items', 'expressions', 'load'];
const COUNTS = [1, 200, 1_000];
/** Typical searches take two seconds. */
const SLOW = [
	{ count: 20, latencyMs: 2_000 },
	{ count: 200, latencyMs: 500 },
	{ count: 1_000, latencyMs: 500 },
];
/** For a single item, the execution costs n8n more than the item does, so it takes more runs to tell it from noise. */
const MORE_FOR_ONE = 3;

async function openBench(): Promise<Bench> {
	const lab = await Lab.open({ service: { credits: CREDITS } });
	const data = { token: lab.service.apiKey };
	const bearer = await lab.client.saveCredential({ name: 'Bearer', type: 'httpBearerAuth', data });
	return { lab, bearer };
}

/** Returns the names, starting with a different one in each round, so that none always gets the warmest n8n. */
function inTurn(names: string[], round: number): string[] {
	const first = round % names.length;
	return [...names.slice(first), ...names.slice(0, first)];
}

/** Measures the searches of `count` items each. */
async function items(repeats: number): Promise<SearchCost[]> {
	const bench = await openBench();
	const { lab } = bench;
	const found: SearchCost[] = [];
	try {
		const names = Object.keys(searches);
		for (const name of names) await measure(lab, searches[name](bench, 200), MEASURED);
		const cases = COUNTS.map((count) => ({ count, latencyMs: 0 }));
		for (const { count, latencyMs } of [...cases, ...SLOW]) {
			lab.service.set({ latencyMs });
			const runs = new Map(names.map((name) => [name, [] as SearchCost[]]));
			const rounds = count === 1 ? MORE_FOR_ONE * repeats : repeats;
			for (let round = 0; round < rounds; round++) {
				for (const name of inTurn(names, round)) {
					const cost = await measure(lab, searches[name](bench, count), MEASURED);
					runs.get(name)!.push({
						name,
						count,
						latencyMs,
						cpuMsPerItem: cost.cpuMs / count,
						nodeMs: cost.nodeMs,
						peakMb: cost.peakMb,
						itemsOut: cost.execution.items(MEASURED).length,
					});
					lab.service.requests.length = 0;
				}
			}
			found.push(...[...runs.values()].map(middle));
			say(`  ${count} items, ${latencyMs} ms: done`);
		}
	} finally {
		await lab.close();
	}
	return found;
}

/** Measures what expressions in the fields of a thousand items cost n8n. */
async function expressions(repeats: number): Promise<ExpressionCost[]> {
	const bench = await openBench();
	try {
		return await expressionCosts(bench, repeats, say);
	} finally {
		await bench.lab.close();
	}
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
async function load(repeats: number): Promise<NonNullable<Results['load']>> {
	const runtime = await ensureRuntime('latest');
	const modules = join(runtime.bin, '..');
	const lab = await Lab.open();
	try {
		const folder = join(lab.userFolder, '.n8n', 'nodes', 'node_modules', PACKAGE_NAME);
		const { n8n } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
		const measured = async (files: string[]) => {
			const runs: Array<{ ms: number; bytes: Record<string, number> }> = [];
			for (let round = 0; round < repeats; round++) {
				const script = join(ROOT, 'bench', 'load.cjs');
				const { stdout } = await promisify(execFile)(runtime.node, [script, ...files], {
					env: { ...process.env, NODE_PATH: modules },
				});
				runs.push(JSON.parse(stdout));
			}
			return { ms: median(runs.map(({ ms }) => ms)), bytes: runs[0].bytes };
		};
		return {
			ours: await measured((n8n.nodes as string[]).map((file) => join(folder, file))),
			httpRequest: await measured([
				join(modules, 'n8n-nodes-base', 'dist', 'nodes', 'HttpRequest', 'HttpRequest.node.js'),
			]),
		};
	} finally {
		await lab.close();
	}
}

async function main(args: string[]): Promise<void> {
	const chosen = args.filter((arg) => PARTS.includes(arg));
	const repeats = args.includes('--once') ? 1 : 3;
	const runtime = await ensureRuntime('latest');
	await step('Building and packing the package', async () => {
		await buildAndPack();
	});
	const results: Results = {
		...(chosen.length > 0 && existsSync(LAST)
			? (JSON.parse(readFileSync(LAST, 'utf8')) as Results)
			: { loads: {} }),
		n8n: runtime.version,
		cpu: `${cpus().length} × ${cpus()[0].model}`,
	};
	const part = async <K extends keyof Results>(name: K, work: () => Promise<Results[K]>) => {
		if (chosen.length > 0 && !chosen.includes(name)) return;
		results.loads[name] = loadavg()[0];
		results[name] = await step(`Measuring: ${name}`, work);
		if (repeats > 1) writeFileSync(LAST, JSON.stringify(results));
	};
	await part('items', async () => await items(repeats));
	await part('expressions', async () => await expressions(repeats));
	await part('load', async () => await load(repeats));
	const text = await format(markdown(results), {
		...(await resolveConfig(DOC)),
		filepath: DOC,
	});
	say(text);
	if (repeats === 1) return;
	const missing = PARTS.filter((name) => !(name in results));
	if (missing.length === 0) writeFileSync(DOC, text);
	else say(`Never measured here, so ${DOC} stays as it is: ${missing.join(', ')}`);
}

// Ctrl-C must not leave an n8n behind.
process.once('exit', killAllGroups);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

main(process.argv.slice(2)).then(
	() => process.exit(0),
	(error: Error) => {
		process.stderr.write(`${error.stack}\n`);
		process.exit(1);
	},
);
