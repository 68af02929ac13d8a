import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
/** Folder for everything that is downloaded or created at run time. It may be deleted at any time and is not in git. */
export const CACHE = join(ROOT, '.cache');
export const LOGS = join(CACHE, 'logs');
export const PACKAGE_NAME = 'n8n-nodes-web-data-service';
