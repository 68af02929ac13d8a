import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, extname, join, relative } from 'node:path';
import { hasCommands } from './checks.mjs';
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
 * all that import one. Throws if there are none, unless the path concerns the command-line tools.
 */
export async function jestTestsOf(path) {
	const files = filesOf(path);
	const own = files.filter(isJestTest);
	if (own.length > 0) return own;
	const names = files.map((file) => `${basename(file, extname(file))}.test.ts`);
	const named = filesOf('test').filter(
		(file) => isJestTest(file) && names.includes(basename(file)),
	);
	if (named.length > 0) return named;
	const importing = files.length > 0 ? await testsThatImport(files) : [];
	// A single file of another kind, such as one of the docs, is at least linted.
	const isSource = files.length === 0 || files.some((file) => file.endsWith('.ts'));
	if (importing.length === 0 && isSource && !hasCommands(path)) {
		throw new Problem(`No test is about ${path}.`);
	}
	return importing;
}

const isJestTest = (file) => /^test\/(?!(e2e|performance)\/).*\.test\.ts$/.test(file);

/** Returns the TypeScript files of a folder, or the file itself. */
function filesOf(path) {
	if (!statSync(join(ROOT, path)).isDirectory()) return [join(path)];
	return readdirSync(join(ROOT, path), { recursive: true })
		.filter((file) => /^(?!.*node_modules\/).*\.ts$/.test(file))
		.map((file) => join(path, file));
}

async function testsThatImport(files) {
	const { output } = await runTool('jest', ['--listTests', '--findRelatedTests', ...files]);
	return output
		.split('\n')
		.filter((line) => line.endsWith('.test.ts'))
		.map((file) => relative(ROOT, file));
}
