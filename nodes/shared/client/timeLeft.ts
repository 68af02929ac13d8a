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

	/** Expected duration of a paid call, in ms. */
	private callMs?: number;

	/** `retryMs` is the time that n8n waits between the attempts of Retry On Fail. */
	constructor(
		context: object,
		private readonly retryMs = 0,
	) {
		// This isn't part of n8n's types.
		const { additionalData } = context as {
			additionalData?: { executionTimeoutTimestamp?: number };
		};
		this.timeoutAt = additionalData?.executionTimeoutTimestamp ?? Infinity;
	}

	/** Time until n8n cancels the execution, in ms; Infinity if it won't. */
	private get ms(): number {
		return this.timeoutAt - Date.now();
	}

	/** Time left for waiting, in ms: n8n may wait again before further attempts, all of which then end immediately. */
	get waitsMs(): number {
		return this.ms - this.retryMs;
	}

	/** Time left for a call, in ms. */
	get callsMs(): number {
		return this.ms - FOR_N8N_MS;
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
