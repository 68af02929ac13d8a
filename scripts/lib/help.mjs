import { readFileSync } from 'node:fs';

/** If `--help` is among the arguments, prints what a script says of itself in its first comment, and ends. */
export function sayHelp(file) {
	if (!process.argv.includes('--help')) return;
	const [, text] = /^\/\*\*\n([^]*?) \*\/$/m.exec(readFileSync(file, 'utf8'));
	process.stdout.write(text.replace(/^ \* ?/gm, ''));
	process.exit();
}
