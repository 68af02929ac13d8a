import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkRegistry, runNpm } from './command.mjs';
import { oneAtATime } from './lock.mjs';
import { checkDisk } from './machine.mjs';
import { CACHE, LOGS, ROOT } from './paths.mjs';
import { Problem, size, step } from './say.mjs';

const MANIFEST_FILES = ['package.json', 'package-lock.json'];
const NEEDED_BYTES = 4e9;
export const STAMP = 'complete';

export const manifestHash = (folder) => {
	const hash = createHash('sha256').update(`${process.platform}-${process.arch}`);
	for (const name of MANIFEST_FILES) hash.update(readFileSync(join(folder, name)));
	return hash.digest('hex');
};

/** Copies a manifest to where it will be installed; until the stamp is written again, nothing there counts as complete. */
export function copyManifest(manifest, folder) {
	mkdirSync(folder, { recursive: true });
	rmSync(join(folder, STAMP), { force: true });
	for (const name of MANIFEST_FILES) cpSync(join(manifest, name), join(folder, name));
}

const folderSize = async (folder) => {
	const { stdout } = await promisify(execFile)('du', ['-sk', folder]);
	return `, ${size(Number.parseInt(stdout, 10) * 1024)}`;
};

/**
 * Installs n8n (and the Node it needs), as `runtime/<line>` specifies, into `.cache/n8n-<line>`, unless a complete
 * install of the same manifest is there. The stamp is written last, so an interrupted install is repeated.
 * @param {'latest' | 'oldest'} line
 * @returns {Promise<{ node: string; n8n: string; bin: string; version: string }>} paths of Node, of n8n's start script
 * and of the folder of commands, and n8n's version
 */
export async function ensureRuntime(line) {
	const manifest = join(ROOT, 'runtime', line);
	const folder = join(CACHE, `n8n-${line}`);
	const stamp = join(folder, STAMP);
	const hash = manifestHash(manifest);
	const { dependencies } = JSON.parse(readFileSync(join(manifest, 'package.json'), 'utf8'));
	const runtime = {
		node: join(folder, 'node_modules', '.bin', 'node'),
		n8n: join(folder, 'node_modules', 'n8n', 'bin', 'n8n'),
		bin: join(folder, 'node_modules', '.bin'),
		version: dependencies.n8n,
	};
	const isComplete = () =>
		existsSync(stamp) && readFileSync(stamp, 'utf8') === hash && existsSync(runtime.n8n);
	const check = async () => {
		const { stdout } = await promisify(execFile)(runtime.node, ['--version']).catch((error) => {
			throw new Problem(`The Node that came with n8n's install does not start: ${error.message}`);
		});
		return stdout.trim();
	};
	if (isComplete()) return runtime;
	await oneAtATime(`n8n-${line}`, async () => {
		if (!isComplete()) await install({ line, manifest, folder, dependencies, check });
	});
	return runtime;
}

/** Installs what the manifest specifies into `folder`; `check` throws if it doesn't work. */
async function install({ line, manifest, folder, dependencies, check }) {
	checkDisk(CACHE, NEEDED_BYTES);
	const since = Date.now();
	const npm = async (...args) =>
		await runNpm(args, {
			cwd: folder,
			log: join(LOGS, `install-n8n-${line}.log`),
			progress: async () => await folderSize(folder),
			since,
		});
	await step(
		`Installing n8n ${dependencies.n8n} and Node ${dependencies.node} (about 2.4 GB, once; takes some minutes)`,
		async () => {
			await checkRegistry();
			copyManifest(manifest, folder);
			await npm('ci', '--ignore-scripts', '--legacy-peer-deps');
			await npm('rebuild', 'node', '--ignore-scripts=false');
			await npm('rebuild', 'sqlite3', '--ignore-scripts=false');
			const version = await check();
			writeFileSync(join(folder, STAMP), manifestHash(manifest));
			return `Node ${version}${await folderSize(folder)}`;
		},
	);
}
