/** Describes a call to the service. One object per call: the same for its first try and its retries. */
export interface Call {
	/** Identifies the node run it belongs to: any object, the same for all calls of the run. */
	readonly run: object;
	/** Names the calls that the service counts together, e.g. `POST search`. */
	readonly group: string;
	readonly maxConcurrent: number;
	/**
	 * Most time (ms) that it may wait for the rate limit, in all its tries together: the pauses in which it asked for its
	 * turn, and the one that stands. Time at the pace that was found doesn't count: that is its place in the line.
	 */
	maxWaitMs: number;
	/** Ends its wait when aborted. The same for all calls of the run. */
	readonly signal?: AbortSignal;
}

/** Allows a call to be sent once. It must be given back with release() exactly once, whatever happens. */
export interface Permit {
	readonly call: Call;
	readonly sentAt: number;
}

/**
 * Says why a call may not be sent: its run was stopped, or it would wait too long. `waitedMs`: how long it has waited for
 * the rate limit; `waitMs`: how much longer it would have to.
 */
export type Denial =
	| { readonly denied: 'stopped' }
	| { readonly denied: 'tooLong'; readonly waitedMs: number; readonly waitMs: number };

/** Says how a call ended, as far as limits are concerned. */
export type Verdict =
	| { kind: 'accepted' | 'failed' }
	/** A 503, or a time-out in the service's queue. */
	| { kind: 'overloaded' }
	/** A 429; `waitMs`: the wait that it names, if any. */
	| { kind: 'limited'; waitMs?: number };

/** Counts in ms. */
export interface Clock {
	now(): number;
	sleep(ms: number): Promise<void>;
}

/** A time in which the service accepts no call of a group: from a 429 to the next call that it accepts after it. */
export interface Pause {
	/** When its first 429 came (ms). */
	readonly since: number;
	/** When a call was accepted again (ms); undefined while the pause stands. */
	readonly endedAt?: number;
}

/** Tells when the calls of a group may leave. Times in ms. */
export interface Pacing {
	/** The pause that stands. */
	readonly pause?: Pause;
	/** Gives the earliest time at which the next call may leave: at most `now` if it may leave now. */
	earliest(now: number): number;
	sent(now: number): void;
	/** Notes that a call that left at `sentAt` was accepted. */
	accepted(sentAt: number, now: number): void;
	/** Notes that a call that left at `sentAt` got a 429, and the wait it named, if any. */
	limited(sentAt: number, now: number, waitMs?: number): void;
}
