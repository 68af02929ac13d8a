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
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sayHelp } from './lib/help.mjs';
import { main, sayCounts } from './lib/main.mjs';
import { buildAndPack } from './lib/package.mjs';
import { CACHE, ROOT } from './lib/paths.mjs';
import { startProgram } from './lib/programs.mjs';
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

/** Areas that run only if they are named: the pictures of the docs. */
const BY_HAND = ['pictures'];
/** Areas that mostly wait, and so run beside the others from the start. */
const BESIDE = ['monitor', 'trigger', 'upgrade'];
/** How many of the others run at a time, and which start first. */
const AT_ONCE = 3;
const FIRST = ['editor', 'workers', 'examples', 'foreign'];
/** The area that runs in one process with `editor`, and so shares its browser. */
const IN_EDITOR = 'panel';

/**
 * Runs an area's file, or those of several as in `editor+panel`, and counts the tests; a crash or a timeout counts as at
 * least one failure. Shows the report live or at its end.
 */
async function runArea(area, { isLive = false, n8n } = {}) {
	const start = Date.now();
	const [last, ...others] = area.split('+').map((name) => join(FOLDER, `${name}${SUFFIX}`));
	say(`▸ ${area}${isLive ? '' : ' …'}`);
	let report = '';
	const program = startProgram(
		area,
		process.execPath,
		[
			...['--import', 'tsx', '--test-reporter', 'spec'],
			...others.flatMap((file) => ['--import', file]),
			last,
		],
		{
			cwd: ROOT,
			timeout: AREA_MS,
			env: n8n && { E2E_N8N: JSON.stringify(n8n) },
			log: join(CACHE, 'e2e', `${area}.log`),
			hear(text) {
				report += text;
				if (isLive) process.stdout.write(text);
			},
		},
	);
	const isGood = (await program.ended) === 'code 0';
	if (!isLive) say(`\n▸ ${area}\n${report}`);
	/** Returns a number from the closing lines of the report, such as `ℹ pass 12`. */
	const closing = (word) => Number(new RegExp(`^ℹ ${word} (\\d+)`, 'm').exec(report)?.[1] ?? 0);
	const passed = closing('pass');
	const failed = ['fail', 'cancelled', 'skipped', 'todo'].reduce((sum, n) => sum + closing(n), 0);
	return {
		area,
		passed,
		failed: isGood && passed > 0 ? failed : Math.max(1, failed),
		time: duration(Date.now() - start),
	};
}

/** Runs the areas and returns the result of each. */
async function runAreas(areas, startShared) {
	if (areas.length === 1) return [await runArea(areas[0], { isLive: true })];
	const results = [];
	const n8n = await startShared();
	const run = async (area) => void results.push(await runArea(area, { n8n }));
	const isTogether = areas.includes('editor') && areas.includes(IN_EDITOR);
	const rank = (area) => FIRST.indexOf(area) + 1 || FIRST.length + 1;
	const waiting = areas
		.filter((area) => !BESIDE.includes(area) && !(isTogether && area === IN_EDITOR))
		.sort((a, b) => rank(a) - rank(b))
		.map((area) => (isTogether && area === 'editor' ? `editor+${IN_EDITOR}` : area));
	const lane = async () => {
		while (waiting.length > 0) await run(waiting.shift());
	};
	const beside = areas.filter((area) => BESIDE.includes(area)).map(run);
	await Promise.all([...beside, ...Array.from({ length: AT_ONCE }, lane)]);
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
	const results = await runAreas(chosen, async () => await startSharedN8n(runtime));
	say(`\n${table(results, { area: 14, passed: 6, failed: 6, time: 12, note: 32 })}`);
	sayCounts(results);
});
