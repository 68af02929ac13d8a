/**
 * Renews what is generated in README.md and docs/: tables of nodes, operations and fields, made from the forms, from
 * what the operations really send to the local service, and from the contract.
 *   npm run docs
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { generatedDocs } from './lib/generatedDocs';

const ROOT = join(__dirname, '..');

async function main(): Promise<void> {
	for (const { file, text } of await generatedDocs((name) =>
		readFileSync(join(ROOT, name), 'utf8'),
	)) {
		writeFileSync(join(ROOT, file), text);
		process.stdout.write(`${file}\n`);
	}
}

main().then(
	() => process.exit(0),
	(error: Error) => {
		process.stderr.write(`${error.stack}\n`);
		process.exit(1);
	},
);
