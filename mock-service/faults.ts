/** A rule that makes the service fail; see each field. Times in ms. */
export interface Fault {
	method?: string;
	/** Exact path, or a pattern for it; without the service's prefix and the query. */
	path?: string | RegExp;
	/** How often it applies; always when left out. */
	times?: number;
	/** Chance from 0 to 1 that it applies, drawn from the service's seed. */
	probability?: number;
	when?: (request: { body: unknown; query: unknown; path: string }) => boolean;
	// Exactly one of what follows.
	/** A response instead; nothing is processed. */
	status?: number;
	body?: unknown;
	headers?: Record<string, string>;
	/** Connection reset before or after processing (after: it is in the ledger). */
	reset?: 'before' | 'after';
	/** true: connection cut half-way through the body; 'length': half the text, cleanly ended. */
	truncate?: boolean | 'length';
	/** Any text instead. */
	raw?: { status?: number; type?: string; text: string };
	/** Waits, then responds as usual. */
	delayMs?: number;
	/** The body in small pieces. */
	drip?: { bytes: number; everyMs: number };
	/** Never responds. */
	hang?: boolean;
	/** An endless body of spaces. */
	endless?: boolean;
}

/** The rules, in order. */
export class Faults {
	private rules: Array<{ fault: Fault; left: number }> = [];

	constructor(private readonly random: () => number) {}

	add(fault: Fault): void {
		this.rules.push({ fault, left: fault.times ?? Infinity });
	}

	clear(): void {
		this.rules = [];
	}

	/** The first rule that matches and has times left; uses one of its times. */
	take(request: {
		method: string;
		path: string;
		query: unknown;
		body: unknown;
	}): Fault | undefined {
		const rule = this.rules.find(
			({ fault, left }) =>
				left > 0 &&
				(fault.method === undefined || fault.method === request.method) &&
				(fault.path === undefined ||
					(typeof fault.path === 'string'
						? fault.path === request.path
						: request.path.search(fault.path) >= 0)) &&
				(fault.when?.(request) ?? true) &&
				(fault.probability === undefined || this.random() < fault.probability),
		);
		if (!rule) return undefined;
		rule.left--;
		return rule.fault;
	}
}
