import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Opens a log file for appending. What can't be written, on a full disk, is dropped: no program fails because of its
 * log.
 */
export function openLog(file) {
	mkdirSync(dirname(file), { recursive: true });
	return createWriteStream(file, { flags: 'a' }).on('error', () => {});
}
