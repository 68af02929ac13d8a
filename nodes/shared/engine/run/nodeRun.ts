import {
	NodeConnectionTypes,
	type IDataObject,
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
import { without } from '../../json';
import { afterFailure } from '../../time';
import { Round } from './round';
import { Tally } from './tally';

const MB = 1024 * 1024;

/** Sends nothing more with results of so many bytes. n8n saves at most 512 MB; half is left for what is in flight. */
const MAX_RESULT_BYTES = 256 * MB;

/** Holds what the tries of Retry On Fail keep for the next one. */
interface Tries {
	/** Keeps the endings of paid calls, by the JSON of their input item and by method, path and order. */
	endings: WeakMap<object, Map<string, Promise<unknown>>>;
	spent: Spent;
}

/** Adds up what the tries of a node have used. */
export interface Spent {
	/** Counts the credits that are known to have been billed. */
	credits: number;
	/** Says that a call was billed, but nobody knows how much. */
	isUnsure: boolean;
}

/**
 * Holds what the items of one node run share. n8n starts all items at once, each with its own context. If one fails and
 * On Error is "Stop Workflow", n8n throws away the others' results. So from then on nothing more is sent, and the error
 * says what became of the others.
 */
export class NodeRun implements Run {
	readonly cancelled: AbortSignal | undefined;
	readonly stopped: AbortSignal;
	private readonly stop = new AbortController();
	private readonly continues: boolean;
	/** The rounds by their number, from 0. */
	private readonly rounds = new Map<number, Round>();
	private readonly roundSize: number;
	private readonly tally = new Tally();
	private readonly accounts = new Map<number, Promise<Account>>();
	private firstRead?: Promise<ReadAccount>;
	/** Counts the calls of each name that were sent in this try. */
	private readonly sent = new Map<string, number>();
	/** Collects the results that get `runCreditsUsed` at the end. */
	private readonly summed: INodeExecutionData[] = [];
	/** Counts what the results of all items together hold, in bytes. */
	readonly held = { bytes: 0 };
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
		this.roundSize = roundSizeOf(context);
	}

	/** Tells whether the item can be part of this run; if not, n8n runs the node again, e.g. for Retry On Fail. */
	takes(itemIndex: number): boolean {
		return itemIndex > this.lastIndex;
	}

	/** Returns the round of an item. */
	private roundOf(itemIndex: number): Round {
		// The same in each try of Retry On Fail, however the times of n8n's batches overlap.
		const number = Math.floor(itemIndex / this.roundSize);
		const round = this.rounds.get(number) ?? new Round();
		this.rounds.set(number, round);
		return round;
	}

	/**
	 * Does an item's part: `check` composes and checks it; once all items of its round are checked, `work` sends it. Call it
	 * as soon as n8n starts the item. Returns no items if nothing was sent because another item failed; n8n then shows that
	 * item's error. Throws NodeError.
	 */
	async perform<Checked>(
		itemIndex: number,
		check: (round: Round) => Checked,
		work: (checked: Checked, round: Round) => Promise<INodeExecutionData[]>,
	): Promise<INodeExecutionData[]> {
		this.lastIndex = itemIndex;
		this.tally.start();
		try {
			const round = this.roundOf(itemIndex);
			const checked = await round.take(() => check(round));
			if (round.hasError && !this.continues) this.stop.abort();
			if (this.stopped.aborted) throw new Stopped();
			const items = await work(checked, round);
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

	/** Gives results `runCreditsUsed` once all items have ended: the credits that all of them used, if known. */
	sum(items: INodeExecutionData[]): void {
		for (const item of items) this.summed.push(item);
	}

	/** Throws ServiceError if the results are as large as n8n can pass on and save. */
	checkRoom(): void {
		if (this.held.bytes <= MAX_RESULT_BYTES) return;
		const size = `${MAX_RESULT_BYTES / MB} MB`;
		throw new ServiceError(
			`The results of the other items have more than ${size}, about as much as n8n can hold`,
			{
				description:
					'This item was not sent. Send fewer items at a time, e.g. with Loop Over Items, or ask for less of each page.',
				isUnsent: true,
				credits: 0,
			},
		);
	}

	private finish(): void {
		this.tally.tellFailures();
		const { credits, isUnsure } = this.tries.spent;
		for (const item of this.summed) {
			// A failed item may have only these keys, or n8n would take it for a result.
			if ('error' in item.json) continue;
			// With n8n's Batching, an earlier end may have known a sum. What a later try is given again keeps its own object.
			const json: IDataObject = without(item.json, 'runCreditsUsed');
			item.json = isUnsure ? json : { ...json, runCreditsUsed: credits };
		}
	}

	/** Makes an item's caller. Throws NodeOperationError if the credential can't be used. */
	async callerFor(context: IExecutePaginationFunctions): Promise<Required<Caller>> {
		return {
			run: this,
			context,
			account: await this.account(context),
			once: async (call, send, isFree) => await this.once(context, call, send, isFree),
		};
	}

	/** Gives the account of an item's calls. It is read once, unless it may differ by item. */
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

	/** Tells whether a call was sent in an earlier try, so that its ending is given again. */
	keeps(context: IExecutePaginationFunctions, call: ServiceCall): boolean {
		const endings = this.tries.endings.get(inputOf(context));
		return endings?.has(this.keyOf(nameOf(context, call))) === true;
	}

	/**
	 * Sends a call that may cost credits once per item, even if Retry On Fail runs the node again. The form's values may
	 * have changed since (`$now`), so calls are told apart by item, method, path and order. Errors are not kept.
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
		// In a retry, an item that is known to fail stops the run first.
		const ending = afterFailure().then(send);
		endings.set(key, ending);
		const forget = () => endings.delete(key);
		ending.then((ended) => isFree(ended) && forget(), forget).catch(() => {});
		return await ending;
	}

	private keyOf(name: string): string {
		return `${name} ${this.sent.get(name) ?? 0}`;
	}
}

/** Returns the number of items in a round: n8n's batch size if its Batching is on, else all. */
function roundSizeOf(context: IExecutePaginationFunctions): number {
	const { batching } = context.getNodeParameter('requestOptions', {}) as {
		batching?: { batch?: { batchSize?: number; batchInterval?: number } };
	};
	const { batchSize = 0, batchInterval = 0 } = batching?.batch ?? {};
	// As n8n reads them.
	if (!(batchInterval > 0)) return Infinity;
	return batchSize > 0 ? batchSize : 1;
}

/** Names an item's call; calls of the same name differ only in their order. */
function nameOf(context: IExecutePaginationFunctions, { method, path }: ServiceCall): string {
	return `${context.getItemIndex()} ${method} ${path}`;
}

/**
 * Gives the JSON of an item's input. It is the same object in all tries of Retry On Fail; in a tool of an AI agent, each
 * use has its own. If n8n ever makes a new object each time, a retry sends and pays again.
 */
function inputOf(context: IExecutePaginationFunctions): object {
	const input = context.getInputData() as unknown as INodeExecutionData | undefined;
	// n8n makes up an empty item each time if the input isn't of that type.
	const isOwn = input !== undefined && input === (context.getInputData() as unknown);
	if (isOwn) return input.json;
	const ofTool = context.getInputData(0, NodeConnectionTypes.AiTool) as unknown;
	return (ofTool as INodeExecutionData).json;
}

/**
 * Keeps the runs by node and by n8n's data of a node's execution. All items and all tries of Retry On Fail share that
 * data, though each item has its own context. An AI agent's tools share their agent's. Held weakly, so a run goes when
 * its execution ends. If n8n ever makes new data for each item, each item is its own run.
 */
const runs = new WeakMap<IExecuteData, Map<string, NodeRun>>();

/** Gives the run that an item is part of. Call it as soon as n8n starts the item. */
export function nodeRunOf(context: IExecutePaginationFunctions): NodeRun {
	const data = context.getExecuteData();
	const ofData = runs.get(data) ?? new Map<string, NodeRun>();
	runs.set(data, ofData);
	// A tool's data belongs to its agent.
	const node = context.getNode();
	const current = ofData.get(node.name);
	if (current?.takes(context.getItemIndex())) return current;
	const run = new NodeRun(node, context, current?.tries);
	ofData.set(node.name, run);
	return run;
}
