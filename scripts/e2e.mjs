#!/usr/bin/env node
/**
 * The tests on the real n8n, one area (a file of test/e2e) after the other, each with its own n8n; those of triggers
 * and upgrades, which mostly wait for the next minute, run beside the others:
 *   npm run test:e2e                     all areas
 *   npm run test:e2e -- editor workers   only these
 *   node scripts/e2e.mjs --pack          only builds and packs what they test
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureDependencies } from './lib/dependencies.mjs';
import { endGroupsWithThis } from './lib/groups.mjs';
import { checkNode } from './lib/machine.mjs';
import { buildAndPack } from './lib/package.mjs';
import { CACHE, ROOT } from './lib/paths.mjs';
import { ensureRuntime } from './lib/runtime.mjs';
import { duration, Problem, say, sayWhy, step, table } from './lib/say.mjs';

const FOLDER = join(ROOT, 'test', 'e2e');
const SUFFIX = '.e2e.ts';
const AREA_MS = 20 * 60_000;

const areas = () =>
	readdirSync(FOLDER)
		.filter((name) => name.endsWith(SUFFIX))
		.map((name) => name.slice(0, -SUFFIX.length))
		.sort();

/** The number that a TAP report's closing line such as `# pass 12` gives. */
const closing = (report, word) =>
	Number(new RegExp(`^# ${word} (\\d+)`, 'm').exec(report)?.[1] ?? 0);

/** Areas that wait more than they work. */
const BESIDE = ['trigger', 'upgrade'];

/** Runs an area's file and counts its tests; one that crashes or is too slow fails at least once. */
async function runArea(area) {
	const start = Date.now();
	const file = join(CACHE, 'e2e', `${area}.tap`);
	const log = join(CACHE, 'e2e', `${area}.log`);
	rmSync(file, { force: true });
	const isBeside = BESIDE.includes(area);
	if (!isBeside) say(`\n▸ ${area}`);
	const output = isBeside ? openSync(log, 'w') : 'inherit';
	const child = spawn(
		process.execPath,
		[
			'--import',
			'tsx',
			...['--test-reporter', 'spec', '--test-reporter-destination', 'stdout'],
			...['--test-reporter', 'tap', '--test-reporter-destination', file],
			join(FOLDER, `${area}${SUFFIX}`),
		],
		{ cwd: ROOT, stdio: ['ignore', output, output], timeout: AREA_MS },
	);
	const [status] = await once(child, 'exit');
	if (isBeside) {
		closeSync(output);
		say(`\n▸ ${area}\n${readFileSync(log, 'utf8')}`);
	}
	let report = '';
	try {
		report = readFileSync(file, 'utf8');
	} catch {
		// it crashed before its first test
	}
	const passed = closing(report, 'pass');
	const failed = ['fail', 'cancelled', 'skipped', 'todo'].reduce(
		(sum, word) => sum + closing(report, word),
		0,
	);
	return {
		area,
		passed,
		failed: status === 0 && passed > 0 ? failed : Math.max(1, failed),
		time: duration(Date.now() - start),
	};
}

try {
	checkNode();
	const args = process.argv.slice(2);
	const unknown = args.filter((name) => name !== '--pack' && !areas().includes(name));
	if (unknown.length > 0) {
		throw new Problem(`No such area: ${unknown.join(', ')}. There are: ${areas().join(', ')}`);
	}
	endGroupsWithThis();
	await ensureDependencies();
	await step('Building and packing the package', async () => void (await buildAndPack()));
	if (!args.includes('--pack')) {
		const chosen = args.length > 0 ? args : areas();
		const lines = new Set(chosen.map((area) => (area === 'oldest' ? 'oldest' : 'latest')));
		for (const line of lines) await ensureRuntime(line);
		mkdirSync(join(CACHE, 'e2e'), { recursive: true });
		const beside = chosen.filter((area) => BESIDE.includes(area)).map(runArea);
		const results = [];
		for (const area of chosen) if (!BESIDE.includes(area)) results.push(await runArea(area));
		results.push(...(await Promise.all(beside)));
		say(`\n${table(results, { area: 14, passed: 6, failed: 6, time: 12 })}`);
		const sum = (key) => results.reduce((total, one) => total + one[key], 0);
		say(`\n${sum('passed')} passed, ${sum('failed')} failed`);
		process.exitCode = sum('failed') === 0 ? 0 : 1;
	}
} catch (error) {
	sayWhy(error);
	process.exitCode = 1;
}
