import type { INodeProperties } from 'n8n-workflow';

import { nodes } from '../../contract/nodes';

describe('what n8n checks before it runs a node', () => {
	const inCollections = (properties: INodeProperties[], isInside: boolean): string[] =>
		properties.flatMap((property) => [
			...(isInside && property.required && !property.displayOptions ? [property.name] : []),
			...(property.type === 'collection'
				? inCollections(property.options as INodeProperties[], true)
				: []),
		]);

	it.each(nodes.map((node) => ({ node, name: node.description.displayName })))(
		'$name: no child of a collection is required, as n8n would want it at the top of the form',
		({ node }) => expect(inCollections(node.description.properties, false)).toEqual([]),
	);
});
