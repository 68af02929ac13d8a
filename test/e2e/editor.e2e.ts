/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/require-node-api-error */
/** What a person does in n8n's editor, in headless Chromium. Each step saves a picture in artifacts/. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { IDataObject } from 'n8n-workflow';
import type { Page } from 'playwright-core';

import { ROOT } from '../../scripts/lib/paths.mjs';
import { Editor } from './support/browser';
import { type FlowNode, chain, node, ours } from './support/flow';
import { Hand } from './support/hand';
import { Lab } from './support/lab';
import { JOBS, type Job, URLS } from './support/tenJobs';

let lab: Lab;
let editor: Editor;
let page: Page;

before(async () => {
	lab = await Lab.open({ service: { crawlMs: 0, jobMs: 300 } });
	editor = await Editor.open(lab);
	({ page } = editor);
});

after(async () => {
	await editor?.close();
	await lab?.close();
});

beforeEach(() => {
	lab.service.requests.length = 0;
	lab.service.clearFaults();
});

/** Runs `check`; if it fails, a picture of the editor is kept. */
async function seen(name: string, check: () => Promise<void>): Promise<void> {
	try {
		await check();
		await editor.screenshot(name);
	} catch (error) {
		await editor.screenshot(`FAILED-${name}`);
		throw error;
	}
}

/**
 * Node → words that people type who look for what it does; it must be among the first three. The panel has one entry
 * for a node and its trigger, and leaves out the word Trigger.
 */
const WORDS: Record<string, string> = {
	'Web Data Search': `
		news, mentions, daily news, google alerts, image search, internet, keyword research, keywords,
		latest news, news articles, newsletter, online search, position tracking, search engine, search
		google, search news, seo, serp, serp tracking`,
	'Web Data Scrape': `
		web scraping, screenshot, pdf, article, behind login, browse, contracts, extract contacts, extract
		data, extract text from pdf, fill form, headless browser, image scraper, job listings, listing data,
		logo, markdown, parse pdf, pdf reader, pdf text, price, prices, product prices, product reviews,
		rating, recipes, scrape data, scrape images, scrape list, scrape prices, summarize article,
		summarize web page, summarize website, web content, web text, website content, website reader, word
		document`,
	'Web Data Crawl': `
		crawl website, blog content, chatbot training, embeddings from website, get all pages, rag, site
		crawler, website backup, website content for ai, website pages, wiki`,
	'Web Data Extract': `
		json schema`,
	'Web Data Agent': `
		research, ai research agent, company information, company list, company website, data enrichment,
		find company, find contacts, lead enrichment, lead gen, lead list, product comparison, researcher,
		sales leads, supplier search`,
	'Web Data Usage': `
		credits, account, quota, usage stats`,
	'Web Data Page': `
		page change, monitor, competitor, back in stock, changes, compare versions, detect changes, in
		stock, job alerts, new blog posts, new job postings, notify, price alert, restock, rss from website,
		stock alert, track product, watch, website alert, website changes`,
};
const NOTHING_HAS_THIS = 'qzxjqzxj';
const FIRST = 3;
/** Most words that may find it later: n8n's own nodes have such names. */
const MISSES = 8;

/** What the panel lists under a node and its trigger, in a person's words. */
const LISTED: Record<string, string[]> = {
	'Web Data Search': [
		'When a search has new results',
		'When a search has new or changed results',
		'Search web',
	],
	'Web Data Crawl': [
		'When a crawl has finished',
		'When a crawl has failed',
		'When a crawl was cancelled or ended otherwise',
		'Crawl site and get pages',
	],
	'Web Data Page': ['When a page has changed', "When a page can't be read"],
};

