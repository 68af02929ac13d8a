export type Table = [head: string[], rows: string[][]];

/** Returns a table in Markdown. */
export const markdownTable = (...[head, rows]: Table) =>
	[head, head.map(() => '---'), ...rows]
		.map((row) => `| ${row.map((cell) => cell.replace(/\|/g, '\\|')).join(' | ')} |`)
		.join('\n');
