import type { Entry } from '../entry';
import { failure, type ServiceResponse } from '../response';
import type { Settings } from '../settings';
import type { UploadedFile } from '../upload';
import type { State } from '../state';
import type { Reported, ReportedKind, Webhooks } from '../webhooks';

/** What an operation receives; the request has already been checked against the contract. */
export interface Context {
	state: State;
	body: Entry;
	file?: UploadedFile; // sent with the request
	query: Entry;
	id: string; // from the path, if it has one
	checkId: string; // the same for the check of a monitor
	version: 'v1' | 'v2'; // of the request's path
	settings: Settings;
	fileUrl: (name: string) => string; // returns the address of one of the service's own files
	nextUrl: (path: string) => string; // returns an absolute `next` for a path from the service root
	webhooks: Webhooks;
	/** Sends the events of a job to the request's webhook, if it has one. */
	report: (id: string, kind: ReportedKind, now: () => Reported) => void;
}

export type Handler = (context: Context) => ServiceResponse;

export const iso = (at: number) => new Date(at).toISOString();

/** Returns the 402 if the team hasn't this many credits. */
export function unpaid(state: State, credits: number): ServiceResponse | undefined {
	if (state.remaining >= credits) return undefined;
	return failure(
		402,
		'Insufficient credits to perform this request. For more credits, you can upgrade your plan.',
	);
}

/**
 * Charges the price of a paid POST, or responds with 402 if the team hasn't enough credits. `work` runs only if it is
 * paid for.
 */
export function paid(
	{ state, body }: Context,
	operation: string,
	credits: number,
	work: () => ServiceResponse,
): ServiceResponse {
	const refusal = unpaid(state, credits);
	if (refusal) return refusal;
	state.pay(operation, credits, body);
	return work();
}
