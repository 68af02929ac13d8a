import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './command.mjs';
import { CACHE, LOGS, PACKAGE_NAME, ROOT } from './paths.mjs';

const PACKED = join(CACHE, 'packed');
/** Where `pack` leaves the package, unpacked. */
export const PACKED_PACKAGE = join(PACKED, 'package');

/** Compiles the nodes into `dist/`. */
export async function build() {
	await run(process.execPath, [join(ROOT, 'node_modules', 'gulp', 'bin', 'gulp.js'), 'build'], {
		cwd: ROOT,
		log: join(LOGS, 'build.log'),
	});
}

/**
 * Makes the package as it would be published and unpacks it.
 * @param {string} folder emptied first; the archive comes to lie in it, and the package in `package/`
 * @returns {Promise<string>} the folder of the unpacked package
 */
export async function pack(folder = PACKED) {
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	const log = join(LOGS, 'pack.log');
	await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: ROOT, log });
	const archive = readdirSync(folder).find((name) => name.endsWith('.tgz'));
	await run('tar', ['-xzf', archive], { cwd: folder, log });
	return join(folder, 'package');
}

/** Puts the unpacked package where n8n's own installer puts community packages. */
export function installPackage(unpacked, userFolder) {
	const target = join(userFolder, '.n8n', 'nodes', 'node_modules', PACKAGE_NAME);
	rmSync(target, { recursive: true, force: true });
	cpSync(unpacked, target, { recursive: true });
}
