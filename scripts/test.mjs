#!/usr/bin/env node
/** Everything that needs no n8n: type check, lint, format and the jest suites. Installs what is missing. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ensureDependencies } from './lib/dependencies.mjs';
import { endGroupsWithThis } from './lib/groups.mjs';
import { checkNode } from './lib/machine.mjs';
import { CACHE, ROOT } from './lib/paths.mjs';
import { duration, Problem, say } from './lib/say.mjs';

const JEST_RESULT = join(CACHE, 'jest.json');

/** Name of each check → the command of a package in node_modules and its arguments. */
const CHECKS = {
	'type check': ['typescript', 'tsc', '--noEmit'],
	lint: [
		'eslint',
		'eslint',
		'.',
		'--max-warnings',
		'0',
		'--cache',
		'--cache-location',
		`${CACHE}/`,
	],
	format: ['prettier', 'prettier', '--check', '--log-level', 'warn', '.'],
	jest: ['jest', 'jest', '--silent', '--json', '--outputFile', JEST_RESULT],
};

/** The path of a package's command, as its package.json names it. */
function commandOf(packageName, command) {
	const file = createRequire(join(ROOT, 'package.json')).resolve(`${packageName}/package.json`);
	const { bin } = createRequire(file)(file);
	return join(dirname(file), typeof bin === 'string' ? bin : bin[command]);
}

/** Tests passed and failed as jest reports them; a suite that could not run counts as one failed. */
function jestCounts() {
	const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(
		readFileSync(JEST_RESULT, 'utf8'),
	);
	return { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites };
}

/** Runs a check and counts it: jest by its tests, each of the others as one. */
function count(name, [packageName, command, ...args]) {
	const start = Date.now();
	const isJest = name === 'jest';
	if (isJest) rmSync(JEST_RESULT, { force: true });
	const { status } = spawnSync(
		process.execPath,
		// what follows `npm test --` goes to jest
		[commandOf(packageName, command), ...args, ...(isJest ? process.argv.slice(2) : [])],
		{ cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] },
	);
	const ok = status === 0;
	say(`${ok ? '✔' : '✖'} ${name} (${duration(Date.now() - start)})`);
	if (!isJest) return { passed: Number(ok), failed: Number(!ok) };
	const counts = existsSync(JEST_RESULT) ? jestCounts() : { passed: 0, failed: 0 };
	return { ...counts, failed: ok ? counts.failed : Math.max(1, counts.failed) };
}

try {
	checkNode();
	endGroupsWithThis();
	await ensureDependencies();
	mkdirSync(CACHE, { recursive: true });
	const counts = Object.entries(CHECKS).map(([name, check]) => count(name, check));
	const sum = (key) => counts.reduce((total, one) => total + one[key], 0);
	say(`\n${sum('passed')} passed, ${sum('failed')} failed`);
	process.exitCode = sum('failed') === 0 ? 0 : 1;
} catch (error) {
	say(error instanceof Problem ? `✖ ${error.message}` : `✖ ${error.stack}`);
	process.exitCode = 1;
}
