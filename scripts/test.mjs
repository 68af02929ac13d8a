#!/usr/bin/env node
/**
 * Runs every check and test that needs no n8n. Installs what is missing.
 *   npm test                               all checks, then all jest suites
 *   npm test -- <file or folder> …         only what concerns these
 *   npm test -- <jest's options>           all checks, then jest with these
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { sayHelp } from './lib/help.mjs';
import { main, sayCounts } from './lib/main.mjs';
import { CACHE } from './lib/paths.mjs';
import { duration, say } from './lib/say.mjs';

const JEST_RESULT = join(CACHE, 'jest.json');
const CHECKS_AT_ONCE = 2;

/** Runs a check and prints its result. */
async function runCheck({ name, run }) {
	const start = Date.now();
	const { ok, output } = await run();
	const took = duration(Date.now() - start);
	say(`${ok ? '✔' : '✖'} ${name} (${took})`);
	if (!ok) say(output);
	return { passed: Number(ok), failed: Number(!ok) };
}

async function runChecks(checks) {
	const waiting = [...checks];
	const counts = [];
	const worker = async () => {
		while (waiting.length > 0) counts.push(await runCheck(waiting.shift()));
	};
	await Promise.all(Array.from({ length: CHECKS_AT_ONCE }, worker));
	return counts;
}

async function runJest(args) {
	const { runJest: run } = await import('./lib/jest.mjs');
	const start = Date.now();
	const { ok, ...counts } = await run(args, { result: JEST_RESULT });
	say(`${ok ? '✔' : '✖'} jest (${duration(Date.now() - start)})`);
	return counts;
}

sayHelp(import.meta.filename);
await main(async () => {
	mkdirSync(CACHE, { recursive: true });
	const { allChecks, checksOf } = await import('./lib/checks.mjs');
	const { jestTestsOf, pathsIn } = await import('./lib/jest-tests.mjs');
	const args = process.argv.slice(2);
	const paths = pathsIn(args);
	const options = args.filter((argument) => !paths.includes(argument));
	const tests = new Set((await Promise.all(paths.map(jestTestsOf))).flat());
	const counts = await runChecks(paths.length > 0 ? checksOf(paths) : allChecks);
	if (paths.length === 0) counts.push(await runJest(options));
	else if (tests.size === 0) say('No test of jest is about that.');
	else counts.push(await runJest([...options, '--runTestsByPath', ...tests]));
	sayCounts(counts);
});
