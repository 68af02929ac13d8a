import type { Operation } from './operation';

/**
 * A node's subject, shown after its operation: its query, site, first URL or prompt. Space is short, so a URL loses its
 * scheme. A value with an expression is ignored, because the canvas would then show nothing at all.
 */
export const SUBJECT =
	'{{ String($rawParameter.query || $rawParameter.url || $rawParameter.siteUrl || $rawParameter.urls || $rawParameter.prompt || "").replace(/^=[^]*|^https?:\\/\\/|\\n[^]*/g, "").replace(/^(?=.)/, ": ") }}';

/**
 * Returns the line under a node on the canvas: the operation's name, instead of its value, which n8n would show, and
 * its subject.
 */
export function operationSubtitle(operations: Operation[]): string {
	const names = Object.fromEntries(operations.map(({ value, name }) => [value, name]));
	return `={{ (${JSON.stringify(names)})[$parameter.operation] }}${SUBJECT}`;
}
