/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/require-node-api-error */
import { after, before, beforeEach } from 'node:test';
import type { Page } from 'playwright-core';

import { Editor } from './browser';
import { Lab } from './lab';

/** An n8n of the area's own, and its editor; each test begins with a service that has no requests and no faults. */
class OpenedEditor {
	lab!: Lab;

	editor!: Editor;

	get page(): Page {
		return this.editor.page;
	}

	/** Runs `check`, and keeps a picture of the editor in artifacts/, also if it fails. */
	async seen(name: string, check: () => Promise<void>): Promise<void> {
		try {
			await check();
			await this.editor.screenshot(name);
		} catch (error) {
			await this.editor.screenshot(`FAILED-${name}`);
			throw error;
		}
	}
}

/** Opens n8n's editor before the tests of a file, and closes it after them. */
export function openedEditor(): OpenedEditor {
	const opened = new OpenedEditor();
	before(async () => {
		opened.lab = await Lab.open({ service: { crawlMs: 0, jobMs: 300 } });
		opened.editor = await Editor.open(opened.lab);
	});
	after(async () => {
		await opened.editor?.close();
		await opened.lab?.close();
	});
	beforeEach(() => {
		opened.lab.service.requests.length = 0;
		opened.lab.service.clearFaults();
	});
	return opened;
}
