/**
 * Renews what is generated in README.md and docs/: tables of nodes, operations and fields, made from the forms, from
 * what the operations really send to the local service, and from the contract. docs/fields.md is made by the test that
 * counts the controls, which runs at the end.
 *   npm run docs
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { generatedDocs } from './lib/generatedDocs';
import { outputSchemas } from './lib/outputSchemas';

const ROOT = join(__dirname, '..');

async function main(): Promise<void> {
	for (const { file, text } of await generatedDocs((name) =>
		readFileSync(join(ROOT, name), 'utf8'),
	)) {
		writeFileSync(join(ROOT, file), text);
		process.stdout.write(`${file}\n`);
	}
	for (const { file, text } of await outputSchemas()) {
		mkdirSync(dirname(join(ROOT, file)), { recursive: true });
		writeFileSync(join(ROOT, file), text);
		process.stdout.write(`${file}\n`);
	}
	const { status } = spawnSync('npx', ['jest', 'test/contract/coverage.test.ts', '--silent'], {
		cwd: ROOT,
		env: { ...process.env, UPDATE_DOCS: '1' },
		stdio: 'inherit',
	});
	if (status !== 0)
		throw new Error('The test that writes docs/fields.md failed: do not commit that page');
	process.stdout.write('docs/fields.md\n');
}

main().then(
	() => process.exit(0),
	(error: Error) => {
		process.stderr.write(`${error.stack}\n`);
		process.exit(1);
	},
);
