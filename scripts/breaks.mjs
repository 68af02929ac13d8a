/**
 * Breaks the code for each row of docs/maintainers/conformance.md, one at a time, and says which of the named tests stay
 * green: node scripts/breaks.mjs [part of a row]. It changes files of the working tree and puts them back.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

/** What a row begins with, and the text to replace in a file. */
const breaks = JSON.parse(readFileSync('scripts/lib/breaks.json', 'utf8'));

const ROW = /^\| (.+?) +\| `(\S+)`: (.+?) +\|$/gm;
const page = readFileSync('docs/maintainers/conformance.md', 'utf8');
const rows = [...page.matchAll(ROW)].map(([, said, file, test]) => ({ said, file, test }));

/** Returns a pattern for the names of a test, which may contain values. */
const patternOf = (test) =>
	test.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/%[sdj]|\\\$[\w.]+/g, '.*');

/** Whether the named test fails with the code as it is. */
function isRed({ file, test }) {
	const jest = ['jest', '--maxWorkers=1', file, '-t', patternOf(test)];
	return spawnSync('npx', jest, { stdio: 'ignore', timeout: 300_000 }).status !== 0;
}

const say = (text) => process.stdout.write(`${text}\n`);

let red = 0;
const wanted = rows.filter(({ said }) => said.includes(process.argv[2] ?? ''));
for (const row of wanted) {
	const one = breaks.find((some) => row.said.startsWith(some.row));
	const { file: path, search = '', replace } = one ?? {};
	const before = path && readFileSync(path, 'utf8');
	if (!before?.includes(search) || search === '') {
		say(`no break: ${row.said}`);
		continue;
	}
	writeFileSync(
		path,
		before.replace(search, () => replace),
	);
	try {
		const result = isRed(row);
		if (result) red++;
		say(`${result ? 'red' : 'GREEN'}: ${row.said}`);
	} finally {
		writeFileSync(path, before);
	}
}
say(`${red} of ${wanted.length} are red`);
process.exitCode = red === wanted.length ? 0 : 1;
