import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNpm } from './command.mjs';
import { oneAtATime } from './lock.mjs';
import { CACHE, LOGS, ROOT } from './paths.mjs';
import { copyManifest, manifestHash, STAMP } from './runtime.mjs';
import { step } from './say.mjs';

/**
 * Installs third-party programs, as `runtime/foreign` specifies, into `.cache/foreign`, unless a complete install of
 * the same manifest is there. Runs none of their scripts.
 * @returns {Promise<string>} the folder of their packages
 */
export async function ensureForeign() {
	const manifest = join(ROOT, 'runtime', 'foreign');
	const folder = join(CACHE, 'foreign');
	const stamp = join(folder, STAMP);
	const hash = manifestHash(manifest);
	const isComplete = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
	await oneAtATime('foreign', async () => {
		if (isComplete()) return;
		await step('Installing the programs of others (about 120 MB, once)', async () => {
			copyManifest(manifest, folder);
			await runNpm(['ci', '--ignore-scripts', '--legacy-peer-deps'], {
				cwd: folder,
				log: join(LOGS, 'install-foreign.log'),
			});
			writeFileSync(stamp, hash);
		});
	});
	return join(folder, 'node_modules');
}
