import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join, parse, relative } from 'node:path';
import { ROOT } from './paths.mjs';
import { Problem } from './say.mjs';
import { runTool } from './tool.mjs';

/**
 * Returns the arguments of `npm test` that name a file or folder. Throws for an argument that is neither that nor an
 * option of jest.
 */
export function pathsIn(args) {
	const isPath = (argument) => !argument.startsWith('-') && existsSync(join(ROOT, argument));
	const wrong = args.find(
		(argument, index) =>
			!isPath(argument) && !argument.startsWith('-') && !args[index - 1]?.startsWith('-'),
	);
	if (wrong !== undefined) throw new Problem(`There is no file or folder ${wrong}.`);
	return args.filter(isPath);
}

/**
 * Returns the jest tests for a file or folder: those it contains; if none, those named like one of its files; if none,
 * all that import one.
 */
export async function jestTestsOf(path) {
	const files = filesOf(path);
	const all = await listTests();
	const own = all.filter((test) => files.includes(test));
	if (own.length > 0) return own;
	const names = files.map((file) => `${parse(file).name}.test.ts`);
	const named = all.filter((test) => names.includes(basename(test)));
	return named.length > 0 ? named : await listTests('--findRelatedTests', ...files);
}

/** Returns the files of a folder, or the file itself. */
function filesOf(path) {
	if (!statSync(join(ROOT, path)).isDirectory()) return [join(path)];
	const names = readdirSync(join(ROOT, path), { recursive: true });
	return names.filter((file) => file.endsWith('.ts')).map((file) => join(path, file));
}

async function listTests(...args) {
	const { output } = await runTool('jest', ['--listTests', ...args]);
	const lines = output.split('\n').filter((line) => line.endsWith('.test.ts'));
	return lines.map((file) => relative(ROOT, file));
}
