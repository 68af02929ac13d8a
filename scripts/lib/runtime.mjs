import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, runNpm } from './command.mjs';
import { oneAtATime } from './lock.mjs';
import { CACHE, LOGS, ROOT } from './paths.mjs';
import { step } from './say.mjs';

/** Makes a compiler take a fifth of the time. */
const QUICK_BUILD = { CFLAGS: '-O1' };
const MANIFEST_FILES = ['package.json', 'package-lock.json'];

/**
 * Installs what `runtime/<manifest>` specifies into `.cache/<name>`, unless a complete install of the same manifest is
 * there. The stamp is written last, so an interrupted install is repeated.
 * @param {string} manifest
 * @param {string} name
 * @param {{ title: string; work?: (npm: (...args: string[]) => Promise<void>) => Promise<string> }} options `work` is what
 * follows on npm's install and returns what to say of it
 * @returns {Promise<string>} the folder of the packages
 */
async function ensureInstalled(manifest, name, { title, work = async () => {} }) {
	const folder = join(CACHE, name);
	const stamp = join(folder, 'complete');
	const files = MANIFEST_FILES.map((file) => join(ROOT, 'runtime', manifest, file));
	const hash = createHash('sha256').update(`${process.platform}-${process.arch}`);
	for (const file of files) hash.update(readFileSync(file));
	const wanted = hash.digest('hex');
	const isComplete = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
	const npm = async (...args) =>
		await runNpm(args, { cwd: folder, log: join(LOGS, `install-${name}.log`), env: QUICK_BUILD });
	const install = async () => {
		mkdirSync(folder, { recursive: true });
		rmSync(stamp, { force: true });
		for (const [n, file] of files.entries()) cpSync(file, join(folder, MANIFEST_FILES[n]));
		await npm('ci', '--ignore-scripts', '--legacy-peer-deps');
		const result = await work(npm);
		writeFileSync(stamp, wanted);
		return result;
	};
	if (!isComplete()) {
		await oneAtATime(name, async () => {
			if (isComplete()) return;
			await step(title, install);
		});
	}
	return join(folder, 'node_modules');
}

/**
 * Installs n8n and the Node it needs, as `runtime/<line>` specifies.
 * @param {'latest' | 'oldest'} line
 * @returns {Promise<{ node: string; n8n: string; bin: string; version: string }>} paths of Node, of n8n's start script
 * and of the folder of commands, and n8n's version
 */
export async function ensureRuntime(line) {
	const manifest = join(ROOT, 'runtime', line, 'package.json');
	const { dependencies } = JSON.parse(readFileSync(manifest, 'utf8'));
	const modules = join(CACHE, `n8n-${line}`, 'node_modules');
	const bin = join(modules, '.bin');
	const node = join(bin, 'node');
	await ensureInstalled(line, `n8n-${line}`, {
		title: `Installing n8n ${dependencies.n8n} and Node ${dependencies.node} (about 2.4 GB, once; takes some minutes)`,
		work: async (npm) => {
			await npm('rebuild', 'node', '--ignore-scripts=false');
			await ensureSqlite(modules, npm);
			return `Node ${(await run(node, ['--version'])).trim()}`;
		},
	});
	return { node, n8n: join(modules, 'n8n', 'bin', 'n8n'), bin, version: dependencies.n8n };
}

/**
 * Puts the library of sqlite3 into its package. Where it must be compiled, which takes a minute, that is done once: it
 * fits every Node.
 */
async function ensureSqlite(modules, npm) {
	const folder = join(modules, 'sqlite3');
	const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
	const library = join(folder, 'build', 'Release', 'node_sqlite3.node');
	const kept = join(CACHE, `sqlite3-${version}-${process.platform}-${process.arch}.node`);
	if (existsSync(kept)) {
		cpSync(kept, library);
		return;
	}
	await npm('rebuild', 'sqlite3', '--ignore-scripts=false');
	cpSync(library, kept);
}

/** Installs third-party programs, as `runtime/foreign` specifies, and returns the folder of their packages. */
export const ensureForeign = async () =>
	await ensureInstalled('foreign', 'foreign', {
		title: 'Installing the programs of others (about 120 MB, once)',
	});
