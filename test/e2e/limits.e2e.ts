/* eslint-disable @n8n/community-nodes/no-restricted-imports */
/** Rate limits on the real n8n: cases of the simulator, and many executions at once. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { LIMITS, use, type Result, type Use } from '../../bench/limits/cases';
import { perfectMs } from '../../bench/limits/simulate';
import type { LocalService } from '../../mock-service';
import { startService } from '../../mock-service';
import { counterOf } from '../../mock-service/rateLimit';
import { CONCURRENCY } from '../../nodes/shared/limiter/accountLimiter';
import { chain, ours } from './support/flow';
import { Lab, toExecution } from './support/lab';

/** The simulator knows of no other work on the machine. */
const NOISE = 0.75;
/** Share of the calls that may be rejected, in addition to all in flight at the first 429. */
const REJECTED = 0.15;
/**
 * Number of tries, each with an account and a service of its own, since other work on the machine may spoil one, but
 * not all of them.
 */
const TRIES = 3;
const TIMEOUT_MS = 120_000;
const SEEDS = [1, 2, 3, 4, 5];

let lab: Lab;
let service: LocalService | undefined;

before(async () => {
	lab = await Lab.open();
});

after(async () => {
	await service?.close();
	await lab?.close();
});

/** Searches for as many words as there are items, starting with number `from`. */
const searches = (items: number, from = 0) =>
	chain(
		[
			ours(
				'webDataSearch',
				{ operation: 'search', query: '=tea {{ $json.n }}', options: { splitIntoItems: false } },
				{ name: 'Search' },
			),
		],
		{ items: Array.from({ length: items }, (_, n) => ({ n: from + n })), name: `From ${from}` },
	);

/** Runs a case's items in as many executions as it says, with a service and an account of its own. */
async function onRealN8n(what: Use): Promise<Required<Omit<Result, 'lost'>>> {
	const { limit, latencyMs, items, hint, runs = 1 } = what;
	await service?.close();
	service = await startService({
		credits: 1_000_000,
		latencyMs,
		rateLimit: { ...limit, retryAfter: hint },
	});
	lab.credential = await lab.addCredential(service.url, service.url, service.apiKey);
	const each = items / runs;
	const flows = Array.from({ length: runs }, (_, run) => searches(each, run * each));
	const workflows = await Promise.all(flows.map(async (flow) => await lab.save(flow)));
	const ids = await Promise.all(
		workflows.map(async (workflow) => await lab.client.start(workflow, 'Start')),
	);
	for (const id of ids) {
		const execution = toExecution(await lab.client.finished(id, TIMEOUT_MS));
		assert.equal(execution.status, 'success', execution.error?.message);
		const paired = execution.items('Search').map(({ pairedItem }) => pairedItem);
		assert.deepEqual(
			paired,
			Array.from({ length: each }, (_, item) => ({ item })),
		);
	}
	const searched = service.ledger.map(({ body }) => (body as { query: string }).query);
	assert.equal(new Set(searched).size, items, 'each item is searched for');
	assert.equal(searched.length, items, 'none is paid for twice');
	assert.deepEqual(service.violations, []);
	const times = service.requests.filter(({ status }) => status === 200).map(({ at }) => at);
	const first = Math.min(...service.requests.map(({ at }) => at));
	const seconds = (Math.max(...times) + latencyMs - first) / 1_000;
	return {
		value: (perfectMs(counterOf(limit), items) + latencyMs) / 1_000 / seconds,
		rejected: (service.requests.length - items) / items,
	};
}

const caseOf = (limit: string, hint: Use['hint'], latencyMs: number, items: number): Use => ({
	limit: LIMITS[limit],
	hint,
	latencyMs,
	items,
});

const CASES: Record<string, Use> = {
	'50/s, sliding, no wait named, 300 ms': caseOf('50/s, sliding', 'none', 300, 400),
	'100 per 5 s, fixed, wait in the text only, 300 ms': caseOf(
		'100 per 5 s, fixed',
		'text',
		300,
		300,
	),
	'15 executions of 40 items at once, 50/s, fixed': {
		...caseOf('50/s, fixed', 'seconds', 300, 600),
		runs: 15,
	},
};

const told = ({ value, rejected = 0 }: Result) =>
	`${value.toFixed(2)}, ${(100 * rejected).toFixed(0)} % rejected`;

describe('The pace that a service allows', () => {
	for (const [name, what] of Object.entries(CASES)) {
		it(name, async (test) => {
			const simulated = await Promise.all(SEEDS.map(async (seed) => await use(what, seed)));
			const worst = Math.min(...simulated.map(({ value }) => value));
			const most = CONCURRENCY.max / what.items + REJECTED;
			const tries: string[] = [];
			let isGood = false;
			while (!isGood && tries.length < TRIES) {
				const real = await onRealN8n(what);
				isGood = real.value >= NOISE * worst && real.rejected <= most;
				tries.push(told(real));
			}
			test.diagnostic(`${tries.join('; ')}; simulated ${simulated.map(told).join('; ')}`);
			assert.ok(isGood, tries.join('; '));
		});
	}
});
