import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Opens a log file for appending. If it can't be written because the disk is full, output is dropped: no program fails
 * because of its log.
 */
export function openLog(file) {
	mkdirSync(dirname(file), { recursive: true });
	return createWriteStream(file, { flags: 'a' }).on('error', () => {});
}
