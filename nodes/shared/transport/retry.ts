import type { Outcome } from './outcome';
import { pageError } from './pageErrors';
import type { ServiceCall } from './types';

/** Why a call failed, as far as retrying it is concerned; a 429 is waited for in the account's limiter instead. */
export type FailureKind =
	'overloaded' | 'queued' | 'serverError' | 'neverSent' | 'broken' | 'timeout';

interface Rule {
	methods: ReadonlyArray<ServiceCall['method']>;
	/** Most retries of one call; limits on waiting apply besides. */
	retries: number;
	/** The wait before the first retry where the service names none; doubles each time up to `capMs`. */
	baseMs: number;
	capMs: number;
}

const ALL = ['GET', 'POST', 'DELETE'] as const;
// Retrying these costs nothing; a POST may have been processed and billed even if its response never came.
const FREE = ['GET', 'DELETE'] as const;

/**
 * Which failures are retried for which methods. A POST is retried only when it can't have been processed, because no
 * connection came about or the service says that it never began. A 503 is not that sure: a proxy sends it too, also with
 * Retry-After, when the service behind it took the request and died.
 */
const retryPolicy: Record<FailureKind, Rule> = {
	neverSent: { methods: ALL, retries: 3, baseMs: 500, capMs: 8_000 },
	queued: { methods: ALL, retries: 12, baseMs: 1_000, capMs: 8_000 },
	overloaded: { methods: FREE, retries: 4, baseMs: 1_000, capMs: 16_000 },
	serverError: { methods: FREE, retries: 4, baseMs: 500, capMs: 8_000 },
	broken: { methods: FREE, retries: 4, baseMs: 500, capMs: 8_000 },
	timeout: { methods: FREE, retries: 1, baseMs: 500, capMs: 8_000 },
};

const SHORTEST_WAIT_MS = 50;

/** With a 408, of a request that timed out in the queue for a free browser of the account: the service never began with it. */
const QUEUE_TIMEOUT = 'CONCURRENCY_QUEUE_TIMEOUT';

/** Of a service that is installed without the part in question: that won't change by asking again. */
export const NOT_IMPLEMENTED = 501;

const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'PROXY_CLOSED']);
const BROKEN = new Set([
	'ECONNRESET',
	'EPIPE',
	'ERR_STREAM_PREMATURE_CLOSE',
	'EHOSTUNREACH',
	'ENETUNREACH',
]);
// TLS broke off: before the handshake was done the code is EPROTO, but for a client certificate that is missed later.
const BROKEN_TLS = /^ERR_SSL_(?!TLSV13_ALERT_CERTIFICATE_REQUIRED$)/;
const TIMEOUT = new Set(['TIMEOUT', 'ETIMEDOUT', 'ECONNABORTED']);

/** What kind of failure an outcome is; undefined where retrying can't help. */
export function failureKindOf(outcome: Outcome): FailureKind | undefined {
	switch (outcome.kind) {
		case 'response':
			return undefined;
		case 'noResponse':
			if (NEVER_SENT.has(outcome.code)) return 'neverSent';
			if (TIMEOUT.has(outcome.code)) return 'timeout';
			return BROKEN.has(outcome.code) || BROKEN_TLS.test(outcome.code) ? 'broken' : undefined;
		case 'unreadable':
			// JSON that doesn't parse is most often a response that lost its end on the way.
			return outcome.problem === 'cut' || outcome.problem === 'notJson' ? 'broken' : undefined;
		case 'rejected':
			if (outcome.status === 503) return 'overloaded';
			if (outcome.status === 408 && outcome.body?.code === QUEUE_TIMEOUT) return 'queued';
			if (outcome.status === NOT_IMPLEMENTED) return undefined;
			return outcome.status === 408 || outcome.status >= 500 ? 'serverError' : undefined;
	}
}

/** Codes of connections that broke off before anything could be sent; '' is a request that n8n did not send. */
const NOT_BILLED =
	/^$|^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|PROXY_CLOSED|(DOMAIN|ADDRESS)_NOT_ALLOWED|ERR_INVALID_(CHAR|ARG_VALUE)|EPROTO|(DEPTH_ZERO_)?SELF_SIGNED_CERT\w*|(UNABLE_TO|CERT|ERR_TLS)_\w+|ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED)$/;

/** Whether a call with this outcome may have been processed, and billed if it costs credits. */
export function mayBeBilled(outcome: Outcome): boolean {
	if (outcome.kind === 'noResponse') return !NOT_BILLED.test(outcome.code);
	if (failureKindOf(outcome) === 'queued') return false;
	const known = outcome.kind === 'rejected' ? pageError(outcome.body)?.isBilled : undefined;
	if (known !== undefined) return known;
	const { status } = outcome;
	return status < 300 || status === 408 || (status >= 500 && status !== NOT_IMPLEMENTED);
}

/** What a call has been through: retries per kind of failure, and the ms it waited as the service asked for. */
export interface Attempts {
	retries: Partial<Record<FailureKind, number>>;
	waitedMs: number;
}

/**
 * How long to wait before retrying a call, in ms; undefined to give up. Counts the retry in `attempts`. Retry-After is
 * obeyed unless it is 0, else the wait grows exponentially with full jitter (`random` from 0 to 1). What the service asks to wait is
 * bounded by `maxWaitMs` in all.
 */
export function nextDelay(
	outcome: Outcome,
	method: ServiceCall['method'],
	attempts: Attempts,
	maxWaitMs: number,
	random: () => number = Math.random,
): number | undefined {
	const kind = failureKindOf(outcome);
	if (kind === undefined) return undefined;
	const rule = retryPolicy[kind];
	const retries = attempts.retries[kind] ?? 0;
	if (!rule.methods.includes(method) || retries >= rule.retries) return undefined;
	// "Now", which would use up all retries in no time, is taken for no wait that was asked for.
	const asked = (outcome.kind === 'rejected' && outcome.retryAfterMs) || undefined;
	const backoff = random() * Math.min(rule.capMs, rule.baseMs * 2 ** retries);
	const delay = Math.max(SHORTEST_WAIT_MS, Math.round(asked ?? backoff));
	if (asked !== undefined) {
		if (attempts.waitedMs + delay > maxWaitMs) return undefined;
		attempts.waitedMs += delay;
	}
	attempts.retries[kind] = retries + 1;
	return delay;
}
