#!/usr/bin/env node
/**
 * Runs the tests on the real n8n: each area (a file of test/e2e) has its own n8n, and three areas run at a time. Those of
 * triggers and upgrades, which mostly wait for the next minute, run beside the others; those of limits and safety,
 * which measure, run alone. Of several areas, a red one runs once more at the end, with the machine to itself: if it is
 * green then, it counts as green, and the table says so:
 *   npm run test:e2e                     all areas
 *   npm run test:e2e -- editor workers   only these
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { main, sayCounts } from './lib/main.mjs';
import { buildAndPack } from './lib/package.mjs';
import { CACHE, ROOT } from './lib/paths.mjs';
import { ensureRuntime } from './lib/runtime.mjs';
import { duration, Problem, say, step, table } from './lib/say.mjs';

const FOLDER = join(ROOT, 'test', 'e2e');
const SUFFIX = '.e2e.ts';
const AREA_MS = 20 * 60_000;

const areas = () =>
	readdirSync(FOLDER)
		.filter((name) => name.endsWith(SUFFIX))
		.map((name) => name.slice(0, -SUFFIX.length))
		.sort();

/** Returns a number from the closing lines of a TAP report, such as `# pass 12`. */
const closing = (report, word) =>
	Number(new RegExp(`^# ${word} (\\d+)`, 'm').exec(report)?.[1] ?? 0);

/** Areas that mostly wait. */
const BESIDE = ['trigger', 'upgrade'];
/** Areas that measure, and so run alone. */
const ALONE = ['limits', 'safe'];
/** How many of the others run at a time; the slowest ones start first. */
const AT_ONCE = 3;
const FIRST = ['editor', 'panel', 'workers', 'pictures', 'examples'];

/**
 * Runs an area's file and counts its tests; a crash or a timeout counts as at least one failure. Shows its report live
 * or at its end.
 */
async function runArea(area, isLive) {
	const start = Date.now();
	const file = join(CACHE, 'e2e', `${area}.tap`);
	const log = join(CACHE, 'e2e', `${area}.log`);
	rmSync(file, { force: true });
	say(`▸ ${area}${isLive ? '' : ' …'}`);
	const output = isLive ? 'inherit' : openSync(log, 'w');
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
	if (!isLive) {
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

/** Runs the areas and returns the result of each. */
async function runAreas(areas) {
	if (areas.length === 1) return [await runArea(areas[0], true)];
	const results = [];
	const run = async (area) => void results.push(await runArea(area, false));
	const rank = (area) => (FIRST.includes(area) ? FIRST.indexOf(area) : FIRST.length);
	const waiting = areas
		.filter((area) => !BESIDE.includes(area) && !ALONE.includes(area))
		.sort((a, b) => rank(a) - rank(b));
	const lane = async () => {
		while (waiting.length > 0) await run(waiting.shift());
	};
	await Promise.all([
		...areas.filter((area) => BESIDE.includes(area)).map(run),
		...Array.from({ length: AT_ONCE }, lane),
	]);
	for (const area of ALONE) if (areas.includes(area)) await run(area);
	for (const red of results.filter(({ failed }) => failed > 0)) {
		say(`\n▸ ${red.area} again, with the machine to itself`);
		const again = await runArea(red.area, true);
		if (again.failed === 0)
			Object.assign(red, again, { note: `green alone; ${red.failed} red before` });
	}
	return results;
}

await main(async () => {
	const args = process.argv.slice(2);
	const unknown = args.filter((name) => !areas().includes(name));
	if (unknown.length > 0) {
		throw new Problem(`No such area: ${unknown.join(', ')}. There are: ${areas().join(', ')}`);
	}
	const { keepEmptyN8n } = await import('./lib/n8n.mjs');
	await step('Building and packing the package', async () => void (await buildAndPack()));
	const chosen = args.length > 0 ? args : areas();
	if (chosen.includes('oldest')) await ensureRuntime('oldest');
	if (chosen.some((area) => area !== 'oldest')) {
		const runtime = await ensureRuntime('latest');
		await step("Setting up n8n's database", async () => await keepEmptyN8n(runtime));
	}
	mkdirSync(join(CACHE, 'e2e'), { recursive: true });
	const results = await runAreas(chosen);
	say(`\n${table(results, { area: 14, passed: 6, failed: 6, time: 12, note: 32 })}`);
	sayCounts(results);
});
