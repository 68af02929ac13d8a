import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning } from './machine.mjs';

/** Time (ms) that programs left behind by a killed command have to exit on their own. */
const END_MS = 10_000;
const GONE_MS = 3000;

/**
 * The programs started here, each the leader of a process group of its own (`detached`), so that what they start ends
 * with them and Ctrl-C reaches them only through us.
 */
const leaders = new Set();
let tell = () => {};

/** Calls `listener` now, and after each change, with the current groups: `{ pid, script }` of each leader. */
export function watchGroups(listener) {
	tell = () =>
		listener([...leaders].map(({ pid, spawnargs }) => ({ pid, script: scriptOf(spawnargs) })));
	tell();
}

/**
 * Returns the environment for programs started here. npm passes its own settings down as variables, which would
 * override the `.npmrc` of an npm started here, and a user's n8n settings must not leak into the demo.
 */
export function cleanEnvironment(extra = {}) {
	const own = Object.entries(process.env).filter(
		([name]) =>
			!/^(N8N_|DB_|QUEUE_|EXECUTIONS_|WEB_DATA_SERVICE_|npm_(package|lifecycle|config_(?!cache|registry|userconfig|globalconfig|https?_proxy|proxy|noproxy))|NODE_OPTIONS$|NODE_ENV$)/i.test(
				name,
			),
	);
	return { ...Object.fromEntries(own), ...extra };
}

/** Returns the part of a command line that identifies the process. */
const scriptOf = ([command, ...args]) => args.find((argument) => argument.includes('/')) ?? command;

/**
 * Starts a program as the leader of a group.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions & { log?: string; hear?: (text: string) => void }} options `env`
 * is added to the environment; output goes to the file `log`, and to `hear` as it comes
 * @returns {{ child: import('node:child_process').ChildProcess; ended: Promise<string> }} `ended` is how it ended
 * (`code 1`, `SIGKILL`) or why it could not be started
 */
export function startGroup(command, args, { log, hear, env, ...options }) {
	const stdio = ['ignore', 'pipe', 'pipe'];
	const child = spawn(command, args, {
		stdio,
		...options,
		env: cleanEnvironment(env),
		detached: true,
	});
	const file = log && openLog(log);
	const take = (chunk) => {
		file?.write(chunk);
		hear?.(String(chunk));
	};
	child.stdout?.on('data', take);
	child.stderr?.on('data', take);
	leaders.add(child);
	tell();
	const ended = new Promise((resolve) => {
		const end = (how) => {
			leaders.delete(child);
			tell();
			file?.end();
			resolve(how);
		};
		child.once('error', (error) => end(error.message));
		child.once('close', (code, signal) => end(signal ?? `code ${code}`));
	});
	return { child, ended };
}

/** Opens a log file for appending. No program fails because its log can't be written, as on a full disk. */
function openLog(file) {
	mkdirSync(dirname(file), { recursive: true });
	return createWriteStream(file, { flags: 'a' }).on('error', () => {});
}

/**
 * Ends groups that a killed command left behind; leaves a group alone if its leader's PID now belongs to another
 * program.
 * @param {Array<{ pid: number; script: string }>} groups
 * @returns {Promise<number>} how many there were
 */
export async function endLeftGroups(groups) {
	const left = groups.filter(({ pid, script }) => isRunning(pid, script));
	for (const group of left) signalGroup(group, 'SIGTERM');
	const end = Date.now() + END_MS;
	while (left.some(({ pid, script }) => isRunning(pid, script)) && Date.now() < end) {
		await sleep(100);
	}
	for (const group of left) signalGroup(group, 'SIGKILL');
	// its ports are free once its last thread has ended; if nobody reaps the process, it stays listed forever
	const gone = Date.now() + GONE_MS;
	while (left.some((group) => signalGroup(group, 0)) && Date.now() < gone) await sleep(100);
	return left.length;
}

/** Sends a signal to a child's whole group; returns false if nothing of it is left. */
export function signalGroup(child, signal) {
	try {
		process.kill(-child.pid, signal);
		return true;
	} catch {
		return false;
	}
}

/** Kills every group immediately. A last resort, for when this process itself ends. */
export function killAllGroups() {
	for (const child of leaders) {
		if (child.pid !== undefined) signalGroup(child, 'SIGKILL');
	}
}

/**
 * Makes signals that end this process end the groups, too, from now on.
 * @returns {() => void} undoes that
 */
export function endGroupsWithThis() {
	const end = () => {
		killAllGroups();
		process.exit(130);
	};
	const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
	for (const signal of signals) process.once(signal, end);
	return () => {
		for (const signal of signals) process.removeListener(signal, end);
	};
}
