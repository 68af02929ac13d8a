import { ServiceError, Stopped } from '../client/errors/serviceError';
import { type Price, PRICES } from '../fields/prices';
import { wholeNumberField } from '../form/controls';
import type { Field } from '../form/field';
import type { Task } from './operation';
import { afterFailure, breathe, monotonicMs } from '../base/time';

export const creditBudget: Field<number> = wholeNumberField('creditBudget', 'Credit Budget', {
	default: 500,
	description:
		'Most credits this node may use in an execution, for all items and rounds of a loop. A request that does not fit is not sent, and its item fails; one that costs more than usual can exceed it.',
	wire: { in: 'settings', limitsCosts: true },
});

/** Lowest price of a call that is told what it may spend. */
const LEAST_PRICE = 1;

/** How long (ms) the uses of a tool count together where n8n runs it outside of an execution. */
const TOGETHER_MS = 600_000;

/** Credits that any call in flight may turn out to cost, because its address leads to X or a PDF. */
const UNFORESEEN = PRICES.xPage;

/**
 * The part of a book that n8n stores with the execution, in the node's context. It survives loops, waits, approvals,
 * changes of worker and restarts. All uses of a tool share one.
 */
interface Kept {
	/** The ID of the execution. An execution retried from n8n's list starts with the context of the failed one. */
	execution?: string;
	/** Credits billed, and the most that calls of unknown price may have been billed. */
	spent: number;
	/** Maximum number of credits by which a call has exceeded its usual price; unset until a call has ended. */
	surplus?: number;
}

/** The credits a node has used in an execution, and the calls that may use more. */
interface Book {
	kept: Kept;
	/** Credits reserved for calls in flight. */
	held: number;
	inFlight: number;
	/** Number of calls so far, also of those that wait. */
	asked: number;
	/** Calls begin in their order: ends when the last one has begun or failed. */
	turn: Promise<unknown>;
	/** Has the call whose turn it is look again whether it fits. */
	wake?: () => void;
	/** Calls that a rate limit kept back for too long, by account: those that were waiting by then fail alike. */
	limited: Map<unknown, { error: ServiceError; asked: number }>;
}

/** The books of the executions in this process. */
const books = new WeakMap<Kept, Book>();

function bookOf(context: Task['context']): Book {
	const execution = context.getExecutionId();
	const ofNode: { creditBudget?: Kept } =
		execution === undefined ? keptOutside(context) : keptWithExecution(context);
	const before = ofNode.creditBudget;
	const isOwn = before !== undefined && before.execution === execution;
	const kept: Kept = isOwn ? before : { execution, spent: 0 };
	ofNode.creditBudget = kept;
	const empty = { held: 0, inFlight: 0, asked: 0, turn: Promise.resolve(), limited: new Map() };
	const book = books.get(kept) ?? { kept, ...empty };
	books.set(kept, book);
	return book;
}

/**
 * Returns the object in which n8n stores the node's data with the execution. Behind an MCP Server Trigger, for which
 * n8n stores nothing, it is a new empty one.
 */
function keptWithExecution(context: Task['context']): object {
	try {
		return context.getContext('node');
	} catch {
		return {};
	}
}

/** What is kept of the tools that n8n's Agents run, outside of any execution, by the tool. */
const outside = new Map<string, { until: number }>();

function keptOutside(context: Task['context']): object {
	const { type, name, credentials } = context.getNode();
	const tool = JSON.stringify([type, name, credentials]);
	const before = outside.get(tool);
	if (before !== undefined && monotonicMs() < before.until) return before;
	const kept = { until: monotonicMs() + TOGETHER_MS };
	outside.set(tool, kept);
	return kept;
}

/**
 * Runs the work of a call that costs credits, within the Credit Budget. The highest price of the call is reserved while
 * it is in flight, and counts if its actual price stays unknown. If only its usual price fits, the call is made alone,
 * so that the budget is exceeded by at most one call's difference. A call that can be told what to spend is told what
 * is left, if that is less. Calls that cost more than usual raise the assumed price of later ones. A result kept from
 * an earlier try isn't paid for again. Throws ServiceError if the budget is used up, and whatever `work` throws.
 */
