/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
/**
 * Measures how long ten crawls of a minute occupy the only slot of a worker in queue mode: with Start and Wait, and with
 * a Wait node that the service resumes. Needs Redis and PostgreSQL. Writes a section of docs/maintainers/benchmarks.md.
 *   node scripts/e2e.mjs --pack && npx tsx bench/workerPlaces.ts
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import { type FlowNode, chain, node, ours } from '../test/e2e/support/flow';
import { Lab } from '../test/e2e/support/lab';
import { queueMode, startPostgres, startRedis } from '../test/e2e/support/servers';
import { until } from '../test/support/until';
import { writeApart } from './apart';
import { table } from './report';

const CRAWLS = 10;
const CRAWL_MS = 60_000;
const PAGES = 3;
const crawl = { url: 'https://docs.northwind.example', maxPages: PAGES };

/** Way → the nodes that crawl a site and return its pages. */
const WAYS: Record<string, FlowNode[]> = {
	'Start and Wait': [
		ours('webDataCrawl', { operation: 'startAndWait', ...crawl }, { name: 'Pages' }),
	],
	'Start → Wait (On Webhook Call) → Get Pages of Crawl': [
		ours(
			'webDataCrawl',
			{
				operation: 'start',
				...crawl,
				options: {
					webhook: { url: '={{ $execution.resumeUrl }}', events: ['completed', 'failed'] },
				},
			},
			{ name: 'Begin' },
		),
		node(
			'n8n-nodes-base.wait',
			{ resume: 'webhook', httpMethod: 'POST', options: {} },
			{ name: 'Wait', typeVersion: 1.1 },
		),
		ours(
			'webDataCrawl',
			{
				operation: 'getPages',
				crawlId: { __rl: true, mode: 'id', value: "={{ $('Begin').first().json.id }}" },
				returnAll: true,
			},
			{ name: 'Pages' },
		),
	],
};

/** Returns how long (ms) a worker was busy with a workflow's executions, by its log. */
function heldMs(log: string, workflowId: string): number {
	const lines = readFileSync(log, 'utf8').split('\n');
	return lines.reduce((sum, line) => {
		const [, word] = /"Worker (started|finished) execution/.exec(line) ?? [];
		if (!word || !line.includes(`"${workflowId}"`)) return sum;
		const { metadata } = JSON.parse(line) as { metadata: { timestamp: string } };
		return sum + (word === 'started' ? -1 : 1) * Date.parse(metadata.timestamp);
	}, 0);
}

async function main(): Promise<void> {
	const [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
	const env = { ...queueMode(redis, postgres), N8N_LOG_FORMAT: 'json', WEBHOOK_URL: '' };
	const lab = await Lab.open({ service: { crawlMs: CRAWL_MS }, env });
	try {
		// The worker writes the address that resumes an execution; the main process serves it.
		env.WEBHOOK_URL = lab.client.url;
		const worker = await lab.addWorker(1);
		const rows: string[][] = [];
		for (const [way, nodes] of Object.entries(WAYS)) {
			const path = String(rows.length);
			const trigger = node(
				'n8n-nodes-base.webhook',
				{ path, responseMode: 'onReceived', options: {} },
				{ name: 'Webhook', typeVersion: 2 },
			);
			const saved = await lab.save(chain(nodes, { name: way, trigger }));
			const { id, versionId } = saved as unknown as { id: string; versionId: string };
			await lab.client.request('POST', `/workflows/${id}/activate`, { versionId });
			const call = async () => (await fetch(`${lab.client.url}/webhook/${path}`)).ok;
			await until('the webhook', call);
			const start = Date.now();
			for (let n = 1; n < CRAWLS; n++) assert.ok(await call());
			const filter = JSON.stringify({ workflowId: id, status: ['success'] });
			const query = new URLSearchParams({ filter, limit: String(CRAWLS) });
			const ended = async () => (await lab.client.request('GET', `/executions?${query}`)).results;
			const all = async () => (await ended()).length === CRAWLS;
			await until('all crawls', all, 2 * CRAWLS * CRAWL_MS);
			const seconds = ((Date.now() - start) / 1_000).toFixed(0);
			for (const one of await ended()) {
				const { data } = await lab.client.execution(one.id);
				assert.equal(data.resultData.runData.Pages[0].data.main[0].length, PAGES);
			}
			await until('the end of the log', () => heldMs(worker.log, id) > 0);
			const held = heldMs(worker.log, id) / CRAWLS / 1_000;
			rows.push([way, seconds, held.toFixed(1)]);
			process.stdout.write(`${rows.at(-1)!.join(' | ')}\n`);
		}
		writeApart('Places of a worker', [
			`Made by \`npx tsx bench/workerPlaces.ts\`: queue mode with one worker that runs one execution at a time, and ${CRAWLS} crawls of ${CRAWL_MS / 1_000} s, started at once. All gave their pages.`,
			table(['Way', 'All done after (s)', 'Place held per crawl (s)'], rows),
		]);
	} finally {
		await lab.close();
		await Promise.all([redis.stop(), postgres.stop()]);
	}
}

main().then(
	() => process.exit(0),
	(error: Error) => {
		process.stderr.write(`${error.stack}\n`);
		process.exit(1);
	},
);
