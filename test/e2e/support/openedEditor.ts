/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/require-node-api-error */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach } from 'node:test';
import type { Page } from 'playwright-core';

import { Editor } from './browser';
import { Lab } from './lab';

/** An n8n and its editor; each test begins with a service that has no requests and no faults. */
class OpenedEditor {
	lab!: Lab;

	editor!: Editor;

	/** What the editor's page has thrown since the test began. */
	readonly errors: string[] = [];

	get page(): Page {
		return this.editor.page;
	}

	/** Runs `check`, and keeps a picture of the editor in artifacts/ if it fails. */
	async seen(name: string, check: () => Promise<void>): Promise<void> {
		try {
			await check();
		} catch (error) {
			await this.editor.screenshot(`FAILED-${name}`);
			throw error;
		}
	}
}

let opened: OpenedEditor | undefined;

/**
 * Opens n8n's editor before the first test, and closes it after the last one; areas that run in one process share it.
 * Its n8n is its own: with several credentials of a type, the editor chooses none for a new node.
 */
export function openedEditor(): OpenedEditor {
	if (opened) return opened;
	const one = (opened = new OpenedEditor());
	before(async () => {
		one.lab = await Lab.open({ hasEditor: true, service: { crawlMs: 0, jobMs: 300 } });
		one.editor = await Editor.open(one.lab);
		one.page.on('pageerror', ({ message }) => {
			// n8n's own, at times, when a workflow opens after another
			if (!message.includes('injectNDVStore()')) one.errors.push(message);
		});
	});
	after(async () => {
		await one.editor?.close();
		await one.lab?.close();
	});
	beforeEach(() => {
		one.errors.length = 0;
		one.lab.service.requests.length = 0;
		one.lab.service.clearFaults();
	});
	afterEach(() => {
		assert.deepEqual(one.errors, []);
	});
	return opened;
}
