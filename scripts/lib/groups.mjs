import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning } from './machine.mjs';

/** How long (ms) programs that a killed command left get to end by themselves. */
const END_MS = 10_000;
const GONE_MS = 3000;

/**
 * The programs that were started here, each the leader of a process group of its own (`detached`), so that what
 * they start ends with them and Ctrl-C reaches them only through us.
 */
const leaders = new Set();
let tell = () => {};

/** From now on tells, at once and after each change, which groups there are: `{ pid, script }` of each leader. */
export function watchGroups(listener) {
	tell = () =>
		listener([...leaders].map(({ pid, spawnargs }) => ({ pid, script: scriptOf(spawnargs) })));
	tell();
}

/** The part of a command line by which the process is known again. */
const scriptOf = ([command, ...args]) => args.find((argument) => argument.includes('/')) ?? command;

/** Remembers a child that was started `detached` until it ends. */
export function track(child) {
	leaders.add(child);
	tell();
	const forget = () => {
		leaders.delete(child);
		tell();
	};
	child.once('close', forget).once('error', forget);
}

/**
 * Ends groups that a killed command left behind; one whose leader is another program by now is left alone.
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
	// its ports are free when its last thread has ended; where nobody reaps it, it is listed for ever
	const gone = Date.now() + GONE_MS;
	while (left.some((group) => signalGroup(group, 0)) && Date.now() < gone) await sleep(100);
	return left.length;
}

/** Sends a signal to a child's whole group; false when nothing of it is left. */
export function signalGroup(child, signal) {
	try {
		process.kill(-child.pid, signal);
		return true;
	} catch {
		return false;
	}
}

/** Ends every group at once. The last resort, when this process itself ends. */
export function killAllGroups() {
	for (const child of leaders) {
		if (child.pid !== undefined) signalGroup(child, 'SIGKILL');
	}
}

/**
 * From now on a signal that ends this process ends the groups too.
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
