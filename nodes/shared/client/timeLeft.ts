/** Time (ms) that is left to n8n before a workflow's timeout, to pass on what came or to show an error. */
const FOR_N8N_MS = 2_000;

/** Expected length (ms) of a paid call before one has ended. */
const UNKNOWN_CALL_MS = 5_000;

/** Shortest time (ms) in which a paid call is begun. */
const LEAST_CALL_MS = 1_000;

/** Share by which a paid call may take longer than the longest so far. */
const SLOWER = 1.5;

/** The time that a workflow's timeout leaves to a node run; then n8n cancels it, and drops everything. */
export class TimeLeft {
	private readonly timeoutAt: number;

	/** Expected length of a paid call, in ms. */
	private callMs?: number;

	/** `retryMs` is the time that n8n waits between the tries of Retry On Fail. */
	constructor(
		context: object,
		private readonly retryMs = 0,
	) {
		// n8n's types don't name it.
		const { additionalData } = context as {
			additionalData?: { executionTimeoutTimestamp?: number };
		};
		this.timeoutAt = additionalData?.executionTimeoutTimestamp ?? Infinity;
	}

	/** Time until n8n cancels the execution, in ms; Infinity if it doesn't. */
	private get ms(): number {
		return this.timeoutAt - Date.now();
	}

	/** Time in which a wait has to end, in ms: after it, n8n may wait for further tries, which all end at once. */
	get waitsMs(): number {
		return this.ms - this.retryMs;
	}

	/** Time in which a call has to end, in ms. */
	get callsMs(): number {
		return this.ms - FOR_N8N_MS;
	}

	/** Whether a paid call that is sent now is likely to end in time, and a job to be named after all tries if `isAwaited`. */
	isEnough(isAwaited = false): boolean {
		const needed = this.callMs ?? UNKNOWN_CALL_MS;
		return this.callsMs >= needed && (!isAwaited || this.waitsMs >= needed);
	}

	/** Takes the length (ms) of a paid call that has ended. */
	took(ms: number): void {
		this.callMs = Math.max(this.callMs ?? LEAST_CALL_MS, SLOWER * ms);
	}
}
