import { startProgram } from './programs.mjs';
import { FREE_DISK, Problem } from './say.mjs';

const KILLED =
	'Something killed it, perhaps the system because memory ran out. Run the command again.';

/**
 * Returns the lines of a failed program's output that say why: npm's first errors (help texts follow), for other
 * programs the last lines. npm's warnings only concern what it would have installed.
 */
function worth(output) {
	const lines = output
		.trim()
		.split('\n')
		.filter((line) => !line.startsWith('npm warn'));
	const errors = lines.filter((line) => /^npm error \S/.test(line));
	return (errors.length > 0 ? errors.slice(0, 12) : lines.slice(-15)).join('\n');
}

/**
 * Runs a program to its end. An npm for which the disk is full is ended, because it can't succeed.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string; log?: string }} options `log` is a file for the output
 * @returns {Promise<string>} the end of the output
 * @throws {Problem} with advice, if the program fails or can't be started
 */
export async function run(command, args, { cwd, log } = {}) {
	const isNpm = command === 'npm';
	const program = startProgram(command, command, args, {
		cwd,
		log,
		hear: (text) => {
			if (isNpm && NPM_HOPELESS.test(text)) void program.kill();
		},
	});
	const how = await program.ended;
	const { output } = program;
	if (how !== 'code 0') {
		const advice = (isNpm && explainNpm(output)) || (how.startsWith('SIG') ? KILLED : '');
		throw new Problem(
			[
				`\`${[command, ...args].join(' ')}\` failed (${how}). ${advice}`.trim(),
				worth(output),
				log ? `Its whole output: ${log}` : '',
			]
				.filter(Boolean)
				.join('\n'),
		);
	}
	return output;
}

/**
 * Flags for every npm here: quiet and, without a network, failing within seconds rather than after more than a minute.
 */
const NPM_FLAGS = [
	'--no-audit',
	'--no-fund',
	'--fetch-retries=3',
	'--fetch-retry-mintimeout=1000',
	'--fetch-retry-maxtimeout=8000',
];

/** On a full disk, npm continues for minutes, and may even exit with 0 although files are missing. */
const NPM_HOPELESS = /ENOSPC/;

/** Runs npm with the flags that every install here has. */
export const runNpm = async (args, options) => await run('npm', [...args, ...NPM_FLAGS], options);

/**
 * Throws a Problem within seconds if npm's registry can't be reached; an install would keep trying for more than a
 * minute.
 */
export async function checkRegistry() {
	const ping = ['ping', '--fetch-retries=0', '--fetch-timeout=15000'];
	await run('npm', ping).catch((error) => {
		// registries don't have to answer pings
		if (UNREACHABLE.test(error.message)) throw error;
	});
}

const UNREACHABLE = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network/i;

/** Returns advice for a failed npm; a missing network is by far the most frequent cause. */
export function explainNpm(output) {
	if (UNREACHABLE.test(output)) {
		return (
			'npm could not reach its registry. Check the network connection and the proxy settings ' +
			'(`npm config get registry`, `npm ping`), then run the command again: it goes on where it stopped.'
		);
	}
	if (/code E(5\d\d|429)\b/.test(output)) {
		return (
			"npm's registry answered with an error. Wait a moment, then run the command again. If this keeps happening, " +
			'check which registry npm uses: `npm config get registry`.'
		);
	}
	if (NPM_HOPELESS.test(output)) return `The disk is full. ${FREE_DISK}`;
	if (/EINTEGRITY|Z_BUF_ERROR|Z_DATA_ERROR|TAR_BAD_ARCHIVE|unexpected end of file/i.test(output)) {
		return "A download was damaged. Run the command again; if it fails the same way, empty npm's cache first: `npm cache clean --force`.";
	}
	if (/gyp ERR|not found: make|g\+\+/.test(output)) {
		return 'A native module could not be compiled. Install python3, make and g++ (Debian: `apt-get install python3 make g++`), then run the command again.';
	}
	return '';
}
