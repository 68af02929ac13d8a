/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

interface Locked {
	license?: string;
}

const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
	packages: Record<string, Locked & { devDependencies?: Record<string, string> }>;
};

const nameOf = (path: string) => path.split('node_modules/').at(-1)!;

/** Every package that is installed to develop and test this one. */
export const installed = Object.entries(packages)
	.filter(([path]) => path !== '')
	.map(([path, { license }]) => ({ name: nameOf(path), license: license ?? licenseIn(path) }));

/** Returns the license of a package whose license the lock file doesn't contain. */
function licenseIn(path: string): string {
	const manifest = JSON.parse(readFileSync(join(ROOT, path, 'package.json'), 'utf8')) as {
		license?: string;
		licenses?: Array<{ type: string }>;
	};
	return manifest.license ?? manifest.licenses?.[0]?.type ?? 'none';
}

/** Returns the text of docs/maintainers/licenses.md. */
export function licensesPage(): string {
	const direct = Object.keys(packages[''].devDependencies ?? {});
	const licenses = [...new Set(installed.map(({ license }) => license))].sort();
	const rows = licenses.map((license) => {
		const own = installed.filter((one) => one.license === license && direct.includes(one.name));
		const names = [...new Set(own.map(({ name }) => `\`${name}\``))].sort();
		return `| ${license} | ${names.join(', ')} |`;
	});
	return [
		'# Licenses',
		'',
		'The package is [MIT](../../LICENSE) and ships no dependency. What is installed to develop and test it, by license:',
		'',
		'| License | Of those that `package.json` names |',
		'| --- | --- |',
		...rows,
		'',
	].join('\n');
}
