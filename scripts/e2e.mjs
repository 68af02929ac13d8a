#!/usr/bin/env node
/**
 * The tests on the real n8n, one area (a file of test/e2e) after the other, each with its own n8n:
 *   npm run test:e2e                     all areas
 *   npm run test:e2e -- editor workers   only these
 *   node scripts/e2e.mjs --pack          only builds and packs what they test
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureDependencies } from './lib/dependencies.mjs';
import { checkNode } from './lib/machine.mjs';
import { build, pack } from './lib/package.mjs';
import { CACHE, ROOT } from './lib/paths.mjs';
import { ensureRuntime } from './lib/runtime.mjs';
import { duration, Problem, say, step, table } from './lib/say.mjs';

const FOLDER = join(ROOT, 'test', 'e2e');
const SUFFIX = '.e2e.ts';
const AREA_MS = 15 * 60_000;

const areas = () =>
	readdirSync(FOLDER)
		.filter((name) => name.endsWith(SUFFIX))
		.map((name) => name.slice(0, -SUFFIX.length))
		.sort();

/** The number that a TAP report's closing line such as `# pass 12` gives. */
const closing = (report, word) =>
	Number(new RegExp(`^# ${word} (\\d+)`, 'm').exec(report)?.[1] ?? 0);

/** Runs an area's file and counts its tests; one that crashes or is too slow fails at least once. */
function runArea(area) {
	say(`\n▸ ${area}`);
	const start = Date.now();
	const file = join(CACHE, 'e2e', `${area}.tap`);
	rmSync(file, { force: true });
	const { status } = spawnSync(
		process.execPath,
		[
			'--import',
			'tsx',
			...['--test-reporter', 'spec', '--test-reporter-destination', 'stdout'],
			...['--test-reporter', 'tap', '--test-reporter-destination', file],
			join(FOLDER, `${area}${SUFFIX}`),
		],
		{ cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'], timeout: AREA_MS },
	);
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
	await ensureDependencies();
	await step('Building and packing the package', async () => {
		await build();
		await pack();
	});
	if (!args.includes('--pack')) {
		await ensureRuntime('latest');
		await ensureRuntime('oldest');
		mkdirSync(join(CACHE, 'e2e'), { recursive: true });
		const results = (args.length > 0 ? args : areas()).map(runArea);
		say(`\n${table(results, { area: 14, passed: 6, failed: 6, time: 12 })}`);
		const sum = (key) => results.reduce((total, one) => total + one[key], 0);
		say(`\n${sum('passed')} passed, ${sum('failed')} failed`);
		process.exitCode = sum('failed') === 0 ? 0 : 1;
	}
} catch (error) {
	say(error instanceof Problem ? `✖ ${error.message}` : `✖ ${error.stack}`);
	process.exitCode = 1;
}
