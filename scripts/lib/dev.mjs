import { copyFileSync, mkdirSync, rmSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { LOGS, ROOT } from './paths.mjs';
import { startProgram, WITH_PARENT } from './programs.mjs';
import { duration, say } from './say.mjs';

const COMPILE_MS = 120_000;
const SOURCES = ['nodes', 'credentials', 'icons'];
/** Files that the build copies unchanged. */
const COPIED = /\.svg$|\.node\.json$|__schema__.*\.json$/;
const RELOADED = /Hot reload triggered/;

/** Returns the lines of the compiler's output that name a type error; they contain color codes. */
export const typeErrors = (output) =>
	output.split('\n').filter((line) => /error\S* TS\d+:/.test(line));

/** The address for debuggers of n8n. */
export const INSPECTOR = '127.0.0.1:9229';

/** Settings with which n8n reloads the nodes when their files change, and can be debugged. */
export const DEV_N8N = { env: { N8N_DEV_RELOAD: 'true' }, nodeOptions: [`--inspect=${INSPECTOR}`] };

/** If the build copies a file of the project unchanged, copies it into the installed package, or removes it there. */
export function copyAsIs(file, installed) {
	if (!COPIED.test(file)) return;
	const target = join(installed, 'dist', file);
	mkdirSync(dirname(target), { recursive: true });
	try {
		copyFileSync(join(ROOT, file), target);
	} catch (error) {
		if (error.code !== 'ENOENT') throw error;
		rmSync(target, { force: true });
	}
}

/**
 * Compiles the nodes into the package that n8n has loaded, `installed`, now and after each save, with source maps so
 * that breakpoints can be set in the TypeScript files.
 * @returns {Promise<(output: string) => void>} to be called with n8n's output: says how long after the save n8n had
 * reloaded
 */
export async function watchSources(installed) {
	let saved = 0;
	for (const folder of SOURCES) {
		watch(join(ROOT, folder), { recursive: true, persistent: false }, (_event, file) => {
			saved = Date.now();
			if (file !== null) copyAsIs(join(folder, file), installed);
		});
	}
	const compiler = startProgram(
		'The compiler',
		process.execPath,
		[
			...[...WITH_PARENT, join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')],
			...['--project', join(ROOT, 'tsconfig.json'), '--outDir', join(installed, 'dist')],
			...['--watch', '--preserveWatchOutput', '--sourceMap', '--pretty', '--noEmitOnError'],
		],
		{
			cwd: ROOT,
			log: join(LOGS, 'compiler.log'),
			hear: (text) => {
				const errors = typeErrors(text);
				if (errors.length > 0) say(errors.join('\n'));
			},
		},
	);
	await compiler.says(/Watching for file changes/, COMPILE_MS);
	return (output) => {
		if (RELOADED.test(output) && saved > 0) {
			say(
				`↻ n8n has the change, ${duration(Date.now() - saved)} after the save. Reload the editor's page to see a changed form.`,
			);
		}
	};
}
