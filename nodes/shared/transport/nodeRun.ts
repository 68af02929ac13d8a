import {
	NodeApiError,
	NodeConnectionTypes,
	type IExecuteData,
	type IExecutePaginationFunctions,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';

import { belongingTo } from '../belonging';
import { checkApiKey } from './apiKey';
import { Checklist } from './checklist';
import { readCredential } from './credential';
import { nodeErrorOf } from './errors';
import type { AccountLimiter } from './limiter/accountLimiter';
import { accounts } from './limiter/accounts';
import { redactor, type Redactor } from './redact';
import { serviceRoot } from './root';
import { Slots } from './slots';
import { Tally } from './tally';
import { turns } from './turns';
import type { ServiceCall, ServiceContext, ServiceCredential } from './types';

/** Where calls go and with which key: what a credential stands for. */
export interface Account {
	credential: ServiceCredential;
	/** The service's root address. */
	root: string;
	/** Keeps the key out of what comes back. */
	redact: Redactor;
	limiter: AccountLimiter;
}

interface ReadAccount {
	account: Account;
	/** Whether it is the same for all items. */
	isConstant: boolean;
}

interface RunOptions {
	/** How many items it has; 1 unless said otherwise. */
	items?: number;
	/** What ends its calls, instead of n8n's own signal. */
	signal?: AbortSignal;
	/** What the tries of Retry On Fail have in common. */
	kept?: KeptByItem;
}

/** What paid calls of an item ended with, by method, path and their order. */
type Kept = Map<string, Promise<unknown>>;

/** The same of a node's items, by their input. */
type KeptByItem = WeakMap<object, Kept>;

/**
 * One run of a node over its items: what they share. n8n starts the work of all items at once, each with a context of
 * its own. When one fails and On Error is "Stop Workflow", it throws away the results of the others, so from
 * then on nothing more is sent, and the error says what became of the others.
 */
export class NodeRun {
	/** Kept, since n8n copies the node each time it is asked for it. */
	readonly node: INode;

	readonly signal: AbortSignal | undefined;

	/**
	 * Thrown by a call that isn't sent any more because the run has stopped; never reaches the user. One for all, since
	 * thousands of calls may wait then. A NodeApiError, since wrapping one in another gives back the first.
	 */
	readonly notSent: NodeApiError;

	private readonly continues: boolean;

	private readonly checklist: Checklist;

	private readonly tally = new Tally();

	private readonly accounts = new Map<number | undefined, Promise<Account>>();

	private firstRead?: Promise<ReadAccount>;

	private readonly limiters = new Set<AccountLimiter>();

	private readonly sent = new Map<string, number>();

	/** The downloads of files that are under way. */
	readonly downloads = new Slots();

	private lastIndex = -1;

	/** What paid calls ended with, by input item. */
	readonly kept: KeptByItem;

	constructor(
		context: ServiceContext,
		{ items = 1, signal, kept = new WeakMap() }: RunOptions = {},
	) {
		this.node = context.getNode();
		this.signal = signal ?? context.getExecutionCancelSignal?.();
		this.kept = kept;
		this.continues = context.continueOnFail?.() === true;
		this.notSent = new NodeApiError(this.node, {});
		this.checklist = new Checklist(items);
	}

	/** Whether an item failed and the workflow stops because of it. */
	get isStopped(): boolean {
		return !this.continues && (this.checklist.hasError || this.tally.hasFailed);
	}

	/** Whether the item can be part of this run; if not, n8n runs the node again, e.g. for Retry On Fail. */
	takes(itemIndex: number): boolean {
		return itemIndex > this.lastIndex;
	}

	/**
	 * Does an item's part: `prepare` composes and checks it; when that is done for all items, `work` sends it. To be
	 * called as soon as n8n starts the item. Gives no items where nothing was sent because another item failed:
	 * that one's error is what n8n shows. Throws NodeError.
	 */
	async perform<Prepared>(
		context: IExecutePaginationFunctions,
		prepare: (context: IExecutePaginationFunctions) => Prepared,
		work: (prepared: Prepared) => Promise<INodeExecutionData[]>,
	): Promise<INodeExecutionData[]> {
		const itemIndex = context.getItemIndex();
		this.lastIndex = itemIndex;
		this.tally.start();
		try {
			const prepared = await this.checklist.prepared(context, prepare);
			if (this.isStopped) throw this.notSent;
			const items = await work(prepared);
			this.tally.finish();
			return items;
		} catch (error) {
			if (error === this.notSent) {
				this.tally.skip();
				return [];
			}
			const failure = nodeErrorOf(error, this.node, itemIndex);
			if (this.continues) this.tally.finish();
			else {
				this.tally.fail(failure);
				for (const limiter of this.limiters) limiter.drop(this);
			}
			throw failure;
		}
	}

	/** The account that an item's calls are for. Read once, unless it may differ by item. */
	async account(context: ServiceContext): Promise<Account> {
		const itemIndex = context.getItemIndex?.();
		const known = this.accounts.get(itemIndex) ?? this.readUnlessConstant(context);
		this.accounts.set(itemIndex, known);
		const account = await known;
		this.limiters.add(account.limiter);
		return account;
	}

	private async readUnlessConstant(context: ServiceContext): Promise<Account> {
		if (this.firstRead === undefined) {
			this.firstRead = readAccount(context, this.node);
			return (await this.firstRead).account;
		}
		const first = await this.firstRead.catch(() => undefined);
		return (first?.isConstant ? first : await readAccount(context, this.node)).account;
	}

	/** Whether a call was sent in an earlier try, so that what it ended with is given again. */
	keeps(context: ServiceContext, call: ServiceCall): boolean {
		const input = inputOf(context);
		return (
			input !== undefined &&
			this.kept.get(input)?.has(this.keyOf(callNameOf(context, call))) === true
		);
	}

	/**
	 * Sends a call that may cost credits once per item, also when Retry On Fail runs the node again: then what it ended
	 * with is given again. The form's values may have changed in between (`$now`), so calls are told
	 * apart by their item, method, path and order. An ending of which `isFree` says so is not kept, nor is what was thrown.
	 */
	async once<Ending>(
		context: ServiceContext,
		call: ServiceCall,
		send: () => Promise<Ending>,
		isFree: (ending: Ending) => boolean,
	): Promise<Ending> {
		const input = inputOf(context);
		if (call.method !== 'POST' || !this.node.retryOnFail || input === undefined)
			return await send();
		const endings = this.kept.get(input) ?? new Map<string, Promise<unknown>>();
		this.kept.set(input, endings);
		const name = callNameOf(context, call);
		const key = this.keyOf(name);
		this.sent.set(name, (this.sent.get(name) ?? 0) + 1);
		const before = endings.get(key);
		if (before !== undefined) return (await before) as Ending;
		const ending = send();
		endings.set(key, ending);
		const forget = () => endings.delete(key);
		// What can't be told to be free is kept.
		ending.then((ended) => isFree(ended) && forget(), forget).catch(() => {});
		return await ending;
	}

	/** What tells the next call of that name from those before it. */
	private keyOf(name: string): string {
		return `${name} ${this.sent.get(name) ?? 0}`;
	}
}

/** What tells an item's calls apart, but for their order. */
function callNameOf(context: ServiceContext, { method, path }: ServiceCall): string {
	return `${context.getItemIndex?.()} ${method} ${path}`;
}

async function readAccount(context: ServiceContext, node: INode): Promise<ReadAccount> {
	// Where it may differ by item, all items read it at once.
	await turns.take();
	const { credential, isConstant } = await readCredential(context);
	const root = serviceRoot(credential.baseUrl, node);
	checkApiKey(credential.apiKey, node);
	const limiter = await accounts.limiterOf(root, credential.apiKey);
	await turns.take();
	const redact = redactor(credential.apiKey);
	return { account: { credential, root, redact, limiter }, isConstant };
}

/**
 * The JSON of an item's input. It is the same object in all tries of Retry On Fail and, in a tool of an AI agent, another
 * one for each use of the tool. Undefined outside of a node run.
 */
function inputOf(context: ServiceContext): object | undefined {
	const input = context.getInputData?.();
	// n8n makes up an empty item each time where the input isn't of that type.
	const isOwn = input === context.getInputData?.();
	return isOwn ? input?.json : context.getInputData!(0, NodeConnectionTypes.AiTool).json;
}

/** The node of an item. n8n's contexts have it at hand; their `getNode` copies it each time. */
function nodeOf(context: IExecutePaginationFunctions): INode {
	const { node } = context as { node?: INode };
	return node ?? context.getNode();
}

/** How many items the run of an item has. */
function itemCountOf(context: IExecutePaginationFunctions): number {
	const { data, node } = context.getExecuteData();
	const items = data.main?.[0] ?? [];
	const isOfRun = items[context.getItemIndex()] === context.getInputData();
	return isOfRun && !node.executeOnce ? items.length : 1;
}

/**
 * Runs by n8n's data of a node's execution and by node: that data is all that items, each with a context of its own, and
 * the tries of Retry On Fail have in common. The tools of an AI agent share their agent's. Held weakly, so
 * a run goes when its execution ends.
 */
const runs = new WeakMap<IExecuteData, Map<string, NodeRun>>();

/** The run that an item is part of. To be called as soon as n8n starts the item. */
export function nodeRunOf(context: IExecutePaginationFunctions): NodeRun {
	const data = context.getExecuteData();
	const ofExecution = runs.get(data) ?? new Map<string, NodeRun>();
	runs.set(data, ofExecution);
	const { name } = nodeOf(context);
	const current = ofExecution.get(name);
	if (current?.takes(context.getItemIndex())) return current;
	const run = new NodeRun(context, { items: itemCountOf(context), kept: keptOf(data, name) });
	ofExecution.set(name, run);
	return run;
}

/** What the tries of a node keep. The next one may be that of another version of this package. */
function keptOf(data: IExecuteData, name: string): KeptByItem {
	const byNode = belongingTo(data, 'paid calls 1', () => new Map<string, KeptByItem>());
	const kept = byNode.get(name) ?? new WeakMap();
	byNode.set(name, kept);
	return kept;
}