describe('Node panel', () => {
	const found = () => page.getByTestId('node-creator-item-name');

	const noResults = () => page.getByTestId('node-creator-no-results');

	/** Searches the panel for words, and waits for the results. Returns the entries' names, none if nothing is found. */
	async function searchFor(words: string): Promise<string[]> {
		// Without an empty search in between, the previous results would be read: n8n searches a moment later.
		await page.getByTestId('node-creator-search-bar').fill(NOTHING_HAS_THIS);
		await noResults().waitFor();
		await page.getByTestId('node-creator-search-bar').fill(words);
		await found()
			.first()
			.waitFor({ timeout: 5000 })
			.catch(() => {});
		return (await found().allTextContents()).map((text) => text.trim());
	}

	beforeEach(async () => {
		const workflow = await lab.save(chain([]));
		await editor.openWorkflow(workflow.id);
		await page.getByTestId('node-creator-plus-button').click();
	});

	it('finds each node by the words of people who look for what it does', async () => {
		const late: string[] = [];
		for (const [name, list] of Object.entries(WORDS)) {
			for (const words of list.split(',').map((text) => text.trim().replace(/\s+/g, ' '))) {
				const names = (await searchFor(words)).slice(0, FIRST);
				if (!names.includes(name)) late.push(`${words}: ${names.join(', ')}, not ${name}`);
			}
		}
		assert.ok(late.length <= MISSES, late.join('\n'));
	});

	for (const [name, entries] of Object.entries(LISTED)) {
		it(`lists in the words of people what starts with ${name}`, async () => {
			await seen(`panel-${name.replaceAll(' ', '-')}`, async () => {
				await searchFor(name);
				await found().getByText(name, { exact: true }).first().click();
				const action = entries.find((entry) => !entry.startsWith('When '));
				if (action !== undefined) {
					await page.getByText(action, { exact: true }).first().waitFor();
					// If there are actions as well, the list of triggers is closed.
					await page.getByText(/^Triggers \(/).click();
				}
				for (const entry of entries.filter((one) => one !== action)) {
					await page.getByText(entry, { exact: true }).first().waitFor();
				}
			});
		});
	}
});

describe('By clicking alone, a beginner fills in', () => {
	const told = readFileSync(join(ROOT, 'docs', 'maintainers', 'verification.md'), 'utf8');

	/** Whether the open canvas was empty before the last job. */
	let isEmpty = false;

	/**
	 * Opens a canvas to start from. An empty one is created by deleting what was added, because reloading n8n takes
	 * seconds.
	 */
	async function openCanvas(at: Job['at']): Promise<void> {
		if (at === undefined && isEmpty) {
			await page.getByTestId('ndv-close-button').click();
			await page.keyboard.press('Delete');
			await page.getByTestId('canvas-node').nth(1).waitFor({ state: 'detached' });
			return;
		}
		isEmpty = at === undefined;
		const agent = node('@n8n/n8n-nodes-langchain.agent', { promptType: 'define', text: 'Hi' });
		const items = at === 'table' ? URLS.map((url) => ({ url })) : undefined;
		const nodes = at === 'agent' ? [{ ...agent, typeVersion: 3.1 }] : [];
		const workflow = await lab.save(chain(nodes, { items }));
		await editor.openWorkflow(workflow.id);
		// n8n's messages would cover the panel.
		await page.addStyleTag({ content: '.el-notification { display: none }' });
	}

	/** Opens the panel in the place for the job's node, and searches for the node. */
	async function openPanel({ at, node: words }: Job): Promise<void> {
		await openCanvas(at);
		const plus = page.getByTestId('canvas-handle-plus');
		if (at === 'table') await plus.click();
		else if (at === 'agent') {
			await page.locator('[data-handleid="inputs/ai_tool/0"]').locator(plus).click();
		} else await page.getByTestId('node-creator-plus-button').click();
		await page.getByTestId('node-creator-search-bar').fill(words);
	}

	/** Waits until the service received the job's request. */
	async function asked({ path, with: part = {} }: NonNullable<Job['asks']>): Promise<void> {
		const isIt = (one: (typeof lab.service.requests)[number]) =>
			path.test(one.path) &&
			Object.entries(part).every(([key, value]) =>
				isDeepStrictEqual({ ...one.query, ...(one.body as object) }[key], value),
			);
		for (const end = Date.now() + 20_000; !lab.service.requests.some(isIt);) {
			if (Date.now() > end) assert.deepEqual(lab.service.requests, [path, part]);
			await page.waitForTimeout(50);
		}
	}

	for (const [name, job] of Object.entries(JOBS)) {
		it(name, async () => {
			const { clicks, fields } = job;
			await seen(`job-${name.replace(/\W+/g, '-')}`, async () => {
				job.before?.(lab.service);
				await openPanel(job);
				const hand = new Hand(page);
				await job.fill(hand);
				assert.deepEqual({ clicks: hand.clicks, fields: hand.fields }, { clicks, fields });
				if (job.asks === undefined) return;
				await page.getByTestId('node-execute-button').click();
				await asked(job.asks);
				await page
					.getByTestId('output-panel')
					.getByText(/\d items?/)
					.first()
					.waitFor();
			});
			const row = told.split('\n').find((line) => line.startsWith(`| ${name} `));
			const [, , ours] = row?.split('|').map((cell) => cell.trim()) ?? [];
			assert.equal(ours, `${clicks} + ${fields}`, 'docs/maintainers/verification.md');
		});
	}
});

describe('A search', () => {
	it('is added from the panel, filled in, run, and its output read', async () => {
		const workflow = await lab.save(chain([]));
		await seen('search-output', async () => {
			await editor.openWorkflow(workflow.id);
			await page.getByTestId('node-creator-plus-button').click();
			await page.getByTestId('node-creator-search-bar').fill('Web Data Search');
			await page
				.getByTestId('node-creator-item-name')
				.getByText('Web Data Search', { exact: true })
				.first()
				.click();
			// the node's own list of actions
			await page.getByText('Search web', { exact: true }).first().click();
			const query = page.getByTestId('parameter-input-query').locator('input, textarea').first();
			await query.waitFor();
			await editor.screenshot('search-form');
			await query.fill('coffee grinder');
			await page.getByTestId('node-execute-button').click();
			await page.getByTestId('ndv-run-data-display-mode').last().waitFor();
			await page
				.getByText(/5 items/)
				.first()
				.waitFor();
		});
		assert.deepEqual(
			lab.service.requests.map(({ body }) => body),
			[{ query: 'coffee grinder', limit: 5 }],
		);
	});
});

describe('A crawl', () => {
	it('is picked from the list of running crawls, and its pages are read', async () => {
		const { id } = lab.service.crawls.add({ url: 'https://docs.northwind.example', pages: 9 });
		lab.service.crawls.progress(id, 9);
		const crawl = ours('webDataCrawl', { operation: 'getPages', returnAll: true });
		const workflow = await lab.save(chain([crawl]));
		await seen('crawl-output', async () => {
			await editor.openForm(workflow.id, crawl.id);
			await page.getByTestId('rlc-input-container').first().click();
			const entry = page.getByTestId('rlc-item').filter({ hasText: 'docs.northwind.example' });
			await entry.first().waitFor();
			await page.getByText('For any other, choose By ID or By URL').first().waitFor();
			await editor.screenshot('crawl-list');
			await entry.first().click();
			await page.getByTestId('node-execute-button').click();
			await page
				.getByText(/9 items/)
				.first()
				.waitFor();
		});
		assert.equal(lab.service.requests.at(-1)?.path, `/v2/crawl/${id}`);
	});
});

describe('Many items', () => {
	const rows = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));
	const batching = { batching: { batch: { batchSize: 50, batchInterval: 1 } } };
	const cases: Array<
		[name: string, count: number, requestOptions: IDataObject | undefined, advised: boolean]
	> = [
		['bring the advice to set Batching', 300, undefined, true],
		['bring it also if another Request Option is set', 300, { timeout: 1000 }, true],
		['bring none if Batching is set', 300, batching, false],
		['bring none if they are few', 299, undefined, false],
	];

	for (const [name, count, requestOptions, advised] of cases) {
		it(name, async () => {
			const search = ours('webDataSearch', {
				operation: 'search',
				query: '={{ $json.n }}',
				...(requestOptions && { requestOptions }),
			});
			const workflow = await lab.save(chain([search], { items: rows(count) }));
			await seen(`many-items-${name.replaceAll(' ', '-')}`, async () => {
				await editor.openForm(workflow.id, search.id);
				// n8n's editor knows the items only once the node before has run.
				await page.getByTestId('node-execute-button').click();
				const output = page.getByTestId('output-panel');
				await output
					.getByText(/\d items/)
					.first()
					.waitFor();
				const advice = output.getByText('n8n prepares all these items in one go');
				if (advised) await advice.waitFor();
				else assert.equal(await advice.count(), 0);
			});
		});
	}
});

