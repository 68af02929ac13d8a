import type { IExecutePaginationFunctions } from 'n8n-workflow';

/** Time (ms) reserved for n8n before a workflow's timeout, to pass on the results or to show an error. */
const FOR_N8N_MS = 2_000;

/** Assumed duration (ms) of a paid call until one has ended. */
const UNKNOWN_CALL_MS = 5_000;

/** Shortest duration (ms) assumed for a paid call. */
const LEAST_CALL_MS = 1_000;

/** Factor by which a paid call may take longer than the longest one so far. */
const SLOWER = 1.5;

/** The time that a node run has left before the workflow's timeout, when n8n cancels it and drops everything. */
export class TimeLeft {
	private readonly timeoutAt: number;

	/** Longest time that n8n waits between the tries of Retry On Fail, according to n8n's own rules, in ms. */
	private readonly retryMs: number;

	/** Expected duration of a paid call, in ms. */
	private callMs?: number;

	constructor(context: Pick<IExecutePaginationFunctions, 'getNode'>) {
		const { retryOnFail, maxTries, waitBetweenTries } = context.getNode();
		const waits = retryOnFail ? Math.min(5, Math.max(2, maxTries || 3)) - 1 : 0;
		this.retryMs = waits * Math.min(5_000, Math.max(0, waitBetweenTries || 1_000));
		// This isn't part of n8n's types.
		const { additionalData } = context as {
			additionalData?: { executionTimeoutTimestamp?: number };
		};
		this.timeoutAt = additionalData?.executionTimeoutTimestamp ?? Infinity;
	}

	/** Time left for waiting, in ms: n8n may wait again before further attempts, all of which then end immediately. */
	get waitsMs(): number {
		return this.timeoutAt - this.retryMs - Date.now();
	}

	/** Time left for a call, in ms; Infinity if the workflow has no timeout. */
	get callsMs(): number {
		return this.timeoutAt - FOR_N8N_MS - Date.now();
	}

	/**
	 * Whether a paid call sent now is likely to end in time and, if `isAwaited`, to leave enough time to name its job
	 * after all attempts.
	 */
	isEnough(isAwaited = false): boolean {
		const needed = this.callMs ?? UNKNOWN_CALL_MS;
		return this.callsMs >= needed && (!isAwaited || this.waitsMs >= needed);
	}

	/** Records the duration (ms) of a paid call that has ended. */
	took(ms: number): void {
		this.callMs = Math.max(this.callMs ?? LEAST_CALL_MS, SLOWER * ms);
	}
}
