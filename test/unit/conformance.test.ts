/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

const rows = [
	...readFileSync(join(ROOT, 'docs/maintainers/conformance.md'), 'utf8').matchAll(
		/^\| (.+?) +\| `(test\/\S+)`: (.+?) +\|$/gm,
	),
].map(([, said, file, title]) => ({ said, file, title }));

it('docs/maintainers/conformance.md names tests', () => {
	expect(rows.length).toBeGreaterThan(20);
});

it.each(rows)('$said: there is the test $title', ({ file, title }) => {
	const path = join(ROOT, file);
	expect(existsSync(path)).toBe(true);
	const text = readFileSync(path, 'utf8');
	const isNamed = text.split('\n').some((line) => line.includes(`'${title}`));
	expect(isNamed).toBe(true);
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