describe('The canvas', () => {
	it('says under each node what it does', async () => {
		const query = '={{ $json.topic }}';
		const nodes: Record<string, FlowNode> = {
			'Scrape Many Pages and Wait: example.com/a': ours('webDataScrape', {
				operation: 'batchStartAndWait',
				urls: 'https://example.com/a\nhttps://example.com/b',
			}),
			'Search Web: tea': ours('webDataSearch', { operation: 'search', query: 'tea' }),
			'Search Web and Scrape Results': ours(
				'webDataSearch',
				{ operation: 'searchAndScrape', query },
				{ name: 'Another' },
			),
		};
		const trigger = ours('webDataSearchTrigger', { query });
		const workflow = await lab.save(chain(Object.values(nodes), { trigger }));
		await seen('canvas', async () => {
			await editor.openWorkflow(workflow.id);
			for (const line of ['new results', ...Object.keys(nodes)]) {
				await page.getByText(line, { exact: true }).first().waitFor();
			}
		});
	});
});

describe("A trigger's test step", () => {
	const cases: Array<{
		type: string;
		parameters: IDataObject;
		shows: RegExp;
		costs?: Record<string, RegExp>;
	}> = [
		{ type: 'webDataCrawlTrigger', parameters: {}, shows: /completed/ },
		{
			type: 'webDataSearchTrigger',
			parameters: { query: 'solar power' },
			shows: /10 items/,
			costs: { everyMinute: /2,880 credits a day/, everyHour: /48 credits a day/ },
		},
		{
			type: 'webDataPageTrigger',
			parameters: { urls: 'https://shop.example/pricing' },
			shows: /Pro: 10/,
			costs: { everyMinute: /1,440 credits a day/, everyDay: /1 credit a day/ },
		},
	];

	for (const { type, parameters, shows, costs = {} } of cases) {
		it(`of ${type} shows what it would emit`, async () => {
			lab.service.web.setPage('https://shop.example/pricing', { markdown: '# Plans\n\nPro: 10' });
			lab.service.crawls.end(lab.service.crawls.add({ pages: 2 }).id);
			for (const [mode, text] of Object.entries({ everyHour: undefined, ...costs })) {
				const pollTimes = { item: [{ mode }] };
				const trigger = ours(type, { pollTimes, ...parameters });
				const workflow = await lab.save(chain([], { trigger }));
				await seen(`${type}-${mode}`, async () => {
					await editor.openForm(workflow.id, trigger.id);
					if (text) await page.getByText(text).first().waitFor();
					await page.getByTestId('node-execute-button').click();
					await page.getByText(shows).first().waitFor();
				});
			}
		});
	}
});

