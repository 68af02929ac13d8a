/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
/** How a person finds our nodes in n8n's panel, and fills them in by clicking. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';

import { ROOT } from '../../scripts/lib/paths.mjs';
import { chain, node } from './support/flow';
import { Hand } from './support/hand';
import { openedEditor } from './support/openedEditor';
import { JOBS, type Job, URLS } from './support/tenJobs';

const opened = openedEditor();

/**
 * Node → words that people type who look for what it does; it must be among the first three. The panel has one entry
 * for a node and its trigger, and leaves out the word Trigger.
 */
const WORDS: Record<string, string> = {
	'Web Data Search': `
		news, mentions, daily news, google alerts, image search, internet, keyword research, keywords,
		latest news, news articles, newsletter, online search, position tracking, search engine, search
		google, search news, seo, serp, serp tracking, find news, press articles, brand tracking, find
		papers, web query, live web data, search websites, recent news, local search, find tutorials,
		google rankings`,
	'Web Data Scrape': `
		web scraping, screenshot, pdf, article, behind login, browse, contracts, extract contacts,
		extract data, extract text from pdf, fill form, headless browser, image scraper, job listings,
		listing data, logo, markdown, parse pdf, pdf reader, pdf text, price, prices, product prices,
		product reviews, rating, recipes, scrape data, scrape images, scrape list, scrape prices,
		summarize article, summarize web page, summarize website, web content, web text, website
		content, website reader, word document, extract product, get prices, amazon scraper, html
		parser, product scraper, email scraper, table scraper, word file, url content, contact scraper,
		bulk scrape, car prices, summarize pdf, screenshot page, site login, get emails`,
	'Web Data Crawl': `
		crawl website, blog content, chatbot training, embeddings from website, get all pages, rag, site
		crawler, website backup, website content for ai, website pages, wiki, docs scraper, website
		export, ingest website, 404 checker, site crawl, documentation scraper, blog crawler`,
	'Web Data Extract': `
		json schema`,
	'Web Data Agent': `
		research, ai research agent, company information, company list, company website, data
		enrichment, find company, find contacts, lead enrichment, lead gen, lead list, product
		comparison, researcher, sales leads, supplier search, lead scraper, find customers, company
		finder, prospect list, competitor comparison, supplier finder, candidates, find restaurants,
		company profile, market report`,
	'Web Data Usage': `
		credits, account, quota, usage stats, how many credits left, balance`,
	'Web Data Page': `
		page change, monitor, competitor, back in stock, changes, compare versions, detect changes, in
		stock, job alerts, new blog posts, new job postings, notify, price alert, restock, rss from
		website, stock alert, track product, watch, website alert, website changes, price watch, page
		watcher, stock checker, competitor tracker, job watcher, listing alerts, changes on page, blog
		alerts, tender monitoring, event alert`,
};
/** What people type who look for other nodes; ours must hardly ever come first. */
const OF_OTHERS = `
	send slack message, send email, resize image, create invoice, zoom meeting, postgres query, telegram
	bot, discord message, shopify order, stripe payment, run python, filter items, webhook, ftp upload,
	jira ticket, airtable record, mysql insert, image generation, speech to text, error handling, split
	array, read csv file, qr code, weather forecast, calendar event, youtube upload, hubspot deal,
	salesforce lead, zendesk ticket, dropbox upload`;
/** An entry that the panel has before a search alone. */
const START = 'Action in an app';
const FIRST = 3;
/** Every so manieth word is searched for; PANEL_WORDS=1 tries all of them, as the weekly workflow does. */
const EVERY = Number(process.env.PANEL_WORDS ?? 8);
/** Most of these words that may find it later, as n8n's own nodes have such names: one in 25. */
const MISSES = 8 / EVERY;
/** Most words of others that may find ours first. */
const STRAY = 2 / EVERY;

const wordsIn = (list: string) =>
	list
		.split(',')
		.map((text) => text.trim().replace(/\s+/g, ' '))
		.filter((_, index) => index % EVERY === 0);

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
	'Web Data Page': [
		'When a page has changed',
		"When a page can't be read",
		'When a site has new pages',
	],
};

