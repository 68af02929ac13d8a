/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
/**
 * The triggers in published workflows of a real n8n that is killed and restarted at random moments while crawls end,
 * search results appear, a page is edited and a site grows: each is one execution. In n8n's default mode, with its durable scheduler
 * and in n8n 1.x, all at the same time, each n8n with all of them. n8n polls every 15
 * seconds. TRIGGER_ROUNDS=20 runs more rounds than the usual two.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject, IRunExecutionData } from 'n8n-workflow';

import { itemsOf } from '../../scripts/lib/n8n-client.mjs';
import { emitting, ours, polledEvery } from './support/flow';
import { type ExecutionItem, Lab } from './support/lab';
import { until } from '../support/until';

const PAGE = 'https://shop.example/pricing';
const SITE = 'https://blog.example';
const ROUNDS = Number(process.env.TRIGGER_ROUNDS ?? 2);
/** With less, the durable scheduler makes polls that were missed during a restart at the same time. */
const POLL_SECONDS = 15;
/** Time (ms) within which a poll sees a change after a start. */
const LONGEST_ROUND_MS = 180_000;
/** Time (ms) after a change within which n8n is killed at any moment. */
const KILL_WITHIN_MS = 8_000;
/** Time (ms) after the response to a poll within which n8n has saved the trigger's memory and created the execution. */
const EMITTED_WITHIN_MS = 3_000;

const modes: Array<{
	name: string;
	line: 'latest' | 'oldest';
	/**
	 * Whether n8n saves the memory before it creates the execution: killed between the two, it loses what was emitted.
	 */
	hasGap: boolean;
	env: Record<string, string>;
}> = [
	{
		name: "n8n's default mode",
		line: 'latest',
		hasGap: true,
		// A publication may take 70% of it, and n8n waits for so long after a kill in the middle of one; by default 120.
		env: { N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '60' },
	},
	{ name: 'n8n 1.x', line: 'oldest', hasGap: true, env: {} },
	{
		name: "n8n's durable scheduler",
		line: 'latest',
		hasGap: false,
		env: {
			N8N_SCHEDULER_ENABLED: 'true',
			N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
			N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
			N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
		},
	},
];

const flow = (trigger: string, parameters: IDataObject) =>
	emitting(ours(trigger, { ...polledEvery(POLL_SECONDS), ...parameters }));

const inARound = async (what: string, isSo: () => boolean | Promise<boolean>) =>
	await until(what, isSo, LONGEST_ROUND_MS, 1_000);

/** A published workflow with a trigger, and what its executions received. */
class Published {
	private readonly got = new Map<string, ExecutionItem[]>();

	/**
	 * When each execution began and how it ended, and when the polls were made, to find out why something was emitted
	 * twice.
	 */
	private readonly story: string[] = [];

	private constructor(
		private readonly lab: Lab,
		private readonly path: string,
		private readonly id: string,
	) {}

	/** Publishes it and waits for its first poll, which requests `path`. */
	static async open(lab: Lab, path: string, trigger: string, parameters: IDataObject) {
		const { id } = await lab.save(flow(trigger, parameters));
		const published = new Published(lab, path, id);
		const polled = published.polls;
		await lab.publish(id);
		await inARound(`the first poll of ${trigger}`, () => published.polls > polled);
		return published;
	}

	private get polls(): number {
		return this.lab.service.requests.filter(
			({ path, responded }) => path === this.path && responded,
		).length;
	}

	/** What happened since n8n was last killed during a poll. */
	get log(): string {
		const polls = this.lab.service.requests
			.filter(({ path }) => path === this.path)
			.map(({ at }) => `${new Date(at).toISOString()} poll`);
		return [...this.story, ...polls].sort().join('\n');
	}

	async nextPoll(): Promise<void> {
		const polled = this.polls;
		await inARound(`the next poll of ${this.path}`, () => this.polls > polled);
		await sleep(1_000);
	}

	/** Returns the JSON of all items that its executions received, oldest first. */
	async emitted(): Promise<IDataObject[]> {
		return (await this.items()).map(({ json }) => json);
	}