describe('Forms', () => {
	const forms = [
		['webDataSearch', 'searchAndScrape'],
		['webDataAgent', 'startAndWait'],
		['webDataCrawl', 'startAndWait'],
		['webDataExtract', 'startAndWait'],
		['webDataUsage', 'getHistorical'],
		['webDataScrape', 'scrape'],
	];
	for (const [type, operation] of forms) {
		it(`${type} opens without an error`, async () => {
			const shown = ours(type, { operation });
			const workflow = await lab.save(chain([shown]));
			const errors: string[] = [];
			const note = (error: Error) => errors.push(error.message);
			page.on('pageerror', note);
			await seen(`form-${type}`, async () => {
				await editor.openForm(workflow.id, shown.id);
				await page.getByTestId('parameter-input-operation').waitFor();
				await page.getByTestId('node-credentials-select').waitFor();
			});
			page.off('pageerror', note);
			assert.deepEqual(errors, []);
		});
	}
});

describe('Credential', () => {
	/** Creates a credential in the editor, which tests it when it is saved. */
	async function create(baseUrl: string, apiKey: string): Promise<void> {
		await page.goto('/home/credentials/create');
		await page.getByTestId('new-credential-type-select').locator('input').fill('Web Data');
		await page
			.getByTestId('new-credential-type-select-option')
			.filter({ hasText: 'Web Data Service API' })
			.click();
		await page.getByTestId('new-credential-type-button').click();
		await page.getByTestId('parameter-input-baseUrl').locator('input').fill(baseUrl);
		await page.getByTestId('parameter-input-apiKey').locator('input').fill(apiKey);
		await page.getByTestId('credential-save-button').click();
	}

	/** Returns what the test of the credential just saved found wrong. */
	async function problem(): Promise<string> {
		await page.getByText('More details').click();
		return await page.getByTestId('editCredential-modal').innerText();
	}

	it('is created and passes its test', async () => {
		await seen('credential-right', async () => {
			await create(`${lab.service.url}/v2/`, lab.service.apiKey);
			await page.getByTestId('credentials-config-container-test-success').waitFor();
		});
	});

	it('with a wrong key says so', async () => {
		await seen('credential-wrong-key', async () => {
			await create(lab.service.url, 'not-the-key');
			assert.match(await problem(), /does not accept this API key/);
		});
	});

	it('with the address of something else says so', async () => {
		await seen('credential-wrong-address', async () => {
			await create(lab.client.url, lab.service.apiKey);
			assert.match(await problem(), /sent a web page instead of data/);
		});
	});

	it('with a wrong path in the address says so', async () => {
		await seen('credential-wrong-path', async () => {
			await create(`${lab.service.url}/nowhere`, lab.service.apiKey);
			assert.match(await problem(), /no Web Data Service at this Base URL/);
		});
	});

	it('with nobody at the address says so', async () => {
		await seen('credential-nobody', async () => {
			await create('http://127.0.0.1:9', lab.service.apiKey);
			assert.match(await problem(), /Nothing is listening at 127.0.0.1:9/);
		});
	});
});

