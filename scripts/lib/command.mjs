import { startProgram } from './programs.mjs';
import { Problem } from './say.mjs';

/** Lines of a failed program's output that are shown: the last ones, without what npm only warns of. */
const SHOWN_LINES = 15;

/**
 * Runs a program to its end.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string; log?: string; env?: Record<string, string> }} options `log` is a file for the output
 * @returns {Promise<string>} the end of the output
 * @throws {Problem} if the program fails or can't be started
 */
export async function run(command, args, { cwd, log, env } = {}) {
	const program = startProgram(command, command, args, { cwd, log, env });
	const how = await program.ended;
	if (how === 'code 0') return program.output;
	const lines = program.output.trim().split('\n');
	const why = lines.filter((line) => !line.startsWith('npm warn')).slice(-SHOWN_LINES);
	const more = log ? [`Its whole output: ${log}`] : [];
	const failed = `\`${[command, ...args].join(' ')}\` failed (${how}).`;
	throw new Problem([failed, ...why, ...more].join('\n'));
}

/** Makes an npm without a network fail within seconds rather than after more than a minute. */
const NPM_FLAGS = [
	'--no-audit',
	'--no-fund',
	'--fetch-retries=3',
	'--fetch-retry-mintimeout=1000',
	'--fetch-retry-maxtimeout=8000',
];

/** Runs npm with the flags that every install here has. */
export const runNpm = async (args, options) => await run('npm', [...args, ...NPM_FLAGS], options);
