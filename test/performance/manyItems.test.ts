/** n8n works for others while thousands of items end, however they end. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { LocalService } from '../../mock-service';
import { cpuTime, longestTurn, slowness } from '../support/cpuTime';
import { detailsOf, itemsOf } from '../support/engine';
import { freshLimiters } from '../support/limiters';
import { type MoreOptions, served } from '../support/served';
import { scrape, search } from '../support/nodes';

/** Longest turn (CPU time in ms) on a quiet machine; a part of it is n8n's own. */
const LONGEST_MS = 300;
const TRIES = 3;

let service: LocalService;
const runWith = served({ credits: 1_000_000 }, (started) => (service = started));
beforeEach(freshLimiters);

const numbered = (count: number) =>
	itemsOf(...Array.from({ length: count }, (_, n) => ({ url: `https://a.example/${n}` })));

const batching = (batchSize: number, batchInterval = 1) => ({
	batching: { batch: { batchSize, batchInterval } },
});
const URL = '={{ $json.url }}';
const MISSPELT = '={{ $json.ulr }}';
const ISSUES = Array.from({ length: 4_000 }, (_, n) => ({
	code: 'custom',
	message: 'Invalid URL',
	path: ['urls', n],
}));
const refusals: Record<string, { status: number; body: IDataObject }> = {
	'no credits': { status: 402, body: { success: false, error: 'Insufficient credits' } },
	'an issue for each URL': {
		status: 400,
		body: { success: false, error: 'Invalid request', details: ISSUES },
	},
};

interface Case {
	name: string;
	parameters: INodeParameters;
	/** How the service refuses; without credits by default. */
	refusal?: { status: number; body: IDataObject };
	/** n8n prepares 800 items in one go, which takes it some 150 ms; with Batching, batch by batch. */
	count?: number;
	onError?: MoreOptions['onError'];
}

const cases: Case[] = [
	...Object.entries(refusals).flatMap(([why, refusal]) =>
		(['stopWorkflow', 'continueErrorOutput'] as const).map((onError) => ({
			name: `with their shared job, for ${why}, ${onError}`,
			parameters: { operation: 'batchStart', urls: URL },
			refusal,
			onError,
		})),
	),
	{ name: 'one by one', parameters: { operation: 'scrape', url: URL } },
	{
		name: 'one by one, in batches',
		parameters: { operation: 'scrape', url: URL, requestOptions: batching(20) },
		count: 2_000,
	},
	{
		name: 'by a misspelt field, in batches',
		parameters: { operation: 'scrape', url: MISSPELT, requestOptions: batching(20) },
		count: 2_000,
	},
];

it.each(cases)('thousands of items fail $name', async (one) => {
	const { parameters, refusal = refusals['no credits'], count = 800, onError } = one;
	service.fail({ method: 'POST', ...refusal });
	const fail = async (items: number) =>
		await runWith(scrape, parameters, { items: numbered(items), onError });
	// n8n itself takes half of it, and more whenever the machine does something else; the first try warms up.
	let { result, ms } = await longestTurn(async () => await fail(count));
	for (let tries = 1; tries < TRIES && ms > LONGEST_MS; tries++) {
		({ result, ms } = await longestTurn(async () => await fail(count)));
	}
	expect(ms > LONGEST_MS ? ms / slowness() : ms).toBeLessThan(LONGEST_MS);
	const { output, error, run } = result;
	if (onError === 'continueErrorOutput') expect(output.at(-1)).toHaveLength(count);
	else expect(error?.description).toMatch(new RegExp(`Of ${count} items, 0 had finished`));
	// What n8n saves: a long error is told once.
	expect(JSON.stringify(run.data.resultData.runData).length).toBeLessThan(6_000_000);
});

/** Expects of the last number of items that each costs little more CPU time than with the one before; the first warms up. */
async function expectFlat(
	[warm, few, many]: [number, number, number],
	mostTimes: number,
	work: (count: number) => Promise<void>,
): Promise<void> {
	const perItem = async (count: number) => {
		const spent = cpuTime();
		await work(count);
		return spent() / count;
	};
	await perItem(warm);
	const before = await perItem(few);
	expect(await perItem(many)).toBeLessThan(before * mostTimes);
}

it('the entries that are no URLs are told once, not for each of the items that share a job', async () => {
	const items = (count: number) =>
		numbered(count).map(({ json: { url } }, n) => ({ json: { url: n % 2 ? url : `no url ${n}` } }));
	await expectFlat([200, 400, 1_600], 1.7, async (count) => {
		const { output } = await runWith(
			scrape,
			{ operation: 'batchStartAndWait', urls: URL },
			{ items: items(count), onError: 'continueErrorOutput' },
		);
		expect(output.map((list) => list.length)).toEqual([count / 2, count / 2]);
	});
});

it('a stopped run costs no more for the failures before, however small the batches are', async () => {
	await expectFlat([200, 500, 2_500], 1.7, async (count) => {
		const { error } = await runWith(
			scrape,
			{ operation: 'scrape', url: MISSPELT, requestOptions: batching(1) },
			{ items: numbered(count) },
		);
		expect(error?.description).toContain(`Of ${count} items, 0 had finished and ${count} failed.`);
	});
});

it('an item costs no more for the items before it, however small the batches are', async () => {
	await expectFlat([50, 100, 600], 1.4, async (count) => {
		const { output } = await runWith(
			search,
			{
				operation: 'search',
				query: URL,
				limit: 100,
				options: { includeRunDetails: true },
				requestOptions: batching(1, 5),
			},
			{ items: numbered(count) },
		);
		expect(output[0]).toHaveLength(count * 100);
		const sums = output[0].map((item) => detailsOf(item).runCreditsUsed);
		expect(new Set(sums)).toEqual(
			new Set([service.ledger.reduce((sum, one) => sum + one.credits, 0)]),
		);
		service.ledger.length = 0;
	});
});
