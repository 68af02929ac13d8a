import type { IDataObject } from 'n8n-workflow';

import { ServiceError, Stopped } from '../client/errors/serviceError';
import { wholeNumberField } from '../form/controls';
import type { Field } from '../form/field';
import type { Task } from './operation';
import { afterFailure, breathe } from '../base/time';

export const creditBudget: Field<number> = wholeNumberField('creditBudget', 'Credit Budget', {
	default: 500,
	minValue: 1,
	description:
		'Maximum number of credits this node may use in one execution, across all its items and all rounds of a loop. The first request runs alone to learn the price; then only as many run at once as are sure to fit. A request that does not fit is not sent, and its item fails. A job that costs more than expected, such as a crawl with the format JSON, can exceed it.',
	wire: { in: 'settings', limitsCosts: true },
});

const LEAST_PRICE = 1;

/**
 * The part of a book that n8n stores with the execution, in the node's context. It survives loops, waits, approvals,
 * worker changes and restarts. All uses of a tool share it.
 */
interface Kept {
	/** The ID of the execution. An execution retried from n8n's list starts with the context of the failed one. */
	execution?: string;
	/** Credits known to have been billed. */
	spent: number;
	/** Number of calls that have ended. */
	ended: number;
	/** Highest price so far, in credits. */
	dearest?: number;
}

/** The credits a node has used in an execution, and the calls waiting to use more. */
interface Book {
	kept: Kept;
	/** Credits reserved for calls in flight. */
	held: number;
	inFlight: number;
	waiting: Array<() => void>;
}

/** The books of the executions in this process. */
const books = new WeakMap<Kept, Book>();

function bookOf(context: Task['context']): Book {
	const ofNode: { creditBudget?: Kept } = keptWithExecution(context);
	const execution = context.getExecutionId();
	const before = ofNode.creditBudget;
	const isOwn = before !== undefined && before.execution === execution;
	const kept: Kept = isOwn ? before : { execution, spent: 0, ended: 0 };
	ofNode.creditBudget = kept;
	const book = books.get(kept) ?? { kept, held: 0, inFlight: 0, waiting: [] };
	books.set(kept, book);
	return book;
}

/**
 * Returns the object in which n8n stores data of the node with the execution; an empty one behind an MCP Server
 * Trigger, for which n8n stores nothing.
 */
function keptWithExecution(context: Task['context']): object {
	try {
		return context.getContext('node');
	} catch {
		return {};
	}
}

/**
 * Runs the work of a call that costs credits, within the Credit Budget. The price is learned: the first call goes
 * alone, then each call reserves the highest price so far. The number in flight at most doubles each time, so that a
 * few calls show what the others may cost. Until then, `price` is the expected price, e.g. from the pages or Max
 * Credits; if it is undefined, the call may use all that is left. A result kept from an earlier try is not paid for
 * again. Throws ServiceError if the budget is used up, and whatever `work` throws.
 */
export async function spend<Result extends { credits?: number }>(
	task: Task,
	price: number | undefined,
	work: () => Promise<Result>,
): Promise<Result> {
	const { run, context, call } = task;
	if (run.calls.keeps(context, call)) return await work();
	const book = bookOf(context);
	const { kept } = book;
	const held = await hold(book, task, price);
	const settle = (credits: number | undefined, taken: number) => {
		const billed = credits ?? taken;
		book.held -= held;
		book.inFlight--;
		kept.spent += billed;
		kept.ended++;
		run.tries.spent.credits += billed;
		run.tries.spent.isUnsure ||= credits === undefined;
	};
	const priceBefore = kept.dearest ?? price ?? LEAST_PRICE;
	const working = work();
	await working.then(
		({ credits }) => {
			kept.dearest = Math.max(kept.dearest ?? LEAST_PRICE, credits ?? held);
			settle(credits, held);
			resumeNext(book);
		},
		(error: unknown) => {
			settle(creditsOfFailure(error), isOfJob(error) ? held : priceBefore);
			void afterFailure().then(() => resumeNext(book));
		},
	);
	return await working;
}

/** Reserves credits for a call once they are certain to fit into the budget, and returns how many. */
async function hold(book: Book, task: Task, price: number | undefined): Promise<number> {
	const { form, run } = task;
	const { kept } = book;
	const budget = form.get(creditBudget) ?? Infinity;
	for (let hasWaited = false; ; hasWaited = true) {
		if (run.stopped.aborted) {
			resumeNext(book);
			throw new Stopped();
		}
		const { dearest } = kept;
		const left = budget - kept.spent - book.held;
		// Without a known price, a call may use all that is left.
		const isUnknown = price === undefined && dearest === undefined && budget !== Infinity;
		const needed = Math.max(LEAST_PRICE, isUnknown ? left : (price ?? 0), dearest ?? 0);
		const mayBegin = budget === Infinity || book.inFlight === 0 || isWithinTrial(book);
		if (mayBegin && needed <= left) {
			book.held += needed;
			book.inFlight++;
			resumeNext(book);
			return needed;
		}
		if (book.inFlight === 0) {
			resumeNext(book);
			throw exhausted(budget, kept.spent, needed);
		}
		await new Promise<void>((resume) => {
			if (hasWaited) book.waiting.unshift(resume);
			else book.waiting.push(resume);
		});
		// Thousands may proceed, or fail, one after the other.
		await breathe();
	}
}

function isWithinTrial({ inFlight, kept: { dearest, ended } }: Book): boolean {
	return dearest !== undefined && inFlight < 2 * ended;
}

/** Wakes the call that has waited longest, which wakes the next one if it can proceed. */
function resumeNext({ waiting }: Book): void {
	waiting.shift()?.();
}

/**
 * Returns the credits that a failed call cost: 0 if it was rejected or never sent; undefined if it may have cost its
 * price. A job that was started may cost its full price, whatever fails later.
 */
function creditsOfFailure(error: unknown): number | undefined {
	if (error instanceof Stopped) return error.job || error.isUnsure ? undefined : 0;
	return error instanceof ServiceError ? error.details.credits : 0;
}

function isOfJob(error: unknown): boolean {
	if (error instanceof Stopped) return error.job !== undefined;
	return error instanceof ServiceError && error.details.jobId !== undefined;
}

function exhausted(budget: number, spent: number, price: number): ServiceError {
	const remedy =
		price > budget
			? `Raise Credit Budget to at least ${spent + price}, or ask for fewer pages or results.`
			: 'Raise Credit Budget, or run the workflow again with the items that are left.';
	return new ServiceError('Not enough Credit Budget left for this item', {
		description: `This execution has used ${spent} of ${budget} credits, and this request may cost ${price}, so it was not sent. ${remedy}`,
		isUnsent: true,
		credits: 0,
	});
}

/**
 * Returns the credits used according to a response, or billed, as an extraction that ends immediately calls them;
 * undefined if the response doesn't say or doesn't know (-1).
 */
export function creditsIn({ creditsUsed, creditsBilled, data }: IDataObject): number | undefined {
	const metadata = (data as IDataObject | undefined)?.metadata as IDataObject | undefined;
	return [creditsUsed, creditsBilled, metadata?.creditsUsed].find(
		(value): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0,
	);
}
