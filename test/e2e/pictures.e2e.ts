/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
/**
 * The pictures in the docs: each node doing its most common task in the real editor. Without Chromium they can't be
 * made, so they are kept in docs/images; `UPDATE_DOCS=1 npm run test:e2e -- pictures` renews them.
 */
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { IDataObject } from 'n8n-workflow';
import type { Page } from 'playwright-core';

import { ROOT } from '../../scripts/lib/paths.mjs';
import { Editor } from './support/browser';
import { chain, node, ours } from './support/flow';
import { Lab } from './support/lab';

const IMAGES = join(ROOT, 'docs', 'images');
const SITE = 'https://docs.northwind.example';

let lab: Lab;
let editor: Editor;
let page: Page;

before(async () => {
	lab = await Lab.open({ hasEditor: true, service: { crawlMs: 300, jobMs: 300 } });
	editor = await Editor.open(lab, { width: 1440, height: 760 });
	({ page } = editor);
});

after(async () => {
	await editor?.close();
	await lab?.close();
});

/** `webDataSearch` → `Web Data Search`, as n8n names a node that is added. */
const title = (type: string) => type.replace(/^w/, 'W').replace(/(?<=[a-z])(?=[A-Z])/g, ' ');

/** Takes the picture `name` in n8n's light and dark theme; the docs have both. */
async function picture(name: string): Promise<void> {
	await take(name);
	await page.emulateMedia({ colorScheme: 'dark' });
	await page.waitForTimeout(300);
	await take(`${name}-dark`);
	await page.emulateMedia({ colorScheme: 'light' });
}

async function take(name: string): Promise<void> {
	const taken = await editor.screenshot(`docs-${name}`);
	const kept = join(IMAGES, `${name}.png`);
	if (process.env.UPDATE_DOCS) {
		mkdirSync(IMAGES, { recursive: true });
		copyFileSync(taken, kept);
	}
	assert.ok(existsSync(kept), `docs/images/${name}.png is missing: run with UPDATE_DOCS=1`);
}

/** Returns the parameters of fields to find, as the form has them. */
const fields = (field: IDataObject[]) => ({ schemaFrom: 'fields', schemaFields: { field } });

/** Waits until the execution has succeeded, and closes n8n's message about it. */
async function succeeded(): Promise<void> {
	const message = page.getByRole('alert').filter({ hasText: 'executed successfully' });
	await message.first().waitFor();
	await message.first().locator('.el-notification__closeBtn').click();
	await message.first().waitFor({ state: 'hidden' });
	await page.waitForFunction("!document.body.innerText.includes('Executing node')");
}

/** Node → what a person enters for its most common task, and how many items come out. */
const TASKS: Record<string, { node: string; parameters: IDataObject; items: number }> = {
	search: {
		node: 'webDataSearch',
		parameters: { operation: 'search', query: 'heat pump prices' },
		items: 5,
	},
	scrape: {
		node: 'webDataScrape',
		parameters: { operation: 'scrape', url: `${SITE}/pricing` },
		items: 1,
	},
	crawl: {
		node: 'webDataCrawl',
		parameters: { operation: 'startAndWait', url: SITE, maxPages: 10 },
		items: 10,
	},
	agent: {
		node: 'webDataAgent',
		parameters: {
			operation: 'startAndWait',
			prompt: 'Who founded Northwind Coffee, and in which year?',
			...fields([
				{ name: 'founders', type: 'string[]' },
				{ name: 'founded', type: 'integer' },
			]),
		},
		items: 1,
	},
	extract: {
		node: 'webDataExtract',
		parameters: {
			operation: 'startAndWait',
			urls: `${SITE}/pricing`,
			...fields([
				{ name: 'plan', type: 'string', description: 'Name of the plan' },
				{ name: 'price', type: 'number', description: 'Per month' },
			]),
		},
		items: 1,
	},
	monitor: {
		node: 'webDataMonitor',
		parameters: {
			...{ operation: 'create', name: 'Prices of Northwind', urls: `${SITE}/pricing` },
			goal: 'Tell me when a price or a plan changes',
		},
		items: 1,
	},
	usage: { node: 'webDataUsage', parameters: { operation: 'getCredits' }, items: 1 },
};

describe('The most common task', () => {
	for (const [name, { node: type, parameters, items }] of Object.entries(TASKS)) {
		it(`of ${type}`, async () => {
			const task = ours(type, parameters, { name: title(type) });
			const workflow = await lab.save(chain([task]));
			await editor.openForm(workflow, task.id);
			await page.getByTestId('node-execute-button').click();
			// the input's own count is there before the node has run
			const output = page.getByTestId('output-panel');
			await output
				.getByText(new RegExp(`^${items} items?`))
				.first()
				.waitFor();
			await succeeded();
			// a single result is wider than a table shows; n8n keeps the last choice
			await output.getByText(items === 1 ? 'JSON' : 'Table', { exact: true }).click();
			await picture(name);
		});
	}
});

describe('The form', () => {
	const TRIGGERS: Record<string, [string, IDataObject]> = {
		'crawl-trigger': ['webDataCrawlTrigger', {}],
		'search-trigger': ['webDataSearchTrigger', { query: 'heat pump prices' }],
		'page-trigger': ['webDataPageTrigger', { urls: `${SITE}/pricing` }],
		'monitor-trigger': [
			'webDataMonitorTrigger',
			{ urls: `${SITE}/pricing`, goal: 'Tell me when a price or a plan changes' },
		],
		'new-pages': ['webDataPageTrigger', { triggerOn: 'site', url: SITE, includePaths: '/blog' }],
	};
	for (const [name, [type, parameters]] of Object.entries(TRIGGERS)) {
		it(`of ${type}`, async () => {
			const trigger = ours(type, parameters, { name: title(type) });
			const workflow = await lab.save(chain([], { trigger }));
			await editor.openForm(workflow, trigger.id);
			await page.waitForTimeout(800);
			await picture(name);
		});
	}
});

describe('A workflow', () => {
	it('on the canvas after its run', async () => {
		const search = ours('webDataSearch', {
			operation: 'search',
			query: '={{ $json.topic }} news',
			limit: 3,
		});
		const scrape = ours('webDataScrape', { operation: 'scrape', url: '={{ $json.url }}' });
		const keep = node(
			'n8n-nodes-base.set',
			{
				assignments: {
					assignments: ['title', 'url'].map((field) => ({
						id: field,
						name: field,
						type: 'string',
						value: `={{ $json.${field} }}`,
					})),
				},
				options: {},
			},
			{ name: 'Keep title and URL', typeVersion: 3.4 },
		);
		const flow = chain(
			[{ ...search, name: 'Search the web' }, { ...scrape, name: 'Scrape each page' }, keep],
			{ items: [{ topic: 'solar energy' }, { topic: 'heat pumps' }], name: 'News on our topics' },
		);
		const workflow = await lab.save(flow);
		await editor.openWorkflow(workflow);
		await page.getByTestId('execute-workflow-button').first().click();
		await succeeded();
		await page.getByText('6 items').first().waitFor();
		await picture('workflow');
	});
});
