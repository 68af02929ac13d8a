/** A node that is often used together with another one. */
interface RelatedNode {
	/** Its name, including the package's. */
	nodeType: string;
	relationHint: string;
}

interface BuilderHint {
	/** When to choose the node, worded for the model that builds the workflow. */
	searchHint: string;
	relatedNodes: RelatedNode[];
}

const PACKAGE = 'n8n-nodes-web-data-service';

/**
 * Returns the part of a node's description that n8n's AI workflow builder reads. The names of related nodes lack this
 * package's name. Only newer versions of n8n know the property, so it is spread into the description.
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
