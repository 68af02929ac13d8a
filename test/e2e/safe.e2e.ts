/* eslint-disable @n8n/community-nodes/no-restricted-imports */
/** However hostile pages and lists are, n8n goes on answering others. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';

import { type FlowNode, chain, ours } from './support/flow';
import { Lab } from './support/lab';
import { silenceDuring } from './support/silence';

/** Longest time (ms) that n8n may answer nobody. */
const LONGEST_SILENCE_MS = 500;

/** Other work on the machine may spoil one try, but not all of them. */
const TRIES = 3;

const URL = 'https://a.example/';

let lab: Lab;

before(async () => {
	lab = await Lab.open({ alone: true, service: { credits: 1_000_000, crawlMs: 0 } });
});

after(async () => {
	await lab?.close();
});

afterEach(() => {
	lab.service.requests.length = 0;
	lab.service.clearFaults();
});

const byId = (id: string) => ({ __rl: true, mode: 'id', value: id });

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
