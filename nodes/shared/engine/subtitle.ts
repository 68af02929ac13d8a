import type { Operation } from '../operation';

/** Gives the line under a node on the canvas: the operation's name. n8n itself would show its value. */
export function operationSubtitle(operations: Operation[]): string {
	const names = Object.fromEntries(operations.map(({ value, name }) => [value, name]));
	return `={{ (${JSON.stringify(names)})[$parameter.operation] }}`;
}

/** Adds the query to that line, unless it is an expression: with one, the canvas would show no line at all. */
export const QUERY_IN_SUBTITLE =
	'{{ $rawParameter.query && !$rawParameter.query.startsWith("=") ? ": " + $rawParameter.query : "" }}';
