import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { belongingTo } from '../belonging';
import { creditBudget } from '../fields/prices';
import type { Task } from '../operation';
import { asUnsent, costOf, nodeErrorOf, turns, type NodeRun } from '../transport';

/** Of a call, in credits: the price that was known, what was set aside, and what it cost. */
interface Settlement {
	known?: number;
	reserved: number;
	billed: number;
}

/** What a node has used in an execution, and what waits to use more of it. */
interface Book {
	/** Credits that were billed, as far as is known. */
	billed: number;
	/** Credits that what is in flight may cost. */
	reserved: number;
	waiting: Array<() => void>;
	/** How much more than was known a call of each path cost at most: the next one may, too. */
	excess: Map<string, number>;
}

/**
 * Sets credits aside for a call, once they are sure to be within the budget, and gives how many. A call whose price
 * isn't known takes all that is left. Throws NodeOperationError if nothing in flight can make room for it.
 */
async function reserve(
	book: Book,
	{ form, call }: Task,
	known: number | undefined,
): Promise<number> {
	const budget = form.get(creditBudget) ?? Infinity;
	let hasWaited = false;
	for (;;) {
		const left = budget - book.billed - book.reserved;
		const excess = book.excess.get(call.path);
		const unknown = excess ?? (budget === Infinity ? 0 : left);
		const price = known === undefined ? unknown : known + (excess ?? 0);
		// The first one goes alone: what it cost is what the others are taken to cost.
		const waitsForTrial = excess === undefined && book.reserved > 0 && budget !== Infinity;
		// A price that isn't known is at least one credit.
		const least = Math.max(price, known ?? 1);
		if (!waitsForTrial && least <= left) {
			book.reserved += price;
			resumeNext(book);
			return price;
		}
		if (book.reserved === 0) {
			resumeNext(book);
			throw asUnsent(exhausted(form.place, budget, book.billed, least));
		}
		await new Promise<void>((resolve) => {
			if (hasWaited) book.waiting.unshift(resolve);
			else book.waiting.push(resolve);
		});
		hasWaited = true;
		// Thousands may go on, or fail, one after the other.
		await turns.take();
	}
}

function settle(book: Book, { call }: Task, { known = 0, reserved, billed }: Settlement): void {
	book.reserved -= reserved;
	book.billed += billed;
	book.excess.set(call.path, Math.max(book.excess.get(call.path) ?? 0, billed - known));
	resumeNext(book);
}

/** Lets the one that waits longest look again; it resumes the next if it doesn't have to wait any more. */
function resumeNext(book: Book): void {
	book.waiting.shift()?.();
}

/** The items that a node run gave, for the sum of what it used. */
interface Results {
	open: number;
	items: INodeExecutionData[];
}

/** What the tries of a node run have used. */
interface Used {
	/** Credits that were billed, as far as is known. */
	billed: number;
	/** Whether a call was billed, but nobody knows how much. */
	isUnsure: boolean;
}

const resultsOf = new WeakMap<NodeRun, Results>();

/** The book of a node: rounds of a loop share one, and so do all uses of a tool. */
function bookOf({ kept, node, signal }: NodeRun): Book {
	// n8n runs a node anew each time; what these runs have in common is the signal that cancels their execution.
	const owner = signal ?? kept;
	const books = belongingTo(owner, 'books 1', () => new Map<string, Book>());
	const book = books.get(node.name) ?? {
		billed: 0,
		reserved: 0,
		waiting: [],
		excess: new Map(),
	};
	books.set(node.name, book);
	return book;
}

function usedIn({ kept }: NodeRun): Used {
	return belongingTo(kept, 'used 1', () => ({ billed: 0, isUnsure: false }));
}

/**
 * Does the work of a paid call if the Credit Budget allows, waiting for others in flight where they may leave room.
 * `price` is what it is expected to cost, if that is known. What came back in an earlier try is
 * not paid again. Throws NodeOperationError where the budget is used up, and what `work` throws, with the job it started.
 */
export async function spend<Result>(
	task: Task,
	price: number | undefined,
	work: () => Promise<Result>,
): Promise<Result> {
	const named = async () =>
		await work().catch((error: unknown) => {
			throw withJobId(error, task);
		});
	if (task.run.keeps(task.context, task.call)) return await named();
	const book = bookOf(task.run);
	const reserved = await reserve(book, task, price);
	const working = named();
	const end = (cost?: number) => {
		const said = task.used.credits ?? cost;
		const billed = said ?? reserved;
		settle(book, task, { known: price, reserved, billed });
		const used = usedIn(task.run);
		used.billed += billed;
		used.isUnsure ||= (said ?? price) === undefined;
	};
	await working.then(
		() => end(),
		(error: unknown) => end(costOfFailure(task, error)),
	);
	return await working;
}

/** The error for what failed once a job was started, with its ID, so that what it costs isn't lost. */
export function withJobId(error: unknown, { run, form, used: { jobId } }: Task): unknown {
	if (jobId === undefined || error === run.notSent) return error;
	const failure = nodeErrorOf(error, run.node, form.place.itemIndex);
	const service = failure.context.service as IDataObject | undefined;
	if (service?.jobId === undefined) {
		failure.description = `${failure.description ?? ''} Job: ${jobId}.`.trim();
		failure.context.service = { ...service, jobId };
	}
	return failure;
}

/**
 * What a call that failed cost: nothing where the service rejected it or it was never sent, but for checks of its pages;
 * undefined where it may have cost its price. A job that was started costs what it may, whatever fails then.
 */
function costOfFailure({ run, used }: Task, error: unknown): number | undefined {
	if (used.jobId !== undefined) return undefined;
	return error instanceof NodeApiError && error !== run.notSent ? costOf(error) : 0;
}

/**
 * Does an item's part of a run that costs credits. Once all items are through, each result gets `runCreditsUsed`: what
 * the node used for all of them, where that is known. To be called for every item of the run.
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
		const { billed, isUnsure } = usedIn(run);
		if (results.open === 0 && !isUnsure) {
			for (const { json } of results.items) {
				// An item that failed has these keys alone, or n8n would take it for a result.
				if (!('error' in json)) json.runCreditsUsed = billed;
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
	const remedy =
		price > budget
			? `Raise Credit Budget to at least ${billed + price}, or ask for fewer pages or results.`
			: 'Raise Credit Budget, or run the workflow again with the items that are left.';
	return new NodeOperationError(node, 'Not enough Credit Budget left for this item', {
		itemIndex,
		level: 'warning',
		description: `This execution has used ${billed} of ${budget} credits, and this request may cost ${price}, so it was not sent. ${remedy}`,
	});
}
