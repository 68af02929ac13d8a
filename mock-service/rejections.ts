import { failure, type ServiceResponse } from './response';
import type { Issue } from './rules';
import { UNRECOGNIZED } from './rules/schemas';

/** The body of a 400 for invalid JSON. */
export const INVALID_JSON = {
	success: false,
	code: 'BAD_REQUEST_INVALID_JSON',
	error: 'Bad request, malformed JSON',
};

/**
 * Returns the response of the service's web framework to a path without a route: a web page, whether or not there is a
 * key.
 */
export function noSuchEndpoint(method: string, path: string): ServiceResponse {
	const body = `<!DOCTYPE html><title>Error</title><pre>Cannot ${method} ${path}</pre>`;
	return { status: 404, body, headers: { 'content-type': 'text/html; charset=utf-8' } };
}

/** Returns the 400 for a request that breaks the contract; a search and a wrong ID have their own kind of 400. */
export function badRequest(operationId: string, details: Issue[]): ServiceResponse {
	if (details.every(({ path }) => /^(job)?id$/i.test(String(path[0])))) {
		return failure(400, 'Invalid job ID format. Job ID must be a valid UUID.');
	}
	const said =
		operationId === 'search'
			? { success: false, error: 'Invalid request body', details }
			: { success: false, code: 'BAD_REQUEST', error: errorOf(details), details };
	return { status: 400, body: said };
}

function errorOf(issues: Issue[]): string {
	if (issues.some(({ code }) => code === 'unrecognized_keys')) return UNRECOGNIZED;
	return issues[0].code === 'custom' ? issues[0].message : 'Bad Request';
}
