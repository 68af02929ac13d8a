import type {
	IDataObject,
	IExecuteData,
	IExecutePaginationFunctions,
	INode,
	INodeExecutionData,
} from 'n8n-workflow';

import { type NodeError, errorJson, nodeErrorOf } from '../client/errors/nodeErrors';
import { ServiceError, type StartedJob, Stopped } from '../client/errors/serviceError';
import { isObject, sizeOf, without } from '../base/json';
import { isTool } from '../form/field';
import {
	type Account,
	type Caller,
	type ReadAccount,
	type CallerRun,
	readAccount,
} from '../client/account';
import { TimeLeft } from '../client/timeLeft';
import { type Ending, Endings, endingOf } from './endings';
import { type KeptCalls, PaidCalls } from './paidCalls';
import { Parts, type Round, Rounds } from './round';
import { MAX_RESULT_BYTES, MB } from '../base/limits';

/** The outcome of an item's work. */
export interface Done {
	items: INodeExecutionData[];
	/** Credits used, if the service says. */
	credits?: number;
	job?: StartedJob;
	/** What a tool says if there are no results. */
	about?: IDataObject;
	/** Whether the size of its items is counted already, as that of pages is while they arrive. */
	isCounted?: true;
	/** Whether its items get `runCreditsUsed` once all items have ended: the credits that all of them used, if known. */
	isSummed?: boolean;
}

/** What one try of Retry On Fail keeps for the next. */
interface Tries {
	calls: KeptCalls;
	/** The endings of items that were sent, by item index. */
	endings: Map<number, Ending>;
	/** The errors of items for which too little time was left before the workflow's timeout, by item index. */
	outOfTime: Map<number, ServiceError>;
	/** Credits known to have been billed in all tries, and whether a call was billed an unknown amount. */
	spent: { credits: number; isUnsure: boolean };
}

/**
 * What the items of one node run share. n8n starts all items at once, each with its own context. If one fails and On
 * Error is "Stop Workflow", n8n discards the results of the others. From then on, nothing more is sent, and the error
 * says how the others ended.
 */
export class NodeRun extends Parts implements CallerRun {
	readonly cancelled: AbortSignal | undefined;
	readonly stopped: AbortSignal;
	readonly timeLeft: TimeLeft;
	/** Size of the results of all items together, in bytes. */
	readonly held = { bytes: 0 };
	readonly calls: PaidCalls;
	private readonly stop = new AbortController();
	private readonly continues: boolean;
	private readonly endings = new Endings();
	private readonly accounts = new Map<number, Promise<ReadAccount>>();
	/** The results that get `runCreditsUsed` at the end. */
	private readonly summed: INodeExecutionData[] = [];
	private readonly rounds: Rounds;
	private readonly logger: IExecutePaginationFunctions['logger'];
	/** The IDs of jobs that are already in n8n's log. */
	private readonly logged = new Set<string>();
	private lastIndex = -1;

	constructor(
		readonly node: INode,
		context: IExecutePaginationFunctions,
		readonly tries: Tries = {
			calls: new WeakMap(),
			endings: new Map(),
			outOfTime: new Map(),
			spent: { credits: 0, isUnsure: false },
		},
	) {
		super();
		this.cancelled = context.getExecutionCancelSignal();
		this.stopped = this.cancelled
			? AbortSignal.any([this.cancelled, this.stop.signal])
			: this.stop.signal;
		this.continues = context.continueOnFail();
		this.logger = context.logger;
		this.rounds = new Rounds(context);
		this.timeLeft = new TimeLeft(context);
		this.calls = new PaidCalls(tries.calls, node.retryOnFail === true);
	}

	/** Whether the item can be part of this run. If it can't, n8n is running the node again, e.g. for Retry On Fail. */
	takes(itemIndex: number): boolean {
		return itemIndex > this.lastIndex;
	}

	/**
	 * Runs one item's part: `check` composes and checks it, and once all items of its round have been checked, `work`
	 * sends it. Call it as soon as n8n starts the item. Returns no items if nothing was sent because another item
	 * failed; n8n then shows that item's error. Throws NodeError, though not before n8n listens.
	 */
	async perform<Checked>(
		itemIndex: number,
		check: (round: Round) => Checked,
		work: (checked: Checked, round: Round) => Promise<Done>,
	): Promise<INodeExecutionData[]> {
		this.lastIndex = itemIndex;
		const round = this.rounds.begin(itemIndex);
		this.endings.begin();
		try {
			const checked = await round.take(() => check(round));
			if (round.hasError && !this.continues) this.stop.abort();
			if (this.stopped.aborted && !round.shared.has(itemIndex)) throw new Stopped();
			// A later try has even less time left.
			const before = this.tries.outOfTime.get(itemIndex);
			if (before !== undefined) throw before;
			const { items, job, isCounted, isSummed } = await work(checked, round);
			if (!isCounted) this.held.bytes += sizeOf(items.map(({ json }) => json));
			for (const item of isSummed ? items : []) this.summed.push(item);
			this.end(itemIndex, { kind: 'finished', job });
			return items;
		} catch (error) {
			const ending = endingOf(error);
			if (error instanceof Stopped && !this.cancelled?.aborted) {
				this.end(itemIndex, ending);
				return [];
			}
			const failure = nodeErrorOf(error, {
				node: this.node,
				itemIndex,
				isForModel: isTool(this.node),
			});
			if (error instanceof ServiceError && error.details.isOutOfTime) {
				this.tries.outOfTime.set(itemIndex, error);
			}
			this.end(itemIndex, ending, failure);
			// A service's words, or what it sent despite the failure, may be as long as a result.
			this.held.bytes += sizeOf(errorJson(failure));
			if (!this.continues) await this.rounds.untilAllBegin(itemIndex);
			throw failure;
		}
	}

