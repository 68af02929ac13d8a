/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

const page = readFileSync(join(ROOT, 'docs/maintainers/conformance.md'), 'utf8');

const rows = [...page.matchAll(/^\| (.+?) +\| (text alone, )?`(\S+)`: (.+?) +\|$/gm)].map(
	([, said, isText, file, held]) => ({ said, isText: isText !== undefined, file, held }),
);

it('docs/maintainers/conformance.md says in every row what holds it', () => {
	const lines = page.split('\n').filter((line) => /^\| (?!What the API|-)/.test(line));
	expect(rows).toHaveLength(lines.length);
	expect(rows.length).toBeGreaterThan(60);
});

it.each(rows.filter(({ isText }) => !isText))(
	'$said: there is the test $held',
	({ file, held }) => {
		expect(file).toMatch(/^test\/.+\.test\.ts$/);
		const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
		expect(lines.some((line) => line.includes(`'${held}`))).toBe(true);
	},
);

it.each(rows.filter(({ isText }) => isText))('$said: $file says so', ({ file, held }) => {
	expect(readFileSync(join(ROOT, file), 'utf8')).toContain(held);
});

it.each(['docs/maintainers/reliability.md', 'SECURITY.md'])(
	'the tests that %s names are there',
	(page) => {
		const text = readFileSync(join(ROOT, page), 'utf8');
		const named = [...text.matchAll(/`(test\/[^`]+)`/g)].map(([, file]) => file);
		expect(named.length).toBeGreaterThan(15);
		expect(named.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
	},
);
