#!/usr/bin/env node
/**
 * Runs the tests of what the code costs, which a busy machine disturbs and everyday work rarely needs:
 *   npm run test:performance                      all of them
 *   npm run test:performance -- <jest's options>  jest with these
 */
import { join } from 'node:path';
import { ensureDependencies } from './lib/dependencies.mjs';
import { endGroupsWithThis } from './lib/groups.mjs';
import { runJest } from './lib/jest.mjs';
import { checkNode } from './lib/machine.mjs';
import { CACHE } from './lib/paths.mjs';
import { say, sayWhy } from './lib/say.mjs';

const RESULT = join(CACHE, 'jest-performance.json');

try {
	checkNode();
	endGroupsWithThis();
	await ensureDependencies();
	const args = ['--config', 'test/performance.config.js', ...process.argv.slice(2)];
	const { passed, failed } = await runJest(args, { result: RESULT });
	say(`\n${passed} passed, ${failed} failed`);
	process.exitCode = failed === 0 ? 0 : 1;
} catch (error) {
	sayWhy(error);
	process.exitCode = 1;
}
