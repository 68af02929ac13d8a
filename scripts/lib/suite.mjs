import { join } from 'node:path';
import { ensureDependencies } from './dependencies.mjs';
import { endGroupsWithThis } from './groups.mjs';
import { runJest } from './jest.mjs';
import { checkNode } from './machine.mjs';
import { CACHE } from './paths.mjs';
import { say, sayWhy } from './say.mjs';

/**
 * Runs a suite of jest tests that has its own configuration, test/<name>.config.js, and prints what passed and failed.
 * @param {string} name
 * @param {{ args?: string[]; prepare?: () => Promise<string | undefined> }} options `args` are jest's; `prepare` returns
 * a Node other than this one, if the suite needs it
 */
export async function runSuite(name, { args = [], prepare = async () => undefined } = {}) {
	try {
		checkNode();
		endGroupsWithThis();
		await ensureDependencies();
		const node = await prepare();
		const { passed, failed } = await runJest(['--config', `test/${name}.config.js`, ...args], {
			result: join(CACHE, `jest-${name}.json`),
			node,
		});
		say(`\n${passed} passed, ${failed} failed`);
		process.exitCode = failed === 0 ? 0 : 1;
	} catch (error) {
		sayWhy(error);
		process.exitCode = 1;
	}
}
