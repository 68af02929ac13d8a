import { existsSync, readFileSync, rmSync } from 'node:fs';
import { runTool } from './tool.mjs';

/**
 * Returns the numbers of passed and failed tests that jest reports; a suite that could not run counts as one failure.
 */
function countsIn(result) {
	if (!existsSync(result)) return { passed: 0, failed: 0 };
	const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(
		readFileSync(result, 'utf8'),
	);
	return { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites };
}

/**
 * Runs jest and shows its output.
 * @param {string[]} args
 * @param {{ result: string; node?: string }} options the file for jest's report, and a Node other than this one
 */
export async function runJest(args, { result, node }) {
	rmSync(result, { force: true });
	const reported = ['--silent', '--json', '--outputFile', result];
	const { ok } = await runTool('jest', [...reported, ...args], { live: true, node });
	const { passed, failed } = countsIn(result);
	return { ok, passed, failed: ok ? failed : Math.max(1, failed) };
}
