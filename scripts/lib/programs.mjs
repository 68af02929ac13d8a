import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const STOP_MS = 10_000;
const LOOK_MS = 50;
const TAIL_CHARACTERS = 200_000;

/**
 * The programs started here, each the leader of a process group of its own (`detached`), so that what they start ends
 * with them and Ctrl-C reaches them only through us.
 */
const programs = new Set();

/**
 * Returns the environment for programs started here. npm passes its own settings down as variables, which would
 * override the `.npmrc` of an npm started here, and a user's n8n settings must not leak into the demo.
 */
function cleanEnvironment(extra = {}) {
	const own = Object.entries(process.env).filter(
		([name]) =>
			!/^(N8N_|DB_|QUEUE_|EXECUTIONS_|WEB_DATA_SERVICE_|npm_(package|lifecycle|config_(?!cache|registry|userconfig|globalconfig|https?_proxy|proxy|noproxy))|NODE_OPTIONS$|NODE_ENV$)/i.test(
				name,
			),
	);
	return { ...Object.fromEntries(own), ...extra };
}

/** Options of Node for a program that must not outlive the command that starts it, even if that is killed. */
export const WITH_PARENT = ['--import', fileURLToPath(new URL('with-parent.mjs', import.meta.url))];

/**
 * Starts a program as the leader of a group.
 * @param {string} name for messages
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions & { log?: string; hear?: (text: string) => void }} options `env`
 * is added to the environment; output goes to the file `log`, and to `hear` as it comes
 */
export function startProgram(name, command, args, { log = '', hear, env, ...options }) {
	const child = spawn(command, args, {
		stdio: ['ignore', 'pipe', 'pipe'],
		...options,
		env: cleanEnvironment(env),
		detached: true,
	});
	if (log !== '') mkdirSync(dirname(log), { recursive: true });
	// No program fails because its log can't be written, as on a full disk.
	const file =
		log === '' ? undefined : createWriteStream(log, { flags: 'a' }).on('error', () => {});
	let output = '';
	let ending = null;
	const take = (chunk) => {
		file?.write(chunk);
		output = (output + chunk).slice(-TAIL_CHARACTERS);
		hear?.(String(chunk));
	};
	child.stdout?.on('data', take);
	child.stderr?.on('data', take);
	const ended = new Promise((resolve) => {
		const end = (how) => {
			ending = how;
			programs.delete(self);
			file?.end();
			resolve(how);
		};
		child.once('error', (error) => end(error.message));
		child.once('close', (code, signal) => end(signal ?? `code ${code}`));
	});
	const self = {
		log,
		pid: child.pid,
		/** How it ended (`code 1`, `SIGKILL`), or why it could not be started. */
		ended,
		/** The same, or null while it is running. */
		get ending() {
			return ending;
		},
		/** The end of its output. */
		get output() {
			return output;
		},
		/**
		 * Returns the first match of `pattern` in the output.
		 * @throws if the program ends or `timeoutMs` passes first
		 */
		async says(pattern, timeoutMs) {
			const end = Date.now() + timeoutMs;
			while (!pattern.test(output) && ending === null && Date.now() < end) await sleep(LOOK_MS);
			const match = pattern.exec(output);
			if (match) return match;
			const why = ending === null ? `within ${timeoutMs / 1000} s` : `before it ended (${ending})`;
			throw new Error(
				`${name} was not ready ${why}. Its last output (${log}):\n${output.slice(-2000)}`,
			);
		},
		/** Sends SIGTERM to the whole group, then SIGKILL to what is left of it after a few seconds. */
		async stop() {
			signalGroup(child, 'SIGTERM');
			const late = setTimeout(() => signalGroup(child, 'SIGKILL'), STOP_MS);
			await ended;
			clearTimeout(late);
			signalGroup(child, 'SIGKILL');
		},
		/** Kills the whole group immediately, as a crash would. */
		async kill() {
			signalGroup(child, 'SIGKILL');
			await ended;
		},
	};
	programs.add(self);
	return self;
}

/** Sends a signal to a program's whole group. */
function signalGroup({ pid }, signal) {
	try {
		process.kill(-pid, signal);
	} catch {
		// nothing of it is left
	}
}

/** Stops every program started here that is still running. */
export async function endPrograms() {
	await Promise.all([...programs].map(async (program) => await program.stop()));
}

/** Makes the programs started here end with this process, and with the npm that runs it. */
export function endProgramsWithThis() {
	const end = () => void endPrograms().then(() => process.exit(process.exitCode ?? 130));
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, end);
	process.once('exit', () => {
		for (const program of programs) signalGroup(program, 'SIGKILL');
	});
	const parent = process.ppid;
	if (process.env.npm_lifecycle_event)
		setInterval(() => process.ppid !== parent && end(), 1_000).unref();
}
