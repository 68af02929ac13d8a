/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { chromium, selectors } from 'playwright-core';

import { ROOT } from '../../../scripts/lib/paths.mjs';
import type { Lab, SavedWorkflow } from './lab';

const CANDIDATES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const FLAGS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];
/** Only what never comes takes longer, even on a busy machine. */
const TIMEOUT_MS = 60_000;
const ARTIFACTS = join(ROOT, 'artifacts');

/** n8n's editor in a headless Chromium, logged in. */
export class Editor {
	private constructor(
		private readonly browser: Browser,
		private readonly context: BrowserContext,
		readonly page: Page,
	) {}

	static async open(lab: Lab, viewport = { width: 1500, height: 950 }): Promise<Editor> {
		const executablePath = process.env.CHROMIUM ?? CANDIDATES.find(existsSync);
		if (!executablePath) {
			throw new Error('No Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM');
		}
		selectors.setTestIdAttribute('data-test-id');
		const browser = await chromium.launch({ executablePath, args: FLAGS });
		const context = await browser.newContext({ viewport, baseURL: lab.client.url });
		const [name, ...value] = lab.client.cookie.split('=');
		await context.addCookies([{ name, value: value.join('='), url: lab.client.url }]);
		const page = await context.newPage();
		page.setDefaultTimeout(TIMEOUT_MS);
		return new Editor(browser, context, page);
	}

	/** Opens a workflow and waits for its canvas. An open form is closed before, as n8n expects. */
	async openWorkflow(workflow: SavedWorkflow): Promise<void> {
		if (await this.closeForm.isVisible()) await this.closeForm.click();
		await this.go(`/workflow/${workflow.id}`);
		await this.onCanvas(workflow.nodes[0].id).waitFor();
	}

	/** Opens the form of a workflow's node, as a person does. */
	async openForm(workflow: SavedWorkflow, nodeId: string): Promise<void> {
		await this.openWorkflow(workflow);
		await this.openNode(nodeId);
	}

	/** Opens the form of a node of the open workflow. */
	async openNode(nodeId: string): Promise<void> {
		await this.onCanvas(nodeId).dblclick();
		await this.closeForm.waitFor();
	}

	async closeNode(): Promise<void> {
		await this.closeForm.click();
		await this.closeForm.waitFor({ state: 'detached' });
	}

	/**
	 * Goes to a path of the editor. It loads once, which takes 5 s of CPU; then it goes on within, as by the browser's
	 * back and forward.
	 */
	async go(path: string): Promise<void> {
		if (this.page.url() === 'about:blank') {
			await this.page.goto(path);
			return;
		}
		await this.page.evaluate(
			`history.pushState(null, '', ${JSON.stringify(path)});
			dispatchEvent(new PopStateEvent('popstate', { state: history.state }));`,
		);
	}

	private get closeForm(): Locator {
		return this.page.getByTestId('ndv-close-button');
	}

	private onCanvas(nodeId: string): Locator {
		return this.page.locator(`.vue-flow__node[data-id="${nodeId}"]`);
	}

	/** Saves what is visible as `artifacts/<name>.png`. */
	async screenshot(name: string): Promise<string> {
		mkdirSync(ARTIFACTS, { recursive: true });
		const path = join(ARTIFACTS, `${name}.png`);
		await this.page.screenshot({ path });
		return path;
	}

	async close(): Promise<void> {
		await this.context.close();
		await this.browser.close();
	}
}
