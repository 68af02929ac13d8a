/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type Table = [head: string[], rows: string[][]];

/** Returns a table in Markdown. */
export const markdownTable = (...[head, rows]: Table) =>
	[head, head.map(() => '---'), ...rows]
		.map((row) => `| ${row.map((cell) => cell.replace(/\|/g, '\\|')).join(' | ')} |`)
		.join('\n');

/**
 * Returns a page with these tables in its parts, each of which is between `<!-- generated: name -->` and `<!-- end -->`.
 * Throws for a part that isn't given. The formatter leaves them as they are: with aligned columns, each change would make
 * a long diff.
 */
export function withParts(page: string, parts: Record<string, Table | string>, file: string) {
	return page.replace(
		/(<!-- generated: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g,
		(_, begin: string, name: string, end: string) => {
			const part = parts[name];
			if (part === undefined) throw new Error(`${file}: nothing makes the part ${name}`);
			const text = typeof part === 'string' ? part : markdownTable(...part);
			const [ignore, again] = ['start', 'end'].map((word) => `<!-- prettier-ignore-${word} -->`);
			return [begin, ignore, text, again, '', end].join('\n');
		},
	);
}

/** Writes a page of the project anew with these tables in its parts. */
export function renewParts(file: string, parts: Record<string, Table | string>): void {
	const path = join(__dirname, '../..', file);
	writeFileSync(path, withParts(readFileSync(path, 'utf8'), parts, file));
}
