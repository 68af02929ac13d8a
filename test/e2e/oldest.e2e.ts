/* eslint-disable @n8n/community-nodes/no-restricted-imports */
/** The core on the oldest line of n8n still in use (see runtime/oldest). */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';

import { runsCoreFlows } from './support/coreFlows';
import { chain, ours } from './support/flow';
import { Lab, searchWithFailure } from './support/lab';

let lab: Lab;

before(async () => {
	lab = await Lab.open({ line: 'oldest', service: { crawlMs: 300, jobMs: 300 } });
});

after(async () => {
	await lab?.close();
});

beforeEach(() => {
	lab.service.requests.length = 0;
	lab.service.clearFaults();
});

describe('n8n 1.x', () => {
	runsCoreFlows(() => lab);

	it('tests the credential', async () => {
		const data = { baseUrl: lab.service.url, apiKey: lab.service.apiKey };
		const right = await lab.client.testCredential(lab.credential, data);
		assert.equal(right.status, 'OK');
		const wrong = await lab.client.testCredential(lab.credential, { ...data, apiKey: 'wrong' });
		assert.equal(wrong.status, 'Error');
		assert.match(wrong.message, /rejected the API key/);
	});

	it('reads every page of a crawl through `next`', async () => {
		lab.service.set({ chunkBytes: 20_000 });
		const { id } = lab.service.crawls.add({ pages: 30, pageBytes: 2000, status: 'completed' });
		const items = await lab.outputOf('webDataCrawl', {
			operation: 'getPages',
			crawlId: { __rl: true, mode: 'id', value: id },
			returnAll: true,
		});
		assert.equal(new Set(items.map(({ json }) => json.url)).size, 30);
		assert.ok(lab.service.requests.length >= 3);
	});

	it('waits for the rate limit and loses nothing', async () => {
		lab.service.set({ rateLimit: { requests: 10, perMs: 1000, retryAfter: 'seconds' } });
		const topics = Array.from({ length: 30 }, (_, index) => ({ topic: `tea ${index}` }));
		const items = await lab.outputOf(
			'webDataSearch',
			{ operation: 'search', query: '={{ $json.topic }}', limit: 1 },
			topics,
		);
		lab.service.set({ rateLimit: undefined });
		assert.equal(items.length, topics.length);
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
