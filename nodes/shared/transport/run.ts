import { NodeApiError, NodeOperationError, sleep, type INodeExecutionData } from 'n8n-workflow';

import { limiterOf, type Limiter } from './concurrency';
import type { ServiceContext } from './types';

type Failure = NodeApiError | NodeOperationError;

/**
 * One run of a node over its items. n8n starts the work of all items at once, each with a context of its own;
 * this is what they share. Results of the others are thrown away by n8n when one fails and On Error is
 * "Stop Workflow", so from then on nothing more is sent, and the error says what became of the others.
 */
class Run {
	private items = 0;

	private open = 0;

	private finished = 0;

	private notSent = 0;

	private lastIndex = -1;

	private ready?: Promise<void>;

	private failures = new Map<Failure, string>();

	constructor(readonly limiter: Limiter) {}

	/** Whether an item failed and the workflow stops because of it. */
	get isStopped(): boolean {
		return this.failures.size > 0;
	}

	/** Whether this run can have the item too; if not, n8n runs the node again, e.g. for Retry On Fail. */
	takes(itemIndex: number): boolean {
		return itemIndex > this.lastIndex;
	}

	register(itemIndex: number): void {
		this.items++;
		this.open++;
		this.lastIndex = itemIndex;
	}

	/** Until all items n8n starts at once were checked: it does so in one go, before any timer fires. */
	async allChecked(): Promise<void> {
		this.ready ??= sleep(0);
		await this.ready;
	}

	fail(error: Failure): void {
		this.failures.set(error, error.description ?? '');
		this.limiter.drop(this);
		this.close();
	}

	finish(): void {
		this.finished++;
		this.close();
	}

	skip(): void {
		this.notSent++;
		this.close();
	}

	/** An item is through; after the last one, errors get the count of what became of the others. */
	private close(): void {
		this.open--;
		if (this.open > 0 || this.items < 2) return;
		for (const [error, description] of this.failures) {
			error.description = `${description} ${this.tally()}`.trim();
		}
	}

	private tally(): string {
		const failed = this.failures.size;
		const counts = `Of ${this.items} items, ${this.finished} had finished, ${failed} failed and ${this.notSent} were not sent.`;
		if (this.finished === 0) return counts;
		return `${counts} What finished is not passed on, because the node stops on errors: set On Error to “Continue (using error output)” to keep it. Retry On Fail does not pay again for what was answered; running the workflow again does.`;
	}
}

/** An item's part in the run of its node. */
export class ItemRun {
	constructor(
		private readonly run: Run,
		private readonly context: ServiceContext,
	) {}

	get limiter(): Limiter {
		return this.run.limiter;
	}

	/** Whose calls they are, for the limiter. */
	get owner(): unknown {
		return this.run;
	}

	/** Whether nothing more is to be sent. */
	get isStopped(): boolean {
		return this.run.isStopped;
	}

	/**
	 * Composes and checks an item's request. To be called synchronously for each item, so that one that can't be
	 * sent stops the run before anything is sent. Throws what `prepare` throws.
	 */
	check<T>(prepare: () => T): T {
		try {
			return prepare();
		} catch (error) {
			throw this.failed(error);
		}
	}

	/**
	 * Does an item's work once all items are checked. Gives no items where nothing was sent because another item
	 * failed: then that one's error is what n8n shows. Throws what `work` throws.
	 */
	async perform(
		itemIndex: number,
		work: () => Promise<INodeExecutionData[]>,
	): Promise<INodeExecutionData[]> {
		await this.run.allChecked();
		if (this.run.isStopped) {
			this.run.skip();
			return [];
		}
		try {
			const items = await work();
			this.run.finish();
			return items;
		} catch (error) {
			if (error instanceof NotSent) {
				this.run.skip();
				return [];
			}
			throw this.failed(error, itemIndex);
		}
	}

	private failed(error: unknown, itemIndex?: number): Failure {
		const failure =
			error instanceof NodeApiError || error instanceof NodeOperationError
				? error
				: new NodeOperationError(this.context.getNode(), error as Error, { itemIndex });
		if (this.context.continueOnFail?.()) this.run.finish();
		else this.run.fail(failure);
		return failure;
	}
}

/**
 * Thrown by a call that isn't sent any more because the run has stopped. Never reaches the user. A NodeApiError,
 * since wrapping one in another gives back the first.
 */
export class NotSent extends NodeApiError {}

const runs = new WeakMap<Limiter, Run>();
const itemRuns = new WeakMap<object, ItemRun>();

/**
 * The part of a context in the run of its node. The first call for an item registers it and is to be made
 * synchronously when n8n starts the item.
 */
export function runOf(context: ServiceContext): ItemRun {
	const known = itemRuns.get(context);
	if (known !== undefined) return known;
	const signal = context.getExecutionCancelSignal?.();
	const limiter = limiterOf(signal, context.getNode().name);
	const itemIndex = context.getItemIndex?.() ?? 0;
	const current = runs.get(limiter);
	const run = current?.takes(itemIndex) ? current : new Run(limiter);
	runs.set(limiter, run);
	run.register(itemIndex);
	const itemRun = new ItemRun(run, context);
	itemRuns.set(context, itemRun);
	return itemRun;
}
