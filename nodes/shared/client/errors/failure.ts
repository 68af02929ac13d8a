/** Why an operation failed, for n8n's poller, which reads it from `error.failure` (n8n 2.37 and later). */
export interface Failure {
	cause:
		| 'rate-limited'
		| 'quota-exhausted'
		| 'temporarily-unavailable'
		| 'credential-invalid'
		| 'configuration-invalid';
	retryAfterMs?: number;
}

/** What happened, as a sentence without a full stop, and what to do. */
export interface ErrorText {
	message: string;
	/**
	 * Full sentences. For a failure that may pass, the text begins in lower case, to complete "If this keeps happening,
	 * …". Field labels are in braces: sentences that name a field the form lacks are left out (advice.ts).
	 */
	remedy: string;
	cause?: Failure['cause'];
}

/** Whether the same call may succeed later. */
export function mayPass(cause: Failure['cause'] | undefined): boolean {
	return cause === 'temporarily-unavailable' || cause === 'rate-limited';
}
