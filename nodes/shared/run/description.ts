import type { Icon, NodeHint } from 'n8n-workflow';

import type { Operations } from './operation';

const PACKAGE = 'n8n-nodes-web-data-service';

/** Returns the icon of a node, by its name in `icons/`. */
export const iconOf = (name: string): Icon => ({
	light: `file:../../icons/${name}.svg`,
	dark: `file:../../icons/${name}.dark.svg`,
});

/**
 * Returns the part of a node's description that n8n's AI workflow builder reads: when to choose the node, worded for a
 * model, and what nodes that are often used together with it add. The names of related nodes lack this
 * package's name. Only newer versions of n8n know the property, so it is spread into the description.
 */
export function builderHint(searchHint: string, related: Record<string, string>) {
	const relatedNodes = Object.entries(related).map(([name, relationHint]) => ({
		nodeType: name.includes('.') ? name : `${PACKAGE}.${name}`,
		relationHint,
	}));
	return { builderHint: { searchHint, relatedNodes } };
}

const MANY_ITEMS = 300;

/**
 * Advice to set Batching for many items: n8n prepares all of them in one go and doesn't respond to anybody meanwhile. A
 * default in the description would do nothing, because n8n replaces the whole field.
 */
export const batchingHint: NodeHint = {
	message:
		'n8n prepares all these items in one go and may freeze meanwhile. To let it pause, add Settings → Request Options → Batching: 20 items per batch, 1 ms apart.',
	displayCondition: `={{ $input.all().length >= ${MANY_ITEMS} && !$parameter["requestOptions"]?.["batching"] }}`,
	location: 'outputPane',
};

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
export function operationSubtitle(operations: Operations): string {
	const names = Object.fromEntries(
		Object.entries(operations).map(([value, { name }]) => [value, name]),
	);
	return `={{ (${JSON.stringify(names)})[$parameter.operation] }}${SUBJECT}`;
}
