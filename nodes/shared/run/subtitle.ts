import type { Operation } from './operation';

/**
 * Says what a node is about, behind what it does: its query, site, first URL or prompt. The line is short, so a URL goes
 * without its scheme. Leaves out an expression: with one, the canvas would show no line at all.
 */
export const SUBJECT =
	'{{ String($rawParameter.query || $rawParameter.url || $rawParameter.urls || $rawParameter.prompt || "").replace(/^=[^]*|^https?:\\/\\/|\\n[^]*/g, "").replace(/^(?=.)/, ": ") }}';

/** Gives the line under a node on the canvas: the operation's name, not its value as n8n would, and its subject. */
export function operationSubtitle(operations: Operation[]): string {
	const names = Object.fromEntries(operations.map(({ value, name }) => [value, name]));
	return `={{ (${JSON.stringify(names)})[$parameter.operation] }}${SUBJECT}`;
}
