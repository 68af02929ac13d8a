/**
 * The crawl trigger in a published workflow of the real n8n that is killed and started again while crawls
 * start and end, in n8n's default mode and with its durable scheduler: each crawl is one execution.
 * Polls every minute, so this area takes some minutes whatever the machine.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { itemsOf } from '../../scripts/lib/n8n-client.mjs';
import { chain, node, ours } from './support/flow';
import { Lab } from './support/lab';

const TRIGGER = 'webDataCrawlTrigger';

const modes: Array<{
	name: string;
	line: 'latest' | 'oldest';
	env: Record<string, string>;
}> = [
	{ name: "n8n's default mode", line: 'latest', env: {} },
	{ name: 'n8n 1.x', line: 'oldest', env: {} },
	{
		name: "n8n's durable scheduler",
		line: 'latest',
		env: {
			N8N_SCHEDULER_ENABLED: 'true',
			N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
			N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
			N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
		},
	},
];

const flow = (parameters = {}) =>
	chain([node('n8n-nodes-base.noOp', {}, { name: 'Crawl' })], {
		name: 'Trigger test',
		trigger: ours(TRIGGER, {
			pollTimes: { item: [{ mode: 'everyMinute' }] },
			output: 'pages',
			...parameters,
		}),
	});

/** Publishes a workflow and waits until its trigger has polled, which sets the baseline. */
async function publish(lab: Lab): Promise<string> {
	const { id, versionId } = (await lab.save(flow())) as { id: string; versionId?: string };
	const polls = () => pollsOf(lab).length;
	const polled = polls();
	await lab.client.request('POST', `/workflows/${id}/activate`, { versionId });
	await until('the first poll', () => polls() > polled);
	return id;
}

const pollsOf = (lab: Lab) =>
	lab.service.requests.filter(({ path, answered }) => path === '/v2/crawl/active' && answered);

async function until(what: string, isSo: () => boolean | Promise<boolean>, timeoutMs = 150_000) {
	const end = Date.now() + timeoutMs;
	while (!(await isSo())) {
		if (Date.now() > end) throw new Error(`Waited in vain for ${what}`);
		await sleep(500);
	}
}

/** Waits for a poll that begins from now on. */
async function nextPoll(lab: Lab): Promise<void> {
	const polled = pollsOf(lab).length;
	await until('the next poll', () => pollsOf(lab).length > polled);
	await sleep(1_000);
}

/** For each execution of the workflow, the ids of the crawls whose pages it got. */
async function executions(lab: Lab, workflowId: string): Promise<string[][]> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId }));
	const { results } = await lab.client.request('GET', `/executions?filter=${filter}&limit=100`);
	return await Promise.all(
		results.map(async ({ id }: { id: string }) => {
			const execution = await lab.client.finished(id);
			assert.equal(execution.status, 'success', JSON.stringify(execution.data.resultData.error));
			const items = itemsOf(execution, 'Crawl');
			return [...new Set(items.map(({ json }) => json.crawl.id as string))];
		}),
	);
}

for (const { name, line, env } of modes) {
	describe(`the crawl trigger in ${name}`, { concurrency: false }, () => {
		let lab: Lab;
		let workflowId: string;
		const expected = new Set<string>();

		const start = () => lab.service.crawls.add({ pages: 3 }).id;
		const end = (...ids: string[]) => {
			for (const id of ids) {
				lab.service.crawls.end(id);
				expected.add(id);
			}
		};
		const kill = async () => await lab.n8n.kill();

		before(async () => {
			lab = await Lab.open({ line, service: { crawlMs: 0 }, env });
			end(start());
			expected.clear();
			workflowId = await publish(lab);
			// The durable scheduler doesn't keep what the poll at publication has learned: the next one is the first.
			if (env.N8N_POLLER_DURABLE_CURSORS_ENABLED) await nextPoll(lab);
		});

		after(async () => await lab?.close());

		it('emits nothing at first, then what ended between two polls', async () => {
			assert.deepEqual(await executions(lab, workflowId), []);
			const short = start();
			end(short);
			await nextPoll(lab);
			await until('an execution', async () => (await executions(lab, workflowId)).length > 0);
			assert.deepEqual(await executions(lab, workflowId), [[short]]);
		});

		it('emits after kill -9 what an unsaved poll had seen, and what started and ended meanwhile', async () => {
			const seen = start();
			await nextPoll(lab);
			await kill();
			end(seen);
			end(start());
			await lab.startN8n();
			await until(
				'the executions',
				async () => new Set((await executions(lab, workflowId)).flat()).size >= expected.size,
			);
		});

		it('emits nothing twice after kill -9 right behind an emission', async () => {
			const running = start();
			end(start());
			const before = (await executions(lab, workflowId)).length;
			await until('its execution', async () => {
				return (await executions(lab, workflowId)).length > before;
			});
			await kill();
			await lab.startN8n();
			end(running);
			await until(
				'the executions',
				async () => new Set((await executions(lab, workflowId)).flat()).size >= expected.size,
			);
			await nextPoll(lab);
		});

		it('has emitted each crawl exactly once', async () => {
			const crawls = (await executions(lab, workflowId)).flat();
			assert.deepEqual([...crawls].sort(), [...expected].sort());
			assert.deepEqual(lab.service.violations, []);
		});

		it('does not activate with a key that has expired, and says so', async () => {
			const wrong = await lab.addCredential('Expired', lab.service.url, 'expired-key-0123456789');
			const { id, name: credentialName } = wrong;
			const failing = flow();
			failing.nodes[0].credentials = { webDataServiceApi: { id, name: credentialName } };
			const workflow = (await lab.save(failing)) as { id: string; versionId?: string };
			const problem = await activationProblem(lab, workflow);
			assert.match(problem, /rejected the API key/);
			assert.doesNotMatch(problem, /expired-key/);
		});
	});
}

/** What n8n says about a workflow that can't be published; at once, or in its publication status. */
async function activationProblem(lab: Lab, workflow: { id: string; versionId?: string }) {
	try {
		await lab.client.request('POST', `/workflows/${workflow.id}/activate`, {
			versionId: workflow.versionId,
		});
	} catch (error) {
		return (error as Error).message;
	}
	let problem = '';
	await until('the publication to fail', async () => {
		const status = await lab.client.request('GET', `/workflows/${workflow.id}/publication-status`);
		problem = JSON.stringify(status);
		return /API key/.test(problem);
	});
	return problem;
}
