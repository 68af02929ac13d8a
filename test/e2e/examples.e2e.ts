/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
/** The examples for common jobs, as they are in `examples/`. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { IDataObject } from 'n8n-workflow';

import { examples, withCredential } from '../../scripts/lib/examples.mjs';
import { PACKAGE_NAME } from '../../scripts/lib/paths.mjs';
import type { SetPage } from '../../mock-service/web';
import { until } from '../support/until';
import { type ChatRequest, startChatModel } from './support/chat-model';
import type { FlowNode } from './support/flow';
import { type Execution, type ExecutionItem, Lab, toExecution } from './support/lab';

interface Example {
	id: string;
	name: string;
	nodes: FlowNode[];
	pinData?: Record<string, Array<{ json: IDataObject }>>;
}

let lab: Lab;
let model: Awaited<ReturnType<typeof startChatModel>>;
let openAi: { id: string; name: string };
let wish: (tool: ChatRequest['tools'][number]) => IDataObject = () => ({});

before(async () => {
	lab = await Lab.open({ service: { crawlMs: 300, jobMs: 300 } });
	model = await startChatModel((tool) => wish(tool));
	openAi = await lab.client.saveCredential({
		name: model.url,
		type: 'openAiApi',
		data: { apiKey: 'none', url: `${model.url}/v1` },
	});
});

after(async () => {
	await model?.close();
	await lab?.close();
});

beforeEach(() => {
	lab.service.requests.length = 0;
	lab.service.ledger.length = 0;
	model.requests.length = 0;
});

const exampleOf = (id: string) =>
	(examples() as Example[]).find((one) => one.id === id) ??
	assert.fail(`there is no example ${id}`);

/** Imports an example with its credentials, changed by `change`, and runs it from the named trigger. */
async function run(
	id: string,
	trigger = 'Start',
	change: (nodes: FlowNode[], workflow: Example) => void = () => {},
): Promise<Execution> {
	const workflow = withCredential(exampleOf(id), lab.credential) as Example;
	change(workflow.nodes, workflow);
	return await runAs(workflow, trigger);
}

async function runAs(workflow: Example, trigger: string): Promise<Execution> {
	for (const one of workflow.nodes) {
		if (/OpenAi$/.test(one.type)) one.credentials = { openAiApi: openAi };
	}
	const saved = await lab.client.saveWorkflow(workflow);
	const started = { ...saved, pinData: workflow.pinData ?? {} };
	const execution = toExecution(await lab.client.run(started, trigger, 90_000));
	assert.equal(execution.status, 'success', execution.error?.message);
	return execution;
}

/** Has a person write to the chat of an example. */
const asked = (_: FlowNode[], workflow: Example) => {
	const json = { chatInput: 'What is said about tea?', sessionId: '1', action: 'sendMessage' };
	workflow.pinData = { Chat: [{ json }] };
};

const rowsOf = async (table: string) => (await lab.client.tableRows(table)) as IDataObject[];

/** Submits the form that an execution waits with, and returns its page. */
async function submittedForm(id: string): Promise<string> {
	await until('the form', async () => (await lab.client.execution(id)).status === 'waiting');
	const { data } = await lab.client.execution(id);
	const form = `${lab.client.url}/form-waiting/${id}?signature=${data.resumeToken}`;
	const page = await (await fetch(form)).text();
	const { ok } = await fetch(form, { method: 'POST', body: new FormData() });
	assert.ok(ok);
	return page;
}

const jsons = (items: ExecutionItem[]) => items.map(({ json }) => json);
const posts = () => lab.service.requests.filter(({ method }) => method === 'POST');

