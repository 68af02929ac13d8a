import { mkdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readJson, writeJson } from './json-file.mjs';
import { isRunning } from './machine.mjs';
import { CACHE } from './paths.mjs';
import { say } from './say.mjs';

const POLL_MS = 500;
const TURN_MS = 10;
/** A turn takes milliseconds, so whoever has had one for this time was killed. */
const LONGEST_TURN_MS = 5_000;

/** Does some quick work while no other process does work for the same folder, which exists meanwhile. */
function inTurn(folder, work) {
	mkdirSync(dirname(folder), { recursive: true });
	for (;;) {
		try {
			mkdirSync(folder);
			break;
		} catch (error) {
			if (error.code !== 'EEXIST') throw error;
			const since = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
			if (Date.now() - since > LONGEST_TURN_MS) rmSync(folder, { recursive: true, force: true });
			Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, TURN_MS);
		}
	}
	try {
		return work();
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/**
 * Takes the lock `file`, unless a running process holds it. A killed process no longer does.
 * @returns {{ release: () => void; left: any } | { owner: { pid: number } }} `left` is what a killed owner had recorded
 */
export const takeLock = (file) =>
	inTurn(`${file}.turn`, () => {
		const left = readJson(file);
		if (left !== null && isRunning(left.pid, left.script)) return { owner: left };
		writeJson(file, { pid: process.pid, script: basename(process.argv[1] ?? '') });
		return { left, release: () => rmSync(file, { force: true }) };
	});

/**
 * Adds facts to a lock held here; if this process is killed, the next owner finds them. Skipped if the disk is full.
 */
export function note(file, facts) {
	try {
		writeJson(file, { ...readJson(file), ...facts });
	} catch (error) {
		if (error.code !== 'ENOSPC') throw error;
	}
}

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
