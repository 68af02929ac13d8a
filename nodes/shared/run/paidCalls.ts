import {
	NodeConnectionTypes,
	type IExecutePaginationFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { afterFailure } from '../base/time';
import type { ServiceCall } from '../client/types';

/**
 * The results of paid calls, kept across the tries of Retry On Fail so that nothing is paid for twice. Keyed by the
 * JSON of the call's input item, then by item index, method, path and order, because the form's values may change from
 * one try to the next (`$now`).
 */
export type KeptCalls = WeakMap<object, Map<string, Promise<unknown>>>;

/** The paid calls of a node run. */
export class PaidCalls {
	/** Number of calls sent in this try, by name. */
	private readonly sent = new Map<string, number>();

	constructor(
		private readonly kept: KeptCalls,
		private readonly isTriedAgain: boolean,
	) {}

	/** Whether a call was sent in an earlier try, so that its ending is reused. */
	keeps(context: IExecutePaginationFunctions, call: ServiceCall): boolean {
		const endings = this.kept.get(inputOf(context));
		return endings?.has(this.keyOf(callNameOf(context, call))) === true;
	}

	/**
	 * Sends a call once per item, even if Retry On Fail runs the node again, and returns its ending. Errors, and
	 * endings that `isFree` accepts, are not kept: the next try sends the call again.
	 */
	async once<Ending>(
		context: IExecutePaginationFunctions,
		call: ServiceCall,
		send: () => Promise<Ending>,
		isFree: (ending: Ending) => boolean,
	): Promise<Ending> {
		if (call.method !== 'POST' || !this.isTriedAgain) return await send();
		const input = inputOf(context);
		const endings = this.kept.get(input) ?? new Map<string, Promise<unknown>>();
		this.kept.set(input, endings);
		const name = callNameOf(context, call);
		const key = this.keyOf(name);
		this.sent.set(name, (this.sent.get(name) ?? 0) + 1);
		const before = endings.get(key);
		if (before !== undefined) return (await before) as Ending;
		// This way, an item that is known to fail on a retry can stop the run first.
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

/** Returns the name of an item's call; calls with the same name differ only in their order. */
function callNameOf(context: IExecutePaginationFunctions, { method, path }: ServiceCall): string {
	return `${context.getItemIndex()} ${method} ${path}`;
}

/**
 * Returns the JSON of an item's input, which is the same object in all tries of Retry On Fail; each use of an AI
 * agent's tool has its own. If n8n ever creates a new object each time, a retry sends and pays again.
 */
function inputOf(context: IExecutePaginationFunctions): object {
	const input = context.getInputData() as unknown as INodeExecutionData | undefined;
	// If there is no input of that type, n8n creates a new empty item each time.
	const isOwn = input !== undefined && input === (context.getInputData() as unknown);
	if (isOwn) return input.json;
	const ofTool = context.getInputData(0, NodeConnectionTypes.AiTool) as unknown;
	return (ofTool as INodeExecutionData).json;
}
