import type { INode, INodeProperties, INodeType } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { controlSamples, requiredParameters } from '../../contract/controls';
import { cases, nodes } from '../../contract/nodes';

describe('what n8n checks before it runs a node', () => {
	it.each(cases)('$name: $operation runs with only its required fields', ({ node, operation }) => {
		const parameters = requiredParameters(node, operation);
		const issues = NodeHelpers.getNodeParametersIssues(
			node.description.properties,
			{ parameters, typeVersion: 1 } as INode,
			node.description,
		);
		expect(issues).toBeNull();
	});

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

it.each(['e.g. page', 'e.g. page1'])(
	'a required text like "%s" is tried with two values',
	(placeholder) => {
		const field = { name: 'page', type: 'string', default: '', required: true, placeholder };
		const properties = [{ ...field, displayOptions: { show: { '/operation': ['check'] } } }];
		const node = { description: { version: 1, properties } } as unknown as INodeType;
		const entered = controlSamples(node, 'check').map((sample) => sample.entered);
		expect(new Set(entered).size).toBe(2);
	},
);
