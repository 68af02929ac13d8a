/* eslint-disable @n8n/community-nodes/no-dangerous-functions, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
/**
 * Programs of others at the local service, in fixed versions (`runtime/foreign`): the official command line, the official
 * MCP server, and another package of nodes in the real n8n. What they can do with a service, they can do here. They get no
 * address but that of this machine, and send no telemetry.
 */
import assert from 'node:assert/strict';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import type { IDataObject } from 'n8n-workflow';

import { ensureForeign, ensureRuntime } from '../../scripts/lib/runtime.mjs';
import { until } from '../support/until';
import { chain, node } from './support/flow';
import { type Credential, Lab } from './support/lab';

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/;
const SITE = 'https://a.example';
/** How long a program may take, in ms. */
const TIMEOUT_MS = 60_000;

let packages: string;
let lab: Lab;
let folder: string;
let env: Record<string, string>;
let nodePath: string;

before(async () => {
	packages = await ensureForeign();
	nodePath = (await ensureRuntime('latest')).node;
	lab = await Lab.open({
		service: { crawlMs: 500, jobMs: 200 },
		env: { N8N_CUSTOM_EXTENSIONS: join(packages, '@mendable', 'n8n-nodes-firecrawl', 'dist') },
	});
	folder = mkdtempSync(join(tmpdir(), 'foreign-'));
	writeFileSync(join(folder, 'tea.html'), '<h1>Tea</h1>');
	env = {
		PATH: process.env.PATH!,
		HOME: folder,
		NODE_COMPILE_CACHE: join(folder, 'compiled'),
		FIRECRAWL_API_KEY: lab.service.apiKey,
		FIRECRAWL_API_URL: lab.service.url,
		FIRECRAWL_NO_TELEMETRY: '1',
		FIRECRAWL_NO_UPDATE_CHECK: '1',
		FIRECRAWL_NO_SEARCH_FEEDBACK: '1',
		FIRECRAWL_NO_ENDPOINT_FEEDBACK: '1',
	};
});

after(async () => {
	await lab?.close();
	if (folder) rmSync(folder, { recursive: true });
});

/** Returns the ID in a text, throws if there is none. */
function idIn(text: string): string {
	const [id] = UUID.exec(text) ?? assert.fail(`No ID in ${text.slice(0, 300)}`);
	return id;
}

