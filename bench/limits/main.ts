/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
/**
 * Simulates limits of services and writes docs/maintainers/rate-limits.md: `npm run bench:limits`. Uses virtual time and
 * the code that runs in n8n, so the figures are always the same; takes about a minute. Given words as arguments, only
 * prints every case of the families whose names contain them.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { sayHelp } from '../../scripts/lib/help.mjs';
import { ROOT } from '../../scripts/lib/paths.mjs';
import { say } from '../../scripts/lib/say.mjs';
import { markdownTable as table } from '../../scripts/lib/markdown';
import { median } from '../process';
import { FAMILIES, type Case, type Family } from './cases';

const DOC = join(ROOT, 'docs', 'maintainers', 'rate-limits.md');
/** Seeds per case. */
const SEEDS = 9;

/** The medians of a case. */
interface Measured {
	value: number;
	rejected: number;
	lost: number;
}

async function measure({ run }: Case): Promise<Measured> {
	const results = [];
	for (let seed = 1; seed <= SEEDS; seed++) results.push(await run(seed));
	return {
		value: median(results.map(({ value }) => value)),
		rejected: median(results.map(({ rejected = 0 }) => rejected)),
		lost: median(results.map(({ lost = 0 }) => lost)),
	};
}

const isBelow = ({ least = 0, most = Infinity }: Family, { value, lost }: Measured) =>
	lost > 0 || value < least || value > most;

const shown = (value: number) => (value < 20 ? value.toFixed(2) : value.toFixed(0));

/** Returns the mean of a family, and its worst case. */
function summary(family: Family, measured: Measured[]): string {
	const values = measured.map(({ value }) => value);
	const mean = values.reduce((sum, value) => sum + value) / values.length;
	const isTime = /\((?:s|times)\)$/.test(family.name);
	const worst = isTime ? Math.max(...values) : Math.min(...values);
	const lost = measured.some((of) => of.lost > 0) ? ', calls fail' : '';
	return `${shown(mean)} (${shown(worst)})${lost}`;
}

/** Measures the families whose names contain the words. Without words, writes the page; with words, prints each case. */
async function main(words: string[]): Promise<void> {
	const rows: string[][] = [];
	const missed: string[] = [];
	for (const family of FAMILIES) {
		if (!words.every((word) => family.name.includes(word))) continue;
		const all: Measured[] = [];
		for (const one of family.cases) {
			const measured = await measure(one);
			const { value, rejected, lost } = measured;
			all.push(measured);
			if (isBelow(family, measured)) missed.push(`${one.name} (${shown(value)})`);
			if (words.length === 0) continue;
			say(`  ${one.name}: ${shown(value)}, ${rejected.toFixed(2)} 429s, ${lost} lost`);
		}
		rows.push([family.name, String(family.least ?? family.most), summary(family, all)]);
		say(rows.at(-1)!.join('; '));
	}
	if (missed.length > 0) say(`Below the floor: ${missed.join('; ')}`);
	if (words.length > 0) return;
	writeFileSync(DOC, page(rows, missed));
	say(`Wrote ${DOC}`);
}

const page = (rows: string[][], missed: string[]) => `# Rate limits in the simulator

Written by \`npm run bench:limits\`; not edited by hand. What the limiter does is told in [Rate limits](../reliability.md#rate-limits), its constants and their reasons in \`nodes/shared/limiter/\`.

A share of 0.95 means: calls were accepted at 0.95 times the pace of a client that knows the limit and loses no time but the latency. Shown are the mean of a family's cases and, in brackets, the worst one. Each case is the median of ${SEEDS} runs. Cases differ in the kind of limit, in how its 429s name the wait (Retry-After in seconds, in words, not at all), and in latency (0, 300 and 2,000 ms; each way takes from half to one and a half times its mean). n8n needs 1.5 ms to send a call. On a real n8n that does other work, figures are lower by up to a tenth, so the last percent here means nothing.

${table(['', 'Floor', 'This package'], rows)}

Below the floor: ${missed.length > 0 ? missed.join('; ') : 'none'}.

## What was compared

An earlier version of this bench simulated other designs. **Backoff only** is far too slow for buckets that take few calls at once, and where a minute names no wait. A **learned quota** keeps one wrong measurement: two workers starve each other. **CUBIC**, as in the adaptive mode of the AWS SDKs, has no memory of windows. This package adds to backoff tries by single calls, the number of calls in a long window, and an even pace for all shorter ones.

How many calls are in flight follows RFC 5681 (TCP). Bounds that follow latency (Vegas, Gradient) were left out: pages take from 0.2 to 60 s at any load.
`;

sayHelp(__filename);
void main(process.argv.slice(2));
