#!/usr/bin/env node
/**
 * The integration tests in the engine of the newest n8n and on its Node, which are installed if they are missing:
 *   npm run test:latest                      all of them
 *   npm run test:latest -- <jest's options>  jest with these
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureDependencies } from './lib/dependencies.mjs';
import { cleanEnvironment } from './lib/environment.mjs';
import { endGroupsWithThis, track } from './lib/groups.mjs';
import { checkNode } from './lib/machine.mjs';
import { CACHE, ROOT } from './lib/paths.mjs';
import { ensureRuntime } from './lib/runtime.mjs';
import { say, sayWhy } from './lib/say.mjs';

const RESULT = join(CACHE, 'jest-latest.json');

try {
	checkNode();
	endGroupsWithThis();
	await ensureDependencies();
	const { node, version } = await ensureRuntime('latest');
	say(`▸ integration tests in n8n ${version}`);
	rmSync(RESULT, { force: true });
	const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
	const options = [
		'--config',
		'test/latest.config.js',
		'--silent',
		'--json',
		'--outputFile',
		RESULT,
	];
	const child = spawn(node, [jest, ...options, ...process.argv.slice(2)], {
		cwd: ROOT,
		env: cleanEnvironment(),
		detached: true,
		stdio: ['ignore', 'ignore', 'inherit'],
	});
	track(child);
	const [code] = await once(child, 'close');
	const { numPassedTests = 0, numFailedTests = 1 } = existsSync(RESULT)
		? JSON.parse(readFileSync(RESULT, 'utf8'))
		: {};
	const failed = code === 0 ? numFailedTests : Math.max(1, numFailedTests);
	say(`\n${numPassedTests} passed, ${failed} failed`);
	process.exitCode = failed === 0 ? 0 : 1;
} catch (error) {
	sayWhy(error);
	process.exitCode = 1;
}
