import type { Entry } from '../entry';
import { failure, type ServiceResponse } from '../response';
import type { Settings } from '../settings';
import type { UploadedFile } from '../upload';
import type { State } from '../state';
import type { Reported, ReportedKind } from '../webhooks';

/** What an operation gets; the request has been found to keep the contract. */
export interface Context {
	state: State;
	body: Entry;
	file?: UploadedFile; // that came with the request
	query: Entry;
	id: string; // of the path, where it has one
	settings: Settings;
	fileUrl: (name: string) => string; // address of one of the service's own files
	nextUrl: (path: string) => string; // absolute `next` for a path from the service root
	/** Sends the webhook of the request, if it has one, what happens to a job. */
	report: (id: string, kind: ReportedKind, now: () => Reported) => void;
}

export type Handler = (context: Context) => ServiceResponse;

export const iso = (at: number) => new Date(at).toISOString();

/** Whether a text is a URL of the web; it may have glob characters, as those of an extraction do. */
export function isUrl(text: string): boolean {
	try {
		return /^https?:$/.test(new URL(text).protocol) && !/\s/.test(text);
	} catch {
		return false;
	}
}

/**
 * Takes the price of a paid POST, or responds with 402 when the team hasn't enough. `work` runs only
 * when it is paid for.
 */
export function paid(
	context: Context,
	operation: string,
	credits: number,
	work: () => ServiceResponse,
): ServiceResponse {
	const { state, body } = context;
	if (state.remaining < credits) {
		return failure(
			402,
			`Insufficient credits: ${operation} needs ${credits}, ${state.remaining} left`,
		);
	}
	state.pay(operation, credits, body);
	return work();
}
