/**
 * Simulates limits of services and writes docs/rate-limits.md: npm run bench:limits
 * Virtual time, the code that runs in n8n, the same figures each time; takes a minute or two.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';

import { ROOT } from '../../scripts/lib/paths.mjs';
import { say } from '../../scripts/lib/say.mjs';
import type { Pacing } from '../../nodes/shared/transport/limits/types';
import {
	AFTER_RESTS,
	AT_RANDOM,
	CHANGES,
	CHANGING,
	HINTS,
	LATENCIES,
	LIMITS,
	MACHINES,
	ODD_LIMITS,
	OUTAGES_MS,
	PER_SECOND,
	SMALL_LATENCIES,
	SMALL_LIMITS,
	TWO_LIMITS,
	UNEQUAL,
	UNEQUAL_ITEMS,
	WORKERS_LATER_MS,
	afterOutage,
	afterRests,
	atRandom,
	caseOf,
	changing,
	jobs,
	oddLimit,
	queueOf,
	quickStart,
	smallLimit,
	twoLimits,
	unequal,
} from './cases';
import { type Measured, markdown } from './report';
import { Aimd, Cubic } from './rivals/buckets';
import { Quota } from './rivals/quota';
import { Waiting } from './rivals/waiting';
import type { Hint } from './service';
import { SEEDS, summarize, summaryOf } from './simulate';

const DOC = join(ROOT, 'docs', 'rate-limits.md');

const RIVALS: Record<string, (() => Pacing) | undefined> = {
	'This package': undefined,
	'AWS adaptive (CUBIC)': () => new Cubic(),
	AIMD: () => new Aimd(),
	'Learned quota': () => new Quota(),
	'Backoff only': () => new Waiting(),
};

const hints = Object.keys(HINTS) as Hint[];
const seeds = Array.from({ length: SEEDS }, (_, n) => n + 1);

async function measure(): Promise<Measured> {
	const all: Measured['all'] = [];
	for (const limit of Object.keys(LIMITS)) {
		for (const hint of hints) {
			const row = [];
			for (const ms of LATENCIES) row.push(await summarize(caseOf(limit, hint, ms)));
			all.push({ limit, hint, row });
		}
		say(limit);
	}
	const small: Measured['small'] = [];
	for (const of of SMALL_LIMITS) {
		const row = [];
		for (const hint of ['seconds', 'none'] as const) {
			for (const latencyMs of SMALL_LATENCIES) {
				row.push(await summarize({ ...smallLimit(of), hint, latencyMs }));
			}
		}
		small.push({ ...of, row });
	}
	const many: Measured['many'] = [];
	for (const limit of PER_SECOND) {
		const row = [];
		for (const hint of ['seconds', 'none'] as const) {
			for (const ms of [0, 300]) row.push(await summarize(caseOf(limit, hint, ms, 3_000)));
		}
		many.push({ limit, row });
	}
	const crowd: Measured['crowd'] = [];
	for (const limit of PER_SECOND) {
		const row = [];
		for (const hint of ['seconds', 'none'] as const) {
			for (const ms of [0, 300]) {
				row.push(await summarize({ ...caseOf(limit, hint, ms, 600), runs: 15 }));
			}
		}
		crowd.push({ limit, row });
	}
	const busy: Measured['busy'] = [];
	for (const limit of PER_SECOND) {
		for (const hint of ['seconds', 'none'] as const) {
			const row = [];
			for (const machine of [MACHINES.slow, MACHINES.busy]) {
				for (const ms of [0, 300]) {
					row.push(await summarize({ ...caseOf(limit, hint, ms), machine }));
				}
			}
			busy.push({ limit, hint, row });
		}
	}
	const workers: Measured['workers'] = [];
	for (const limit of PER_SECOND) {
		for (const hint of ['seconds', 'none'] as const) {
			const what = caseOf(limit, hint, 300, 800);
			const row = [];
			for (const ms of WORKERS_LATER_MS) row.push(await summarize(what, undefined, queueOf(ms)));
			workers.push({ limit, hint, row });
		}
	}
	const random: Measured['random'] = [];
	for (const what of AT_RANDOM) {
		const results = await Promise.all(seeds.map(async (seed) => await atRandom(what, seed)));
		random.push({ ...what, seconds: results.map(({ seconds }) => seconds) });
	}
	const rested: Measured['rested'] = [];
	for (const limit of AFTER_RESTS) {
		const row = [];
		for (const hint of ['seconds', 'none'] as const) {
			for (const ms of [300, 2_000]) {
				row.push(
					summaryOf(await Promise.all(seeds.map((seed) => afterRests(limit, hint, ms, seed)))),
				);
			}
		}
		rested.push({ limit, row });
	}
	const changed: Measured['changed'] = [];
	for (const limit of CHANGING) {
		for (const hint of ['seconds', 'none'] as const) {
			const row = [];
			for (const of of CHANGES) {
				row.push(
					summaryOf(await Promise.all(seeds.map((seed) => changing(limit, of, hint, seed)))),
				);
			}
			changed.push({ limit, hint, row });
		}
	}
	const outages: Measured['outages'] = [];
	for (const limit of CHANGING) {
		const row = [];
		for (const ms of OUTAGES_MS) {
			row.push(await Promise.all(seeds.map((seed) => afterOutage(limit, ms, seed))));
		}
		outages.push({ limit, row });
	}
	const both: Measured['both'] = [];
	for (const [limits, of] of Object.entries(TWO_LIMITS)) {
		const row = [];
		for (const hint of ['seconds', 'none'] as const) {
			row.push(summaryOf(await Promise.all(seeds.map((seed) => twoLimits(of, hint, seed)))));
		}
		both.push({ limits, row });
	}
	const odd: Measured['odd'] = [];
	for (const limit of Object.keys(ODD_LIMITS)) {
		const row = [];
		for (const ms of LATENCIES) {
			row.push(summaryOf(await Promise.all(seeds.map((seed) => oddLimit(limit, ms, seed)))));
		}
		odd.push({ limit, row });
	}
	say(
		'3,000 items; 15 executions; a slow n8n; two workers; at random; after rests and outages; changing, double and odd limits',
	);
	const rivals: Measured['rivals'] = [];
	for (const [name, createPace] of Object.entries(RIVALS)) {
		const row = [];
		for (const limit of [...PER_SECOND, '100/min, fixed', '100/min, bucket of 10']) {
			const summaries = [];
			for (const hint of ['seconds', 'none'] as const) {
				summaries.push(await summarize(caseOf(limit, hint, 300), createPace));
			}
			row.push({ limit, summaries });
		}
		rivals.push({ name, row });
		say(name);
	}
	const polled = [];
	for (const hint of ['seconds', 'none'] as const) {
		polled.push({ hint, results: await Promise.all(seeds.map((seed) => jobs(hint, seed))) });
	}
	const quick: Measured['quick'] = [];
	for (const [items, latencyMs] of [
		[20, 2_000],
		[200, 500],
		[1_000, 500],
		[1_000, 0],
	]) {
		const ratios = await Promise.all(seeds.map((seed) => quickStart(items, latencyMs, seed)));
		quick.push({ items, latencyMs, ratios });
	}
	const spread: Measured['spread'] = [];
	for (const times of Object.keys(UNEQUAL)) {
		const row = [];
		for (const items of UNEQUAL_ITEMS) {
			row.push(await Promise.all(seeds.map((seed) => unequal(times, items, seed))));
		}
		spread.push({ times, row });
	}
	return {
		all,
		small,
		many,
		crowd,
		busy,
		workers,
		random,
		rested,
		changed,
		outages,
		both,
		odd,
		rivals,
		polled,
		quick,
		spread,
	};
}

async function main(): Promise<void> {
	const document = markdown(await measure());
	const options = await resolveConfig(DOC);
	writeFileSync(DOC, await format(document, { ...options, parser: 'markdown' }));
	say(`Wrote ${DOC}`);
}

void main();
