import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readJson, writeJson } from './json-file.mjs';
import { isRunning } from './machine.mjs';
import { CACHE } from './paths.mjs';
import { say } from './say.mjs';

const POLL_MS = 500;

const isHeld = (owner) => owner !== null && isRunning(owner.pid, owner.script);

/** Returns the content of the lock; null if it is incomplete, undefined if there is none. */
function ownerIn(file) {
	let text;
	try {
		text = readFileSync(file, 'utf8');
	} catch {
		return undefined;
	}
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}

/** Creates a file together with all its content; returns false if the file exists. */
function create(file, text) {
	const whole = `${file}.${process.pid}`;
	try {
		writeFileSync(whole, text);
		linkSync(whole, file);
		return true;
	} catch (error) {
		if (error.code !== 'EEXIST') throw error;
		return false;
	} finally {
		rmSync(whole, { force: true });
	}
}

/**
 * Takes the lock `file`, unless a running process holds it. A killed process no longer does.
 * @returns {{ release: () => void; left: any } | { owner: { pid: number } }} `left` is what a killed owner had recorded
 */
export function takeLock(file) {
	mkdirSync(dirname(file), { recursive: true });
	const own = { pid: process.pid, script: basename(process.argv[1] ?? '') };
	const release = () => rmSync(file, { force: true });
	for (;;) {
		const owner = ownerIn(file);
		if (owner === undefined) {
			if (create(file, JSON.stringify(own))) return { left: null, release };
			continue;
		}
		if (isHeld(owner)) return { owner };
		// Only one process at a time may replace a killed owner's lock; otherwise, a second one would replace the lock of
		// the first.
		const turn = takeLock(`${file}.next`);
		if (turn.owner) continue;
		try {
			const left = ownerIn(file);
			if (left === undefined || isHeld(left)) continue;
			writeJson(file, own);
			return { left, release };
		} finally {
			turn.release();
		}
	}
}

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
