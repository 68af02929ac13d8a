import { join } from 'node:path';
import { runJest } from './jest.mjs';
import { main, sayCounts } from './main.mjs';
import { CACHE } from './paths.mjs';

/**
 * Runs a suite of jest tests that has its own configuration, test/<name>.config.js, and prints what passed and failed.
 * @param {string} name
 * @param {{ args?: string[]; prepare?: () => Promise<string | undefined> }} options `args` are jest's; `prepare` returns
 * a Node other than this one, if the suite needs it
 */
export async function runSuite(name, { args = [], prepare = async () => undefined } = {}) {
	await main(async () => {
		const node = await prepare();
		const counts = await runJest(['--config', `test/${name}.config.js`, ...args], {
			result: join(CACHE, `jest-${name}.json`),
			node,
		});
		sayCounts([counts]);
	});
}
