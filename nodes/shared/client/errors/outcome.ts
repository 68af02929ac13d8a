import type { IDataObject } from 'n8n-workflow';

import { creditsIn } from '../response';
import { type FailureKind, connectionOf } from './connections';
import { pageErrorOf } from './pageErrors';
import type { ResponseProblem } from './texts';

/** How one HTTP exchange ended. None of its strings contains the API key. */
export type Outcome =
	| { kind: 'response'; status: number; body: IDataObject }
	/** A status other than 2xx, or a 2xx with `success: false`, unless it describes a job. */
	| {
			kind: 'rejected';
			status: number;
			body?: IDataObject;
			excerpt: string;
			retryAfterMs?: number;
			/** Whether it was the response to another call, and this one wasn't sent. */
			isUnsent?: true;
			location?: string;
	  }
	| {
			kind: 'unreadable';
			status: number;
			problem: ResponseProblem;
			contentType: string;
			excerpt: string;
	  }
	/** No complete response arrived; `code` comes from Node or OpenSSL, or is one of ours such as TIMEOUT. */
	| { kind: 'noResponse'; code: string; reason: string };

export type Failed = Exclude<Outcome, { kind: 'response' }>;
export type Rejected = Extract<Outcome, { kind: 'rejected' }>;

/**
 * Code of a 408 for a request that timed out while it was queued for one of the account's browsers; the service never
 * began it.
 */
const QUEUE_TIMEOUT = 'CONCURRENCY_QUEUE_TIMEOUT';

/** Status of a service that was installed without the requested part; asking again won't change that. */
export const NOT_IMPLEMENTED = 501;

/** Statuses of a service that sends the request elsewhere; any other below 400 may come with a bill. */
const REDIRECTS = [300, 301, 302, 303, 305, 307, 308];

/** Returns the kind of a failure; undefined if retrying can't help. */
export function failureKindOf(outcome: Outcome): FailureKind | undefined {
	if (outcome.kind === 'response') return undefined;
	if (outcome.kind === 'noResponse') return connectionOf(outcome.code).kind;
	if (outcome.kind === 'unreadable') {
		// JSON that can't be parsed has most likely lost its end in transit.
		return outcome.problem === 'cut' || outcome.problem === 'notJson' ? 'broken' : undefined;
	}
	const { status, body } = outcome;
	if (status === 503) return 'overloaded';
	if (status === 408 && body?.code === QUEUE_TIMEOUT) return 'queued';
	const isOfService = status === 408 || (status >= 500 && status !== NOT_IMPLEMENTED);
	return isOfService ? 'serverError' : undefined;
}

/** Statuses of refusals; the credits that one states are those of the account. */
const REFUSED = [401, 402, 429];

/** Returns the credits that a rejection says it cost; undefined if it says none. */
export function statedCredits(outcome: Outcome): number | undefined {
	const isOfCall = outcome.kind === 'rejected' && !REFUSED.includes(outcome.status);
	return isOfCall ? creditsIn(outcome.body ?? {}) : undefined;
}

/** Whether a call with this outcome may have been processed, and billed if it costs credits. */
export function mayBeBilled(outcome: Outcome): boolean {
	if (outcome.kind === 'noResponse') return !connectionOf(outcome.code).isUnsent;
	if (failureKindOf(outcome) === 'queued') return false;
	const page = outcome.kind === 'rejected' ? pageErrorOf(outcome.body) : undefined;
	// A start may say 0 of a job that is running all the same.
	const credits = statedCredits(outcome) || page?.credits;
	if (credits !== undefined) return credits > 0;
	const { status } = outcome;
	if (status < 400) return !REDIRECTS.includes(status);
	return status === 408 || (status >= 500 && status !== NOT_IMPLEMENTED);
}

/** Whether the service says that the page itself could not be scraped. */
export function isPageError(outcome: Outcome): boolean {
	return outcome.kind === 'rejected' && pageErrorOf(outcome.body) !== undefined;
}

/** Whether it is uncertain if a call was processed and billed. */
export function isUnsure(outcome: Outcome, method: string): boolean {
	return method === 'POST' && mayBeBilled(outcome) && !isPageError(outcome);
}
