/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
/** The package ships no dependency; this is about what is installed to develop it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

/** Licenses that let anybody use a tool. n8n's own packages have its Sustainable Use or Enterprise License. */
const ACCEPTED = [
	...['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'BlueOak-1.0.0'],
	...['Python-2.0', 'Unlicense', 'WTFPL', 'CC0-1.0', 'CC-BY-3.0', 'CC-BY-4.0', 'CC BY-SA 4.0'],
	...['(MIT OR CC0-1.0)', '(WTFPL OR MIT)', '(AFL-2.1 OR BSD-3-Clause)'],
];
const OF_N8N = ['SEE LICENSE IN LICENSE.md', 'LicenseRef-n8n-enterprise'];

interface Manifest {
	license?: string;
	licenses?: Array<{ type: string }>;
}

const read = (path: string, file: string) =>
	JSON.parse(readFileSync(join(ROOT, path, file), 'utf8')) as unknown;

/** Returns the license of a package; the lock file doesn't contain those of old ones. */
function licenseOf(path: string, { license }: Manifest): string {
	if (license !== undefined) return license;
	const manifest = read(path, 'package.json') as Manifest;
	return manifest.license ?? manifest.licenses?.[0]?.type ?? 'none';
}

it('the licenses of everything installed for development allow its use', () => {
	const { packages } = read('', 'package-lock.json') as { packages: Record<string, Manifest> };
	const unaccepted = Object.entries(packages)
		.filter(([path]) => path !== '')
		.map(([path, locked]) => [path.split('node_modules/').at(-1)!, licenseOf(path, locked)])
		.filter(
			([name, license]) =>
				!ACCEPTED.includes(license) && !(OF_N8N.includes(license) && /^@n8n(_io)?\//.test(name)),
		);
	expect(unaccepted.filter(([name]) => !/^n8n-/.test(name))).toEqual([]);
});
