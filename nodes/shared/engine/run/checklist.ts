import { sleep } from 'n8n-workflow';

import { breathe } from '../../time';

/**
 * Checks all items that n8n starts together before any of them is sent, so that a mistake in the last one costs nothing.
 * With Settings → Request Options → Batching, n8n starts them batch by batch, and each batch is checked at its beginning.
 */
export class Checklist {
	hasError = false;
	/** Counts the batch's items that are not checked yet. */
	private open = 0;
	private allChecked = new Promise<void>(() => {});
	private end = () => {};

	/** Gives an item's `check` result once all items of its batch are checked. Throws whatever `check` throws. */
	async take<Checked>(check: () => Checked): Promise<Checked> {
		if (this.open === 0) this.allChecked = new Promise((resolve) => (this.end = resolve));
		this.open++;
		// n8n starts all items in one go, before any timer fires.
		await sleep(0);
		await breathe();
		const checking = (async () => check())();
		await checking.catch(() => (this.hasError = true));
		this.open--;
		if (this.open === 0) this.end();
		await this.allChecked;
		await breathe();
		return await checking;
	}
}
