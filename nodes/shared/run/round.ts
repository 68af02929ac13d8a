import { sleep } from 'n8n-workflow';

import { breathe } from '../base/time';
import { Parts } from '../base/parts';

/**
 * The items that n8n starts together: all of a node's or, with Settings → Request Options → Batching, one batch of
 * them. All are checked before any of them is sent, so that a mistake in the last one costs nothing.
 */
export class Round extends Parts {
	hasError = false;
	/** Indexes of items for which another item has started the work, with the same ending for all of them. */
	readonly shared = new Set<number>();
	/** Number of items not checked yet. */
	private open = 0;
	private allChecked = new Promise<void>(() => {});
	private end = () => {};

	/** Returns an item's `check` result once all items are checked. Throws whatever `check` throws. */
	async take<Checked>(check: () => Checked): Promise<Checked> {
		if (this.open === 0) this.allChecked = new Promise((resolve) => (this.end = resolve));
		this.open++;
		// n8n starts all items synchronously, before any timer fires.
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
