import { linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readJson, writeJson } from './json-file.mjs';
import { isRunning } from './machine.mjs';
import { CACHE } from './paths.mjs';
import { say } from './say.mjs';

const POLL_MS = 500;

const isHeld = (owner) => owner !== null && isRunning(owner.pid, owner.script);

/** Removes the lock of a process that is gone; false where somebody else has just taken it over. */
function removeStale(file) {
	const aside = `${file}.${process.pid}`;
	try {
		renameSync(file, aside);
	} catch {
		return true; // another start has removed it
	}
	const isStale = !isHeld(readJson(aside));
	try {
		if (!isStale) linkSync(aside, file);
	} catch {
		// it has been taken once more
	}
	rmSync(aside, { force: true });
	return isStale;
}

/**
 * Takes the lock `file` unless a running process holds it. One that was killed holds nothing.
 * @returns {{ release: () => void; left: any } | { owner: { pid: number } }} `left` is what a killed owner had noted
 */
export function takeLock(file) {
	mkdirSync(dirname(file), { recursive: true });
	const script = basename(process.argv[1] ?? '');
	const own = JSON.stringify({ pid: process.pid, script });
	let left = null;
	for (;;) {
		try {
			writeFileSync(file, own, { flag: 'wx' });
			return { left, release: () => rmSync(file, { force: true }) };
		} catch (error) {
			if (error.code !== 'EEXIST') throw error;
		}
		const owner = readJson(file);
		if (isHeld(owner)) return { owner };
		left = owner ?? left;
		if (!removeStale(file)) left = null;
	}
}

/**
 * Adds to what a lock that is held here says; a later owner finds it if this process is killed. On a full disk it is
 * left out.
 */
export function note(file, facts) {
	try {
		writeJson(file, { ...readJson(file), ...facts });
	} catch (error) {
		if (error.code !== 'ENOSPC') throw error;
	}
}

/** Does `work` while no other command here does what goes by the same name; waits for that one to end. */
export async function oneAtATime(name, work) {
	const file = join(CACHE, 'locks', name);
	let told = false;
	for (;;) {
		const lock = takeLock(file);
		if (lock.release) {
			try {
				return await work();
			} finally {
				lock.release();
			}
		}
		if (!told) say(`  waiting for another command to finish this (process ${lock.owner.pid}) …`);
		told = true;
		await sleep(POLL_MS);
	}
}
