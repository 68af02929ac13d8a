import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

const rows = [
	...readFileSync(join(ROOT, 'docs/conformance.md'), 'utf8').matchAll(
		/^\| (.+?) +\| `(test\/\S+)`: (.+?) +\|$/gm,
	),
].map(([, said, file, title]) => ({ said, file, title }));

it('docs/conformance.md names tests', () => {
	expect(rows.length).toBeGreaterThan(20);
});

it.each(rows)('$said: there is the test $title', ({ file, title }) => {
	const path = join(ROOT, file);
	expect(existsSync(path)).toBe(true);
	const text = readFileSync(path, 'utf8');
	const isNamed = text.split('\n').some((line) => line.includes(`'${title}`));
	expect(isNamed).toBe(true);
});
