import { NodeOperationError } from 'n8n-workflow';

/**
 * Why a poll failed, in the terms n8n's durable mode reads from an error's `failure` to choose how long
 * it waits (n8n-workflow's `Failure`, which n8n 1.x and early 2.x don't have and ignore).
 */
export interface Failure {
	cause:
		| 'rate-limited'
		| 'quota-exhausted'
		| 'temporarily-unavailable'
		| 'credential-invalid'
		| 'configuration-invalid';
	/** The wait (ms) that the service asked for. */
	retryAfterMs?: number;
}

const CAUSES: Record<string, Failure['cause']> = {
	'400': 'configuration-invalid',
	'401': 'credential-invalid',
	'402': 'quota-exhausted',
	'403': 'credential-invalid',
	'404': 'configuration-invalid',
	'429': 'rate-limited',
};

/** The failure that an error of a poll stands for; one that the request path declared is kept. */
export function failureOf(error: unknown): Failure {
	const { failure, httpCode } = error as { failure?: Failure; httpCode?: unknown };
	if (failure) return failure;
	const cause = CAUSES[String(httpCode)];
	if (cause) return { cause };
	const misconfigured = error instanceof NodeOperationError;
	return { cause: misconfigured ? 'configuration-invalid' : 'temporarily-unavailable' };
}
