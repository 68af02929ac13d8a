import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** What the file says; null where there is none, or where its writer was cut off. */
export function readJson(file) {
	try {
		return JSON.parse(readFileSync(file, 'utf8'));
	} catch {
		return null;
	}
}

/** Writes all of the file or nothing, also when the disk is full or the process is killed. Readable by the user only. */
export function writeJson(file, value) {
	const temporary = `${file}.${process.pid}`;
	writeFileSync(temporary, JSON.stringify(value), { mode: 0o600 });
	renameSync(temporary, file);
}
