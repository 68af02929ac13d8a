import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanEnvironment } from './environment.mjs';
import { track } from './groups.mjs';
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
	const child = spawn(node, args, {
		cwd,
		env: cleanEnvironment(),
		detached: true,
		stdio: live ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
	});
	track(child);
	let output = '';
	child.stdout?.on('data', (chunk) => (output += chunk));
	child.stderr?.on('data', (chunk) => (output += chunk));
	const [code] = await once(child, 'close');
	return { ok: code === 0, output: output.trim() };
}
