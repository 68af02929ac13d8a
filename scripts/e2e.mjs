#!/usr/bin/env node
/**
 * Runs the tests on the real n8n, one file of test/e2e for each area. Areas run side by side, and those that need no n8n
 * of their own share one. Of several areas, a red one runs once more at the end, with the machine to itself: if it is
 * green then, it counts as green, and the table says so:
 *   npm run test:e2e                     all areas but the pictures
 *   npm run test:e2e -- editor workers   only these
 *   UPDATE_DOCS=1 npm run test:e2e -- pictures
 *                                        renews the pictures of the docs
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sayHelp } from './lib/help.mjs';
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

/** Areas that run only if they are named: the pictures of the docs. */
const BY_HAND = ['pictures'];
/** Areas that mostly wait, and so run beside the others from the start. */
const BESIDE = ['monitor', 'trigger', 'upgrade'];
/** How many of the others run at a time; of these, the last one starts first. */
const AT_ONCE = 3;
const FIRST = ['foreign', 'examples', 'workers', 'editor'];
/** Areas that run in one process, and so share a browser. */
const TOGETHER = ['editor', 'panel'];

/**
 * Runs an area's file, or those of several as in `editor+panel`, and counts the tests; a crash or a timeout counts as at
 * least one failure. Shows the report live or at its end.
 */
async function runArea(area, { isLive = false, n8n } = {}) {
	const start = Date.now();
	const [last, ...others] = area.split('+');
	const fileOf = (name) => join(FOLDER, `${name}${SUFFIX}`);
	const file = join(CACHE, 'e2e', `${area}.tap`);
	const log = join(CACHE, 'e2e', `${area}.log`);
	rmSync(file, { force: true });
	say(`▸ ${area}${isLive ? '' : ' …'}`);
	const output = isLive ? 'inherit' : openSync(log, 'w');
	const child = spawn(
		process.execPath,
		[
			...['--import', 'tsx'],
			...['--test-reporter', 'spec', '--test-reporter-destination', 'stdout'],
			...['--test-reporter', 'tap', '--test-reporter-destination', file],
			...others.flatMap((one) => ['--import', fileOf(one)]),
			fileOf(last),
		],
		{
			cwd: ROOT,
			stdio: ['ignore', output, output],
			timeout: AREA_MS,
			env: { ...process.env, ...(n8n && { E2E_N8N: JSON.stringify(n8n) }) },
		},
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
async function runAreas(areas, startShared) {
	if (areas.length === 1) return [await runArea(areas[0], { isLive: true })];
	const results = [];
	const n8n = await startShared();
	const run = async (area) => void results.push(await runArea(area, { n8n }));
	const rank = (area) => FIRST.findLastIndex((one) => area.startsWith(one));
	const together = TOGETHER.filter((area) => areas.includes(area));
	const apart = [...BESIDE, ...together];
	const waiting = [together.join('+'), ...areas.filter((area) => !apart.includes(area))]
		.filter((area) => area !== '')
		.sort((a, b) => rank(b) - rank(a));
	const lane = async () => {
		while (waiting.length > 0) await run(waiting.shift());
	};
	const beside = areas.filter((area) => BESIDE.includes(area)).map(run);
	await Promise.all(Array.from({ length: AT_ONCE }, lane));
	await Promise.all(beside);
	await n8n.close();
	for (const red of results.filter(({ failed }) => failed > 0)) {
		say(`\n▸ ${red.area} again, with the machine to itself`);
		const again = await runArea(red.area, { isLive: true });
		if (again.failed === 0)
			Object.assign(red, again, { note: `green alone; ${red.failed} red before` });
	}
	return results;
}

sayHelp(import.meta.filename);
await main(async () => {
	const args = process.argv.slice(2);
	const unknown = args.filter((name) => !areas().includes(name));
	if (unknown.length > 0) {
		throw new Problem(`No such area: ${unknown.join(', ')}. There are: ${areas().join(', ')}`);
	}
	await step('Building and packing the package', async () => void (await buildAndPack()));
	const chosen = args.length > 0 ? args : areas().filter((area) => !BY_HAND.includes(area));
	if (chosen.some((area) => ['monitor', 'oldest', 'trigger'].includes(area)))
		await ensureRuntime('oldest');
	// before this point, what it imports isn't installed
	const { keepEmptyN8n, startSharedN8n } = await import('./lib/n8n.mjs');
	let runtime;
	if (chosen.some((area) => area !== 'oldest')) {
		runtime = await ensureRuntime('latest');
		await step("Setting up n8n's database", async () => await keepEmptyN8n(runtime));
	}
	mkdirSync(join(CACHE, 'e2e'), { recursive: true });
	const results = await runAreas(chosen, async () => await startSharedN8n(runtime));
	say(`\n${table(results, { area: 14, passed: 6, failed: 6, time: 12, note: 32 })}`);
	sayCounts(results);
});
