/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../scripts/lib/paths.mjs';

export const DOC = join(ROOT, 'docs', 'maintainers', 'benchmarks.md');
const MARK = '<!-- measured apart -->';

/** Returns what separate scripts wrote at the page's end, which `npm run bench` keeps. */
export function apart(): string {
	const text = existsSync(DOC) ? readFileSync(DOC, 'utf8') : '';
	return text.includes(MARK) ? text.slice(text.indexOf(MARK)) : `${MARK}\n`;
}

/** Writes a section of that part, replacing the one with its title. */
export function writeApart(title: string, paragraphs: string[]): void {
	const text = readFileSync(DOC, 'utf8');
	const before = text.split(MARK)[0].trimEnd();
	const [, ...sections] = apart().split(/\n(?=## )/);
	const others = sections
		.map((one) => one.trim())
		.filter((one) => !one.startsWith(`## ${title}\n`));
	const all = [...others, [`## ${title}`, ...paragraphs].join('\n\n')].sort();
	writeFileSync(DOC, `${[before, MARK, ...all].join('\n\n')}\n`);
	process.stdout.write(`${paragraphs.join('\n\n')}\n`);
}
