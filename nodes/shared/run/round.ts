import { type IExecutePaginationFunctions, sleep } from 'n8n-workflow';

import { breathe, wait } from '../base/time';
import { isTool } from '../form/field';

/** A container of parts, such as a node run: at most one instance of each class, created on first use. */
export class Parts {
	private readonly parts = new Map<unknown, unknown>();

	/** Returns the instance of a class. */
	part<Part>(kind: new () => Part): Part;
	part<Part>(kind: new (...args: never[]) => Part, create: () => Part): Part;
	part<Part>(kind: new () => Part, create = () => new kind()): Part {
		const part = this.parts.has(kind) ? (this.parts.get(kind) as Part) : create();
		this.parts.set(kind, part);
		return part;
	}
}

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

/** Time (ms) that n8n may take for a batch, besides the pause before it. */
const SLOW_BATCH_MS = 2_000;

/** How n8n starts a node's items: all at once or, with Settings → Request Options → Batching, batch by batch. */
export class Rounds {
	/** The rounds by number, from 0. */
	private readonly rounds = new Map<number, Round>();
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

	/** Whether n8n has started the last item. */
	get isLast(): boolean {
		return this.begun.signal.aborted;
	}

	/**
	 * Returns an item's round, which is the same in each try of Retry On Fail, however much n8n's batches overlap in
	 * time. Call it as soon as n8n starts the item.
	 */
	begin(itemIndex: number): Round {
		if (itemIndex >= this.lastIndex) this.begun.abort();
		const number = this.numberOf(itemIndex);
		const round = this.rounds.get(number) ?? new Round();
		this.rounds.set(number, round);
		return round;
	}

	/**
	 * Waits until n8n has started its last batch, or should have. Only then does n8n listen to the items: if one fails
	 * earlier, n8n's process reports it as an error that nobody handles. Each batch has its own wait, so that after a
	 * standstill of the process n8n's timers get their turn.
	 */
	async untilAllBegin(itemIndex: number): Promise<void> {
		const rounds = this.numberOf(this.lastIndex) - this.numberOf(itemIndex);
		for (let round = 0; round < rounds && !this.isLast; round++) {
			await wait(this.intervalMs + SLOW_BATCH_MS, this.begun.signal);
		}
	}

	private numberOf(itemIndex: number): number {
		return Math.floor(itemIndex / this.size);
	}
}
