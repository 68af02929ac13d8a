/** Names a node that people use together with another one. */
interface RelatedNode {
	/** Includes the package name. */
	nodeType: string;
	relationHint: string;
}

interface BuilderHint {
	/** Tells the model that builds a workflow when to choose the node. */
	searchHint: string;
	relatedNodes: RelatedNode[];
}

const PACKAGE = 'n8n-nodes-web-data-service';

/**
 * Tells n8n's AI workflow builder about a node, as part of its description. Related nodes of this package are given
 * without its name. Only newer versions of n8n read it, and the types of older ones don't know it, hence the spread.
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
