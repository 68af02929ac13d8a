/** A call to the service. The same object stands for its first attempt and its retries. */
export interface LimitedCall {
	/** The node run it belongs to: any object, the same for all calls of the run. */
	readonly run: object;
	/** Name of the calls that the service counts together, e.g. `POST search`. */
	readonly group: string;
	readonly maxConcurrent: number;
	/**
	 * Maximum time (ms) it may wait for the rate limit over all its attempts: the pauses in which it asked for a
	 * permit, plus the current one. Waiting in line at a known pace doesn't count.
	 */
	readonly maxWaitMs: number;
	/** Ends its wait when aborted. The same for all calls of the run. */
	readonly signal?: AbortSignal;
}

/** Permission to send a call once. It must be returned with release() exactly once, whatever happens. */
export interface Permit {
	readonly call: LimitedCall;
	readonly sentAt: number;
}

/**
 * Why a call may not be sent: its run was stopped, or it would wait too long. `waitedMs` is how long it has waited for
 * the rate limit, `waitMs` how much longer it would have to.
 */
export type Denial =
	| { readonly denied: 'stopped' }
	| { readonly denied: 'tooLong'; readonly waitedMs: number; readonly waitMs: number };

/** How a call ended, as far as the limits are concerned. */
export type Verdict =
	| { kind: 'accepted' | 'failed' }
	/** A 503, or a timeout in the service's queue. */
	| { kind: 'overloaded' }
	/** A 429; `waitMs` is the wait it states, if any. */
	| { kind: 'limited'; waitMs?: number };

/** A clock in ms. */
export interface Clock {
	now(): number;
	sleep(ms: number): Promise<void>;
}

/** A period in which the service accepts no calls of a group: from a 429 until the next accepted call. */
export interface Pause {
	/** When the first 429 since the last accepted call arrived (ms). */
	readonly since: number;
	/** When a call was accepted again (ms); undefined while the pause lasts. */
	readonly endedAt?: number;
}

/** The pace of a group of calls: when each may be sent. Times in ms. */
export interface Pacing {
	/** The current pause. */
	readonly pause?: Pause;
	/** Returns the earliest time at which the next call may be sent: `now` or earlier if that is immediately. */
	earliest(now: number): number;
	sent(now: number): void;
	/** Records that the call sent at `sentAt` was accepted. */
	accepted(sentAt: number, now: number): void;
	/** Records a 429 for the call sent at `sentAt`, and the wait it stated, if any. */
	limited(sentAt: number, now: number, waitMs?: number): void;
}
