import { cpSync, existsSync, watch } from 'node:fs';
import { join } from 'node:path';
import { LOGS, ROOT } from './paths.mjs';
import { startProgram, WITH_PARENT } from './programs.mjs';
import { say } from './say.mjs';

const COMPILE_MS = 120_000;
/** Files that the build copies unchanged. */
const COPIED = /\.svg$|\.node\.json$|__schema__.*\.json$/;

/** Returns the lines of the compiler's output that name a type error; they contain color codes. */
export const typeErrors = (output) =>
	output.split('\n').filter((line) => /error\S* TS\d+:/.test(line));

/** The address for debuggers of n8n. */
export const INSPECTOR = '127.0.0.1:9229';

/** Settings with which n8n reloads the nodes when their files change and says so, and can be debugged. */
export const DEV_N8N = {
	env: { N8N_DEV_RELOAD: 'true' },
	nodeOptions: [`--inspect=${INSPECTOR}`],
	hear(output) {
		if (output.includes('Hot reload triggered'))
			say("↻ n8n has the change. Reload the editor's page to see a changed form.");
	},
};

/** If the build copies a file of the project unchanged, copies it into the installed package. */
export function copyAsIs(file, installed) {
	const from = join(ROOT, file);
	if (COPIED.test(file) && existsSync(from)) cpSync(from, join(installed, 'dist', file));
}

/**
 * Compiles the nodes into the package that n8n has loaded, `installed`, now and after each save, with source maps so
 * that breakpoints can be set in the TypeScript files.
 */
export async function watchSources(installed) {
	for (const folder of ['nodes', 'credentials', 'icons']) {
		watch(join(ROOT, folder), { recursive: true, persistent: false }, (_event, file) => {
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
}
