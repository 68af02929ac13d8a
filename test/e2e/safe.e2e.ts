/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
/** Hostile pages and lists keep n8n from answering nobody, and no job that was paid for is forgotten. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, afterEach, before, describe, it } from 'node:test';

import { n8nLog } from '../../scripts/lib/n8n.mjs';
import { type FlowNode, chain, ours } from './support/flow';
import { Lab, toExecution } from './support/lab';
import { silenceDuring } from './support/silence';

/** Longest time (ms) that n8n may answer nobody. */
const LONGEST_SILENCE_MS = 500;

/** Other work on the machine may spoil one try, but not all of them. */
const TRIES = 3;

const URL = 'https://a.example/';

let lab: Lab;

before(async () => {
	lab = await Lab.open({ service: { credits: 1_000_000, crawlMs: 0, jobMs: 300 } });
});

after(async () => {
	await lab?.close();
});

afterEach(() => {
	lab.service.requests.length = 0;
	lab.service.clearFaults();
});

const byId = (id: string) => ({ __rl: true, mode: 'id', value: id });

/** The IDs of all agent tasks that the service has. */
const agents = () => (lab.service.jobs.list() as Array<{ id: string }>).map(({ id }) => id);

/** A list as numpy prints it: in single quotes, without commas. */
const numpyList = (length: number): string => {
	const entries = Array.from({ length: Math.round(length / 23) }, (_, n) => `'${URL}p/${n}'`);
	return `[${entries.join(' ')}`;
};

const MB = 1_000_000;

const PAGES: Array<[name: string, markdown: string]> = [
	['100,000 backslashes', '\\'.repeat(100_000)],
	['1 MB of backslashes', '\\'.repeat(MB)],
	['1 MB of JSON escaped ten times over', `${'\\'.repeat(1_023)}"`.repeat(MB / 1_024)],
	['1 MB of escapes', '\\u0061\\x61%2525&amp;'.repeat(MB / 20)],
	['1 MB of a list in single quotes', numpyList(MB)],
];

const page = (markdown: string) => ({ markdown, metadata: { sourceURL: URL, url: URL } });

interface Read {
	name: string;
	node: () => FlowNode;
	respond: (markdown: string) => void;
}

const READS: Read[] = [
	{
		name: 'Scrape',
		node: () => ours('webDataScrape', { operation: 'scrape', url: URL }),
		respond: (markdown) =>
			lab.service.fail({
				method: 'POST',
				status: 200,
				body: { success: true, data: page(markdown) },
			}),
	},
	{
		name: 'Search Web and Scrape Results',
		node: () => ours('webDataSearch', { operation: 'searchAndScrape', query: 'tea' }),
		respond: (markdown) => {
			const data = { web: [{ url: URL, title: 'Tea', ...page(markdown) }] };
			lab.service.fail({ method: 'POST', status: 200, body: { success: true, data } });
		},
	},
	{
		name: 'the pages of a crawl',
		node: () => {
			const { id } = lab.service.crawls.add({ pages: 3, status: 'completed' });
			return ours('webDataCrawl', { operation: 'getPages', crawlId: byId(id), returnAll: true });
		},
		respond: (markdown) => {
			const all = [1, 2, 3].map((n) => ({
				...page(markdown),
				metadata: { sourceURL: `${URL}${n}` },
			}));
			const body = { success: true, status: 'completed', total: 3, completed: 3, data: all };
			lab.service.fail({ method: 'GET', path: /crawl/, status: 200, body });
		},
	},
];

/** Runs a flow until n8n has answered in time once, and returns how long it was silent each time. */
async function silences(
	run: () => ReturnType<Lab['run']>,
	isRight: (execution: Awaited<ReturnType<Lab['run']>>) => void,
): Promise<number[]> {
	const found: number[] = [];
	while (found.length < TRIES && !(found.at(-1)! < LONGEST_SILENCE_MS)) {
		const { result, silence } = await silenceDuring(lab.client.url, run);
		isRight(result);
		found.push(Math.round(silence));
	}
	return found;
}

