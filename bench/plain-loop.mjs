/** The pages of a crawl with nothing but fetch and JSON.parse: node plain-loop.mjs <status URL> <API key> */
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

const statusMb = (field) =>
	Number(
		new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))[1],
	) / 1024;

const [, , first, apiKey] = process.argv;
const idleMb = statusMb('VmRSS');
const start = performance.now();
const pages = [];
for (let url = first; url;) {
	const response = await fetch(url, { headers: { authorization: `Bearer ${apiKey}` } });
	const body = JSON.parse(await response.text());
	pages.push(...body.data);
	url = body.next;
}
const ms = performance.now() - start;
process.stdout.write(
	JSON.stringify({ ms, peakMb: statusMb('VmHWM') - idleMb, pages: pages.length }),
);