describe('Examples', () => {
	it('are told by a note each, which begins with where to choose the credential', () => {
		assert.ok(examples().length >= 12);
		for (const { name, nodes } of examples() as Example[]) {
			const note = nodes.find(({ type }) => type === 'n8n-nodes-base.stickyNote');
			const told = String(note?.parameters.content);
			assert.ok(told.length > 150, name);
			const chosenIn = /\*\*Make it yours:\*\* choose your credential in ([^.]+)/.exec(told)?.[1];
			for (const { type, name: title } of nodes) {
				if (type.startsWith(`${PACKAGE_NAME}.`)) assert.ok(chosenIn?.includes(`*${title}*`), name);
			}
		}
	});

	it('Leads from a sheet: one job for all rows, pages that fail on their own output', async () => {
		const execution = await run('webDataLeadsSheet');
		const leads = jsons(execution.items('A lead'));
		assert.equal(leads.length, 2);
		assert.ok(leads.every(({ company, email }) => company && email));
		const [failed] = jsons(execution.items('Could not be read'));
		assert.match(String(failed.reason), /^The page answered with status 404: Not Found\./);
		assert.equal(posts().length, 1);
	});

	it('Price monitoring: a message when a price differs from the last one, none for a page that fails', async () => {
		const kettle = 'https://market.harbor.example/kettle';
		const grinder = 'https://market.harbor.example/grinder';
		const priced = (price: number | null) => ({ json: { title: 'It', price, currency: 'EUR' } });
		lab.service.web.setPage(grinder, priced(30));
		const runWith = async (page: SetPage) => {
			lab.service.web.setPage(kettle, page);
			const execution = await run('webDataPriceWatch', 'Every morning');
			return ['Message', 'Could not be read'].map((name) =>
				jsons(execution.items(name)).map(
					({ text, reason }) => text ?? String(reason).split('. ')[0],
				),
			);
		};
		const message = (price: number, url: string) => `It now costs ${price} EUR: ${url}`;
		assert.deepEqual(await runWith(priced(50)), [[message(50, kettle), message(30, grinder)], []]);
		assert.deepEqual(await runWith(priced(50)), [[], []]);
		assert.deepEqual(await runWith(priced(40.5)), [[message(40.5, kettle)], []]);
		const gone = 'The page answered with status 404';
		assert.deepEqual(await runWith({ ...priced(12), statusCode: 404 }), [[], [gone]]);
		assert.deepEqual(await runWith(priced(null)), [[], ['The page shows no price']]);
		assert.deepEqual(await runWith(priced(40.5)), [[], []]);
		assert.deepEqual(await runWith(priced(50)), [[message(50, kettle)], []]);
	});

	it('Price monitoring: says so where no credential was chosen, as n8n then skips the node', async () => {
		const execution = await runAs(exampleOf('webDataPriceWatch'), 'Every morning');
		const reason = 'Nothing was read: choose your credential in Read the prices';
		assert.deepEqual(
			jsons(execution.items('Could not be read')).map((item) => item.reason),
			[reason, reason],
		);
		assert.deepEqual(posts(), []);
	});

	it('SEO brief: the model reads what ranks first', async () => {
		const execution = await run('webDataSeoBrief');
		assert.equal(execution.items('Read what ranks first').length, 3);
		const prompt = JSON.stringify(model.requests[0].messages);
		assert.match(prompt, /Write a brief for an article about “espresso grinder”/);
		assert.equal(prompt.match(/https:\/\/\S+?\.example/g)!.length >= 3, true);
		assert.equal(execution.items('Write the brief').length, 1);
	});

	it('Crawl a site and ask it questions: pages are stored, and found by the agent', async () => {
		const stored = (await run('webDataVectorSt', 'Start', asked)).items('Store the pages');
		assert.ok(stored.length >= 10);
		wish = () => ({ input: 'tea', query: 'tea' });
		const answers = (await run('webDataVectorSt', 'Chat', asked)).items('Agent');
		assert.match(String(answers[0].json.output), /docs\.northwind\.example/);
	});

	it('AI agent with web tools: the response stays within what is set', async () => {
		wish = () => ({ query: 'tea', url: 'https://example.com/tea' });
		const answers = (await run('webDataAiTools', 'Chat', asked)).items('Agent');
		assert.match(String(answers[0].json.output), /The tool said/);
		assert.deepEqual(model.requests[0].tools.map(({ name }) => name).sort(), [
			'Read_a_page',
			'Search_the_web',
		]);
		const { content } = model.requests[1].messages.at(-1)!;
		assert.ok(content!.length <= 60_000);
		assert.match(content!, /"url":/);
		assert.doesNotMatch(content!, /"metadata":/);
	});

	it('Find broken pages of a site: a list, then one job', async () => {
		const execution = await run('webDataBrokenPg');
		assert.equal(execution.items('List the pages').length, 20);
		assert.equal(execution.items('Fine').length, 19);
		const [broken, ...others] = jsons(execution.items('Broken'));
		assert.deepEqual(others, []);
		assert.match(String(broken.url), /docs\/gone$/);
		assert.match(String(broken.reason), /status 404/);
		assert.deepEqual(
			posts().map(({ path }) => path),
			['/v2/map', '/v2/batch/scrape'],
		);
	});

	it('Scrape a list within a budget: what does not fit is kept for later', async () => {
		const execution = await run('webDataInBudget');
		assert.equal(execution.items('Scraped').length, 4);
		assert.deepEqual(
			jsons(execution.items('For the next run')).map(({ url, reason }) => [url, reason]),
			[5, 6].map((n) => [
				`https://docs.northwind.example/page-${n}`,
				'Not enough Credit Budget left for this item',
			]),
		);
		assert.equal(
			lab.service.ledger.reduce((sum, { credits }) => sum + credits, 0),
			4,
		);
	});

	const WAITS = [
		['webDataWaitCrawl', 'Get the pages', 10],
		['webDataWaitBatch', 'Get the pages', 3],
		['webDataWaitAgent', 'The answer', 1],
	] as const;

	/** Returns the webhook reports that n8n accepted, as the example's Wait node received them. */
	const resumedBy = (execution: Execution) =>
		jsons(execution.items('Wait for the report')).map(({ body }) => (body as IDataObject)?.type);

	for (const [id, node, least] of WAITS) {
		it(`${id}: the service resumes the workflow, at once or later`, async () => {
			for (const ms of [1, 4_000]) {
				lab.service.set({ crawlMs: ms, jobMs: ms });
				const execution = await run(id);
				assert.match(String(resumedBy(execution)), /^(crawl|batch_scrape|agent)\.completed$/);
				assert.ok(execution.items(node).length >= least, `${execution.items(node).length} items`);
				const polls = lab.service.requests.filter(({ method }) => method === 'GET');
				assert.ok(polls.length <= 3, `${polls.length} polls`);
				lab.service.requests.length = 0;
			}
			lab.service.set({ crawlMs: 300, jobMs: 300 });
		});
	}

	it('The agent asks a person: the form has its question, and what is said there goes into the thread', async () => {
		const given = withCredential(exampleOf('webDataAskAgent'), lab.credential);
		const saved = await lab.client.saveWorkflow(given);
		const id = await lab.client.start({ ...saved, pinData: {} }, 'Start');
		const form = async (round: number) => {
			await until('the form', async () => {
				const { status } = await lab.client.execution(id);
				return status === 'waiting' && posts().length === round;
			});
			const waiting = toExecution(await lab.client.execution(id));
			const url = String(jsons(waiting.items('Send the question'))[0].link);
			return { url, html: await (await fetch(url)).text() };
		};
		const submit = async (url: string, answer: string) => {
			const body = new FormData();
			body.set('field-0', answer);
			assert.equal((await fetch(url, { method: 'POST', body })).status, 200);
		};
		const asked = await form(1);
		assert.match(asked.html, /For which year do you want to know this/);
		await submit(asked.url, 'Last year');
		const told = await form(2);
		assert.match(told.html, /Last year: /);
		await submit(told.url, '');
		const execution = toExecution(await lab.client.finished(id, 60_000));
		assert.equal(execution.status, 'success', execution.error?.message);
		assert.match(String(jsons(execution.items('The answer'))[0].answer), /^Last year: /);
		const [first, second] = posts().map(({ body }) => body as IDataObject);
		assert.equal(first.threadId, undefined);
		assert.equal(second.prompt, 'Last year');
		const { run: details } = jsons(execution.items('Ask the agent'))[0];
		assert.equal(second.threadId, (details as IDataObject).threadId);
	});

	it('Scrape a page behind a login: signed in once, then read, else somebody is asked to sign in', async () => {
		const texts = async () => {
			const execution = await run('webDataLoginPage', 'Every morning');
			const said = (name: string) => jsons(execution.items(name)).map(({ text }) => String(text));
			return [said('What it says'), said('Ask to sign in again')];
		};
		const expired = ['The login of northwind-shop has expired: execute “Sign in once” again.'];
		assert.deepEqual(await texts(), [[], expired]);
		const id = await lab.client.start(
			await lab.client.getWorkflow('webDataLoginPage'),
			'Sign in once',
		);
		assert.match(await submittedForm(id), /href=\S+live-\S+-interactive/);
		const signedIn = toExecution(await lab.client.finished(id));
		assert.equal(jsons(signedIn.items('Save the login'))[0].success, true);
		const [[page], asked] = await texts();
		assert.match(page, /members\/orders/);
		assert.deepEqual(asked, []);
	});

	it('Scheduled search to a table: a second run adds no row twice', async () => {
		await run('webDataSearchTbl', 'Every morning');
		const rows = await rowsOf('Web search results');
		assert.equal(rows.length, 10);
		await run('webDataSearchTbl', 'Every morning');
		assert.equal((await rowsOf('Web search results')).length, 10);
	});

	it('News digest with only new items: makes one message of all news', async () => {
		const execution = await run('webDataNewItems0', 'New in the news');
		const [{ json }, ...others] = execution.items('Send the digest');
		assert.deepEqual(others, []);
		assert.match(String(json.subject), /^10 new: renewable energy storage/);
		assert.equal(String(json.text).split('\n\n').length, 10);
	});

	it('Page change to alert: tells changes and pages that cannot be read apart', async () => {
		lab.service.web.setPage('https://example.com/pricing', { markdown: 'Pro: 12' });
		lab.service.web.setPage('https://example.com/terms', { statusCode: 403 });
		const execution = await run('webDataPageAlert', 'A page has changed');
		const [changed] = execution.items('Write the change');
		assert.match(String(changed.json.text), /^https:\/\/example.com\/pricing\n\n\+ Pro: 12$/);
		const [failed] = execution.items('Write what is wrong');
		assert.equal(failed.json.subject, 'Cannot be read: https://example.com/terms');
		assert.match(String(failed.json.text), /403/);
	});

	it("A competitor's new posts to chat: writes one message with all posts", async () => {
		const post = (n: number) => ({
			url: `https://northwind.example/blog/post-${n}`,
			title: `Post ${n}`,
			description: 'Text',
		});
		lab.service.web.setSite('https://northwind.example', [
			'https://northwind.example/about',
			post(1),
			post(2),
		]);
		const execution = await run('webDataNewPosts0', 'New posts');
		const [{ json }, ...others] = execution.items('Post to the chat');
		assert.deepEqual(others, []);
		assert.equal(
			json.text,
			[1, 2].map((n) => `• Post ${n}\nhttps://northwind.example/blog/post-${n}`).join('\n'),
		);
	});

	it('Pick a crawl and get its pages: waits for the crawl and gives each page', async () => {
		const { id } = lab.service.crawls.add({ pages: 12 });
		const execution = await run('webDataPickCrawl', 'When you click Execute', (nodes) => {
			const get = nodes.find(({ name }) => name === 'Get the pages');
			get!.parameters.crawlId = { __rl: true, mode: 'list', value: id };
			setTimeout(() => lab.service.crawls.end(id), 1500);
		});
		const items = execution.items('Title, address and text');
		assert.equal(items.length, 12);
		assert.equal(new Set(items.map(({ json }) => json.url)).size, 12);
		assert.ok(items.every(({ json }) => json.title && json.text));
	});

	it('Agent task: one item with the fields of the schema', async () => {
		const execution = await run('webDataAgentTask', 'When you click Execute');
		const items = execution.items('Find the facts');
		assert.equal(items.length, 1);
		assert.deepEqual(Object.keys(items[0].json).sort(), ['city', 'founded', 'founders']);
	});

	it('Research a company: one record with the pages it is based on', async () => {
		await run('webDataResearch0', 'When you click Execute');
		const rows = await rowsOf('Companies');
		assert.equal(rows.length, 1);
		assert.equal(rows[0].company, 'Northwind Coffee');
		assert.ok(rows[0].business && rows[0].city);
		assert.equal(String(rows[0].pages).split('\n').length, 3);
	});

	it('Crawl a site every Monday: the trigger puts each page in the table', async () => {
		const execution = await run('webDataMonCrawl0', 'Every Monday');
		const [started] = execution.items('Start the crawl');
		assert.match(String(started.json.id), /^[0-9a-f-]{36}$/);
		const isOver = () => lab.service.crawls.list().every(({ status }) => status !== 'scraping');
		await until('the end of the crawl', isOver);
		await run('webDataMonCrawl0', 'When a crawl has ended');
		const rows = await rowsOf('Crawled pages');
		assert.ok(rows.length > 0);
		assert.equal(new Set(rows.map(({ url }) => url)).size, rows.length);
		assert.ok(rows.every(({ title, text }) => title && text));
	});

	it('A large crawl, file by file: each file is read by itself', async () => {
		lab.service.set({ chunkBytes: 2_000 });
		const execution = await run('webDataFileByFil');
		lab.service.set({ chunkBytes: 10 * 1024 * 1024 });
		const files = execution.items('Crawl the site');
		assert.ok(files.length > 1);
		const runs = execution.data.resultData.runData['Do something with each page'] as unknown[];
		assert.equal(runs.length, files.length);
		assert.equal(execution.items('Done').length, files.length);
	});
});

it('what was sent kept to the contract', () => {
	assert.deepEqual(lab.service.violations, []);
});