describe('the official command line', { timeout: 10 * TIMEOUT_MS }, () => {
	/** Runs a command; returns what it prints, throws if it fails. */
	const run = async (...args: string[]): Promise<string> =>
		await new Promise((resolve, reject) => {
			const program = join(packages, 'firecrawl-cli', 'dist', 'index.js');
			const options = { cwd: folder, env, timeout: TIMEOUT_MS };
			execFile(nodePath, [program, ...args], options, (error, stdout, stderr) => {
				if (error) reject(new Error(`${args.join(' ')}: ${stdout}${stderr}`, { cause: error }));
				else resolve(stdout + stderr);
			});
		});

	const PAGE = /# A/;
	const SCHEMA = '{"type":"object","properties":{"a":{"type":"string"}}}';
	const commands: Array<[args: string[], expected: RegExp]> = [
		[['scrape', 'a.example', '--country', 'de'], PAGE],
		[['scrape', SITE, '--format', 'markdown,links,screenshot', '--json'], /"links":\[/],
		[['scrape', SITE, '--query', 'What is it?', '--max-age', '0'], /According to/],
		[['scrape', SITE, '--format', 'json', '--schema', SCHEMA], /"a"/],
		[['scrape', SITE, '--actions', '[{"type":"wait","milliseconds":5}]', '--redact-pii'], PAGE],
		[['scrape', SITE, '--profile', 'mine', '--proxy', 'auto', '--timing'], PAGE],
		[['scrape', SITE, 'https://b.example'], /2\/2 succeeded/],
		[['map', SITE, '--limit', '3', '--search', 'tea', '--json'], /"links":\[/],
		[['search', 'tea', '--limit', '2', '--sources', 'web,news,images', '--json'], /"images":\[/],
		[
			['search', 'tea', '--country', 'de', '--location', 'Berlin', '--tbs', 'qdr:d', '--json'],
			/web/,
		],
		[['search', 'tea', '--scrape', '--scrape-formats', 'markdown', '--json'], /"markdown":/],
		[['search', 'tea', '--categories', 'github,research', '--no-highlights', '--json'], /github/],
		[['crawl', SITE, '--limit', '3', '--wait', '--poll-interval', '1'], /"total":\s?3/],
		[['agent', 'Find tea', '--wait', '--poll-interval', '1', '--json'], /"status":\s?"completed"/],
		[['parse', 'tea.html', '--query', 'What is it?'], /According to/],
		[['credit-usage', '--json'], /"remainingCredits":\d/],
		[['--status'], /0\/50 jobs/],
		[['doctor'], /accepted/],
	];
	for (const [args, expected] of commands) {
		it(args.join(' '), async () => assert.match(await run(...args), expected));
	}

	it('begins a crawl and shows it', async () => {
		const id = idIn(await run('crawl', SITE, '--webhook', 'http://127.0.0.1:9/hook'));
		// It follows `next` until the crawl has ended.
		assert.match(await run('crawl', id, '--status'), /completed/i);
	});

	it('begins and cancels a crawl', async () => {
		lab.service.set({ crawlMs: 0 });
		const id = idIn(await run('crawl', SITE));
		assert.match(await run('crawl', id, '--cancel'), /cancel/i);
		lab.service.set({ crawlMs: 500 });
	});

	it('begins, shows and cancels an agent task', async () => {
		lab.service.set({ jobMs: 0 });
		const id = idIn(await run('agent', 'Find tea', '--json'));
		assert.match(await run('agent', id, '--status', '--json'), /processing/);
		assert.match(await run('agent', id, '--cancel'), /cancel/i);
		lab.service.set({ jobMs: 200 });
	});

	it('acts in the browser of the page scraped last, and closes it', async () => {
		const id = idIn(await run('scrape', SITE, '--max-age', '0'));
		assert.match(await run('interact', '--scrape-id', id, '--prompt', 'Click'), /Done at/);
		assert.match(await run('interact', '--scrape-id', id, '--code', '1'), /At https/);
		assert.match(await run('interact', 'stop', id), /./);
	});

	it('creates, changes and runs a monitor, shows its check, and deletes it', async () => {
		const what = ['--page', SITE, '--goal', 'New prices', '--email', 'me@a.example'];
		const when = ['--schedule', 'every 30 minutes', '--webhook-url', 'http://127.0.0.1:9/hook'];
		const monitor = idIn(await run('monitor', 'create', '--name', 'Tea', ...what, ...when));
		assert.match(await run('monitor', 'update', monitor, '--schedule', 'daily at 9am'), /0 9 \*/);
		const check = idIn(await run('monitor', 'run', monitor));
		await until('the end of the check', async () =>
			/"completed"/.test(await run('monitor', 'checks', monitor, '--limit', '1')),
		);
		const shown = ['monitor', 'check', monitor, check, '--page-status', 'new'];
		assert.match(await run(...shown), /"url":"https:\/\/a\.example"/);
		for (const args of [
			['--queries', 'tea', '--goal', 'News'],
			['--crawl-url', SITE],
		]) {
			const more = ['--name', 'More', '--cron', '0 * * * *'];
			await run('monitor', 'delete', idIn(await run('monitor', 'create', ...more, ...args)));
		}
		assert.match(await run('monitor', 'get', monitor), /"lastCheckSummary":\{/);
		await run('monitor', 'delete', monitor);
		assert.match(await run('monitor', 'list'), /"data":\[\]/);
	});

	/** What the local service doesn't have: indexes of the internet. */
	for (const args of [
		['developer', 'tea'],
		['research', 'search-papers', 'tea'],
	]) {
		it(`fails, as the local service doesn't have it: ${args.join(' ')}`, async () => {
			await assert.rejects(run(...args));
		});
	}
});

describe('the official MCP server', () => {
	let server: ChildProcess;
	let asked = 0;
	const waiting = new Map<number, (message: IDataObject) => void>();

	const send = (message: object) =>
		server.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

	async function request(method: string, params: object): Promise<IDataObject> {
		asked += 1;
		const id = asked;
		const response = new Promise<IDataObject>((resolve) => waiting.set(id, resolve));
		send({ id, method, params });
		const { result, error } = await response;
		return (result as IDataObject) ?? assert.fail(JSON.stringify(error));
	}

	/** Calls a tool; returns its text, throws if it fails. */
	async function call(name: string, args: object = {}): Promise<string> {
		const { content, isError } = await request('tools/call', { name, arguments: args });
		const text = (content as IDataObject[]).map((part) => part.text).join('');
		if (isError || /^\{\s*"success":\s*false/.test(text)) assert.fail(text);
		return text;
	}

	before(async () => {
		const program = join(packages, 'firecrawl-mcp', 'dist', 'index.js');
		server = spawn(nodePath, [program], { cwd: folder, env, stdio: ['pipe', 'pipe', 'ignore'] });
		createInterface({ input: server.stdout! }).on('line', (line) => {
			const message = JSON.parse(line) as IDataObject & { id?: number };
			waiting.get(message.id ?? -1)?.(message);
		});
		const clientInfo = { name: 'tests', version: '1' };
		const protocolVersion = '2025-06-18';
		await request('initialize', { protocolVersion, capabilities: {}, clientInfo });
		send({ method: 'notifications/initialized' });
	});

	after(async () => {
		if (server?.kill()) await once(server, 'exit');
	});

	/** Tools that need what the local service doesn't have, and why. */
	const NOT_HERE: Record<string, string> = {
		firecrawl_extract: 'the server itself has retired it',
		firecrawl_find_tools: 'a catalogue of the cloud',
		firecrawl_developer_search: 'an index of the internet',
		firecrawl_research_search_papers: 'an index of the internet',
		firecrawl_research_inspect_paper: 'an index of the internet',
		firecrawl_research_related_papers: 'an index of the internet',
		firecrawl_research_read_paper: 'an index of the internet',
		firecrawl_research_search_github: 'an index of the internet',
	};

	const used: Record<string, Array<[args: object, expected: RegExp]>> = {
		firecrawl_scrape: [
			[
				{
					url: SITE,
					formats: ['markdown', 'changeTracking', 'query', 'branding', 'audio'],
					queryOptions: { prompt: 'What is it?' },
				},
				/changeStatus/,
			],
			[{ url: SITE, formats: ['json'], jsonOptions: { prompt: 'The title' } }, /"json"/],
		],
		firecrawl_map: [[{ url: SITE, limit: 3 }, /"links"/]],
		firecrawl_search: [
			[{ query: 'tea', toolDetail: 'full', domainTools: true }, /"web"/],
			[
				{
					query: 'tea',
					sources: ['web', 'news'].map((type) => ({ type })),
					includeDomains: ['a.example'],
					scrapeOptions: { formats: ['markdown'] },
				},
				/https:\/\/a\.example\/.*"markdown"/s,
			],
		],
		firecrawl_credit_usage: [
			[{}, /"remainingCredits"/],
			[{ view: 'historical', byApiKey: true }, /"creditsUsed"/],
		],
		firecrawl_parse: [[{ filePath: 'tea.html', formats: ['markdown'] }, /"markdown"/]],
		firecrawl_agent: [[{ prompt: 'Find tea', urls: [SITE], effort: 'low' }, /"threadId"/]],
		firecrawl_interact: [[{ url: `${SITE}/b`, prompt: 'Click' }, /Done at/]],
		firecrawl_crawl: [[{ url: SITE, limit: 2, webhook: 'http://127.0.0.1:9/hook' }, /"completed"/]],
	};
	/** Tools that go on with what another one began; tried below. */
	const GO_ON = [
		'firecrawl_check_crawl_status',
		'firecrawl_agent_status',
		'firecrawl_interact_stop',
		...['create', 'list', 'get', 'update', 'delete', 'run', 'checks', 'check'].map(
			(name) => `firecrawl_monitor_${name}`,
		),
	];

	it('has no other tools', async () => {
		const { tools } = await request('tools/list', {});
		const names = (tools as IDataObject[]).map(({ name }) => String(name)).sort();
		assert.deepEqual(names, [...Object.keys(used), ...GO_ON, ...Object.keys(NOT_HERE)].sort());
	});

	for (const [name, calls] of Object.entries(used)) {
		for (const [args, expected] of calls) {
			it(`${name} ${JSON.stringify(args)}`, async () =>
				assert.match(await call(name, args), expected));
		}
	}

	it('creates, changes, runs and deletes a monitor', async () => {
		const tool = async (name: string, args: object = {}) =>
			await call(`firecrawl_monitor_${name}`, args);
		const goal = 'New prices';
		const id = idIn(await tool('create', { page: SITE, goal, email: 'me@a.example' }));
		assert.match(await tool('update', { id, body: { name: 'Tea' } }), /"Tea"/);
		const checkId = idIn(await tool('run', { id }));
		await until('the end of the check', async () =>
			/"completed"/.test(await tool('checks', { id, limit: 1 })),
		);
		assert.match(await tool('check', { id, checkId, pageStatus: 'new' }), /https:\/\/a\.example/);
		await tool('delete', { id: idIn(await tool('create', { queries: ['tea'], goal })) });
		assert.match(await tool('get', { id }), /"lastCheckSummary"/);
		await tool('delete', { id });
		assert.doesNotMatch(await tool('list'), UUID);
	});

	it('follows a crawl, a task and a browser', async () => {
		const crawl = idIn(await call('firecrawl_crawl', { url: SITE, limit: 2 }));
		assert.match(await call('firecrawl_check_crawl_status', { id: crawl }), /"total": 2/);
		const task = idIn(await call('firecrawl_agent', { prompt: 'Find tea' }));
		assert.match(await call('firecrawl_agent_status', { id: task }), /"status"/);
		const page = await call('firecrawl_scrape', { url: SITE });
		const scrapeId = idIn(/"scrapeId": ?".*?"/.exec(page)![0]);
		await call('firecrawl_interact', { scrapeId, code: '1' });
		assert.match(await call('firecrawl_interact_stop', { scrapeId }), /"creditsBilled"/);
	});
});

describe('another package of nodes, in n8n', () => {
	let credential: Credential;

	before(async () => {
		credential = await lab.client.saveCredential({
			name: 'Theirs',
			type: 'firecrawlApi',
			data: { baseUrl: `${lab.service.url}/v2`, apiKey: lab.service.apiKey },
		});
	});

	/** Runs an operation; returns its first item, throws if it fails. */
	async function run(resource: string, operation: string, more: IDataObject = {}) {
		const { id, name } = credential;
		const theirs = node(
			'CUSTOM.firecrawl',
			{ resource, operation, ...more },
			{ name: 'Theirs', credentials: { firecrawlApi: { id, name } } },
		);
		const { status, error, items } = await lab.run(chain([theirs]), TIMEOUT_MS);
		assert.equal(status, 'success', error?.message);
		return items('Theirs')[0].json;
	}

	const operations: Array<[resource: string, operation: string, parameters: IDataObject]> = [
		['MapSearch', 'search', { query: 'tea' }],
		['MapSearch', 'map', { url: SITE }],
		['Scraping', 'scrape', { url: SITE }],
		['Agent', 'agent', { prompt: 'Find tea' }],
		['Crawling', 'crawlActive', {}],
		['Account', 'teamCreditUsage', {}],
		['Account', 'creditUsageHistorical', {}],
		['Account', 'teamQueueStatus', {}],
	];
	for (const [resource, operation, parameters] of operations) {
		it(operation, async () => {
			const json = await run(resource, operation, parameters);
			assert.match(JSON.stringify(json), /"success":true/);
		});
	}

	/** Runs an operation; returns all of its first item as text, whatever it is wrapped in. */
	const told = async (...args: Parameters<typeof run>) => JSON.stringify(await run(...args));

	it('begins, shows and cancels a crawl, and lists its errors', async () => {
		lab.service.set({ crawlMs: 0 });
		const crawlId = idIn(await told('Crawling', 'crawl', { url: SITE }));
		assert.match(await told('Crawling', 'getCrawlStatus', { crawlId }), /"status":"scraping"/);
		assert.match(await told('Crawling', 'getCrawlErrors', { crawlId }), /"errors":\[\]/);
		assert.match(await told('Crawling', 'cancelCrawl', { crawlId }), /"status":"cancelled"/);
	});

	it('begins, shows and cancels a batch, and lists its errors', async () => {
		const batchId = idIn(await told('Scraping', 'batchScrape', { urls: `${SITE}, ${SITE}/b` }));
		assert.match(await told('Scraping', 'batchScrapeStatus', { batchId }), /"status":"scraping"/);
		assert.match(await told('Scraping', 'batchScrapeErrors', { batchId }), /"errors":\[\]/);
		assert.match(await told('Scraping', 'cancelBatchScrape', { batchId }), /"status":"cancelled"/);
		lab.service.set({ crawlMs: 500 });
	});

	it('begins a task and shows it', async () => {
		const agentId = idIn(await told('Agent', 'agentAsync', { prompt: 'Find tea' }));
		assert.match(await told('Agent', 'getAgentStatus', { agentId }), /"success":true/);
	});

	it('gets what it asks for where it asks in a wrong way: crawlParamsPreview is a GET', async () => {
		const parameters = { url: SITE, prompt: 'Only /docs' };
		await assert.rejects(run('Crawling', 'crawlParamsPreview', parameters), /Bad request/);
		assert.equal(lab.service.requests.at(-1)?.method, 'GET');
	});

	it('acts in the browser of a page, and closes it', async () => {
		const { data } = await run('Scraping', 'scrape', { url: SITE });
		const { scrapeId } = (data as IDataObject).metadata as IDataObject;
		const acted = await run('Interact', 'interact', { scrapeId, prompt: 'Click' });
		assert.match(String(acted.output), /Done at/);
		assert.equal((await run('Interact', 'interactStop', { scrapeId })).success, true);
	});
});
