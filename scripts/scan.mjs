#!/usr/bin/env node
/**
 * Runs n8n's verification of the sources and of an archive that `npm run package` has created: `npm run scan --
 * <file>.tgz`. `npm test` does the same with a package of its own.
 */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { run } from './lib/command.mjs';
import { main } from './lib/main.mjs';
import { missingIn } from './lib/package.mjs';
import { CACHE } from './lib/paths.mjs';
import { Problem, say } from './lib/say.mjs';

async function scan(archive) {
	if (archive === undefined) throw new Problem('Name an archive: npm run scan -- <file>.tgz');
	if (!existsSync(archive)) {
		throw new Problem(`There is no file ${archive}. \`npm run package\` makes an archive.`);
	}
	const folder = join(CACHE, 'scanned-archive');
	const unpacked = join(folder, 'package');
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	await run('tar', ['-xzf', resolve(archive)], { cwd: folder });
	const missing = missingIn(unpacked);
	if (missing.length > 0) {
		throw new Problem(
			`${archive} lacks ${missing.join(', ')}. \`npm run package\` makes one that has all.`,
		);
	}
	const { scanPackage, scanSource } = await import('./lib/n8n-scan.mjs');
	return [await scanSource(), await scanPackage(unpacked)].filter(Boolean);
}

await main(async () => {
	const [archive] = process.argv.slice(2);
	const findings = await scan(archive);
	say(findings.length > 0 ? findings.join('\n') : `✔ n8n's scan finds nothing in ${archive}`);
	process.exitCode = findings.length > 0 ? 1 : 0;
});
