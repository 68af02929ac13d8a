/** A rule that makes the service fail, as its fields describe. Times in ms. */
export interface Fault {
	method?: string;
	/** Exact path, or a pattern for it, without the service's prefix and the query. */
	path?: string | RegExp;
	/** How often it applies; always by default. */
	times?: number;
	/** Probability from 0 to 1 that it applies, decided by the service's seeded random numbers. */
	probability?: number;
	when?: (request: { body: unknown; query: unknown; path: string }) => boolean;
	// Exactly one of the following.
	/** Status of a response that is sent without processing anything. */
	status?: number;
	body?: unknown;
	headers?: Record<string, string>;
	/** Resets the connection before or after processing (after: the request is in the ledger). */
	reset?: 'before' | 'after';
	/** true: cuts the connection halfway through the body; 'length': sends half the text, then ends cleanly. */
	truncate?: boolean | 'length';
	/** Any string, sent as the response. */
	raw?: { status?: number; type?: string; text: string };
	/** Delay before the usual response. */
	delayMs?: number;
	/** Sends the body in small pieces. */
	drip?: { bytes: number; everyMs: number };
	/** Whether it never responds. */
	hang?: boolean;
	/** Whether it sends an endless body of spaces. */
	endless?: boolean;
}
