#!/usr/bin/env node
/**
 * Runs a suite of jest tests that everyday work rarely needs, test/<name>.config.js:
 *   npm run test:performance                      what the code costs; needs a quiet machine
 *   npm run test:random                           sixteen times as many random histories as npm test has
 *   MORE_SEEDS=200 npm run test:random            two hundred times as many
 *   npm run test:latest                           the integration tests in the engine of the newest n8n, on its own Node;
 *                                                 installs both if they are missing
 *   npm run test:random -- <jest's options>       jest with these
 */
import { join } from 'node:path';
import { sayHelp } from './lib/help.mjs';
import { runJest } from './lib/jest.mjs';
import { main, sayCounts } from './lib/main.mjs';
import { CACHE } from './lib/paths.mjs';
import { ensureRuntime } from './lib/runtime.mjs';
import { say } from './lib/say.mjs';

sayHelp(import.meta.filename);
const [name, ...args] = process.argv.slice(2);

await main(async () => {
	const latest = name === 'latest' ? await ensureRuntime('latest') : undefined;
	if (latest) say(`▸ in n8n ${latest.version}`);
	const result = join(CACHE, `jest-${name}.json`);
	const jest = ['--config', `test/${name}.config.js`, ...args];
	sayCounts([await runJest(jest, { result, node: latest?.node })]);
});
