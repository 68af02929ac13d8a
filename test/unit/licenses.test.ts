/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
/**
 * The package ships no dependency; what is installed to develop it is listed by license in
 * docs/maintainers/licenses.md.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { installed, licensesPage } from '../../scripts/lib/licenses';

/** Licenses that let anybody use a tool. n8n's own packages have its Sustainable Use or Enterprise License. */
const ACCEPTED = [
	...['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'BlueOak-1.0.0'],
	...['Python-2.0', 'Unlicense', 'WTFPL', 'CC0-1.0', 'CC-BY-3.0', 'CC-BY-4.0', 'CC BY-SA 4.0'],
	...['(MIT OR CC0-1.0)', '(WTFPL OR MIT)', '(AFL-2.1 OR BSD-3-Clause)'],
];
const OF_N8N = ['SEE LICENSE IN LICENSE.md', 'LicenseRef-n8n-enterprise'];

it('the licenses of everything installed for development allow its use', () => {
	const unaccepted = installed.filter(
		({ name, license }) =>
			!ACCEPTED.includes(license) && !(OF_N8N.includes(license) && /^@n8n(_io)?\//.test(name)),
	);
	expect(unaccepted.filter(({ name }) => !/^n8n-/.test(name))).toEqual([]);
});

it('docs/maintainers/licenses.md lists the licenses (renew it: npm run docs)', () => {
	const page = readFileSync(join(__dirname, '../../docs/maintainers/licenses.md'), 'utf8');
	expect(page).toBe(licensesPage());
});