export async function spend<Result extends { credits?: number }>(
	task: Task,
	price: Price,
	work: () => Promise<Result>,
): Promise<Result> {
	const { run, context, call } = task;
	if (run.calls.keeps(context, call)) return await work();
	const book = bookOf(context);
	const { kept } = book;
	const held = await hold(book, task, price);
	if (price.cap !== undefined && held < price.most) {
		task.call = { ...call, body: { ...call.body, [price.cap]: held } };
	}
	const settle = (credits: number | undefined, most = held) => {
		book.held -= held;
		book.inFlight--;
		kept.spent += credits ?? most;
		kept.surplus = Math.max(kept.surplus ?? 0, (credits ?? 0) - price.usual);
		run.tries.spent.credits += credits ?? 0;
		run.tries.spent.isUnsure ||= credits === undefined;
	};
	const working = work();
	await working.then(
		({ credits }) => {
			settle(credits);
			book.wake?.();
		},
		(error: unknown) => {
			const failure = error instanceof ServiceError ? error : undefined;
			settle(creditsOfFailure(error), failure?.details.mostCredits);
			// A job that was started isn't alike.
			if (failure?.status === 429 && failure.details.getBy === undefined) {
				book.limited.set(task.account.limiter, { error: failure, asked: book.asked });
			}
			// If n8n stops at this error, nothing else is sent.
			void afterFailure().then(() => book.wake?.());
		},
	);
	return await working;
}

/** Reserves credits for a call once they are certain to fit into the budget, and returns how many. */
async function hold(book: Book, task: Task, price: Price): Promise<number> {
	const budget = task.form.get(creditBudget);
	const asked = ++book.asked;
	if (budget === undefined) return reserve(book, price.usual);
	const holding = book.turn.then(async () => await fitting(book, task, price, { budget, asked }));
	book.turn = holding.catch(() => {});
	return await holding;
}

function reserve(book: Book, credits: number): number {
	book.held += credits;
	book.inFlight++;
	return credits;
}

/** Reserves credits for the call whose turn it is. Throws ServiceError if they don't fit. */
async function fitting(
	book: Book,
	{ run, account }: Task,
	price: Price,
	{ budget, asked }: { budget: number; asked: number },
): Promise<number> {
	// Thousands of calls may continue, or fail, one after another.
	await breathe();
	for (;;) {
		if (run.stopped.aborted) throw new Stopped();
		const limited = book.limited.get(account.limiter);
		if (limited && asked <= limited.asked) {
			const { message, details } = limited.error;
			throw new ServiceError(message, { ...details, isUnsent: true, credits: 0 });
		}
		const { spent, surplus } = book.kept;
		const left = budget - spent;
		const needed = price.cap === undefined ? price.usual + (surplus ?? 0) : LEAST_PRICE;
		const most = Math.max(needed, price.most);
		const isSureToFit = book.held + most <= left && (book.inFlight + 1) * UNFORESEEN <= left;
		const mayBegin = book.inFlight === 0 || (surplus !== undefined && isSureToFit);
		if (mayBegin && needed <= left) return reserve(book, Math.floor(Math.min(most, left)));
		if (book.inFlight === 0) throw exhausted(budget, spent, needed);
		await new Promise<void>((resolve) => (book.wake = resolve));
	}
}

/**
 * Returns the credits that a failed call cost: 0 if it was rejected or never sent; undefined if it may have cost its
 * full price. A job that was started may have cost that, whatever failed later.
 */
function creditsOfFailure(error: unknown): number | undefined {
	if (error instanceof Stopped) return error.job || error.isUnsure ? undefined : 0;
	return error instanceof ServiceError ? error.details.credits : 0;
}

function exhausted(budget: number, spent: number, price: number): ServiceError {
	const remedy =
		price > budget
			? `Raise Credit Budget to at least ${spent + price}, or ask for fewer pages or results.`
			: 'Raise Credit Budget, or run the workflow again with the items that are left.';
	return new ServiceError('Not enough Credit Budget left for this item', {
		description: `This execution has used up to ${spent} of ${budget} credits, and this request may cost ${price}, so it was not sent. ${remedy}`,
		isUnsent: true,
		credits: 0,
	});
}
