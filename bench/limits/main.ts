/* eslint-disable @n8n/community-nodes/no-restricted-globals */
/**
 * Simulates limits of services and renews docs/maintainers/rate-limits.md: `npm run bench:limits`. Uses virtual time and
 * the code that runs in n8n, so the figures are always the same; takes about a minute.
 */
import { sayHelp } from '../../scripts/lib/help.mjs';
import { say } from '../../scripts/lib/say.mjs';
import { markdownTable, renewParts } from '../../scripts/lib/markdown';
import { median } from '../median';
import { FAMILIES, type Case } from './cases';

/** Seeds per case. */
const SEEDS = 9;

/** Returns the medians of a case. */
async function measure({ run }: Case) {
	const results = [];
	for (let seed = 1; seed <= SEEDS; seed++) results.push(await run(seed));
	const value = median(results.map((result) => result.value));
	return { value, lost: median(results.map(({ lost }) => lost)) };
}

const shown = (value: number) => (value < 20 ? value.toFixed(2) : value.toFixed(0));

async function main(): Promise<void> {
	const rows: string[][] = [];
	const missed: string[] = [];
	for (const { name, least = 0, most = Infinity, cases } of FAMILIES) {
		const values: number[] = [];
		for (const one of cases) {
			const { value, lost } = await measure(one);
			values.push(value);
			const is = lost > 0 ? `${lost} calls fail` : shown(value);
			if (lost > 0 || value < least || value > most) missed.push(`${one.name} (${is})`);
		}
		const mean = values.reduce((sum, value) => sum + value) / values.length;
		const worst = least > 0 ? Math.min(...values) : Math.max(...values);
		rows.push([name, String(least || most), `${shown(mean)} (${shown(worst)})`]);
		say(rows.at(-1)!.join('; '));
	}
	const below = `Below the floor: ${missed.length > 0 ? missed.join('; ') : 'none'}.`;
	say(below);
	const table = markdownTable(['', 'Floor', 'This package'], rows);
	renewParts('docs/maintainers/rate-limits.md', { families: `${table}\n\n${below}` });
}

sayHelp(__filename);
void main();