	private end(itemIndex: number, ending: Ending, failure?: NodeError): void {
		const { endings } = this.tries;
		if (ending.kind !== 'unsent') endings.set(itemIndex, ending);
		const known = ending.kind === 'unsent' ? endings.get(itemIndex) : undefined;
		const stops = failure !== undefined && !this.continues;
		this.endings.end(known ?? ending, stops ? failure : undefined);
		if (stops) this.stop.abort();
		// Once for all items, not once for each: thousands may fail at once.
		if (this.endings.isOver && (this.rounds.isLast || this.stopped.aborted)) this.finish();
	}

	/** Throws ServiceError if the results are already as large as what n8n can pass on and save. */
	checkRoom(): void {
		if (this.held.bytes <= MAX_RESULT_BYTES) return;
		const size = `${MAX_RESULT_BYTES / MB} MB`;
		throw new ServiceError(
			`The results of the other items exceed ${size}, about as much as n8n can hold`,
			{
				description:
					'This item was not sent. Send fewer items at a time, e.g. with Loop Over Items, or ask for less of each page.',
				isUnsent: true,
				credits: 0,
			},
		);
	}

	private finish(): void {
		if (this.stopped.aborted) {
			this.endings.describeFailures(this.rounds.isLast);
			// n8n drops the results, and the IDs along with them.
			this.logJobs();
			return;
		}
		const { credits, isUnsure } = this.tries.spent;
		for (const item of this.summed) {
			// A failed item must not have other keys, or n8n would treat it as a result.
			const { run } = item.json;
			if (!isObject(run) || 'error' in item.json) continue;
			// The calls of a tool end one by one, so there may already be a sum. This is a copy, so results reused by a
			// later try stay unchanged.
			const details: IDataObject = without(run, 'runCreditsUsed');
			if (!isUnsure) details.runCreditsUsed = credits;
			item.json = { ...item.json, run: details };
		}
	}

	private logJobs(): void {
		const jobs = this.endings.jobs.filter(({ id }) => !this.logged.has(id));
		if (jobs.length === 0) return;
		for (const { id } of jobs) this.logged.add(id);
		const ids = jobs.map(({ id }) => id).join(', ');
		this.logger.warn(
			`“${this.node.name}” ended without the results of jobs. “${jobs[0].getBy}” gives them: ${ids}`,
		);
	}

	/** Returns an item's caller. Throws NodeOperationError if the credential can't be used. */
	async callerFor(context: IExecutePaginationFunctions): Promise<Required<Caller>> {
		return {
			run: this,
			context,
			account: await this.account(context),
			once: async (call, send, isFree) => await this.calls.once(context, call, send, isFree),
		};
	}

	/** Returns the account for an item's calls. It is read only once, unless it may differ between items. */
	async account(context: IExecutePaginationFunctions): Promise<Account> {
		const itemIndex = context.getItemIndex();
		const [first] = this.accounts.values();
		const read = async (known?: ReadAccount) =>
			known?.isConstant ? known : await readAccount(context);
		const own =
			this.accounts.get(itemIndex) ?? first?.then(read, async () => await read()) ?? read();
		this.accounts.set(itemIndex, own);
		return (await own).account;
	}
}

/**
 * The runs by node, for the data that n8n keeps for a node's execution. All items and all tries of Retry On Fail share
 * that data, though each item has its own context. The tools of an AI agent share their agent's data. The reference is
 * weak, so a run is released when its execution ends. If n8n ever creates new data for each item, each item becomes a
 * run of its own.
 */
const runs = new WeakMap<IExecuteData, Map<string, NodeRun>>();

/** Returns the run that an item is part of. Call it as soon as n8n starts the item. */
export function nodeRunOf(context: IExecutePaginationFunctions): NodeRun {
	const data = context.getExecuteData();
	const ofData = runs.get(data) ?? new Map<string, NodeRun>();
	runs.set(data, ofData);
	// The data of a tool belongs to its agent.
	const node = context.getNode();
	const current = ofData.get(node.name);
	if (current?.takes(context.getItemIndex())) return current;
	const run = new NodeRun(node, context, current?.tries);
	ofData.set(node.name, run);
	return run;
}