describe('Errors', () => {
	it('a credential that is for other domains says so, and nothing is sent', async () => {
		const { id, name } = await lab.client.saveCredential({
			name: 'For another domain',
			type: 'webDataServiceApi',
			data: {
				baseUrl: lab.service.url,
				apiKey: lab.service.apiKey,
				allowedHttpRequestDomains: 'domains',
				allowedDomains: 'api.example.com',
			},
		});
		for (const type of ['webDataUsage', 'webDataCrawlTrigger']) {
			const parameters = type === 'webDataUsage' ? { operation: 'getCredits' } : {};
			const credentials = { webDataServiceApi: { id, name } };
			const one = ours(type, parameters, { credentials });
			const isTrigger = type.endsWith('Trigger');
			const workflow = await lab.save(isTrigger ? chain([], { trigger: one }) : chain([one]));
			await seen(`error-domain-${type}`, async () => {
				await editor.openForm(workflow.id, one.id);
				await page.getByTestId('node-execute-button').click();
				const panel = page.getByTestId('output-panel');
				await panel.getByText('does not allow requests to').first().waitFor();
				assert.match(await panel.innerText(), /Allowed HTTP Request Domains/);
			});
		}
		assert.deepEqual(lab.service.requests, []);
	});

	it('a 402 says what happened and what to do', async () => {
		lab.service.fail({ path: '/v2/search', status: 402, body: { error: 'Insufficient credits' } });
		const search = ours('webDataSearch', { operation: 'search', query: 'tea' });
		const workflow = await lab.save(chain([search, node('n8n-nodes-base.noOp')]));
		await seen('error-402', async () => {
			await editor.openForm(workflow.id, search.id);
			await page.getByTestId('node-execute-button').click();
			const panel = page.getByTestId('output-panel');
			await panel
				.getByText(/credit/i)
				.first()
				.waitFor();
			const text = await panel.innerText();
			assert.match(text, /Insufficient credits|402/);
			assert.equal(text.includes(lab.service.apiKey), false);
		});
	});
});