	/** Returns all items that its executions received, oldest first. */
	async items(): Promise<ExecutionItem[]> {
		const ids = await this.lab.executionsOf(this.id);
		for (const id of ids.filter((one) => !this.got.has(one))) {
			const execution = await this.lab.client.finished(id);
			this.story.push(`${execution.startedAt} execution ${id}: ${execution.status}`);
			if (execution.status === 'crashed') {
				this.got.set(id, itemsToRetry(execution));
			} else {
				assert.equal(execution.status, 'success', JSON.stringify(execution.data.resultData.error));
				this.got.set(id, itemsOf(execution, 'Emitted') as ExecutionItem[]);
			}
		}
		return ids.flatMap((id) => this.got.get(id)!);
	}
}

/**
 * Returns the trigger's items kept in an execution during which n8n was killed: n8n's Retry runs the workflow with
 * them.
 */
function itemsToRetry({
	id,
	data,
}: Awaited<ReturnType<Lab['client']['finished']>>): ExecutionItem[] {
	const { nodeExecutionStack } = (data as IRunExecutionData).executionData ?? {};
	const items = nodeExecutionStack?.[0]?.data.main[0];
	assert.ok(items, `execution ${id} has crashed and kept no items`);
	return items as ExecutionItem[];
}

describe('the triggers', { concurrency: true }, () => {
	for (const { name, line, hasGap, env } of modes) {
		describe(`in ${name}`, { concurrency: false }, () => {
			let lab: Lab;
			let crawls: Published;
			let searches: Published;
			let pages: Published;
			let sites: Published;
			const ended: string[] = [];
			const found: string[] = [];
			const edits: string[] = [];
			const posts = [`${SITE}/`, `${SITE}/about`];
			const seenPosts = posts.length;

			before(async () => {
				lab = await Lab.open({ line, service: { crawlMs: 0 }, env });
				lab.service.crawls.end(lab.service.crawls.add({ pages: 3 }).id);
				lab.service.web.setPage(PAGE, { markdown: 'Edit 0' });
				lab.service.web.setSite(SITE, [...posts]);
				crawls = await Published.open(lab, '/v2/crawl/active', 'webDataCrawlTrigger', {
					output: 'pages',
				});
				searches = await Published.open(lab, '/v2/search', 'webDataSearchTrigger', {
					query: 'solar power',
				});
				pages = await Published.open(lab, '/v2/scrape', 'webDataPageTrigger', { urls: PAGE });
				sites = await Published.open(lab, '/v2/map', 'webDataPageTrigger', {
					triggerOn: 'site',
					url: SITE,
				});
				// The durable scheduler doesn't keep what the poll at publication learned, so the next one is the first.
				if (env.N8N_POLLER_DURABLE_CURSORS_ENABLED) {
					await Promise.all(
						[crawls, searches, pages, sites].map(async (one) => await one.nextPoll()),
					);
				}
			});

			after(async () => await lab?.close());

			const change = (round: number) => {
				const { id } = lab.service.crawls.add({ pages: 3 });
				lab.service.crawls.end(id);
				ended.push(id);
				const url = `https://news.example/${round}`;
				lab.service.web.addHits({ url, title: `News ${round}`, description: 'Text' });
				found.push(url);
				lab.service.web.setPage(PAGE, { markdown: `Edit ${round}` });
				edits.push(`Edit ${round}`);
				posts.push(`${SITE}/post-${round}`);
				// In another order each time, and one address in another spelling.
				lab.service.web.setSite(SITE, [...posts].reverse().concat(`${SITE}/about?utm_source=x#a`));
			};
			/** Changes something while n8n is down; n8n is killed again while its first poll waits for the service. */
			const changeWhileDown = async (round: number) => {
				await lab.n8n.kill();
				change(round);
				lab.service.requests.length = 0;
				lab.service.set({ latencyMs: LONGEST_ROUND_MS });
				await lab.startAndKill(async () => {
					await inARound('a poll', () => lab.service.requests.some(({ responded }) => !responded));
				});
				lab.service.set({ latencyMs: 0 });
			};
			/** Waits until n8n has created the executions for what the last polls found. */
			const allEmitted = async () => {
				const isLongAgo = ({ at }: { at: number }) => Date.now() - at > EMITTED_WITHIN_MS;
				await inARound('a while without a poll', () => lab.service.requests.every(isLongAgo));
			};
			const count = async () => ({
				crawls: new Set((await crawls.emitted()).map(({ crawl }) => (crawl as IDataObject).id))
					.size,
				searches: (await searches.emitted()).length,
				pages: (await pages.emitted()).length,
				sites: (await sites.emitted()).length,
			});

			it('emit nothing at first', async () => {
				assert.deepEqual(await count(), { crawls: 0, searches: 0, pages: 0, sites: 0 });
			});

			it(`emit what changes while n8n is killed ${ROUNDS} times`, async () => {
				for (let round = 1; round <= ROUNDS; round++) {
					if (round % 2 === 0) await changeWhileDown(round);
					else {
						change(round);
						await sleep(Math.random() * KILL_WITHIN_MS);
						if (hasGap) await allEmitted();
						await lab.n8n.kill();
					}
					await lab.startN8n();
					await inARound(`round ${round} of ${ROUNDS}`, async () => {
						const counts = await count();
						return Object.values(counts).every((one) => one >= round);
					});
				}
			});

			it('have emitted everything exactly once', async () => {
				await pages.nextPoll();
				const ofCrawls = (await crawls.emitted()).map(({ crawl }) => (crawl as IDataObject).id);
				assert.equal(ofCrawls.length, 3 * ROUNDS, `${ofCrawls.join('\n')}\n${crawls.log}`);
				assert.deepEqual([...new Set(ofCrawls)].sort(), [...ended].sort());
				assert.deepEqual((await searches.emitted()).map(({ url }) => url).sort(), found.sort());
				assert.deepEqual(
					(await sites.emitted()).map(({ url }) => url),
					posts.slice(seenPosts),
				);
				const changes = await pages.emitted();
				assert.deepEqual(
					changes.map(({ added }) => added),
					edits.map((edit) => [edit]),
				);
				changes.slice(1).forEach(({ removed }, index) => {
					assert.deepEqual(removed, changes[index].added);
				});
				assert.deepEqual(lab.service.violations, []);
			});

			it('give files of pages, which can be read from the execution', async () => {
				const { id } = lab.service.crawls.add({ pages: 3, status: 'completed' });
				const files = await Published.open(lab, '/v2/crawl/active', 'webDataCrawlTrigger', {
					watch: 'specific',
					crawls: id,
					output: 'pages',
					options: { pagesAs: 'files', fieldsToReturn: ['title'] },
				});
				await inARound('the files', async () => (await files.items()).length > 0);
				const [{ json, binary }, ...others] = await files.items();
				assert.deepEqual(others, []);
				assert.deepEqual([json.pages, (json.crawl as IDataObject).id], [3, id]);
				const content = JSON.parse((await lab.download(binary!.data)).toString()) as IDataObject[];
				assert.deepEqual(
					content.map((page) => Object.keys(page)),
					[1, 2, 3].map(() => ['url', 'title']),
				);
			});

			it('are not published with a key that has expired, and say so', async () => {
				const wrong = await lab.addCredential('Expired', lab.service.url, 'expired-key-0123456789');
				const { id, name: credentialName } = wrong;
				const failing = flow('webDataCrawlTrigger', {});
				failing.nodes[0].credentials = { webDataServiceApi: { id, name: credentialName } };
				const problem = await activationProblem(lab, (await lab.save(failing)).id);
				assert.match(problem, /rejected the API key/);
				assert.doesNotMatch(problem, /expired-key/);
			});
		});
	}
});

/** Returns what n8n says about a workflow that can't be published; immediately, or in its publication status. */
async function activationProblem(lab: Lab, id: string) {
	try {
		await lab.publish(id);
	} catch (error) {
		return (error as Error).message;
	}
	let problem = '';
	await inARound('the publication to fail', async () => {
		const status = await lab.client.request('GET', `/workflows/${id}/publication-status`);
		problem = JSON.stringify(status);
		return /API key/.test(problem);
	}).catch(({ message }: Error) => assert.fail(`${message}: ${problem}`));
	return problem;
}
