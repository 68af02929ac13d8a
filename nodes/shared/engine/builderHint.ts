/** A node that people use together with another one. */
interface RelatedNode {
	/** With its package. */
	nodeType: string;
	relationHint: string;
}

interface BuilderHint {
	/** When to choose the node, for the model that builds a workflow. */
	searchHint: string;
	relatedNodes: RelatedNode[];
}

const PACKAGE = 'n8n-nodes-web-data-service';

/**
 * What n8n's AI workflow builder is told of a node, as part of its description. Related nodes of this package are given
 * without its name. Newer versions of n8n read it; the types of older ones don't know it, hence the spread.
 */
export function builderHint(
	searchHint: string,
	related: Record<string, string>,
): { builderHint: BuilderHint } {
	const relatedNodes = Object.entries(related).map(([name, relationHint]) => ({
		nodeType: name.includes('.') ? name : `${PACKAGE}.${name}`,
		relationHint,
	}));
	return { builderHint: { searchHint, relatedNodes } };
}
