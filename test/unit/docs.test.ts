import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { generatedDocs } from '../../scripts/lib/generatedDocs';

const read = (file: string) => readFileSync(join(__dirname, '../..', file), 'utf8');

it('the generated tables of README.md and docs/ are those of the forms (renew them: npm run docs)', async () => {
	const stale = (await generatedDocs(read)).filter(({ file, text }) => text !== read(file));
	expect(stale.map(({ file }) => `${file}: run npm run docs`)).toEqual([]);
});

it('a part that nothing makes is an error, not an empty table', async () => {
	const page = '<!-- generated: nonsense -->\n<!-- end -->\n';
	await expect(generatedDocs(() => page)).rejects.toThrow('nothing makes the part nonsense');
});
