import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readJson } from './json-file.mjs';
import { CACHE } from './paths.mjs';
import { say } from './say.mjs';

const POLL_MS = 500;

function isRunning(pid) {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return error.code === 'EPERM';
	}
}

/**
 * Takes the lock `file`, unless a running process holds it.
 * @returns {{ release: () => void } | { owner: { pid: number } }} `owner` is what the file holds
 */
export function takeLock(file) {
	mkdirSync(dirname(file), { recursive: true });
	const owner = readJson(file);
	if (owner !== null && isRunning(owner.pid)) return { owner };
	rmSync(file, { force: true });
	try {
		writeFileSync(file, JSON.stringify({ pid: process.pid }), { flag: 'wx' });
	} catch (error) {
		// another process was quicker
		if (error.code === 'EEXIST') return takeLock(file);
		throw error;
	}
	return { release: () => rmSync(file, { force: true }) };
}

/** Runs `work` while no other command runs work of the same name; waits for that to end. */
export async function oneAtATime(name, work) {
	const file = join(CACHE, 'locks', name);
	let lock = takeLock(file);
	if (lock.owner) {
		say(
			`  waiting for another command (process ${lock.owner.pid}); if there is none, delete ${file}`,
		);
	}
	while (lock.owner) {
		await sleep(POLL_MS);
		lock = takeLock(file);
	}
	try {
		return await work();
	} finally {
		lock.release();
	}
}
