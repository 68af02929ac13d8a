import type { ServerResponse } from 'node:http';
import type { ServiceResponse } from './response';

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

/** Whether a rule keeps the request from being processed. */
export const respondsInstead = (fault: Fault) =>
	fault.status !== undefined ||
	fault.raw !== undefined ||
	fault.reset === 'before' ||
	fault.hang === true ||
	fault.endless === true;

/** The response that a rule has instead. */
export function responseOf(fault: Fault): ServiceResponse {
	if (fault.raw) {
		const { status = 200, type = 'text/html; charset=utf-8', text } = fault.raw;
		return { status, body: text, headers: { 'content-type': type, ...fault.headers } };
	}
	const status = fault.status ?? 200;
	const body = fault.body ?? { success: false, error: `Failure with status ${status}` };
	return {
		status,
		body: status === 204 ? '' : JSON.stringify(body),
		headers: fault.headers,
	};
}

/** Sends a body the way a rule says. Ends early when the client goes away. */
export function sendFaulty(
	raw: ServerResponse,
	fault: Fault,
	status: number,
	body: Buffer,
	headers: Record<string, string>,
): void {
	if (fault.hang) return;
	if (fault.reset) {
		raw.socket?.resetAndDestroy();
		return;
	}
	if (fault.endless) {
		raw.writeHead(status, headers);
		const spaces = Buffer.alloc(64 * 1024, ' ');
		const more = () => {
			while (!raw.destroyed && raw.write(spaces));
		};
		raw.on('drain', more);
		more();
		return;
	}
	if (fault.truncate === 'length') {
		raw.writeHead(status, headers).end(body.subarray(0, Math.floor(body.length / 2)));
		return;
	}
	if (fault.truncate) {
		raw.writeHead(status, { ...headers, 'content-length': String(body.length) });
		raw.write(body.subarray(0, Math.floor(body.length / 2)), () => raw.socket?.destroy());
		return;
	}
	const { bytes, everyMs } = fault.drip ?? { bytes: body.length, everyMs: 0 };
	raw.writeHead(status, { ...headers, 'content-length': String(body.length) });
	let sent = 0;
	const timer = setInterval(() => {
		if (raw.destroyed) clearInterval(timer);
		else if (sent >= body.length) {
			clearInterval(timer);
			raw.end();
		} else raw.write(body.subarray(sent, (sent += bytes)));
	}, everyMs);
	raw.on('close', () => clearInterval(timer));
}
