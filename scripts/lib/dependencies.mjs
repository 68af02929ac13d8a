import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNpm } from './command.mjs';
import { oneAtATime } from './lock.mjs';
import { LOGS, ROOT } from './paths.mjs';
import { step } from './say.mjs';

const readPackages = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;

/**
 * Whether `node_modules` has what `package-lock.json` asks for. npm writes its own record
 * (`node_modules/.package-lock.json`) last, so an interrupted install doesn't match either.
 */
function dependenciesMatch(root = ROOT) {
	let installed;
	try {
		installed = readPackages(join(root, 'node_modules', '.package-lock.json'));
	} catch {
		return false;
	}
	return Object.entries(readPackages(join(root, 'package-lock.json'))).every(
		([path, wanted]) =>
			path === '' ||
			wanted.optional ||
			wanted.devOptional ||
			wanted.peer ||
			installed[path]?.version === wanted.version,
	);
}

/** Installs the development dependencies if they are missing or don't match the lock file. */
export async function ensureDependencies() {
	if (dependenciesMatch()) return;
	await oneAtATime('dependencies', async () => {
		if (dependenciesMatch()) return;
		await step(
			'Installing the development dependencies (npm ci; takes 1 to 4 minutes)',
			async () => {
				await runNpm(['ci', '--ignore-scripts'], { cwd: ROOT, log: join(LOGS, 'npm-ci.log') });
			},
		);
	});
}
