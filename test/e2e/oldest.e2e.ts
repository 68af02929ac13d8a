/* eslint-disable @n8n/community-nodes/no-restricted-imports */
/** The core on the oldest line of n8n still in use (see runtime/oldest). */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';

import { chain, ours } from './support/flow';
import { type ExecutionItem, Lab, searchWithFailure } from './support/lab';

let lab: Lab;

before(async () => {
	lab = await Lab.open({ line: 'oldest', service: { crawlMs: 0, jobMs: 300 } });
});

after(async () => {
	await lab?.close();
});

beforeEach(() => {
	lab.service.requests.length = 0;
	lab.service.clearFaults();
});

const outputOf: Lab['outputOf'] = async (...given) => await lab.outputOf(...given);

const pairing = (items: ExecutionItem[]) =>
	items.map(({ pairedItem }) => (pairedItem as { item: number }).item);

describe('n8n 1.x', () => {
	it('it is n8n 1.x that runs', async () => {
		const { versionCli } = await lab.client.request('GET', '/settings');
		assert.match(versionCli, /^1\./);
	});

	it('tests the credential', async () => {
		const data = { baseUrl: lab.service.url, apiKey: lab.service.apiKey };
		const right = await lab.client.testCredential(lab.credential, data);
		assert.equal(right.status, 'OK');
		const wrong = await lab.client.testCredential(lab.credential, { ...data, apiKey: 'wrong' });
		assert.equal(wrong.status, 'Error');
		assert.match(wrong.message, /rejected the API key/);
	});

	it('searches three sources, results paired', async () => {
		const items = await outputOf(
			'webDataSearch',
			{
				operation: 'search',
				query: '={{ $json.topic }}',
				limit: 1,
				options: { sources: ['web', 'news', 'images'] },
			},
			[{ topic: 'tea' }, { topic: 'coffee' }],
		);
		assert.deepEqual(pairing(items), [0, 0, 0, 1, 1, 1]);
		assert.deepEqual(items.map(({ json }) => json.source).sort(), [
			...['images', 'images', 'news', 'news', 'web', 'web'],
		]);
	});

	it('gives simplified results', async () => {
		const parameters = { operation: 'scrape', url: 'https://example.com', formats: ['markdown'] };
		const [{ json }] = await outputOf('webDataScrape', parameters);
		assert.deepEqual([typeof json.markdown, json.metadata], ['string', undefined]);
	});

	it('saves screenshots as files', async () => {
		const [{ binary }] = await outputOf('webDataSearch', {
			operation: 'searchAndScrape',
			query: 'tea',
			formats: ['screenshot'],
			limit: 1,
			options: { downloadFiles: true },
		});
		const [file] = Object.values(binary ?? {});
		assert.equal((await lab.download(file)).subarray(1, 4).toString(), 'PNG');
	});

	it('reads every page of a crawl through `next`', async () => {
		lab.service.set({ chunkBytes: 20_000 });
		const { id } = lab.service.crawls.add({ pages: 30, pageBytes: 2000, status: 'completed' });
		const items = await outputOf('webDataCrawl', {
			operation: 'getPages',
			crawlId: { __rl: true, mode: 'id', value: id },
			returnAll: true,
		});
		assert.equal(new Set(items.map(({ json }) => json.url)).size, 30);
		assert.ok(lab.service.requests.length >= 3);
	});

	it('starts an agent task and waits for its result', async () => {
		const [{ json }] = await outputOf('webDataAgent', {
			operation: 'startAndWait',
			prompt: 'Find the founders',
		});
		assert.ok(Object.keys(json).length > 0);
	});

	it('waits for the rate limit and loses nothing', async () => {
		lab.service.set({ rateLimit: { requests: 10, perMs: 1000, retryAfter: 'seconds' } });
		const topics = Array.from({ length: 30 }, (_, index) => ({ topic: `tea ${index}` }));
		const items = await outputOf(
			'webDataSearch',
			{ operation: 'search', query: '={{ $json.topic }}', limit: 1 },
			topics,
		);
		lab.service.set({ rateLimit: undefined });
		assert.deepEqual(
			pairing(items),
			topics.map((_, index) => index),
		);
		assert.ok(lab.service.requests.some(({ status }) => status === 429));
	});

	it('sends a failed item to the error output', async () => {
		await searchWithFailure(lab);
	});

	it('rejects a wrong value before anything is sent', async () => {
		const execution = await lab.run(
			chain([ours('webDataAgent', { operation: 'get', jobId: '../team' })]),
		);
		assert.equal(execution.status, 'error');
		assert.match(`${execution.error?.message}`, /Job is/);
		assert.equal(lab.service.requests.length, 0);
	});

	it('what was sent kept to the contract', () => {
		assert.deepEqual(lab.service.violations, []);
	});
});
