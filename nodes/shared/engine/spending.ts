import type { INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { creditBudget } from '../fields/prices';
import { isTool } from '../form/field';
import type { Task } from '../operation';
import { isUnbilled, type NodeRun } from '../transport';

/** What the tries of a node run, or the uses of a tool, have used, and what they may still use. */
class Book {
	/** Credits that were billed, as far as is known. */
	billed = 0;

	/** Credits that what is in flight may cost. */
	private reserved = 0;

	private waiting: Array<() => void> = [];

	/** The dearest call of each path: the next one may cost as much. */
	private readonly dearest = new Map<string, number>();

	/**
	 * Sets credits aside for a call, once they are sure to be within the budget, and gives how many. A call whose price
	 * isn't known takes all that is left. Throws NodeOperationError if nothing in flight can make room for it.
	 */
	async reserve({ form, call }: Task, known: number | undefined): Promise<number> {
		const budget = form.get(creditBudget) ?? Infinity;
		for (;;) {
			const left = budget - this.billed - this.reserved;
			const dearest = this.dearest.get(call.path);
			const price = Math.max(known ?? dearest ?? (budget === Infinity ? 0 : left), dearest ?? 0);
			// The first one goes alone: what it cost is what the others are taken to cost.
			const isTrial = dearest === undefined && this.reserved > 0 && budget !== Infinity;
			// A price that isn't known is at least one credit.
			if (!isTrial && Math.max(price, known ?? 1) <= left) {
				this.reserved += price;
				return price;
			}
			if (this.reserved === 0) throw exhausted(form.place, budget, this.billed, price);
			await new Promise<void>((resolve) => this.waiting.push(resolve));
		}
	}

	settle({ call }: Task, reserved: number, billed: number): void {
		this.reserved -= reserved;
		this.billed += billed;
		this.dearest.set(call.path, Math.max(this.dearest.get(call.path) ?? 0, billed));
		for (const resume of this.waiting.splice(0)) resume();
	}
}

/** The items that a node run gave, for the sum of what it used. */
interface Results {
	open: number;
	items: INodeExecutionData[];
}

const books = new WeakMap<object, Map<string, Book>>();
const resultsOf = new WeakMap<NodeRun, Results>();

/** The book of a run. All tries of Retry On Fail share one, and so do all uses of a tool in an execution. */
function bookOf({ kept, node, signal }: NodeRun): Book {
	// n8n runs a tool anew for each use; what these runs have in common is the signal that cancels their execution.
	const owner = (isTool(node) ? signal : undefined) ?? kept;
	const ofOwner = books.get(owner) ?? new Map<string, Book>();
	books.set(owner, ofOwner);
	const book = ofOwner.get(node.name) ?? new Book();
	ofOwner.set(node.name, book);
	return book;
}

/**
 * Does the work of a paid call if the Credit Budget allows, waiting for others in flight where they may leave room.
 * `price` is what it is expected to cost, if that is known. What came back in an earlier try is
 * not paid again. Throws NodeOperationError where the budget is used up, and what `work` throws.
 */
export async function spend<Result>(
	task: Task,
	price: number | undefined,
	work: () => Promise<Result>,
): Promise<Result> {
	if (task.run.keeps(task.context, task.call)) return await work();
	const book = bookOf(task.run);
	const reserved = await book.reserve(task, price);
	const working = work();
	await working.then(
		() => book.settle(task, reserved, task.used.credits ?? reserved),
		(error: unknown) => book.settle(task, reserved, billedFor(task, error, reserved)),
	);
	return await working;
}

/**
 * What a call that failed may have cost: nothing where the service rejected it or it was never sent. A job that was
 * started costs what it may, whatever becomes of its polls.
 */
function billedFor({ run, used }: Task, error: unknown, reserved: number): number {
	if (used.credits !== undefined) return used.credits;
	if (error === run.notSent || !(error instanceof NodeApiError)) return 0;
	return isUnbilled(error) ? 0 : reserved;
}

/**
 * Does an item's part of a run that costs credits. Once all items are through, each result gets `runCreditsUsed`: what
 * the node used for all of them. To be called for every item of the run.
 */
export async function summed(
	run: NodeRun,
	work: () => Promise<INodeExecutionData[]>,
): Promise<INodeExecutionData[]> {
	const results = resultsOf.get(run) ?? { open: 0, items: [] };
	resultsOf.set(run, results);
	results.open++;
	try {
		const items = await work();
		for (const item of items) results.items.push(item);
		return items;
	} finally {
		results.open--;
		if (results.open === 0) {
			for (const { json } of results.items) {
				// An item that failed has these keys alone, or n8n would take it for a result.
				if (!('error' in json)) json.runCreditsUsed = bookOf(run).billed;
			}
		}
	}
}

function exhausted(
	{ node, itemIndex }: Task['form']['place'],
	budget: number,
	billed: number,
	price: number,
): NodeOperationError {
	return new NodeOperationError(node, 'The Credit Budget is used up', {
		itemIndex,
		level: 'warning',
		description: `This run has used ${billed} of ${budget} credits, and this item may cost ${price}, so it was not sent. Raise Credit Budget, or run the workflow again with the items that are left.`,
	});
}
