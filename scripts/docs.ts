/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
/**
 * Renews the generated parts of README.md, docs/ and examples/ (tables of nodes, operations, fields, errors, limits and
 * prices), and the output schemas of the operations:
 *   npm run docs
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { examplesPage } from './lib/examples.mjs';
import { generatedDocs } from './lib/generatedDocs';
import { outputSchemas } from './lib/outputSchemas';

const ROOT = join(__dirname, '..');

async function main(): Promise<void> {
	const read = (name: string) => readFileSync(join(ROOT, name), 'utf8');
	const list = 'examples/README.md';
	const examples = { file: list, text: examplesPage(read(list)) };
	for (const { file, text } of [...generatedDocs(read), examples, ...(await outputSchemas())]) {
		mkdirSync(dirname(join(ROOT, file)), { recursive: true });
		writeFileSync(join(ROOT, file), text);
		process.stdout.write(`${file}\n`);
	}
}

void main().then(() => process.exit());
