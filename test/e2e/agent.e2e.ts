/* eslint-disable @n8n/community-nodes/no-restricted-imports */
/** n8n's AI Agent with our nodes as its tools and a stand-in for the chat model. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { IDataObject } from 'n8n-workflow';

import { until } from '../support/until';
import { startChatModel } from './support/chat-model';
import { agentFlow, chain, node, ours } from './support/flow';
import { type Execution, Lab } from './support/lab';

/** Returns what n8n writes for a field that the model fills in. */
const byModel = (name: string, description: string, type = 'string') =>
	`={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${name}', \`${description}\`, '${type}') }}`;

let lab: Lab;
let model: Awaited<ReturnType<typeof startChatModel>>;
let wish: Parameters<typeof startChatModel>[0];

before(async () => {
	lab = await Lab.open({ service: { jobMs: 300 } });
	model = await startChatModel((tool) => wish(tool));
});

after(async () => {
	await model?.close();
	await lab?.close();
});

beforeEach(() => {
	lab.service.requests.length = 0;
	model.requests.length = 0;
});

async function ask(type: string, parameters: IDataObject): Promise<Execution> {
	const openAi = await lab.client.saveCredential({
		name: model.url,
		type: 'openAiApi',
		data: { apiKey: 'none', url: `${model.url}/v1` },
	});
	const tool = ours(`${type}Tool`, parameters, { name: 'The tool' });
	const execution = await lab.run(agentFlow('Find out about tea', tool, openAi), 90_000);
	assert.equal(execution.status, 'success', execution.error?.message);
	return execution;
}

const answerOf = (execution: Execution) => String(execution.items('AI Agent')[0].json.output);

describe("Tools of n8n's AI Agent", () => {
	it("Search: the model's query reaches the service, the results reach the model", async () => {
		wish = () => ({ query: 'green tea' });
		const execution = await ask('webDataSearch', {
			operation: 'search',
			query: byModel('query', 'What to search for'),
			limit: 3,
		});
		assert.deepEqual(
			lab.service.requests.map(({ path, body }) => ({ path, body })),
			[{ path: '/v2/search', body: { query: 'green tea', limit: 3 } }],
		);
		const [{ tools }, second] = model.requests;
		assert.match(tools[0].description, /^Search the web, news or images/);
		assert.ok('query' in (tools[0].parameters.properties as IDataObject));
		const result = second.messages.at(-1)!;
		assert.equal(result.role, 'tool');
		assert.equal(result.content?.match(/"url":/g)?.length, 3);
		assert.match(answerOf(execution), /The tool said/);
	});

	it('the Credit Budget is over all uses of a tool', async () => {
		wish = () => ['a', 'b', 'c'].map((page) => ({ url: `https://example.com/${page}` }));
		await ask('webDataScrape', {
			operation: 'scrape',
			url: byModel('url', 'The page to read'),
			options: { creditBudget: 2 },
		});
		assert.equal(lab.service.requests.length, 2);
		const results = model.requests[1].messages
			.filter(({ role }) => role === 'tool')
			.map(({ content }) => String(content));
		assert.match(results[1], /example\.com\/b/);
		assert.match(results[2], /Not enough Credit Budget left for this item/);
	});

	it('an error reaches the model as a text that says what happened and what to do', async () => {
		wish = () => ({ query: 'tea' });
		lab.service.fail({
			path: '/v2/search',
			status: 402,
			body: { error: 'Insufficient credits' },
			times: 1,
		});
		await ask('webDataSearch', {
			operation: 'search',
			query: byModel('query', 'What to search for'),
		});
		const { content } = model.requests[1].messages.at(-1)!;
		assert.match(content!, /Not enough credits.*Add credits/);
	});
});

describe("Tools of n8n's MCP Server Trigger", () => {
	/** Sends a message of the Model Context Protocol, and returns the response and the session. */
	const send = async (url: string, message: IDataObject, session = '') => {
		const response = await fetch(url, {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				accept: 'application/json, text/event-stream',
				...(session && { 'mcp-session-id': session }),
			},
			body: JSON.stringify({ jsonrpc: '2.0', ...message }),
		});
		const text = await response.text();
		const [, data = text] = /^data: (.*)$/m.exec(text) ?? [];
		return {
			body: data ? (JSON.parse(data) as { result?: IDataObject }) : {},
			session: response.headers.get('mcp-session-id') ?? session,
		};
	};

	it('work with a Credit Budget, and hand over the result', async () => {
		const trigger = node(
			'@n8n/n8n-nodes-langchain.mcpTrigger',
			{ path: 'tools' },
			{ typeVersion: 2 },
		);
		trigger.webhookId = 'tools';
		const tool = ours(
			'webDataScrapeTool',
			{
				operation: 'scrape',
				url: byModel('url', 'The page'),
				toolDescription: 'Read a page',
				options: { creditBudget: 3 },
			},
			{ name: 'Read_page' },
		);
		const flow = chain([], { trigger });
		flow.nodes.push(tool);
		flow.connections[tool.name] = {
			ai_tool: [[{ node: trigger.name, type: 'ai_tool', index: 0 }]],
		};
		await lab.publish((await lab.save(flow)).id);
		const url = `${lab.client.url}/mcp/tools`;
		await until('the server', async () => (await fetch(url)).status !== 404);
		const { session } = await send(url, {
			id: 1,
			method: 'initialize',
			params: {
				protocolVersion: '2025-03-26',
				capabilities: {},
				clientInfo: { name: 'test', version: '1' },
			},
		});
		await send(url, { method: 'notifications/initialized' }, session);
		const { body } = await send(
			url,
			{
				id: 2,
				method: 'tools/call',
				params: { name: 'Read_page', arguments: { url: 'https://a.example/mcp' } },
			},
			session,
		);
		assert.match(JSON.stringify(body.result), /a\.example\/mcp/);
		assert.deepEqual(
			lab.service.requests.map(({ path }) => path),
			['/v2/scrape'],
		);
	});
});
