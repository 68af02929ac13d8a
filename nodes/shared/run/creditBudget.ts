import { ServiceError, Stopped } from '../client/errors/serviceError';
import { type Price, PRICES } from '../fields/prices';
import { wholeNumberField } from '../form/controls';
import type { Field } from '../form/field';
import type { Task } from './operation';
import { afterFailure, breathe, monotonicMs } from '../base/time';

export const creditBudget: Field<number> = wholeNumberField('creditBudget', 'Credit Budget', {
	default: 500,
	minValue: 1,
	description:
		'Maximum number of credits this node may use in one execution, across all its items and all rounds of a loop. A request that does not fit is not sent, and its item fails. Only as many run at once as are sure to fit, so a small budget makes a node slower. One request can exceed the budget, if it costs more than usual.',
	wire: { in: 'settings', limitsCosts: true },
});

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
	/** Credits known to have been billed. */
	spent: number;
	/** Maximum number of credits that calls of unknown price may have been billed. */
	assumed: number;
	/** Number of calls that have ended. */
	ended: number;
	/** Maximum number of credits by which a call has exceeded its usual price. */
	surplus: number;
}

/** The credits a node has used in an execution, and the calls waiting to use more. */
interface Book {
	kept: Kept;
	/** Credits reserved for calls in flight. */
	held: number;
	inFlight: number;
	/** Each looks again whether its call fits or, with an error of another task, fails as that did if it is alike. */
	waiting: Array<(failed?: [Task, ServiceError]) => void>;
}

/** The books of the executions in this process. */
const books = new WeakMap<Kept, Book>();

function bookOf(context: Task['context']): Book {
	const execution = context.getExecutionId();
	const ofNode: { creditBudget?: Kept } =
		execution === undefined ? keptOutside(context) : keptWithExecution(context);
	const before = ofNode.creditBudget;
	const isOwn = before !== undefined && before.execution === execution;
	const kept: Kept = isOwn ? before : { execution, spent: 0, assumed: 0, ended: 0, surplus: 0 };
	ofNode.creditBudget = kept;
	const book = books.get(kept) ?? { kept, held: 0, inFlight: 0, waiting: [] };
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
 * so that the budget is exceeded by at most one call's difference. A call that can be told what to spend is told what is
 * left, if that is less. Calls that cost more than usual raise the assumed price of later ones. A result kept from an
 * earlier try isn't paid for again. Throws ServiceError if the budget is used up, and whatever `work` throws.
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
	if (price.cap !== undefined && held < price.most!) {
		task.call = { ...call, body: { ...call.body, [price.cap]: held } };
	}
	const settle = (credits: number | undefined, most = held) => {
		book.held -= held;
		book.inFlight--;
		kept.spent += credits ?? 0;
		if (credits === undefined) kept.assumed += most;
		kept.ended++;
		run.tries.spent.credits += credits ?? 0;
		run.tries.spent.isUnsure ||= credits === undefined;
	};
	const working = work();
	await working.then(
		({ credits }) => {
			const surplus = (credits ?? 0) - (price.usual ?? 0);
			kept.surplus = Math.max(kept.surplus, surplus);
			settle(credits);
			resumeNext(book);
		},
		(error: unknown) => {
			const { mostCredits } = error instanceof ServiceError ? error.details : {};
			settle(creditsOfFailure(error), mostCredits);
			void afterFailure().then(() => {
				const isLimited = error instanceof ServiceError && error.status === 429;
				// A job that was started isn't alike.
				if (!isLimited || error.details.getBy !== undefined) return resumeNext(book);
				for (const resume of book.waiting.splice(0)) resume([task, error]);
			});
		},
	);
	return await working;
}

/** Reserves credits for a call once they are certain to fit into the budget, and returns how many. */
async function hold(book: Book, task: Task, price: Price): Promise<number> {
	const { form, run } = task;
	const { kept } = book;
	const budget = form.get(creditBudget) ?? Infinity;
	for (let hasWaited = false; ; hasWaited = true) {
		if (run.stopped.aborted) {
			resumeNext(book);
			throw new Stopped();
		}
		const left = budget - kept.spent - kept.assumed;
		const usual = price.cap === undefined ? (price.usual ?? 0) + kept.surplus : 0;
		const needed = Math.max(LEAST_PRICE, usual);
		// A call without a highest price may use everything that is left.
		const highest = price.most ?? (budget === Infinity ? 0 : left);
		const most = Math.max(
			needed,
			price.cap === undefined ? highest : Math.min(highest, Math.floor(left)),
		);
		const isSureToFit =
			kept.ended > 0 && book.held + most <= left && (book.inFlight + 1) * UNFORESEEN <= left;
		const mayBegin = budget === Infinity || book.inFlight === 0 || isSureToFit;
		if (mayBegin && needed <= left) {
			book.held += most;
			book.inFlight++;
			resumeNext(book);
			return most;
		}
		if (book.inFlight === 0) {
			resumeNext(book);
			throw exhausted(budget, kept, needed);
		}
		const failed = await new Promise<[Task, ServiceError] | undefined>((resume) => {
			if (hasWaited) book.waiting.unshift(resume);
			else book.waiting.push(resume);
		});
		// Thousands of calls may continue, or fail, one after another.
		await breathe();
		if (failed !== undefined) failAlike(task, ...failed);
	}
}

/** Wakes the call that has waited the longest; if it can proceed, it wakes the next one. */
function resumeNext({ waiting }: Book): void {
	waiting.shift()?.();
}

/**
 * Throws an error for a call that has waited for its turn as long as one that the same account's rate limit kept back for
 * too long: one after another, each would wait as long again.
 */
function failAlike({ account, settings }: Task, limited: Task, { message, details }: ServiceError) {
	if (account.limiter !== limited.account.limiter) return;
	if (settings.maxWaitMs !== limited.settings.maxWaitMs) return;
	throw new ServiceError(message, { ...details, isUnsent: true, credits: 0 });
}

/**
 * Returns the credits that a failed call cost: 0 if it was rejected or never sent; undefined if it may have cost its
 * full price. A job that was started may have cost that, whatever failed later.
 */
function creditsOfFailure(error: unknown): number | undefined {
	if (error instanceof Stopped) return error.job || error.isUnsure ? undefined : 0;
	return error instanceof ServiceError ? error.details.credits : 0;
}

function exhausted(budget: number, { spent, assumed }: Kept, price: number): ServiceError {
	const remedy =
		price > budget
			? `Raise Credit Budget to at least ${spent + assumed + price}, or ask for fewer pages or results.`
			: 'Raise Credit Budget, or run the workflow again with the items that are left.';
	const unsure =
		assumed === 0 ? '' : ` and up to ${assumed} more for requests whose price is not known,`;
	return new ServiceError('Not enough Credit Budget left for this item', {
		description: `This execution has used ${spent} of ${budget} credits,${unsure} and this request may cost ${price}, so it was not sent. ${remedy}`,
		isUnsent: true,
		credits: 0,
	});
}
