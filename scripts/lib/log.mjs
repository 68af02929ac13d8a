import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** Opens a log file to be added to. What can't be written, on a full disk, is left out: no program fails over its log. */
export function openLog(file) {
	mkdirSync(dirname(file), { recursive: true });
	return createWriteStream(file, { flags: 'a' }).on('error', () => {});
}
