import type { Outcome } from './outcome';
import type { ServiceCall } from './types';

/** Why a call failed, as far as repeating it is concerned. */
export type Trouble = 'limited' | 'overloaded' | 'serverError' | 'neverSent' | 'broken' | 'timeout';

interface Rule {
	methods: ReadonlyArray<ServiceCall['method']>;
	/** Most repeats of one call; limits on waiting apply besides. */
	repeats: number;
	/** The wait before the first repeat where the service names none; doubles each time up to `capMs`. */
	baseMs: number;
	capMs: number;
}

const ALL = ['GET', 'POST', 'DELETE'] as const;
// Repeating these costs nothing; a POST may have been processed and billed even if its answer never came.
const FREE = ['GET', 'DELETE'] as const;

/**
 * Which failures are repeated for which methods. A POST is repeated only when it can't have been processed: it was
 * refused by the rate limit, or no connection came about. A 503 is not that sure: a proxy sends it too, also
 * with Retry-After, when the service behind it took the request and died.
 */
const retryPolicy: Record<Trouble, Rule> = {
	limited: { methods: ALL, repeats: Infinity, baseMs: 1_000, capMs: 60_000 },
	neverSent: { methods: ALL, repeats: 3, baseMs: 500, capMs: 8_000 },
	overloaded: { methods: FREE, repeats: 4, baseMs: 1_000, capMs: 16_000 },
	serverError: { methods: FREE, repeats: 4, baseMs: 500, capMs: 8_000 },
	broken: { methods: FREE, repeats: 4, baseMs: 500, capMs: 8_000 },
	timeout: { methods: FREE, repeats: 1, baseMs: 500, capMs: 8_000 },
};

const SHORTEST_WAIT_MS = 50;

const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);
const BROKEN = new Set([
	'ECONNRESET',
	'EPIPE',
	'ERR_STREAM_PREMATURE_CLOSE',
	'EHOSTUNREACH',
	'ENETUNREACH',
]);
const TIMEOUT = new Set(['TIMEOUT', 'ETIMEDOUT', 'ECONNABORTED']);

/** What kind of trouble an outcome is; undefined where repeating can't help. */
export function troubleOf(outcome: Outcome): Trouble | undefined {
	switch (outcome.kind) {
		case 'response':
			return undefined;
		case 'noResponse':
			if (NEVER_SENT.has(outcome.code)) return 'neverSent';
			if (TIMEOUT.has(outcome.code)) return 'timeout';
			return BROKEN.has(outcome.code) ? 'broken' : undefined;
		case 'unreadable':
			// JSON that doesn't parse is most often an answer that lost its end on the way.
			return outcome.problem === 'cut' || outcome.problem === 'notJson' ? 'broken' : undefined;
		case 'rejected':
			if (outcome.status === 429) return 'limited';
			if (outcome.status === 503) return 'overloaded';
			return outcome.status === 408 || outcome.status >= 500 ? 'serverError' : undefined;
	}
}

/** Codes of connections that broke off before anything could be sent; '' is a request that n8n did not send. */
const NOT_BILLED =
	/^$|^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EPROTO|(DEPTH_ZERO_)?SELF_SIGNED_CERT\w*|(UNABLE_TO|CERT|ERR_TLS|ERR_SSL)_\w+)$/;

/** Whether a call with this outcome may have been processed, and billed if it costs credits. */
export function mayBeBilled(outcome: Outcome): boolean {
	if (outcome.kind === 'noResponse') return !NOT_BILLED.test(outcome.code);
	if (outcome.kind !== 'rejected') return true;
	const { status } = outcome;
	return status < 300 || status === 408 || status >= 500;
}

/** What a call has been through: repeats per trouble, and ms it waited because of rate limits. */
export interface Attempts {
	repeats: Partial<Record<Trouble, number>>;
	waitedMs: number;
}

/**
 * How long to wait before repeating a call, in ms; undefined to give up. Retry-After is obeyed, else the wait grows
 * exponentially with full jitter (`random` from 0 to 1). Waits the service asks for are bounded by `maxWaitMs` per call.
 */
export function nextDelay(
	outcome: Outcome,
	method: ServiceCall['method'],
	attempts: Attempts,
	maxWaitMs: number,
	random: () => number = Math.random,
): number | undefined {
	const trouble = troubleOf(outcome);
	if (trouble === undefined) return undefined;
	const rule = retryPolicy[trouble];
	const repeats = attempts.repeats[trouble] ?? 0;
	if (!rule.methods.includes(method) || repeats >= rule.repeats) return undefined;
	const asked = outcome.kind === 'rejected' ? outcome.retryAfterMs : undefined;
	const backoff = random() * Math.min(rule.capMs, rule.baseMs * 2 ** repeats);
	// "Now" is not to become a busy loop.
	const delay = Math.max(SHORTEST_WAIT_MS, Math.round(asked ?? backoff));
	const isWithinWait = attempts.waitedMs + delay <= maxWaitMs;
	return isWithinWait || (trouble !== 'limited' && asked === undefined) ? delay : undefined;
}

/**
 * The ms a Retry-After header asks to wait: seconds, or an HTTP date, which is compared with the answer's own Date
 * header, since clocks differ. Undefined for anything else.
 */
export function retryAfterMs(
	header: unknown,
	dateHeader: unknown,
	now: number = Date.now(),
): number | undefined {
	if (typeof header !== 'string' && typeof header !== 'number') return undefined;
	const text = String(header).trim();
	if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1_000;
	const until = Date.parse(text);
	if (Number.isNaN(until)) return undefined;
	const serviceNow = typeof dateHeader === 'string' ? Date.parse(dateHeader) : Number.NaN;
	return Math.max(0, until - (Number.isNaN(serviceNow) ? now : serviceNow));
}
