import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Returns a file's content; null if there is none, or if writing it was interrupted. */
export function readJson(file) {
	try {
		return JSON.parse(readFileSync(file, 'utf8'));
	} catch {
		return null;
	}
}

/**
 * Writes a file completely or not at all, even if the disk is full or the process is killed. Only the user can read it.
 */
export function writeJson(file, value) {
	const temporary = `${file}.${process.pid}`;
	writeFileSync(temporary, JSON.stringify(value), { mode: 0o600 });
	renameSync(temporary, file);
}
