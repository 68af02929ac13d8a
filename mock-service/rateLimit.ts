/** Requests allowed per window, and where a 429 says how long to wait. */
export interface RateLimit {
	requests: number;
	perMs: number;
	/** In the error's text (the default), or instead in the header Retry-After, or nowhere. */
	retryAfter?: 'text' | 'seconds' | 'date' | 'none';
}

interface Response {
	status: number;
	body: Record<string, unknown>;
	headers: Record<string, string>;
}

/** A window of fixed length that begins with its first request. What was rejected doesn't lengthen it. */
export class RateLimiter {
	private from = 0;
	private used = 0;

	/** Takes one request of the window; the 429 where none is left. */
	take(limit: RateLimit | undefined): Response | undefined {
		if (!limit) return undefined;
		const now = Date.now();
		if (now - this.from >= limit.perMs) {
			this.from = now;
			this.used = 0;
		}
		this.used++;
		if (this.used <= limit.requests) return undefined;
		return this.rejection(limit, this.from + limit.perMs);
	}

	reset(): void {
		this.from = 0;
	}

	private rejection({ retryAfter = 'text' }: RateLimit, until: number): Response {
		const waitMs = until - Date.now();
		const headers: Record<string, string> = {};
		if (retryAfter === 'seconds') headers['retry-after'] = String(Math.ceil(waitMs / 1000));
		if (retryAfter === 'date') {
			headers['retry-after'] = new Date(Math.ceil(until / 1000) * 1000).toUTCString();
		}
		const seconds = Math.max(1, Math.round(waitMs / 1000));
		const wait =
			retryAfter === 'text'
				? `please retry after ${seconds}s, resets at ${String(new Date(until))}`
				: 'please retry after a short delay';
		const consumed = `Consumed (req/min): ${this.used}, Remaining (req/min): 0.`;
		const error = `Rate limit exceeded. ${consumed} Upgrade your plan for a higher rate limit or ${wait}`;
		return { status: 429, body: { success: false, error }, headers };
	}
}
