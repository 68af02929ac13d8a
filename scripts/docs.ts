/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
/**
 * Renews the generated parts of README.md and docs/ (tables of nodes, operations and fields, generated from the forms,
 * from the operations' exchange with the local service, and from the contract), the list of examples, the output
 * schemas of the operations, and the list of licenses of the installed packages:
 *   npm run docs
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { examplesPage } from './lib/examples.mjs';
import { generatedDocs } from './lib/generatedDocs';
import { licensesPage } from './lib/licenses';
import { outputSchemas } from './lib/outputSchemas';

const ROOT = join(__dirname, '..');

async function main(): Promise<void> {
	const docs = await generatedDocs((name) => readFileSync(join(ROOT, name), 'utf8'));
	const licenses = { file: 'docs/maintainers/licenses.md', text: licensesPage() };
	const file = 'examples/README.md';
	const examples = { file, text: examplesPage(readFileSync(join(ROOT, file), 'utf8')) };
	for (const { file, text } of [...docs, ...(await outputSchemas()), licenses, examples]) {
		mkdirSync(dirname(join(ROOT, file)), { recursive: true });
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
