/** The package ships no dependency; what is installed to develop it is listed by license in docs/licenses.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const TABLE = join(ROOT, 'docs/licenses.md');

/** Licenses that let anybody use a tool. n8n's own packages say "see license": its Sustainable Use License. */
const ACCEPTED = [
	...['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'BlueOak-1.0.0'],
	...['Python-2.0', 'Unlicense', 'WTFPL', 'CC0-1.0', 'CC-BY-3.0', 'CC-BY-4.0', 'CC BY-SA 4.0'],
	...['(MIT OR CC0-1.0)', '(WTFPL OR MIT)'],
];
const SUSTAINABLE_USE = 'SEE LICENSE IN LICENSE.md';

interface Installed {
	license?: string;
}

const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
	packages: Record<string, Installed & { devDependencies?: Record<string, string> }>;
};
const nameOf = (path: string) => path.split('node_modules/').at(-1)!;
const direct = Object.keys(packages[''].devDependencies ?? {});
const installed = Object.entries(packages)
	.filter(([path]) => path !== '')
	.map(([path, { license }]) => ({ name: nameOf(path), license: license ?? licenseIn(path) }));

/** Of a package whose manifest the lock file could not read a license from. */
function licenseIn(path: string): string {
	const manifest = JSON.parse(readFileSync(join(ROOT, path, 'package.json'), 'utf8')) as {
		license?: string;
		licenses?: Array<{ type: string }>;
	};
	return manifest.license ?? manifest.licenses?.[0]?.type ?? 'none';
}

it('everything installed for development may be used', () => {
	const unaccepted = installed.filter(
		({ name, license }) =>
			!ACCEPTED.includes(license) && !(license === SUSTAINABLE_USE && name.startsWith('@n8n/')),
	);
	expect(unaccepted.filter(({ name }) => !/^n8n-/.test(name))).toEqual([]);
});

it('docs/licenses.md lists them (UPDATE_DOCS=1 npx jest test/unit/licenses renews it)', () => {
	const licenses = [...new Set(installed.map(({ license }) => license))].sort();
	const rows = licenses.map((license) => {
		const own = installed.filter((one) => one.license === license && direct.includes(one.name));
		const names = [...new Set(own.map(({ name }) => `\`${name}\``))].sort();
		return `| ${license} | ${names.join(', ')} |`;
	});
	const table = [
		'# Licenses',
		'',
		'The package is [MIT](../LICENSE) and ships no dependency. What is installed to develop and test it, by license:',
		'',
		'| License | Of those that `package.json` names |',
		'| --- | --- |',
		...rows,
		'',
	].join('\n');
	if (process.env.UPDATE_DOCS) writeFileSync(TABLE, table);
	expect(readFileSync(TABLE, 'utf8')).toBe(table);
});
