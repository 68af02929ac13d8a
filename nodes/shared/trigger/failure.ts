import { NodeOperationError } from 'n8n-workflow';

import { isTemporary, type Failure } from '../transport';

const CAUSES: Record<string, Failure['cause']> = {
	'400': 'configuration-invalid',
	'404': 'configuration-invalid',
};

/**
 * Tells why a poll failed. n8n's durable mode reads it from an error's `failure` to choose how long it waits.
 * Keeps what the request path has declared; what that leaves open has one meaning in a poll.
 */
export function failureOf(error: unknown): Failure {
	const { failure, httpCode } = error as { failure?: Failure; httpCode?: unknown };
	if (failure) return failure;
	const cause = CAUSES[String(httpCode)];
	if (cause) return { cause };
	const misconfigured = error instanceof NodeOperationError;
	return { cause: misconfigured ? 'configuration-invalid' : 'temporarily-unavailable' };
}

/** Tells whether a later poll may succeed although nobody has changed anything. */
export function mayPass(error: unknown): boolean {
	return isTemporary({ failure: failureOf(error) });
}