describe('n8n answers others', () => {
	for (const { name, node, respond } of READS) {
		for (const [what, markdown] of PAGES) {
			it(`while ${name} gives ${what}`, async (test) => {
				respond(markdown);
				const one = node();
				const found = await silences(
					async () => await lab.run(chain([one])),
					(execution) => {
						assert.equal(execution.status, 'success', execution.error?.message);
						assert.equal(execution.items(one.name)[0].json.markdown, markdown);
					},
				);
				test.diagnostic(`silent for ${found.join(', ')} ms`);
				assert.ok(found.at(-1)! < LONGEST_SILENCE_MS, `${found.join(', ')} ms`);
			});
		}
	}

	for (const [what, urls] of [
		['in single quotes without commas or end, 400 kB', numpyList(400_000)],
		['with commas, 400 kB', `${URL},`.repeat(400_000 / 19)],
		['of 400 kB of backslashes', '\\'.repeat(400_000)],
		[
			'of 400 kB that has no URL',
			JSON.stringify(Array.from({ length: 57_000 }, (_, n) => n % 10_000)),
		],
	]) {
		it(`while a batch reads a list ${what}`, async (test) => {
			const parameters = { operation: 'batchStart', urls: '={{ $json.urls }}' };
			const found = await silences(
				async () =>
					await lab.run(chain([ours('webDataScrape', parameters)], { items: [{ urls }] })),
				(execution) => assert.match(execution.status, /^(success|error)$/),
			);
			test.diagnostic(`silent for ${found.join(', ')} ms`);
			assert.ok(found.at(-1)! < LONGEST_SILENCE_MS, `${found.join(', ')} ms`);
		});
	}
});

describe('a run that is stopped', () => {
	it('leaves the ID of every task that it started', async () => {
		const earlier = agents();
		lab.service.set({ latencyMs: 3_000, jobMs: 600_000 });
		const items = Array.from({ length: 8 }, (_, n) => ({ n }));
		const parameters = { operation: 'start', prompt: '=Find {{ $json.n }}', maxCredits: 500 };
		const flow = chain([ours('webDataAgent', parameters)], { items });
		const workflow = await lab.save(flow);
		const id = await lab.client.start(workflow, flow.nodes[0].name);
		await new Promise((done) => setTimeout(done, 2_500));
		await lab.client.request('POST', `/executions/${id}/stop`, {});
		const execution = toExecution(await lab.client.finished(id));
		assert.equal(execution.status, 'canceled');
		// The starts under way may take 10 s more.
		await new Promise((done) => setTimeout(done, 11_000));
		lab.service.set({ latencyMs: 0, jobMs: 300 });
		const started = agents().filter((one) => !earlier.includes(one));
		assert.ok(started.length > 0);
		const told = readFileSync(n8nLog(lab.userFolder), 'utf8') + JSON.stringify(execution.data);
		assert.deepEqual(
			started.filter((one) => !told.includes(one)),
			[],
		);
	});

	for (const [seconds, isStarted] of [
		[27, true],
		[15, false],
	] as const) {
		it(`by a timeout of ${seconds} s with five tries ${isStarted ? 'names its task' : 'starts no task'}`, async () => {
			lab.service.set({ jobMs: 600_000 });
			const tries = { retryOnFail: true, maxTries: 5, waitBetweenTries: 5_000 };
			const parameters = { operation: 'startAndWait', prompt: 'Find it' };
			const flow = chain([ours('webDataAgent', parameters, tries)]);
			flow.settings.executionTimeout = seconds;
			const before = agents().length;
			const { status, error } = await lab.run(flow);
			lab.service.set({ jobMs: 300 });
			assert.equal(agents().length - before, isStarted ? 1 : 0);
			if (!isStarted) return;
			assert.equal(status, 'error');
			assert.match(`${error?.description}`, /job ID is [\w-]{36}/);
		});
	}
});
