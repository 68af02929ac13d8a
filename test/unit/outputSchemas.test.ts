/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type OutputSchema, outputSchemas } from '../../scripts/lib/outputSchemas';

const ROOT = join(__dirname, '../..');
const read = (file: string) =>
	existsSync(join(ROOT, file)) ? readFileSync(join(ROOT, file), 'utf8') : '';

let schemas: OutputSchema[];
beforeAll(async () => {
	schemas = await outputSchemas();
});

it('the output schemas are what the nodes make of the contract (renew them: npm run docs)', () => {
	const stale = schemas.filter(({ file, text }) => text !== read(file));
	expect(stale.map(({ file }) => `${file}: run npm run docs`)).toEqual([]);
});

it('there is no output schema of an operation that is gone', () => {
	const there = readdirSync(join(ROOT, 'nodes'), { recursive: true, encoding: 'utf8' })
		.filter((file) => /__schema__.*\.json$/.test(file))
		.map((file) => `nodes/${file}`);
	expect(there.sort()).toEqual(schemas.map(({ file }) => file).sort());
});
