import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './command.mjs';
import { readJson } from './json-file.mjs';
import { oneAtATime } from './lock.mjs';
import { CACHE, LOGS, PACKAGE_NAME, ROOT } from './paths.mjs';

const PACKED = join(CACHE, 'packed');
/** Folder of the unpacked package. */
export const PACKED_PACKAGE = join(PACKED, 'package');

/** Compiles the nodes into `dist/`. */
async function build() {
	await run(process.execPath, [join(ROOT, 'node_modules', 'gulp', 'bin', 'gulp.js'), 'build'], {
		cwd: ROOT,
		log: join(LOGS, 'build.log'),
	});
}

/**
 * Packs the package as it would be published and unpacks it.
 * @param {string} folder emptied first; then contains the archive, and the package in `package/`
 * @returns {Promise<string>} the folder of the unpacked package
 */
async function pack(folder) {
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	const log = join(LOGS, 'pack.log');
	await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: ROOT, log });
	const archive = readdirSync(folder).find((name) => name.endsWith('.tgz'));
	await run('tar', ['-xzf', archive], { cwd: folder, log });
	return join(folder, 'package');
}

/** Builds the package, unpacks it into `<folder>/package`, and returns that folder. */
export async function buildAndPack(folder = PACKED) {
	return await oneAtATime('package', async () => {
		await build();
		return await pack(folder);
	});
}

/** Returns the files that a package's package.json lists for n8n but that are missing, which n8n doesn't check. */
export function missingIn(folder) {
	const { nodes = [], credentials = [] } = readJson(join(folder, 'package.json'))?.n8n ?? {};
	const loaded = ['package.json', ...nodes, ...credentials];
	return loaded.filter((path) => !existsSync(join(folder, path)));
}

/** Copies the unpacked package to where n8n's own installer puts community packages, and returns that folder. */
export function installPackage(unpacked, userFolder) {
	const target = join(userFolder, '.n8n', 'nodes', 'node_modules', PACKAGE_NAME);
	rmSync(target, { recursive: true, force: true });
	cpSync(unpacked, target, { recursive: true });
	return target;
}
