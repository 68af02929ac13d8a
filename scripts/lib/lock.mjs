import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readJson, writeJson } from './json-file.mjs';
import { isRunning } from './machine.mjs';
import { CACHE } from './paths.mjs';
import { say } from './say.mjs';

const POLL_MS = 500;

/**
 * Takes the lock `file`, unless a running process holds it. A killed process no longer does.
 * @returns {{ release: () => void; left: any } | { owner: { pid: number } }} `left` is what a killed owner had recorded
 */
export function takeLock(file) {
	mkdirSync(dirname(file), { recursive: true });
	const left = readJson(file);
	if (left !== null && isRunning(left.pid, left.script)) return { owner: left };
	rmSync(file, { force: true });
	try {
		const own = { pid: process.pid, script: basename(process.argv[1] ?? '') };
		writeFileSync(file, JSON.stringify(own), { flag: 'wx', mode: 0o600 });
	} catch (error) {
		// another process was quicker
		if (error.code === 'EEXIST') return takeLock(file);
		throw error;
	}
	return { left, release: () => rmSync(file, { force: true }) };
}

/** Adds facts to a lock held here; if this process is killed, the next owner finds them. */
export const note = (file, facts) => writeJson(file, { ...readJson(file), ...facts });

/** Runs `work` while no other command runs work of the same name; waits for that to end. */
export async function oneAtATime(name, work) {
	const file = join(CACHE, 'locks', name);
	let lock = takeLock(file);
	if (lock.owner) {
		say(`  waiting for another command to finish this (process ${lock.owner.pid}) …`);
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
