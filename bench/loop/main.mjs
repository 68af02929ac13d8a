/**
 * The plain loop in a separate Node: node main.mjs <status URL> <API key> <MB>. Meanwhile, that many MB of other
 * objects stay in memory, as in a real application, so the garbage collector has to visit them each time.
 */
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

import { pagesInALoop } from './pages.mjs';

const statusMb = (field) =>
	Number(
		new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))[1],
	) / 1024;

/** Approximate size of each of the other objects. */
const OBJECT_BYTES = 150;

const [, , url, apiKey, otherMb] = process.argv;
const others = Array.from({ length: (Number(otherMb) * 1e6) / OBJECT_BYTES }, (_, n) => ({
	n,
	text: `other ${n}`,
	list: [n],
}));
const idleMb = statusMb('VmRSS');
const start = performance.now();
const pages = await pagesInALoop(url, apiKey);
const ms = performance.now() - start;
process.stdout.write(
	JSON.stringify({
		ms,
		peakMb: statusMb('VmHWM') - idleMb,
		pages: pages.length,
		others: others.length,
	}),
);
