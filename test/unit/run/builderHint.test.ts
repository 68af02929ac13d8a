import type { INodeProperties, INodeType, INodeTypeDescription } from 'n8n-workflow';

import { actionNodes, allNodes } from '../../../scripts/lib/nodes';

interface Hinted {
	builderHint?: {
		searchHint: string;
		relatedNodes: Array<{ nodeType: string; relationHint: string }>;
	};
}

const ours = new Set(
	allNodes().map(({ description }) => `n8n-nodes-web-data-service.${description.name}`),
);

/** Returns the defaults of the controls of a name, also those in Options. */
function defaultsOf({ properties }: INodeTypeDescription, field: string): unknown[] {
	const options = properties.find(({ name }) => name === 'options')!.options as INodeProperties[];
	return [...properties, ...options].filter(({ name }) => name === field).map((one) => one.default);
}

it.each(actionNodes().map((node) => [node.description.name, node] as [string, INodeType]))(
	'%s tells the workflow builder when to use it, and with which nodes that exist',
	(name, { description }) => {
		const { builderHint } = description as unknown as Hinted;
		if (!builderHint) throw new Error(`${name} lacks ...builderHint(…) in its description`);
		const { searchHint, relatedNodes } = builderHint;
		expect(searchHint.length).toBeGreaterThan(30);
		expect(relatedNodes.length).toBeGreaterThan(0);
		const named = [...searchHint.matchAll(/(\w+) \((?:default )?(\d+)\b/g)];
		for (const [, field, value] of named) expect(defaultsOf(description, field)).toEqual([+value]);
		for (const { nodeType, relationHint } of relatedNodes) {
			expect(relationHint).toBeTruthy();
			const isKnown = ours.has(nodeType) || /^(n8n-nodes-base|@n8n\/)/.test(nodeType);
			expect([nodeType, isKnown]).toEqual([nodeType, true]);
		}
	},
);
