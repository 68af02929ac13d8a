/* eslint-disable @typescript-eslint/no-unused-vars */
import type { Entry } from './entry';
import { kindsOf } from './issues';

const LISTS = ['formats', 'sources', 'parsers'];

/**
 * Returns a body as the contract has it, made from one that the service also accepts: with `origin` and `integration`,
 * which clients add to every request, and with formats, sources and parsers as plain texts.
 */
export function tolerated(operationId: string, body: unknown): unknown {
	if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
	const { origin: _origin, integration: _integration, ...rest } = body as Entry;
	return withObjects(operationId, rest, []);
}

function withObjects(operationId: string, given: Entry, path: string[]): Entry {
	const result = { ...given };
	for (const name of LISTS) {
		const list = [...path, name];
		// In v1 these are texts.
		if (Array.isArray(given[name]) && kindsOf(operationId, list).length > 0) {
			result[name] = given[name].map((entry: unknown) =>
				typeof entry === 'string' ? { type: entry } : entry,
			);
		}
	}
	const options = given.scrapeOptions;
	if (typeof options === 'object' && options !== null && path.length === 0) {
		result.scrapeOptions = withObjects(operationId, options as Entry, ['scrapeOptions']);
	}
	return result;
}
