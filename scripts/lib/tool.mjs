import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProgram } from './programs.mjs';
import { ROOT } from './paths.mjs';

/** Returns the path of a command from a package in `node_modules`, as the package's package.json names it. */
function commandOf(packageName, command) {
	const folder = join(ROOT, 'node_modules', packageName);
	const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
	return join(folder, typeof bin === 'string' ? bin : bin[command]);
}

/**
 * Runs a command of a package in `node_modules` to its end.
 * @param {string} name of the command, after its package and a colon if the two differ
 * @param {string[]} args
 * @param {{ live?: boolean; cwd?: string; node?: string }} options `live` shows the output as it comes instead of
 * returning it; `node` is a Node other than this one
 * @returns {Promise<{ ok: boolean; output: string }>}
 */
export async function runTool(name, args, options) {
	const [packageName, command = packageName] = name.split(':');
	return await runNode([commandOf(packageName, command), ...args], options);
}

/** Runs Node with these arguments in the same way. */
export async function runNode(args, { live = false, cwd = ROOT, node = process.execPath } = {}) {
	const stdio = live ? ['ignore', 'inherit', 'inherit'] : undefined;
	const program = startProgram('Node', node, args, { cwd, ...(live && { stdio }) });
	return { ok: (await program.ended) === 'code 0', output: program.output.trim() };
}
