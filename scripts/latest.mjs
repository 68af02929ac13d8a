#!/usr/bin/env node
/**
 * Runs the integration tests in the engine of the newest n8n, on its own Node; installs both if they are missing:
 *   npm run test:latest                      all of them
 *   npm run test:latest -- <jest's options>  jest with these
 */
import { ensureRuntime } from './lib/runtime.mjs';
import { say } from './lib/say.mjs';
import { runSuite } from './lib/suite.mjs';

await runSuite('latest', {
	args: process.argv.slice(2),
	prepare: async () => {
		const { node, version } = await ensureRuntime('latest');
		say(`▸ integration tests in n8n ${version}`);
		return node;
	},
});
