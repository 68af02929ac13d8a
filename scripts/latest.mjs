#!/usr/bin/env node
/**
 * Runs the integration tests in the engine of the newest n8n and on its Node, which are installed if they are missing:
 *   npm run test:latest                      all of them
 *   npm run test:latest -- <jest's options>  jest with these
 */
import { join } from 'node:path';
import { ensureDependencies } from './lib/dependencies.mjs';
import { endGroupsWithThis } from './lib/groups.mjs';
import { runJest } from './lib/jest.mjs';
import { checkNode } from './lib/machine.mjs';
import { CACHE } from './lib/paths.mjs';
import { ensureRuntime } from './lib/runtime.mjs';
import { say, sayWhy } from './lib/say.mjs';

const RESULT = join(CACHE, 'jest-latest.json');

try {
	checkNode();
	endGroupsWithThis();
	await ensureDependencies();
	const { node, version } = await ensureRuntime('latest');
	say(`▸ integration tests in n8n ${version}`);
	const args = ['--config', 'test/latest.config.js', ...process.argv.slice(2)];
	const { passed, failed } = await runJest(args, { result: RESULT, node });
	say(`\n${passed} passed, ${failed} failed`);
	process.exitCode = failed === 0 ? 0 : 1;
} catch (error) {
	sayWhy(error);
	process.exitCode = 1;
}
