import {
	NodeConnectionTypes,
	type IExecuteData,
	type IExecutePaginationFunctions,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';

import { nodeErrorOf } from '../../errors/nodeErrors';
import { ServiceError, Stopped } from '../../errors/serviceError';
import {
	type Account,
	type Caller,
	type ReadAccount,
	type Run,
	type ServiceCall,
	readAccount,
} from '../../transport';
import { Checklist } from './checklist';
import { Tally } from './tally';

/** What the tries of a node, with Retry On Fail, keep for the next one. */
interface Tries {
	/** What paid calls ended with, by the JSON of their input item and by method, path and order. */
	endings: WeakMap<object, Map<string, Promise<unknown>>>;
	spent: Spent;
}

/** What the tries of a node have used. */
export interface Spent {
	/** Credits that were billed, as far as is known. */
	credits: number;
	/** Whether a call was billed, but nobody knows how much. */
	isUnsure: boolean;
}

/**
 * One run of a node over its items: what they share. n8n starts the work of all items at once, each with a context of
 * its own. When one fails and On Error is "Stop Workflow", it throws away the results of the others, so from
 * then on nothing more is sent, and the error says what became of the others.
 */
export class NodeRun implements Run {
	/** Aborted when the execution is cancelled. */
	readonly cancelled: AbortSignal | undefined;

	readonly stopped: AbortSignal;

	private readonly stop = new AbortController();

	private readonly continues: boolean;

	private readonly checklist = new Checklist();

	private readonly tally = new Tally();

	private readonly accounts = new Map<number, Promise<Account>>();

	private firstRead?: Promise<ReadAccount>;

	/** How many calls of each name were sent in this try. */
	private readonly sent = new Map<string, number>();

	/** The results that get `runCreditsUsed` at the end. */
	private readonly summed: INodeExecutionData[] = [];

	private lastIndex = -1;

	constructor(
		readonly node: INode,
		context: IExecutePaginationFunctions,
		readonly tries: Tries = {
			endings: new WeakMap(),
			spent: { credits: 0, isUnsure: false },
		},
	) {
		this.cancelled = context.getExecutionCancelSignal();
		this.stopped = this.cancelled
			? AbortSignal.any([this.cancelled, this.stop.signal])
			: this.stop.signal;
		this.continues = context.continueOnFail();
	}

	/** Tells whether the item can be part of this run; if not, n8n runs the node again, e.g. for Retry On Fail. */
	takes(itemIndex: number): boolean {
		return itemIndex > this.lastIndex;
	}

	/**
	 * Does an item's part: `check` composes and checks it; when that is done for all items, `work` sends it. To be
	 * called as soon as n8n starts the item. Gives no items where nothing was sent because another item failed:
	 * that one's error is what n8n shows. Throws NodeError.
	 */
	async perform<Checked>(
		itemIndex: number,
		check: () => Checked,
		work: (checked: Checked) => Promise<INodeExecutionData[]>,
	): Promise<INodeExecutionData[]> {
		this.lastIndex = itemIndex;
		this.tally.start();
		try {
			const checked = await this.checklist.take(check);
			if (this.checklist.hasError && !this.continues) this.stop.abort();
			if (this.stopped.aborted) throw new Stopped();
			const items = await work(checked);
			this.tally.finish();
			return items;
		} catch (error) {
			if (error instanceof Stopped && !this.cancelled?.aborted) {
				this.tally.skip();
				return [];
			}
			const failure = nodeErrorOf(error, { node: this.node, itemIndex });
			if (this.continues) this.tally.finish();
			else {
				this.tally.fail(failure, error instanceof ServiceError && error.details.isUnsent === true);
				this.stop.abort();
			}
			throw failure;
		} finally {
			if (this.tally.isOver) this.finish();
		}
	}

	/** Gives results `runCreditsUsed` once all items are through: what the node used for all of them, where that is known. */
	sum(items: INodeExecutionData[]): void {
		for (const item of items) this.summed.push(item);
	}

	private finish(): void {
		this.tally.tellFailures();
		const { credits, isUnsure } = this.tries.spent;
		for (const { json } of isUnsure ? [] : this.summed) {
			// An item that failed has these keys alone, or n8n would take it for a result.
			if (!('error' in json)) json.runCreditsUsed = credits;
		}
	}

	/** Makes the caller of an item. Throws NodeOperationError for a credential that can't be used. */
	async callerFor(context: IExecutePaginationFunctions): Promise<Required<Caller>> {
		return {
			run: this,
			context,
			account: await this.account(context),
			once: async (call, send, isFree) => await this.once(context, call, send, isFree),
		};
	}

	/** Gives the account that an item's calls are for. It is read once, unless it may differ by item. */
	async account(context: IExecutePaginationFunctions): Promise<Account> {
		const itemIndex = context.getItemIndex();
		const known = this.accounts.get(itemIndex) ?? this.readUnlessConstant(context);
		this.accounts.set(itemIndex, known);
		return await known;
	}

	private async readUnlessConstant(context: IExecutePaginationFunctions): Promise<Account> {
		if (this.firstRead === undefined) {
			this.firstRead = readAccount(context);
			return (await this.firstRead).account;
		}
		const first = await this.firstRead.catch(() => undefined);
		return (first?.isConstant ? first : await readAccount(context)).account;
	}

	/** Tells whether a call was sent in an earlier try, so that what it ended with is given again. */
	keeps(context: IExecutePaginationFunctions, call: ServiceCall): boolean {
		const endings = this.tries.endings.get(inputOf(context));
		return endings?.has(this.keyOf(nameOf(context, call))) === true;
	}

	/**
	 * Sends a call that may cost credits once per item, also when Retry On Fail runs the node again. The form's values may
	 * have changed in between (`$now`), so calls are told apart by their item, method, path and order. What was thrown is not
	 * kept.
	 */
	private async once<Ending>(
		context: IExecutePaginationFunctions,
		call: ServiceCall,
		send: () => Promise<Ending>,
		isFree: (ending: Ending) => boolean,
	): Promise<Ending> {
		if (call.method !== 'POST' || !this.node.retryOnFail) return await send();
		const input = inputOf(context);
		const endings = this.tries.endings.get(input) ?? new Map<string, Promise<unknown>>();
		this.tries.endings.set(input, endings);
		const name = nameOf(context, call);
		const key = this.keyOf(name);
		this.sent.set(name, (this.sent.get(name) ?? 0) + 1);
		const before = endings.get(key);
		if (before !== undefined) return (await before) as Ending;
		const ending = send();
		endings.set(key, ending);
		const forget = () => endings.delete(key);
		ending.then((ended) => isFree(ended) && forget(), forget).catch(() => {});
		return await ending;
	}

	/** Tells the next call of that name from those before it. */
	private keyOf(name: string): string {
		return `${name} ${this.sent.get(name) ?? 0}`;
	}
}

/** Tells an item's calls apart, but for their order. */
function nameOf(context: IExecutePaginationFunctions, { method, path }: ServiceCall): string {
	return `${context.getItemIndex()} ${method} ${path}`;
}

/**
 * Gives the JSON of an item's input. It is the same object in all tries of Retry On Fail and, in a tool of an AI agent,
 * another one for each use of the tool. Where n8n should make a new object each time, a retry sends and pays again.
 */
function inputOf(context: IExecutePaginationFunctions): object {
	const input = context.getInputData() as unknown as INodeExecutionData | undefined;
	// n8n makes up an empty item each time where the input isn't of that type.
	const isOwn = input !== undefined && input === (context.getInputData() as unknown);
	if (isOwn) return input.json;
	const ofTool = context.getInputData(0, NodeConnectionTypes.AiTool) as unknown;
	return (ofTool as INodeExecutionData).json;
}

/**
 * Holds the runs by n8n's data of a node's execution and by node: that data is all that items, each with a context of its own,
 * and the tries of Retry On Fail share. The tools of an AI agent share their agent's. Held weakly, so a run goes when its
 * execution ends. Where n8n should make new data for each item, each item is a run of its own.
 */
const runs = new WeakMap<IExecuteData, Map<string, NodeRun>>();

/** Gives the run that an item is part of. To be called as soon as n8n starts the item. */
export function nodeRunOf(context: IExecutePaginationFunctions): NodeRun {
	const data = context.getExecuteData();
	const ofData = runs.get(data) ?? new Map<string, NodeRun>();
	runs.set(data, ofData);
	// A tool's is that of its agent.
	const node = context.getNode();
	const current = ofData.get(node.name);
	if (current?.takes(context.getItemIndex())) return current;
	const run = new NodeRun(node, context, current?.tries);
	ofData.set(node.name, run);
	return run;
}
