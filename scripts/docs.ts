/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
/**
 * Renews the generated parts of README.md, docs/ and examples/ (tables of nodes, operations, fields, errors, limits and
 * prices), and the output schemas of the operations, and lists those that changed:
 *   npm run docs
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { examplesPage } from './lib/examples.mjs';
import { generatedDocs } from './lib/generatedDocs';
import { sayHelp } from './lib/help.mjs';
import { outputSchemas } from './lib/outputSchemas';

const ROOT = join(__dirname, '..');

async function main(): Promise<void> {
	// the list is not for what nodes log
	process.env.N8N_LOG_LEVEL = 'silent';
	const read = (name: string) => readFileSync(join(ROOT, name), 'utf8');
	const list = 'examples/README.md';
	const examples = { file: list, text: examplesPage(read(list)) };
	for (const { file, text } of [...generatedDocs(read), examples, ...(await outputSchemas())]) {
		const path = join(ROOT, file);
		if (existsSync(path) && read(file) === text) continue;
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, text);
		process.stdout.write(`${file}\n`);
	}
}

sayHelp(__filename);
void main().then(() => process.exit());
