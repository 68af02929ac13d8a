import type { IExecutePaginationFunctions } from 'n8n-workflow';

import { wait } from '../base/time';
import { isTool } from '../form/field';

/** Time (ms) that n8n may take for a batch, besides the pause before it. */
const SLOW_BATCH_MS = 2_000;

/** How n8n starts a node's items: all at once or, with Settings → Request Options → Batching, batch by batch. */
export class Batching {
	/** Number of items in a round: n8n's batch size if Batching is on, otherwise all. */
	private readonly size: number;
	private readonly intervalMs: number;
	private readonly lastIndex: number;
	private readonly begun = new AbortController();

	constructor(context: IExecutePaginationFunctions) {
		const { batching } = context.getNodeParameter('requestOptions', {}) as {
			batching?: { batch?: { batchSize?: number; batchInterval?: number } };
		};
		const { batchSize = 0, batchInterval = 0 } = batching?.batch ?? {};
		// The defaults are n8n's.
		this.intervalMs = batchInterval > 0 ? batchInterval : 0;
		this.size = this.intervalMs === 0 ? Infinity : batchSize > 0 ? batchSize : 1;
		const node = context.getNode();
		// The data of a tool belongs to its agent; with Execute Once, n8n runs the first item alone.
		const isWhole = this.size === Infinity || isTool(node) || node.executeOnce === true;
		this.lastIndex = isWhole ? 0 : (context.getExecuteData().data.main?.[0]?.length ?? 1) - 1;
	}

	roundOf(itemIndex: number): number {
		return Math.floor(itemIndex / this.size);
	}

	/** Whether n8n has started the last item. */
	get isLast(): boolean {
		return this.begun.signal.aborted;
	}

	/** Call it as soon as n8n starts an item. */
	begin(itemIndex: number): void {
		if (itemIndex >= this.lastIndex) this.begun.abort();
	}

	/**
	 * Waits until n8n has started its last batch, or should have. Only then does n8n listen to the items: if one fails
	 * earlier, n8n's process reports it as an error that nobody handles. Each batch has its own wait, so that after a
	 * standstill of the process n8n's timers get their turn.
	 */
	async untilAllBegin(itemIndex: number): Promise<void> {
		const rounds = this.roundOf(this.lastIndex) - this.roundOf(itemIndex);
		for (let round = 0; round < rounds && !this.isLast; round++) {
			await wait(this.intervalMs + SLOW_BATCH_MS, this.begun.signal);
		}
	}
}