describe('Node panel', () => {
	const found = () => opened.page.getByTestId('node-creator-item-name');

	/**
	 * Searches the panel for words, and waits for the results. Returns the entries' names, none if nothing is found. n8n
	 * searches a moment later: so that no previous results are read, the search is emptied first, which shows the start.
	 */
	async function searchFor(words: string): Promise<string[]> {
		const search = opened.page.getByTestId('node-creator-search-bar');
		await search.fill('');
		await found().getByText(START, { exact: true }).waitFor();
		await search.fill(words);
		// in the page, because a locator is looked at only twice a second
		await opened.page.waitForFunction(`!document.body.innerText.includes('${START}')`);
		return (await found().allTextContents()).map((text) => text.trim());
	}

	beforeEach(async () => {
		const workflow = await opened.lab.save(chain([]));
		await opened.editor.openWorkflow(workflow);
		await opened.page.getByTestId('node-creator-plus-button').click();
	});

	it('finds each node by the words of people who look for what it does', async () => {
		const late: string[] = [];
		for (const [name, list] of Object.entries(WORDS)) {
			for (const words of wordsIn(list)) {
				const names = (await searchFor(words)).slice(0, FIRST);
				if (!names.includes(name)) late.push(`${words}: ${names.join(', ')}, not ${name}`);
			}
		}
		assert.ok(late.length <= MISSES, late.join('\n'));
	});

	it('leaves the words of people who look for other nodes to those', async () => {
		const stray: string[] = [];
		for (const words of wordsIn(OF_OTHERS)) {
			const [first] = await searchFor(words);
			if (first?.startsWith('Web Data')) stray.push(`${words}: ${first}`);
		}
		assert.ok(stray.length <= STRAY, stray.join('\n'));
	});

	for (const [name, entries] of Object.entries(LISTED)) {
		it(`lists in the words of people what starts with ${name}`, async () => {
			await opened.seen(`panel-${name.replaceAll(' ', '-')}`, async () => {
				await searchFor(name);
				await found().getByText(name, { exact: true }).first().click();
				const action = entries.find((entry) => !entry.startsWith('When '));
				if (action !== undefined) {
					await opened.page.getByText(action, { exact: true }).first().waitFor();
					// If there are actions as well, the list of triggers is closed.
					await opened.page.getByText(/^Triggers \(/).click();
				}
				for (const entry of entries.filter((one) => one !== action)) {
					await opened.page.getByText(entry, { exact: true }).first().waitFor();
				}
			});
		});
	}
});

describe('By clicking alone, a beginner fills in', () => {
	const told = readFileSync(join(ROOT, 'docs', 'maintainers', 'verification.md'), 'utf8');

	/** Opens a canvas to start from. */
	async function openCanvas(at: Job['at']): Promise<void> {
		const agent = node('@n8n/n8n-nodes-langchain.agent', { promptType: 'define', text: 'Hi' });
		const items = at === 'table' ? URLS.map((url) => ({ url })) : undefined;
		const file = node('n8n-nodes-base.convertToFile', {
			operation: 'toText',
			sourceProperty: 'text',
			options: { fileName: 'invoice.html' },
		});
		const before = { table: [], file: [file], agent: [{ ...agent, typeVersion: 3.1 }] };
		const texts = [{ text: '<h1>Invoice</h1><p>40 euros are due on 1 May.</p>' }];
		const workflow = await opened.lab.save(
			chain(at ? before[at] : [], { items: at === 'file' ? texts : items }),
		);
		await opened.editor.openWorkflow(workflow);
		// n8n's messages would cover the panel.
		await opened.page.addStyleTag({ content: '.el-notification { display: none }' });
	}

	/** Opens the panel in the place for the job's node, and searches for the node. */
	async function openPanel({ at, node: words }: Job): Promise<void> {
		await openCanvas(at);
		const plus = opened.page.getByTestId('canvas-handle-plus');
		if (at === 'table' || at === 'file') await plus.click();
		else if (at === 'agent') {
			await opened.page.locator('[data-handleid="inputs/ai_tool/0"]').locator(plus).click();
		} else await opened.page.getByTestId('node-creator-plus-button').click();
		await opened.page.getByTestId('node-creator-search-bar').fill(words);
	}

	/** Waits until the service received the job's request. */
	async function asked({ path, with: part = {} }: NonNullable<Job['asks']>): Promise<void> {
		const isIt = (one: (typeof opened.lab.service.requests)[number]) =>
			path.test(one.path) &&
			Object.entries(part).every(([key, value]) =>
				isDeepStrictEqual({ ...one.query, ...(one.body as object) }[key], value),
			);
		for (const end = Date.now() + 20_000; !opened.lab.service.requests.some(isIt);) {
			if (Date.now() > end) assert.deepEqual(opened.lab.service.requests, [path, part]);
			await opened.page.waitForTimeout(50);
		}
	}

	for (const [name, job] of Object.entries(JOBS)) {
		it(name, async () => {
			const { clicks, fields } = job;
			await opened.seen(`job-${name.replace(/\W+/g, '-')}`, async () => {
				job.before?.(opened.lab.service);
				await openPanel(job);
				const hand = new Hand(opened.page);
				await job.fill(hand);
				assert.deepEqual({ clicks: hand.clicks, fields: hand.fields }, { clicks, fields });
				if (job.asks === undefined) return;
				await opened.page.getByTestId('node-execute-button').click();
				await asked(job.asks);
				const output = opened.page.getByTestId('output-panel');
				await output
					.getByText(job.shows ?? /\d items?/)
					.first()
					.waitFor();
			});
			const row = told.split('\n').find((line) => line.startsWith(`| ${name} `));
			const [, , ours] = row?.split('|').map((cell) => cell.trim()) ?? [];
			assert.equal(ours, `${clicks} + ${fields}`, 'docs/maintainers/verification.md');
		});
	}
});
