/** The plain loop in a Node of its own: node main.mjs <status URL> <API key> */
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

import { pagesInALoop } from './pages.mjs';

const statusMb = (field) =>
	Number(
		new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))[1],
	) / 1024;

const [, , url, apiKey] = process.argv;
const idleMb = statusMb('VmRSS');
const start = performance.now();
const pages = await pagesInALoop(url, apiKey);
const ms = performance.now() - start;
process.stdout.write(
	JSON.stringify({ ms, peakMb: statusMb('VmHWM') - idleMb, pages: pages.length }),
);
